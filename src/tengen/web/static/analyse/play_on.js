/**
 * A game that begins from the position on the desk, against a computer of one's choice or with two people here.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 */

import { ApiError } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { createPicker } from "../shared/player_picker.js";
import { keepTokens } from "../shared/seats.js";

/** @param {Desk} desk */
export async function playFromHere({ context, position, shown }) {
  const { say, api, settings } = context;
  const { rules, turn } = shown;
  let spec = settings.get("analyseOpponent") ?? "level:3";
  let colour = turn;
  const picker = createPicker(context, say("web.setup.opponent"), spec, (next) => (spec = next));
  const sides = h(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": say("web.setup.colour") },
    /** @type {const} */ (["black", "white"]).map((name) =>
      h(
        "label",
        null,
        h("input", {
          type: "radio",
          name: "play-colour",
          value: name,
          checked: name === colour,
          onchange: () => (colour = name),
        }),
        h("span", null, say(name)),
      ),
    ),
  );
  // Rules without a name are the server's to judge when the game begins.
  if (rules.name !== "custom") {
    const asked = new URLSearchParams({ rules: rules.name });
    if (!rules.name.startsWith("mnk:")) asked.set("size", `${rules.width}x${rules.height}`);
    void api.get(`/api/catalogue?${asked}`).then(picker.offer, () => {});
  }
  const form = h(
    "div",
    { class: "setup" },
    h("h3", null, say("web.setup.opponent")),
    picker.element,
    h("h3", null, say("web.setup.colour")),
    sides,
  );
  const answer = await context.openDialog({
    title: say("web.analyse.play_on"),
    content: form,
    buttons: [
      { value: "here", label: say("web.setup.here") },
      { value: "start", label: say("web.setup.start"), kind: "main" },
    ],
  });
  if (!answer) return;
  const against = answer === "here" ? "human" : spec;
  settings.set("analyseOpponent", spec);
  const seats =
    colour === "black" ? { black: "human", white: against } : { black: against, white: "human" };
  try {
    const made = await api.post("/api/games", { ...position(), ...seats });
    keepTokens(made.id, Object.values(made.seats));
    settings.set("lastGame", made.id);
    context.go(`/g/${made.id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.toast(error.message, { kind: "error" });
  }
}
