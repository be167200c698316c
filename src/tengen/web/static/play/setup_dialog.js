/**
 * A new game with everything one may choose about it.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("../shared/choices.js").Choices} Choices
 *
 * @typedef {object} Setup
 * @property {Choices} choices
 * @property {import("../shared/picker_view.js").Catalogue | null} catalogue what goes with the rules
 * @property {string} problem why there is none, or no such game
 * @property {boolean} ownClock whether the clock is written out instead of chosen
 * @property {string} clockText as it was written last
 * @property {number} takeBacks as many as there are unless they are unlimited
 */

import { render } from "/static/vendor/lit-html/lit-html.js";
import { openChallenge } from "../lobby/challenge.js";
import { ApiError } from "../shared/api.js";
import { catalogueOf, chosen, usualSize } from "../shared/choices.js";
import { checkField } from "../shared/fields.js";
import { fitting } from "../shared/picker_view.js";
import { makeGame } from "../shared/seats.js";
import { CLOCKS, setupView } from "./setup_view.js";

/**
 * @param {Context} context
 * @param {Partial<Choices>} [given] other than what was chosen last
 */
export async function openSetup(context, given = {}) {
  const { say, settings, api } = context;
  /** @type {Choices} */
  const choices = { ...chosen(settings), ...given };
  /** @type {Setup} */
  const setup = {
    choices,
    catalogue: null,
    problem: "",
    ownClock: !CLOCKS.includes(choices.clock),
    clockText: choices.clock,
    takeBacks: choices.takeBacks ?? 5,
  };
  const form = document.createElement("div");
  form.className = "setup";
  let asked = 0;
  let busy = false;
  let made = "";
  draw();
  void ask();

  const lobby = choices.company === "lobby";
  const start = {
    value: "start",
    label: say(lobby ? "web.lobby.offer" : "web.setup.start"),
    kind: /** @type {const} */ ("main"),
    check,
  };
  const answer = await context.openDialog({
    title: say(lobby ? "web.lobby.offer" : "web.setup.title"),
    content: form,
    buttons: [start],
  });
  if (answer !== "start") return;
  const { company: _, ...rest } = choices;
  settings.set(lobby ? "challenge" : "game", rest);
  if (!lobby) context.go(`/g/${made}`);

  function draw() {
    render(setupView(setup, context, { choose, change }), form);
  }

  /** @param {Partial<Setup>} next */
  function change(next) {
    Object.assign(setup, next);
    draw();
  }

  /** @param {Partial<Choices>} next */
  function choose(next) {
    const ruled = next.rules && next.rules !== choices.rules;
    Object.assign(choices, next);
    setup.problem = "";
    if (ruled) {
      choices.size = choices.rules === "mnk" ? [7, 7] : usualSize(choices.rules);
      if (choices.rules === "mnk") choices.k = 4;
    }
    draw();
    if (next.rules || next.size || next.k) void ask();
  }

  /** Which players and openings go with these rules. */
  async function ask() {
    const mine = ++asked;
    try {
      const catalogue = await api.get(catalogueOf(choices));
      if (mine !== asked) return;
      choices.opponent = fitting(choices.opponent, catalogue);
      choices.second = fitting(choices.second, catalogue);
      if (!catalogue.openings.includes(choices.opening)) choices.opening = "free";
      change({ catalogue, problem: "" });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mine === asked) change({ problem: context.lookupKey(error.message) });
    }
  }

  /** Make the game; what cannot be is shown where it stands, and everything else stays as it was chosen. */
  async function check() {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required]"));
    if (![...fields].every((field) => checkField(field, say)) || busy) return false;
    busy = true;
    try {
      const hasFouls = setup.catalogue?.rules.has_fouls ?? choices.rules === "renju";
      if (lobby) await openChallenge(context, choices, hasFouls);
      else ({ id: made } = await makeGame(context, choices, hasFouls));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      context.sound.refuse();
      change({ problem: context.lookupKey(error.message) });
      form.querySelector(".problem")?.scrollIntoView({ block: "nearest" });
      return false;
    } finally {
      busy = false;
    }
  }
}
