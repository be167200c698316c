/**
 * Names and short texts in the reader's language: players, rules, results, ratings, time controls, and all that is in force
 * in a game.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Board, Catalogue, GameState, Outcome, Rating, Rules } from "./schemas.js"
 * @import { Choices, Context, Position } from "./types.js"
 */

/** The presets, in the order in which they are offered. */
export const PRESETS = ["freestyle", "standard", "renju", "caro", "tictactoe"];
const PRESET_NAMES = ["o2", "o2exact", "o4", "o5", "o5easy", "o5exact", "tuned"];
const PLAYERS = ["human", "random", "lookup", "lines", "shapes", "minimax", "mcts", "threats", "engine"];
const SPOKEN = ["depth", "nodes", "playouts", "seconds", "strength"];
const SILENT = ["memory_mb", "seed", "threads"];

/**
 * A player spec in its parts: of `shapes:o5,w_1=3` the `head` is `shapes:o5`, the `name` `shapes`, the `preset` `o5`, and
 * the `settings` are `{w_1: "3"}`.
 *
 * @param {string} spec
 */
export function parseSpec(spec) {
  const [head, ...given] = spec.split(",");
  const [name, preset = ""] = head.split(":");
  /** @type {Record<string, string>} */
  const settings = Object.fromEntries(given.map((text) => text.split("=", 2)));
  return { head, name, preset, settings };
}

/**
 * The spec of a player with settings.
 *
 * @param {string} head
 * @param {Record<string, string | number>} settings
 */
export function specOf(head, settings) {
  return [head, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)].join(",");
}

/**
 * A player's name as people say it, as `tengen.players.names` makes it: `level:3` is "Level 3", `shapes:o2`
 * "Shapes (O2)", `mcts,playouts=400,seed=1` "Monte Carlo (400 playouts)".
 *
 * @param {Say} say
 * @param {string} spec or "human"
 */
export function playerName(say, spec) {
  const { name, preset, settings } = parseSpec(spec);
  if (name !== "level" && !PLAYERS.includes(name)) return spec;
  const called =
    name === "level" ? say("player.name.level", { number: preset || "1" }) : say(`player.name.${name}`);
  const details = PRESET_NAMES.includes(preset) ? [say(`player.preset.${preset}`)] : [];
  for (const [key, value] of Object.entries(settings)) {
    if (SPOKEN.includes(key)) details.push(say(`player.setting.${key}`, { value }));
  }
  if (Object.keys(settings).some((key) => !SPOKEN.includes(key) && !SILENT.includes(key))) {
    details.push(say("player.setting.own"));
  }
  if (!details.length) return called;
  return say("player.name.with", { name: called, details: details.join(say("comma")) });
}

/**
 * The address of the catalogue: which players, levels and openings some rules have.
 *
 * @param {string} rules their name
 * @param {number | readonly number[] | null} [size] theirs if left out
 */
export function cataloguePath(rules, size) {
  const query = new URLSearchParams({ rules });
  if (size && !rules.startsWith("mnk:")) query.set("size", [size].flat().join("x"));
  return `/api/catalogue?${query}`;
}

/**
 * How many in a row win by rules of that name.
 *
 * @param {string} rules
 */
export function rowOfRules(rules) {
  const mnk = /^mnk:\d+,\d+,(\d+)$/.exec(rules);
  return mnk ? Number(mnk[1]) : rules === "tictactoe" ? 3 : 5;
}

/**
 * Rules to choose from, as a list of them says it.
 *
 * @param {Say} say
 * @param {string} name of a preset, or "mnk"
 */
export function rulesChoice(say, name) {
  return name === "mnk" ? say("web.setup.mnk") : sentence(say(`rules.${name}`));
}

/**
 * @param {Say} say
 * @param {string} name as in `Rules.name`
 */
export function rulesName(say, name) {
  if (PRESETS.includes(name)) return say(`rules.${name}`);
  const found = /^mnk:(\d+),(\d+),(\d+)$/.exec(name);
  return found ? say("web.rules.mnk", { m: found[1], n: found[2], k: found[3] }) : say("rules.custom");
}

/**
 * How a game has ended, in a sentence.
 *
 * @param {Say} say
 * @param {Outcome} outcome
 */
export function resultText(say, { winner, reason, line, foul }) {
  const loser = winner === "black" ? "white" : "black";
  return sentence(
    say(`describe.end.${reason}`, {
      winner: winner ? say(winner) : "",
      loser: say(loser),
      lines: foul ? rows(foul.lines) : line.join(" "),
      kind: foul ? say(`foul.${foul.kind}`) : "",
    }),
  );
}

/**
 * With a capital at its beginning; a point, such as h8, stays as it is written.
 *
 * @param {string} text
 */
export function sentence(text) {
  return /^[a-z]+\d/.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Rows of points as a value of a sentence. @param {string[][]} lines */
export function rows(lines) {
  return lines.map((line) => line.join(" "));
}

/**
 * A position as the server wants it, from a game.
 *
 * @param {Board} state
 * @param {number} [ply] how many of its moves; all if left out
 * @returns {Position}
 */
export function positionOf({ rules, rules_name, has_fouls, setup, moves }, ply = moves.length) {
  return {
    rules: rules_name,
    size: rules_name.startsWith("mnk:")
      ? null
      : /** @type {[number, number]} */ ([rules.width, rules.height]),
    fouls: has_fouls ? rules.fouls : null,
    setup,
    moves: moves.slice(0, ply),
  };
}

/**
 * @param {Context["say"]} say
 * @param {string} text as `TimeControl.parse` reads it; "" for none
 */
export function clockName(say, text) {
  if (!text) return say("web.setup.no_clock");
  const [, main, periods, period, increment] = /^(\d+)(?:\+(?:(\d+)x(\d+)|(\d+)))?$/.exec(text) ?? [];
  if (!main) return text;
  const minutes = Number((Number(main) / 60).toFixed(2));
  if (periods) return say("web.setup.clock_periods", { minutes, periods, seconds: period });
  return increment
    ? say("web.setup.clock_increment", { minutes, seconds: increment })
    : say("web.setup.clock_minutes", { minutes });
}

/**
 * A rating; one that says little yet has a question mark.
 *
 * @param {Rating} rating
 */
export function ratingText({ rating, provisional }) {
  return `${rating}${provisional ? "?" : ""}`;
}

/**
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
function takeBacksText(say, count) {
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
    has_fouls: rulesHaveFouls(choices, catalogue),
    opening_names: catalogue?.opening_names ?? ["free", "swap2"],
    opening: opening === "free" ? null : opening,
    clock: clock || null,
    take_backs: takeBacks,
  };
}

/**
 * Whether the rules that are chosen know fouls; of the presets only renju does.
 *
 * @param {Choices} choices
 * @param {Catalogue | null} catalogue
 */
export function rulesHaveFouls({ rules }, catalogue) {
  return catalogue?.has_fouls ?? rules === "renju";
}

/** @param {Choices} choices */
export function rulesText({ rules, size: [m, n], k }) {
  return rules === "mnk" ? `mnk:${m},${n},${k}` : rules;
}
