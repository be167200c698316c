/**
 * A position as the server takes it, and the few things that are read off it.
 *
 * @import { Colour } from "/assets/board.js"
 * @import { Point } from "/assets/notation.js"
 *
 * @typedef {object} Position
 * @property {string} rules
 * @property {number | [number, number] | null} [size]
 * @property {string | null} [fouls]
 * @property {{ black: string[], white: string[], turn?: Colour | null } | null} [setup]
 * @property {string[]} [moves]
 */

import { parseMoves } from "/assets/notation.js";

/**
 * The point of a name; a pass is null.
 *
 * @param {string | null} name
 * @returns {Point | null}
 */
export function pointOf(name) {
  return name ? (parseMoves(name)[0] ?? null) : null;
}

/**
 * @param {readonly string[]} names
 * @returns {Point[]}
 */
export function pointsOf(names) {
  return names.map(pointOf).filter((point) => point !== null);
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

/** @param {Colour} colour @returns {Colour} */
export function other(colour) {
  return colour === "black" ? "white" : "black";
}
