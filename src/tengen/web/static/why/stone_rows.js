/**
 * Rows of small stones in a line of text: what a player read, drawn as it stands on the board.
 *
 * @import { Colour, Stone } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 *
 * @typedef {object} Scene a position as it is looked at
 * @property {Stone[]} stones
 * @property {Colour} turn
 * @property {number} width
 * @property {number} height
 * @property {boolean} signs
 *
 * @typedef {"black" | "white" | "empty" | "here"} Cell here: the point that is weighed
 */

import { html, nothing, svg } from "/static/vendor/lit-html/lit.js";
import { pointName } from "/assets/notation.js";
import { pointsOf } from "../shared/position.js";
import { disc } from "../shared/view.js";

const STEP = 17;
const HALF = STEP / 2;

/** @type {Record<string, string>} */
const AXES = {
  across: "M2 8h12M5 5 2 8l3 3M11 5l3 3-3 3",
  up: "M8 2v12M5 5l3-3 3 3M5 11l3 3 3-3",
  rising: "M3 13 13 3M8.5 3H13v4.500M3 8.500V13h4.500",
  falling: "M3 3l10 10M3 7.500V3h4.500M13 8.500V13H8.500",
};

/**
 * @param {readonly Cell[]} cells
 * @param {boolean} signs X and O instead of stones
 */
export function stoneRow(cells, signs) {
  return html`<span class="why-stones" aria-hidden="true"
    >${cells.map((cell) => cellView(cell, signs))}</span
  >`;
}

/**
 * @param {Cell} cell
 * @param {boolean} signs
 */
function cellView(cell, signs) {
  const stone = cell === "black" || cell === "white";
  if (stone && !signs) return disc(cell);
  return html`<svg width=${STEP} height=${STEP} viewBox="0 0 ${STEP} ${STEP}">
    ${stone ? sign(cell) : svg`<circle class=${cell} cx=${HALF} cy=${HALF} r=${cell === "here" ? 6.8 : 1.6} />`}
  </svg>`;
}

/** @param {"black" | "white"} colour */
function sign(colour) {
  return colour === "black"
    ? svg`<path class="sign" d="M${HALF - 4.5} ${HALF - 4.5}l9 9m0-9l-9 9" />`
    : svg`<circle class="sign" cx=${HALF} cy=${HALF} r="5.2" />`;
}

/**
 * A small double arrow along a row.
 *
 * @param {keyof typeof AXES | null} axis
 */
export function axisIcon(axis) {
  return html`<svg class="why-axis" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    ${axis ? svg`<path d=${AXES[axis]} />` : nothing}
  </svg>`;
}

/**
 * The row that some points make, with the weighed point among them; null where they are not in one row.
 *
 * @param {string} here
 * @param {readonly string[]} names
 * @returns {{ points: Point[], axis: keyof typeof AXES } | null}
 */
export function rowOf(here, names) {
  const points = pointsOf([...new Set([here, ...names])]);
  if (points.length < 2) return null;
  const sorted = points.sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const [dx, dy] = [0, 1].map((i) => Math.sign(sorted[1][i] - sorted[0][i]));
  const inRow = sorted.every(([x, y]) => {
    const [ax, ay] = [x - sorted[0][0], y - sorted[0][1]];
    return ax * dy === ay * dx && (dx * dy === 0 || Math.abs(ax) === Math.abs(ay));
  });
  if (!inRow) return null;
  return { points: sorted, axis: dy === 0 ? "across" : dx === 0 ? "up" : dx === dy ? "rising" : "falling" };
}

/**
 * What stands on a row.
 *
 * @param {Scene} scene
 * @param {string} here
 * @param {readonly Point[]} points
 * @returns {Cell[]}
 */
export function cellsOf({ stones }, here, points) {
  const standing = new Map(stones.map(({ point, colour }) => [pointName(point), colour]));
  return points.map((point) =>
    pointName(point) === here ? "here" : (standing.get(pointName(point)) ?? "empty"),
  );
}
