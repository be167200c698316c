/**
 * How points and moves are written: the browser's half of `tengen.game.notation`.
 *
 * A point is `[x, y]`, both from 0, x from the left and y from the *bottom*; its name is letters and a
 * number, `a1` bottom left, past z come aa, ab, ...; a pass is `--`, and null where a point would stand.
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
