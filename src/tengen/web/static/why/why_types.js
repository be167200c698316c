/**
 * What the server says of a player's reasons, and the few things that are read off a position.
 *
 * @typedef {import("/assets/board.js").Colour} Colour
 * @typedef {import("/assets/board.js").Stone} Stone
 * @typedef {import("/assets/notation.js").Point} Point
 * @typedef {{ key: string, values: Record<string, any> }} Message
 *
 * @typedef {object} Position as the server takes it
 * @property {string} rules
 * @property {number | [number, number] | null} [size]
 * @property {string | null} [fouls]
 * @property {{ black: string[], white: string[], turn?: Colour | null } | null} [setup]
 * @property {string[]} [moves]
 *
 * @typedef {{ label: Message, points: string[], value: number }} Part
 *
 * @typedef {object} Branch
 * @property {string} point `--` at the root
 * @property {number} value for the side that moves there
 * @property {Message | null} note
 * @property {Branch[]} children
 *
 * @typedef {object} Answer
 * @property {string | null} point what the player plays
 * @property {unknown} score
 * @property {Message} summary
 * @property {Record<string, number>} weights
 * @property {Record<string, Part[]>} parts
 * @property {string[][]} lines
 * @property {Branch | null} tree
 * @property {{ points: string[], value: number }[]} [counters] stones of Black less those of White on each line
 *
 * @typedef {object} Scene a position as it is looked at
 * @property {Stone[]} stones
 * @property {Colour} turn
 * @property {number} width
 * @property {number} height
 * @property {boolean} signs
 */

import { parseMoves, pointName } from "/assets/notation.js";

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

/**
 * Where the stones of a position stand, and whose turn it is: the colours take turns.
 *
 * @param {Position} position
 * @returns {{ stones: Stone[], turn: Colour }}
 */
export function stonesOf({ setup, moves = [] }) {
  /** @type {Stone[]} */
  const stones = [];
  const black = pointsOf(setup?.black ?? []);
  const white = pointsOf(setup?.white ?? []);
  for (const point of black) stones.push({ point, colour: "black" });
  for (const point of white) stones.push({ point, colour: "white" });
  /** @type {Colour} */
  let turn = setup?.turn ?? (black.length > white.length ? "white" : "black");
  for (const name of moves) {
    const point = pointOf(name);
    if (point) stones.push({ point, colour: turn });
    turn = other(turn);
  }
  return { stones, turn };
}

/**
 * What stands on each point, by its name.
 *
 * @param {readonly Stone[]} stones
 * @returns {Map<string, Colour>}
 */
export function standing(stones) {
  return new Map(stones.map(({ point, colour }) => [pointName(point), colour]));
}

/**
 * Moves played on from a position, as numbered stones after those that stand.
 *
 * @param {Scene} scene
 * @param {readonly string[]} moves
 * @returns {Stone[]}
 */
export function playedOn(scene, moves) {
  let turn = scene.turn;
  /** @type {Stone[]} */
  const stones = scene.stones.map(({ point, colour }) => ({ point, colour }));
  moves.forEach((name, i) => {
    const point = pointOf(name);
    if (point) stones.push({ point, colour: turn, number: i + 1 });
    turn = other(turn);
  });
  return stones;
}
