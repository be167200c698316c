/**
 * A puzzle as the server sends it, with every move that solves it; and what is read off it.
 *
 * @import { Colour } from "/assets/board.js"
 *
 * @typedef {"vcf" | "vct" | "defence"} Kind win by fours, win by threats, stop a win by fours
 *
 * @typedef {object} Entry a puzzle as the list of all has it
 * @property {string} name
 * @property {string} rules
 * @property {[number, number]} [size]
 * @property {Kind} kind
 * @property {number} level from 1, easy, to 4
 * @property {number} length the fewest moves that solve it
 *
 * @typedef {Entry & { moves: string, turn: Turn, threat?: string }} Puzzle `threat` is the win that a defence stops
 *
 * @typedef {object} Turn the solver's
 * @property {Record<string, Reply>} right
 * @property {string} wrong threats that do not win
 *
 * @typedef {object} Reply what follows a right move
 * @property {string} moves the answer; once it is solved, all up to the five
 * @property {Turn | null} turn null once it is solved
 */

import { parseMoves, pointName } from "/assets/notation.js";

import { other } from "../shared/position.js";

/**
 * The names of the points of a move text.
 *
 * @param {string} text
 */
export function namesOf(text) {
  return parseMoves(text).map(pointName);
}

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
 * @param {Turn} turn
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
 * @param {Turn} turn
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
