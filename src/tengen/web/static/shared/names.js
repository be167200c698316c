/**
 * What players, rules and results are called.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Board, Outcome } from "./schemas.js"
 * @import { Position } from "./position.js"
 */

/** The presets, in the order in which they are offered. */
export const PRESETS = ["freestyle", "standard", "renju", "caro", "tictactoe"];
const PRESET_NAMES = ["o2", "o2exact", "o4", "o5", "o5easy", "o5exact", "tuned"];
const PLAYERS = ["human", "random", "lookup", "lines", "shapes", "minimax", "mcts", "threats", "engine"];
const SPOKEN = ["depth", "nodes", "playouts", "seconds", "strength"];
const SILENT = ["memory_mb", "seed", "threads"];

/**
 * A player's name as people say it, as `tengen.players.names` makes it: `level:3` is "Level 3", `shapes:o2`
 * "Shapes (O2)", `mcts,playouts=400,seed=1` "Monte Carlo (400 playouts)".
 *
 * @param {Say} say
 * @param {string} spec or "human"
 */
export function playerName(say, spec) {
  const [head, ...settings] = spec.split(",");
  const [name, preset = ""] = head.split(":");
  if (name !== "level" && !PLAYERS.includes(name)) return spec;
  const called =
    name === "level" ? say("player.name.level", { number: preset || "1" }) : say(`player.name.${name}`);
  const given = new Map(settings.map((text) => /** @type {[string, string]} */ (text.split("=", 2))));
  const details = PRESET_NAMES.includes(preset) ? [say(`player.preset.${preset}`)] : [];
  for (const [key, value] of given) {
    if (SPOKEN.includes(key)) details.push(say(`player.setting.${key}`, { value }));
  }
  if ([...given.keys()].some((key) => !SPOKEN.includes(key) && !SILENT.includes(key))) {
    details.push(say("player.setting.own"));
  }
  if (!details.length) return called;
  return say("player.name.with", { name: called, details: details.join(say("comma")) });
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
 * A large number as it is said: 1,465,000 is "1.5 million" in English and "147万" in Chinese.
 *
 * @param {string} locale
 * @param {number} count
 */
export function countText(locale, count) {
  return new Intl.NumberFormat(locale, {
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 3,
  }).format(count);
}

/**
 * What the engine gives for a move: the chance to win, or in how many moves the game is won or lost.
 *
 * @param {Say} say
 * @param {number} rate
 * @param {number | null} mate plies
 */
export function valueText(say, rate, mate) {
  if (mate === null) return `${Math.round(100 * rate)}%`;
  return say(mate > 0 ? "web.play.wins_in" : "web.play.loses_in", { moves: Math.ceil(Math.abs(mate) / 2) });
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
