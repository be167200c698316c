/**
 * What there is to know of a game before it begins: all that is in force in it.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Choices } from "./choices.js"
 * @import { Catalogue, GameState, Rules } from "./schemas.js"
 *
 * @typedef {object} Offered a game as it is offered, or chosen
 * @property {Pick<Rules, "width" | "height" | "passing" | "fouls">} rules
 * @property {string} rules_name
 * @property {boolean} has_fouls
 * @property {string[]} opening_names
 * @property {string | null} opening
 * @property {string | null} clock
 * @property {number | null} take_backs of each side; null is no limit
 *
 * @typedef {"rules" | "size" | "passing" | "fouls" | "opening" | "clock" | "take_backs"} FactKind
 * @typedef {{kind: FactKind, text: string}} Fact
 */

import { rulesText } from "./choices.js";
import { clockName } from "./clock_names.js";
import { rulesName, sentence } from "./names.js";

/** Opening rules in which nobody changes colour. */
const WITHOUT_SWAP = ["pro", "long-pro"];

/**
 * Rules, size, opening, clock, take-backs, and what else is unusual about a game.
 *
 * @param {Say} say
 * @param {Offered} offered
 * @param {boolean} [whole] whether it is said, too, that there is no opening rule
 * @returns {Fact[]}
 */
export function factsOf(say, offered, whole = false) {
  const { rules, rules_name, has_fouls, opening_names, opening, clock, take_backs } = offered;
  /** @type {(kind: FactKind, text: string) => Fact} */
  const fact = (kind, text) => ({ kind, text });
  const fouls = { forbidden: "", loses: "web.facts.fouls_loses", claimed: "web.facts.fouls_claimed" }[
    rules.fouls
  ];
  const unopened = whole && opening_names.length > 1;
  return [
    fact("rules", sentence(rulesName(say, rules_name))),
    ...(rules_name.startsWith("mnk:") ? [] : [fact("size", `${rules.width}×${rules.height}`)]),
    ...(rules.passing ? [fact("passing", say("web.facts.passing"))] : []),
    ...(has_fouls && fouls ? [fact("fouls", say(fouls))] : []),
    ...(opening
      ? [fact("opening", say(`opening.${opening}`))]
      : unopened
        ? [fact("opening", say("web.facts.no_opening"))]
        : []),
    fact("clock", clock ? clockName(say, clock) : say("web.lobby.no_clock")),
    fact("take_backs", takeBacksText(say, take_backs)),
  ];
}

/**
 * The same, in a line.
 *
 * @param {Say} say
 * @param {Offered} offered
 */
export function factsText(say, offered) {
  return factsOf(say, offered)
    .map(({ text }) => text)
    .join(" · ");
}

/**
 * @param {Say} say
 * @param {number | null} count that each side has; null is no limit
 */
export function takeBacksText(say, count) {
  if (count === null) return say("web.facts.take_backs_unlimited");
  return count ? say("web.facts.take_backs", { count }) : say("web.facts.take_backs_none");
}

/**
 * Whether the colours are settled only in the course of the opening: until then one knows no more than who begins.
 *
 * @param {string | null} opening
 */
export function swapsColours(opening) {
  return Boolean(opening) && opening !== "free" && !WITHOUT_SWAP.includes(opening ?? "");
}

/**
 * The game that is being played.
 *
 * @param {GameState} state
 * @returns {Offered}
 */
export function offeredIn(state) {
  const { opening_rule, control, take_backs_each } = state;
  return { ...state, opening: opening_rule, clock: control, take_backs: take_backs_each };
}

/**
 * What the other one gets of a game, which a colour has been chosen for.
 *
 * @param {Say} say
 * @param {string | null} opening
 * @param {"black" | "white" | "random"} colour
 */
export function partText(say, opening, colour) {
  if (!swapsColours(opening)) {
    return colour === "random"
      ? say("web.lobby.you_play_random")
      : say("web.lobby.you_play", { colour: say(colour) });
  }
  if (colour === "random") return say("web.facts.opens_random");
  return colour === "black" ? say("web.facts.you_open") : say("web.facts.other_opens");
}

/**
 * The game that is chosen.
 *
 * @param {Choices} choices
 * @param {Catalogue | null} catalogue what goes with its rules; null before that is known
 * @returns {Offered}
 */
export function offeredBy(choices, catalogue) {
  const [width, height] = choices.size;
  const { fouls, opening, clock, takeBacks } = choices;
  return {
    rules: { width, height, fouls, passing: catalogue?.rules.passing ?? false },
    rules_name: rulesText(choices),
    has_fouls: catalogue?.has_fouls ?? choices.rules === "renju",
    opening_names: catalogue?.opening_names ?? ["free", "swap2"],
    opening: opening === "free" ? null : opening,
    clock: clock || null,
    take_backs: takeBacks,
  };
}
