/**
 * A game that begins from the position that is studied, against a computer of one's choice or with two people
 * here.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Catalogue } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Analysis } from "./analyse.js"
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { cataloguePath } from "../shared/names.js";
import { createGame, fitting, pickerView } from "../shared/new_game.js";
import { FIRST_OPPONENT, createStore, segmentsView } from "../shared/view.js";

/** @param {Analysis} analysis */
export async function playFromHere({ context, study }) {
  const { say, api, settings } = context;
  const { shown } = study;
  if (!shown?.turn) return;
  const { rules, rules_name, turn } = shown;
  const position = study.position();
  /** @type {{ spec: string, colour: Colour, catalogue: Catalogue | null }} */
  const beginning = {
    spec: settings.get("analyseOpponent") ?? FIRST_OPPONENT,
    colour: turn,
    catalogue: null,
  };
  const { state, update } = createStore(beginning, draw);
  const form = document.createElement("div");
  form.className = "setup";
  draw();
  // Rules without a name are the server's to judge when the game begins.
  if (rules_name !== "custom") {
    void api.get(cataloguePath(rules_name, [rules.width, rules.height])).then(
      (catalogue) => update({ catalogue, spec: fitting(state.spec, catalogue) }),
      () => {},
    );
  }
  const answer = await context.openDialog({
    title: say("web.analyse.play_on"),
    content: form,
    buttons: [
      { value: "here", label: say("web.setup.here") },
      { value: "start", label: say("web.setup.start"), kind: "main" },
    ],
  });
  if (!answer) return;
  const { spec, colour } = state;
  const against = answer === "here" ? "human" : spec;
  settings.set("analyseOpponent", spec);
  const seats =
    colour === "black" ? { black: "human", white: against } : { black: against, white: "human" };
  await createGame(context, { ...position, ...seats });

  function draw() {
    render(formView(state, context, update), form);
  }
}

/**
 * @param {{ spec: string, colour: Colour, catalogue: Catalogue | null }} state
 * @param {Context} context
 * @param {(changed: { spec?: string, colour?: Colour }) => void} onChange
 */
function formView({ spec, colour, catalogue }, context, onChange) {
  const { say } = context;
  const opponent = { id: "opponent", label: say("web.setup.opponent"), spec, catalogue };
  const sides = /** @type {const} */ ([
    ["black", say("black")],
    ["white", say("white")],
  ]);
  return html`<h3>${say("web.setup.opponent")}</h3>
    ${pickerView(opponent, context, (next) => onChange({ spec: next }))}
    <h3>${say("web.setup.colour")}</h3>
    ${segmentsView(
      { name: "play-colour", label: say("web.setup.colour"), all: sides, chosen: colour },
      (next) => onChange({ colour: next }),
    )}`;
}
