/**
 * How points and moves are written: the browser's half of `tengen.game.notation`, and what stands beside the lines of a board.
 *
 * A point is `[x, y]`, both from 0, x from the left and y from the *bottom*; its name is letters and a
 * number, `a1` bottom left, past z come aa, ab, ...; a pass is `--`, and null where a point would stand.
 *
 * Lists of moves follow the coordinates of the board; in sentences a point keeps its name:
 *
 * - `letters`: columns have letters, below the board, and rows numbers from the bottom, as the names of points have.
 * - `chinese`: as Chinese and Japanese diagrams of go have them: columns have numbers, above the board, and rows Chinese
 *   numerals from the top, so that 1 and 一 meet in the upper left corner.
 *
 * @typedef {readonly [x: number, y: number]} Point
 */

/**
 * Letters of a column, counted from 0.
 *
 * @param {number} x
 */
export function columnName(x) {
  let letters = "";
  for (let rest = x + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/**
 * @param {Point | null} point
 */
export function pointName(point) {
  return point ? `${columnName(point[0])}${point[1] + 1}` : "--";
}

/**
 * The points of a move text such as `h8i9g7`; null for a pass.
 *
 * @param {string} text well-formed, lower case
 * @returns {(Point | null)[]}
 */
export function parseMoves(text) {
  return Array.from(text.matchAll(/([a-z]+)(\d+)|--/g), ([, letters, digits]) => {
    if (letters === undefined) return null;
    let x = 0;
    for (const letter of letters) x = x * 26 + letter.charCodeAt(0) - 96;
    return /** @type {Point} */ ([x - 1, Number(digits) - 1]);
  });
}

/**
 * The point of a name such as `h8`.
 *
 * @param {string} name well-formed, lower case, no pass
 */
export function parsePoint(name) {
  return /** @type {Point} */ (parseMoves(name)[0]);
}

/**
 * @typedef {"letters" | "chinese"} CoordinateStyle
 *
 * @typedef {object} Coordinates
 * @property {string[]} columns from the left
 * @property {string[]} rows from the bottom
 */

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
function numeral(number) {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  if (ones) return TENS[tens] + DIGITS[ones];
  return tens === 1 ? "十" : `${DIGITS[tens]}十`;
}
