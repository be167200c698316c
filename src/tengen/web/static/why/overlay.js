/**
 * What of a player's reasons is drawn on the board.
 *
 * @import { State } from "/assets/board_types.js"
 * @import { ExplainedMove, Heatmap } from "../shared/schemas.js"
 * @import { Scene } from "./stone_rows.js"
 */

import { lineState, pointOf, pointsOf } from "../shared/position.js";
import { movedTo } from "./heatmap_view.js";
import { rowOf } from "./stone_rows.js";
import { heaviest } from "./weights_view.js";

const LEAST = 0.05; // share of the largest number of a heatmap from which one is drawn

/**
 * @param {Scene} scene
 * @param {ExplainedMove} answer
 * @param {object} looked
 * @param {string | null} looked.point whose parts are lit
 * @param {readonly string[]} looked.played moves of a line that are shown as played
 * @param {readonly string[]} looked.line a row of points that is lit
 * @param {Heatmap | null} looked.heatmap that is shown instead of what chooses the move
 * @returns {Partial<State>}
 */
export function overlayOf(scene, answer, { point, played, line, heatmap }) {
  if (played.length) {
    return { ...lineState(scene.stones, played, scene.turn), last: pointOf(played.at(-1) ?? null) };
  }
  if (heatmap) return { heat: discs(heatmap.weights), chosen: pointOf(movedTo(answer, heatmap)) };
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
 * @param {ExplainedMove} answer
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
 * Weights as discs, and as rings where they count against the side to move; without those that hardly count, which
 * are many.
 *
 * @param {Record<string, number>} weights
 * @returns {NonNullable<State["heat"]>}
 */
function discs(weights) {
  const largest = Math.max(...Object.values(weights).map(Math.abs));
  return Object.entries(weights).flatMap(([name, weight]) => {
    const point = pointOf(name);
    return point && Math.abs(weight) >= LEAST * largest ? [{ point, weight }] : [];
  });
}
