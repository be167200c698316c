/**
 * A position as the server takes it and as it describes it, and what the board draws of it.
 *
 * @import { Colour, Line, State, Stone } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 * @import { Foul } from "./schemas.js"
 * @import { Position } from "./types.js"
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
 * The names of the points of a move text.
 *
 * @param {string} text
 */
export function namesOf(text) {
  return parseMoves(text).map(pointName);
}

/**
 * @param {readonly string[]} names
 * @returns {Point[]}
 */
export function pointsOf(names) {
  return names.map(pointOf).filter((point) => point !== null);
}

/** @param {Colour} colour @returns {Colour} */
export function other(colour) {
  return colour === "black" ? "white" : "black";
}

/**
 * @typedef {object} Described a position, as the server describes it or as it is known before that
 * @property {readonly (readonly [string, Colour])[]} stones in the order of play, those set up first
 * @property {number} numbered_from how many stones were set up
 * @property {readonly string[]} moves
 * @property {Colour | null} turn
 * @property {{line: readonly string[], foul: Foul | null} | null} outcome
 * @property {Record<string, Foul>} fouls
 */

/**
 * @param {Described} position
 * @param {object} [options]
 * @param {number} [options.ply] moves that are shown; all if left out
 * @param {boolean} [options.numbers] whether stones have the numbers of their moves
 * @param {number} [options.from] moves before the one that is number 1
 * @param {string | null} [options.foul] a forbidden point whose rows are shown
 */
export function boardState(
  position,
  { ply = position.moves.length, numbers = false, from = 0, foul } = {},
) {
  const { stones, moves, turn, outcome, fouls } = position;
  const played = moves.slice(0, ply);
  const indices = played.flatMap((name, index) => (name === "--" ? [] : [index]));
  const now = ply === moves.length;
  const found = outcome?.foul ?? (foul ? fouls[foul] : null);
  /** @type {Line[]} */
  const lines = [];
  if (now && outcome && outcome.line.length > 1)
    lines.push({ points: pointsOf(outcome.line), kind: "win" });
  for (const row of (now && found?.lines) || []) lines.push({ points: pointsOf(row), kind: "foul" });
  return {
    stones: stones.slice(0, position.numbered_from + indices.length).flatMap(([name, colour], i) => {
      const point = pointOf(name);
      const index = indices[i - position.numbered_from] ?? -1;
      if (!point) return [];
      return numbers && index >= from ? [{ point, colour, number: index - from + 1 }] : [{ point, colour }];
    }),
    last: pointOf(played.at(-1) ?? null),
    lines,
    fouls: now ? pointsOf(Object.keys(fouls)) : [],
    turn: now && !outcome ? turn : null,
  };
}

/**
 * A position as its stones and moves say, before the server has judged it: the colours take turns.
 *
 * @param {Position} position
 */
export function described({ setup, moves = [] }) {
  const { black = [], white = [] } = setup ?? {};
  let turn = setup?.turn ?? (black.length > white.length ? "white" : "black");
  /** @type {[string, Colour][]} */
  const stones = [
    ...black.map((name) => /** @type {[string, Colour]} */ ([name, "black"])),
    ...white.map((name) => /** @type {[string, Colour]} */ ([name, "white"])),
  ];
  const numbered_from = stones.length;
  for (const name of moves) {
    if (name !== "--") stones.push([name, turn]);
    turn = other(turn);
  }
  return { stones, numbered_from, moves, turn, outcome: null, fouls: {} };
}

/**
 * A line that is played on from a position: numbered stones after those that stand, and nothing else.
 *
 * @param {readonly Stone[]} stones
 * @param {readonly string[]} line
 * @param {Colour} first who makes the first move of it
 * @returns {State}
 */
export function lineState(stones, line, first) {
  const standing = stones.map(({ point, colour }) => ({ point, colour }));
  const played = line.flatMap((name, index) => {
    const point = pointOf(name);
    return point ? [{ point, colour: index % 2 ? other(first) : first, number: index + 1 }] : [];
  });
  return {
    stones: [...standing, ...played],
    last: null,
    turn: null,
    ghost: null,
    heat: [],
    chosen: null,
    marks: [],
    lines: [],
    fouls: [],
  };
}
