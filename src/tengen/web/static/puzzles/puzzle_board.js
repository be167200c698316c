/**
 * What is drawn of an attempt at a puzzle.
 *
 * @import { Mark, State } from "/assets/board_types.js"
 * @import { AttemptState } from "./puzzle_attempt.js"
 * @import { Puzzle } from "./puzzle_tree.js"
 */

import { boardState, described, namesOf, pointOf, pointsOf } from "../shared/position.js";
import { solverOf } from "./puzzle_tree.js";

/**
 * @param {Puzzle} puzzle
 * @param {AttemptState} attempt
 * @returns {State}
 */
export function boardOf(puzzle, { shown, over, steps, crossed, hinted, foul, judged }) {
  const before = namesOf(puzzle.moves);
  const moves = [...before, ...shown];
  // The solution has its moves numbered.
  const ahead = isThreat(shown);
  const numbers = Boolean(steps) && (ahead || puzzle.kind !== "defence");
  const from = before.length + (ahead ? 1 : 0);
  const { outcome = null, fouls = {} } = judged ?? {};
  const hint = pointOf(hinted);
  return {
    ...boardState(
      { ...described({ rules: puzzle.rules, moves }), outcome, fouls },
      { numbers, from, foul },
    ),
    marks: [
      ...marksOf(crossed ? [crossed] : [], "cross"),
      ...marksOf(over && !ahead ? others(puzzle, shown) : [], "circle"),
    ],
    chosen: hint,
    ghost: hint && { point: hint, colour: solverOf(puzzle) },
    turn: over ? null : solverOf(puzzle),
  };
}

/** Whether the threat is shown that a defence has stopped: it begins with a move left out. @param {readonly string[]} shown */
export function isThreat(shown) {
  return shown[0] === "--";
}

/**
 * What stops a win as well as the point that was found.
 *
 * @param {Puzzle} puzzle
 * @param {readonly string[]} shown
 */
function others({ kind, turn }, shown) {
  if (kind !== "defence") return [];
  return Object.keys(turn.right).filter((name) => !shown.includes(name));
}

/**
 * @param {string[]} names
 * @param {Mark["kind"]} kind
 * @returns {Mark[]}
 */
function marksOf(names, kind) {
  return pointsOf(names).map((point) => ({ point, kind }));
}

/**
 * The address of the analysis with the position that is shown.
 *
 * @param {Puzzle} puzzle
 * @param {readonly string[]} shown moves after the puzzle's own
 */
export function analysisOf({ rules, size, moves }, shown) {
  const query = new URLSearchParams({ rules });
  const after = isThreat(shown) ? [] : shown;
  if (size) query.set("size", size[0] === size[1] ? String(size[0]) : size.join("x"));
  query.set("moves", moves + after.join(""));
  return `/analyse?${query}#ply=${namesOf(moves).length + after.length}`;
}
