/**
 * A puzzle as the server sends it, with every move that solves it; and what is read off it.
 *
 * @import { Colour } from "/assets/board_types.js"
 *
 * @import { Puzzle as PuzzleOfAnyRules, PuzzleSummary, PuzzleTurn } from "../shared/schemas.js"
 *
 * @typedef {PuzzleSummary & { rules: string }} Entry a puzzle as the list of all has it
 * @typedef {PuzzleOfAnyRules & { rules: string }} Puzzle
 */

import { namesOf, other } from "../shared/position.js";

/**
 * Who has something to find.
 *
 * @param {Puzzle} puzzle
 * @returns {Colour}
 */
export function solverOf({ moves }) {
  return namesOf(moves).length % 2 ? "white" : "black";
}

/** @param {Puzzle} puzzle */
export function enemyOf(puzzle) {
  return other(solverOf(puzzle));
}

/**
 * How many moves of the solver's a turn takes at least.
 *
 * @param {PuzzleTurn} turn
 * @returns {number}
 */
export function movesLeft(turn) {
  return (
    1 + Math.min(...Object.values(turn.right).map((reply) => (reply.turn ? movesLeft(reply.turn) : 0)))
  );
}

/**
 * The moves of both sides by a shortest way.
 *
 * @param {PuzzleTurn} turn
 * @returns {string[]}
 */
export function shortestLine(turn) {
  const least = movesLeft(turn);
  for (const [point, { moves, turn: next }] of Object.entries(turn.right)) {
    if ((next ? movesLeft(next) : 0) === least - 1)
      return [point, ...namesOf(moves), ...(next ? shortestLine(next) : [])];
  }
  return [];
}
