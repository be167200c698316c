/**
 * A new game with everything one may choose about it.
 *
 * @import { Choices } from "../shared/choices.js"
 * @import { Context } from "../shared/context.js"
 * @import { Choice } from "../shared/dialog.js"
 */

import { render } from "/static/vendor/lit-html/lit-html.js";
import { openChallenge } from "../lobby/challenge.js";
import { ApiError } from "../shared/api.js";
import { chosen, DEFAULTS, OFFERED } from "../shared/choices.js";
import { makeGame } from "../shared/seats.js";
import { createSetup } from "./setup_state.js";
import { setupView } from "./setup_view.js";

/**
 * @param {Context} context
 * @param {Partial<Choices>} [given] other than what was chosen last
 * @param {boolean} [keeps] whether what is chosen may be kept without a game
 */
export async function openSetup(context, given = {}, keeps = false) {
  const { say, settings } = context;
  /** @type {Choices} */
  const choices = { ...chosen(settings), ...given };
  const form = document.createElement("div");
  form.className = "setup";
  const fields = createSetup(context, choices, draw);
  let busy = false;
  let made = "";
  draw();

  const lobby = choices.company === "lobby";
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
  const { company: _, ...rest } = choices;
  settings.set(lobby ? "challenge" : "game", rest);
  if (answer === "start" && !lobby) context.go(`/g/${made}`);

  function draw() {
    render(setupView(fields.setup, context, fields), form);
  }

  /** Choose what is chosen by default; with whom one plays stays. */
  function reset() {
    fields.reset({ ...DEFAULTS, ...(lobby ? OFFERED : null), company: choices.company });
    return false;
  }

  /** Make the game; what cannot be is shown where it stands, and everything else stays as it was chosen. */
  async function check() {
    if (!fields.areRight(form) || busy) return false;
    busy = true;
    try {
      if (lobby) await openChallenge(context, choices, fields.hasFouls());
      else ({ id: made } = await makeGame(context, choices, fields.hasFouls()));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      context.sound.refuse();
      fields.change({ problem: context.lookupKey(error.message) });
      form.querySelector(".problem")?.scrollIntoView({ block: "nearest" });
      return false;
    } finally {
      busy = false;
    }
  }
}
