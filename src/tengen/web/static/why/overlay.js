/**
 * What of a player's reasons is drawn on the board.
 *
 * @typedef {import("/assets/board.js").State} State
 * @typedef {import("./explanation_types.js").Answer} Answer
 * @typedef {import("./explanation_types.js").Scene} Scene
 */

import { other, pointOf, pointsOf } from "../shared/position.js";
import { rowOf } from "./stone_rows.js";
import { heaviest } from "./weights_view.js";

/**
 * @param {Scene} scene
 * @param {Answer} answer
 * @param {object} looked
 * @param {string | null} looked.point whose parts are lit
 * @param {readonly string[]} looked.played moves of a line that are shown as played
 * @param {readonly string[]} looked.line a row of points that is lit
 * @returns {Partial<State>}
 */
export function overlayOf(scene, answer, { point, played, line }) {
  if (played.length) {
    return {
      stones: playedOn(scene, played),
      last: pointOf(played.at(-1) ?? null),
      heat: [],
      chosen: null,
      marks: [],
      lines: [],
      fouls: [],
      turn: null,
    };
  }
  const rows = (point === null ? [] : (answer.parts[point] ?? [])).flatMap(({ points }) => {
    const row = rowOf(point ?? "", points);
    return row ? [{ points: row.points, kind: /** @type {const} */ ("threat") }] : [];
  });
  const lit = line.length ? [{ points: pointsOf(line), kind: /** @type {const} */ ("threat") }] : [];
  // A win that is seen to its end: where its stones go, rather than a weight.
  const only = Object.keys(answer.weights).length === 1;
  if (only && answer.lines[0] && point === null) {
    const marks = answer.lines[0].flatMap((name, i) => {
      const at = pointOf(name);
      return at ? [{ point: at, kind: /** @type {const} */ ("label"), label: String(i + 1) }] : [];
    });
    return { marks, chosen: pointOf(answer.point), lines: lit };
  }
  return { heat: heatOf(answer), chosen: pointOf(answer.point), lines: [...lit, ...rows] };
}

/**
 * Weights as discs. Where some are below zero, as the values of a search are, the best is the largest disc and
 * the worst the smallest: what counts is the difference.
 *
 * @param {Answer} answer
 * @returns {NonNullable<State["heat"]>}
 */
function heatOf(answer) {
  const weights = heaviest(answer);
  const values = weights.map(([, weight]) => weight);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return weights.flatMap(([name, weight]) => {
    const point = pointOf(name);
    if (!point) return [];
    if (least >= 0) return [{ point, weight }];
    return [
      { point, weight, share: most === least ? 0.5 : 0.12 + (0.88 * (weight - least)) / (most - least) },
    ];
  });
}

/**
 * Moves played on from a position, as numbered stones after those that stand.
 *
 * @param {Scene} scene
 * @param {readonly string[]} moves
 */
function playedOn(scene, moves) {
  let turn = scene.turn;
  /** @type {import("../shared/position.js").Stone[]} */
  const stones = scene.stones.map(({ point, colour }) => ({ point, colour }));
  moves.forEach((name, i) => {
    const point = pointOf(name);
    if (point) stones.push({ point, colour: turn, number: i + 1 });
    turn = other(turn);
  });
  return stones;
}
