/**
 * What is written beside the lines of a board. Lists of moves follow it; in sentences a point keeps its name (see
 * notation.js).
 *
 * - `letters`: columns have letters, below the board, and rows numbers from the bottom, as the names of points have.
 * - `chinese`: as Chinese and Japanese diagrams of go have them: columns have numbers, above the board, and rows Chinese
 *   numerals from the top, so that 1 and 一 meet in the upper left corner.
 *
 * @typedef {"letters" | "chinese"} CoordinateStyle
 *
 * @typedef {object} Coordinates
 * @property {string[]} columns from the left
 * @property {string[]} rows from the bottom
 */

import { columnName, parsePoint } from "./notation.js";

const DIGITS = "零一二三四五六七八九";

/** How two figures become at most two characters, as on boards and in calendars. */
const TENS = ["", "十", "廿", "卅", "卌"];

/**
 * @param {number} columns
 * @param {number} rows
 * @param {CoordinateStyle} style
 * @returns {Coordinates}
 */
export function coordinates(columns, rows, style) {
  const across = Array.from({ length: columns }, (_, x) => x);
  const up = Array.from({ length: rows }, (_, y) => y);
  return style === "chinese"
    ? { columns: across.map((x) => String(x + 1)), rows: up.map((y) => numeral(rows - y)) }
    : { columns: across.map((x) => columnName(x).toUpperCase()), rows: up.map((y) => String(y + 1)) };
}

/**
 * A point as a list of moves has it: "h8" beside letters, "8八" (column and row) beside Chinese numerals.
 *
 * @param {string} name such as h8
 * @param {number} height of the board
 * @param {CoordinateStyle} style
 */
export function pointText(name, height, style) {
  if (style !== "chinese") return name;
  const [x, y] = parsePoint(name);
  return `${x + 1}${numeral(height - y)}`;
}

/**
 * A Chinese numeral.
 *
 * @param {number} number from 1 to 50
 */
export function numeral(number) {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  if (ones) return TENS[tens] + DIGITS[ones];
  return tens === 1 ? "十" : `${DIGITS[tens]}十`;
}
