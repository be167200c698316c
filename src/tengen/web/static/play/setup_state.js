/**
 * What is chosen for a new game, and what goes with it.
 *
 * @import { Choices } from "../shared/choices.js"
 * @import { Context } from "../shared/context.js"
 * @import { Catalogue } from "../shared/schemas.js"
 *
 * @typedef {object} Setup
 * @property {Choices} choices
 * @property {Catalogue | null} catalogue what goes with the rules
 * @property {boolean} current whether that is about the rules that are chosen now, and not about those chosen before
 * @property {string} problem why there is none, or no such game
 * @property {boolean} ownClock whether the clock is written out instead of chosen
 * @property {string} clockText as it was written last
 * @property {number} takeBacks as many as there are unless they are unlimited
 */

import { ApiError } from "../shared/api.js";
import { catalogueOf, usualSize } from "../shared/choices.js";
import { checkField } from "../shared/fields.js";
import { fitting } from "../shared/picker_view.js";
import { CLOCKS, rulesHaveFouls } from "./setup_view.js";

/**
 * @param {Context} context
 * @param {Choices} choices what is chosen at first; changed
 * @param {() => void} draw
 */
export function createSetup({ api, say, lookupKey }, choices, draw) {
  /** @type {Setup} */
  const setup = {
    choices,
    catalogue: null,
    current: false,
    problem: "",
    ownClock: !CLOCKS.includes(choices.clock),
    clockText: choices.clock,
    takeBacks: choices.takeBacks ?? 5,
  };
  let asked = 0;
  void ask();
  return { setup, choose, change, reset, areRight, hasFouls };

  /** @param {Partial<Setup>} next */
  function change(next) {
    Object.assign(setup, next);
    draw();
  }

  /** @param {Partial<Choices>} next */
  function choose(next) {
    const ruled = next.rules && next.rules !== choices.rules;
    Object.assign(choices, next);
    if (ruled) {
      choices.size = choices.rules === "mnk" ? [7, 7] : usualSize(choices.rules);
      if (choices.rules === "mnk") choices.k = 4;
      setup.current = false;
    }
    change({ problem: "" });
    if (next.rules || next.size || next.k) void ask();
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
  async function ask() {
    const mine = ++asked;
    try {
      const catalogue = await api.get(catalogueOf(choices));
      if (mine !== asked) return;
      choices.opponent = fitting(choices.opponent, catalogue);
      choices.second = fitting(choices.second, catalogue);
      if (!catalogue.openings.includes(choices.opening)) choices.opening = "free";
      change({ catalogue, current: true, problem: "" });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mine === asked) change({ problem: lookupKey(error.message) });
    }
  }

  /** Whether what is written in the fields can be; if not, the first wrong one says so. @param {Element} form */
  function areRight(form) {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required]"));
    return [...fields].every((field) => checkField(field, say));
  }

  /** Whether the rules know fouls. */
  function hasFouls() {
    return rulesHaveFouls(setup);
  }
}
