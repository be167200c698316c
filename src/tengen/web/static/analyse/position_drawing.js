/**
 * What is drawn and said of a position that the server has described.
 *
 * @import { Colour, State } from "/assets/board_types.js"
 * @import { Say } from "/assets/words.js"
 * @import { Info, Position } from "../shared/schemas.js"
 * @import { Rating } from "./page_view.js"
 *
 * @typedef {Position} Shown
 *
 * @typedef {object} DrawingOptions
 * @property {boolean} numbers whether moves are numbered
 * @property {boolean} threats whether threats are drawn
 * @property {string | null} foul a forbidden point whose rows are drawn
 * @property {readonly Info[]} infos the engine's best moves
 * @property {boolean} heat whether all of them are drawn, or but the best
 * @property {readonly string[]} stops points that stop a win
 *
 * @typedef {object} Preview
 * @property {readonly string[]} moves
 * @property {number} back how many moves are taken back before
 * @property {Colour} first who makes the first of them
 */

import { resultText, rows, rulesName, sentence } from "../shared/names.js";
import { boardState, lineState, pointOf, pointsOf } from "../shared/position.js";

/**
 * @param {Shown} shown
 * @param {DrawingOptions} options
 * @returns {State}
 */
export function stateOf(shown, { numbers, threats, foul, infos, heat, stops }) {
  const state = boardState(shown, { numbers, foul });
  const seen = threats ? threatsOf(shown) : { lines: [], marks: [] };
  return {
    ...state,
    lines: [...state.lines, ...seen.lines],
    marks: [
      ...seen.marks,
      ...pointsOf(stops).map((point) => ({ point, kind: /** @type {const} */ ("circle") })),
    ],
    heat: heat ? infos.flatMap(({ point, win_rate }) => weighed(point, Math.round(100 * win_rate))) : [],
    chosen: pointOf(infos[0]?.point ?? null),
  };
}

/**
 * A line that is thought of, as numbered stones upon those that stand.
 *
 * @param {Shown} shown
 * @param {Preview} preview
 * @returns {State}
 */
export function previewOf(shown, { moves, back, first }) {
  return lineState(boardState(shown, { ply: shown.ply - back }).stones, moves, first);
}

/**
 * Threats: their stones joined, squares where a five is made, triangles where an open four is.
 *
 * @param {Shown} shown
 */
function threatsOf({ threats }) {
  const all = [...threats.black, ...threats.white];
  /** @type {Map<string, "square" | "triangle">} */
  const gained = new Map();
  for (const { kind, gains } of all) {
    for (const name of gains) {
      if (kind !== "open-three") gained.set(name, "square");
      else if (!gained.has(name)) gained.set(name, "triangle");
    }
  }
  return {
    lines: all.map(({ points }) => ({
      points: pointsOf(points),
      kind: /** @type {const} */ ("threat"),
    })),
    marks: Array.from(gained, ([name, kind]) => ({ point: pointsOf([name])[0], kind })),
  };
}

/**
 * @param {Say} say
 * @param {Shown} shown
 */
export function factsOf(say, { rules, rules_name, ply, turn }) {
  return [
    sentence(rulesName(say, rules_name)),
    rules_name.startsWith("mnk:") ? "" : `${rules.width}×${rules.height}`,
    say("web.analyse.move_n", { ply }),
    turn ? say("web.play.colour_to_move", { colour: say(turn) }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * @param {Say} say
 * @param {Shown} shown
 * @param {DrawingOptions} options
 */
export function statusOf(say, { rules, outcome, fouls }, { foul, threats }) {
  if (outcome) return resultText(say, outcome);
  if (foul && fouls[foul]) {
    const { kind, lines } = fouls[foul];
    return sentence(
      say("describe.forbidden", { point: foul, kind: say(`foul.${kind}`), lines: rows(lines) }),
    );
  }
  if (!threats) return "";
  return rules.k === 5
    ? say("web.analyse.threats_legend")
    : say("web.analyse.threats_legend_rows", { k: rules.k, less: rules.k - 1 });
}

/**
 * What a rating means, in words; "" where there is none.
 *
 * @param {Say} say
 * @param {Rating} rating
 */
export function ratingText(say, rating) {
  if (!rating) return "";
  const { black, mate } = rating;
  // Where the game is over there is nothing left to be won.
  if (!mate) return say("web.play.black_rate", { percent: Math.round(100 * black) });
  const colour = say(mate > 0 ? "black" : "white");
  return say("web.analyse.wins_in", { colour, moves: Math.ceil(Math.abs(mate) / 2) });
}

/**
 * @param {string} name
 * @param {number} weight
 */
function weighed(name, weight) {
  const point = pointOf(name);
  return point ? [{ point, weight }] : [];
}
