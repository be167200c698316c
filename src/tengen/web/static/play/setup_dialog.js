/**
 * A new game with everything one may choose about it, and the state of that form.
 *
 * @import { Choice } from "../shared/dialog.js"
 * @import { Catalogue } from "../shared/schemas.js"
 * @import { Choices, Context } from "../shared/types.js"
 */

import { render } from "/static/vendor/lit-html/lit.js";
import { openChallenge } from "../lobby/challenge.js";
import { checkField } from "../shared/fields.js";
import { cataloguePath, rulesText } from "../shared/names.js";
import { DEFAULTS, OFFERED, chosen, fitting, gameBody, makeGame, usualSize } from "../shared/new_game.js";
import { createStore } from "../shared/view.js";
import { CLOCKS, hasFouls, setupView } from "./setup_view.js";

/**
 * @param {Context} context
 * @param {Partial<Choices>} [given] other than what was chosen last
 * @param {boolean} [keeps] whether what is chosen may be kept without a game
 */
export async function openSetup(context, given = {}, keeps = false) {
  const { say, settings } = context;
  const form = document.createElement("div");
  form.className = "setup";
  const fields = createSetup(context, { ...chosen(settings), ...given }, draw);
  const { setup } = fields;
  const lobby = setup.choices.company === "lobby";
  let busy = false;
  let made = "";
  draw();

  const start = {
    value: "start",
    label: say(lobby ? "web.lobby.offer" : "web.setup.start"),
    kind: /** @type {const} */ ("main"),
    check,
  };
  /** @type {Choice[]} */
  const buttons = [{ value: "reset", label: say("web.setup.reset"), check: reset }, start];
  if (keeps)
    buttons.splice(1, 0, {
      value: "keep",
      label: say("web.setup.keep"),
      check: () => fields.areRight(form),
    });
  const answer = await context.openDialog({
    title: say(lobby ? "web.lobby.offer" : "web.setup.title"),
    content: form,
    buttons,
  });
  if (!["start", "keep"].includes(answer)) return;
  const { company: _, ...rest } = setup.choices;
  settings.set(lobby ? "challenge" : "game", rest);
  if (answer === "start" && !lobby) context.go(`/g/${made}`);

  function draw() {
    render(setupView(setup, context, fields), form);
  }

  /** Choose what is chosen by default; with whom one plays stays. */
  function reset() {
    fields.reset({ ...DEFAULTS, ...(lobby ? OFFERED : null), company: setup.choices.company });
    return false;
  }

  /** Make the game; what cannot be is shown where it stands, and everything else stays as it was chosen. */
  async function check() {
    if (!fields.areRight(form) || busy) return false;
    busy = true;
    try {
      if (lobby) await openChallenge(context, setup.choices, hasFouls(setup));
      else ({ id: made } = await makeGame(context, gameBody(setup.choices, hasFouls(setup))));
      return true;
    } catch (error) {
      fields.change({ problem: context.errorText(error) });
      context.sound.refuse();
      form.querySelector(".problem")?.scrollIntoView({ block: "nearest" });
      return false;
    } finally {
      busy = false;
    }
  }
}

/**
 * @typedef {object} Setup
 * @property {Choices} choices
 * @property {Catalogue | null} catalogue what goes with the rules
 * @property {boolean} current whether that is about the rules that are chosen now, and not about those chosen before
 * @property {string} problem why there is none, or no such game
 * @property {boolean} ownClock whether the clock is written out instead of chosen
 * @property {string} clockText as it was written last
 * @property {number} takeBacks as many as there are unless they are unlimited
 */

/**
 * @param {Context} context
 * @param {Choices} choices what is chosen at first
 * @param {() => void} draw
 */
export function createSetup({ api, say, errorText }, choices, draw) {
  /** @type {Setup} */
  const beginning = {
    choices,
    catalogue: null,
    current: false,
    problem: "",
    ownClock: !CLOCKS.includes(choices.clock),
    clockText: choices.clock,
    takeBacks: choices.takeBacks ?? 5,
  };
  const { state: setup, update: change } = createStore(beginning, draw);
  let requests = 0;
  void loadCatalogue();
  return { setup, choose, change, reset, areRight };

  /** @param {Partial<Choices>} next */
  function choose(next) {
    const choices = { ...setup.choices, ...next };
    const { rules } = choices;
    const ruled = rules !== setup.choices.rules;
    if (ruled && rules === "mnk") Object.assign(choices, { size: [7, 7], k: 4 });
    else if (ruled) choices.size = usualSize(rules);
    change({ choices, problem: "", current: setup.current && !ruled });
    if (next.rules || next.size || next.k) void loadCatalogue();
  }

  /** Choose everything anew. @param {Choices} next */
  function reset(next) {
    choose({ rules: next.rules });
    choose(next);
    change({
      ownClock: !CLOCKS.includes(next.clock),
      clockText: next.clock,
      takeBacks: next.takeBacks ?? 5,
    });
  }

  /** Which players and openings go with these rules. */
  async function loadCatalogue() {
    const mine = ++requests;
    try {
      const catalogue = await api.get(cataloguePath(rulesText(setup.choices), setup.choices.size));
      if (mine !== requests) return;
      const { opponent, second, opening } = setup.choices;
      const choices = {
        ...setup.choices,
        opponent: fitting(opponent, catalogue),
        second: fitting(second, catalogue),
        opening: catalogue.openings.includes(opening) ? opening : "free",
      };
      change({ choices, catalogue, current: true, problem: "" });
    } catch (error) {
      const problem = errorText(error);
      if (mine === requests) change({ problem });
    }
  }

  /** Whether what is written in the fields can be; if not, the first wrong one says so. @param {Element} form */
  function areRight(form) {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required]"));
    return [...fields].every((field) => checkField(field, say));
  }
}
