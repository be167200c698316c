/**
 * Where things stand on a drawn board, and the shapes drawn there: pure functions, no page needed.
 *
 * Lengths are in units of a thirtieth of a cell, x to the right and y down, as SVG counts; those that pictures
 * share are in board_lengths.js.
 *
 * @import { Layout } from "./board_types.js"
 * @import { CoordinateStyle, Point } from "./notation.js"
 */

import { LENGTHS } from "./board_lengths.js";

/** Distance between neighbouring points. */
export const CELL = LENGTHS.cell;

/** Radius of a stone. */
export const STONE = LENGTHS.stone * CELL;

const BOLDEST = 2; // CSS pixels to a unit up to which lines grow with the board

/**
 * Whether a board is drawn with X and O: up to 8x8, and at most four in a row.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} k stones in a row that win
 */
export function showsSigns(width, height, k) {
  return k <= LENGTHS.signs.row && Math.max(width, height) <= LENGTHS.signs.side;
}

/**
 * @param {number} columns
 * @param {number} rows
 * @param {boolean} signs
 * @param {boolean} coordinates
 * @param {CoordinateStyle} [style] of the coordinates
 * @returns {Layout}
 */
export function layout(columns, rows, signs, coordinates, style = "letters") {
  const kind = signs ? "signs" : "stones";
  const { size, usual, more, least, most, edge } = LENGTHS.coordinates;
  // Boards with many points are shown smaller, so their coordinates need more of a cell.
  const share = Math.min(Math.max(size + (Math.max(columns, rows) - usual) * more, least), most);
  const text = coordinates ? CELL * share : 0;
  const gap = LENGTHS.gap[kind] * CELL + text / 2;
  const margin = coordinates ? gap + text / 2 + edge * CELL : LENGTHS.margin[kind] * CELL;
  // Two Chinese numerals are wider than the two figures that margins have room for.
  const wider = style === "chinese" && rows > 10 ? LENGTHS.coordinates.wider * text : 0;
  const left = margin + wider;
  return {
    columns,
    rows,
    signs,
    text,
    style,
    gap,
    aside: gap + LENGTHS.coordinates.aside * CELL + wider / 2,
    left,
    top: margin,
    right: left + (columns - 1) * CELL,
    bottom: margin + (rows - 1) * CELL,
    reach: signs ? CELL / 2 : 0,
    width: left + margin + (columns - 1) * CELL,
    height: 2 * margin + (rows - 1) * CELL,
  };
}

/**
 * The centre of a point.
 *
 * @param {Layout} plan
 * @param {Point} point
 * @returns {[number, number]}
 */
export function centre(plan, [x, y]) {
  return [plan.left + x * CELL, plan.bottom - y * CELL];
}

/**
 * The point at a place, null beside the board.
 *
 * @param {Layout} plan
 * @param {number} x
 * @param {number} y
 * @returns {Point | null}
 */
export function pointAt(plan, x, y) {
  const column = Math.round((x - plan.left) / CELL);
  const row = Math.round((plan.bottom - y) / CELL);
  return column >= 0 && column < plan.columns && row >= 0 && row < plan.rows ? [column, row] : null;
}

/**
 * The part of the drawing to show so that it fills a box, with a whole number of pixels to a cell.
 *
 * Lines then fall on the middle of a pixel and are an odd number of pixels wide, and so stay sharp; the
 * margins take what is over. Where cells are so small that this would cost much of the board, they keep a
 * broken width.
 *
 * @param {Layout} plan
 * @param {{left: number, top: number, width: number, height: number}} box in device pixels
 * @param {number} dots device pixels to a CSS pixel
 * @returns {{view: [number, number, number, number], lines: number[], cell: number}} the view box; widths
 *     of the lines within the board and of those round it, in units; pixels to a cell
 */
export function fitted(plan, box, dots) {
  let cell = Math.min(box.width / plan.width, box.height / plan.height) * CELL;
  const whole = Math.floor(cell);
  const sharp = whole >= LENGTHS.sharp;
  if (sharp) cell = whole;
  const scale = cell / CELL;
  const [width, height] = [box.width / scale, box.height / scale];
  /** @type {(line: number, over: number, edge: number) => number} the view's beginning */
  const begin = (line, over, edge) => {
    if (!sharp) return -over / 2;
    const pixel = (line + over / 2) * scale + edge;
    return line - (Math.floor(pixel) + 0.5 - edge) / scale;
  };
  const left = begin(plan.left - plan.reach, width - plan.width, box.left % 1);
  const top = begin(plan.top - plan.reach, height - plan.height, box.top % 1);
  const lines = sharp
    ? LENGTHS.lines.map((line) => odd(line * Math.min(scale, BOLDEST * dots)) / scale)
    : LENGTHS.lines;
  return { view: [left, top, width, height], lines, cell };
}

/** @param {number} length */
function odd(length) {
  return Math.max(1, 2 * Math.round((length - 1) / 2) + 1);
}

/**
 * The points that tradition marks: five on 9x9, 13x13 and 15x15, nine on 19x19; elsewhere the centre, if
 * there is one and it needs finding.
 *
 * @param {number} columns
 * @param {number} rows
 * @returns {Point[]}
 */
export function starPoints(columns, rows) {
  /** @type {Record<string, {lines: number[], sides: boolean}>} */
  const tradition = LENGTHS.stars;
  const known = tradition[`${columns}x${rows}`];
  if (known) {
    const { lines, sides } = known;
    const middle = lines[1];
    return lines.flatMap((y) =>
      lines
        .filter((x) => sides || (x === middle) === (y === middle))
        .map((x) => /** @type {Point} */ ([x, y])),
    );
  }
  const centred = columns % 2 && rows % 2 && Math.min(columns, rows) >= LENGTHS.centre;
  return centred ? [[(columns - 1) / 2, (rows - 1) / 2]] : [];
}

/**
 * The board's lines.
 *
 * @param {Layout} plan
 * @returns {{inner: string, outer: string}} paths
 */
export function grid(plan) {
  let left = plan.left - plan.reach;
  let right = plan.right + plan.reach;
  let top = plan.top - plan.reach;
  let bottom = plan.bottom + plan.reach;
  const more = plan.signs ? 1 : 0;
  const columns = Array.from({ length: plan.columns + more }, (_, x) => left + x * CELL);
  const rows = Array.from({ length: plan.rows + more }, (_, y) => top + y * CELL);
  // A board one point wide has no line across: a short one shows the point.
  if (left === right) [left, right] = [left - CELL / 4, right + CELL / 4];
  if (top === bottom) [top, bottom] = [top - CELL / 4, bottom + CELL / 4];
  const [inner, outer] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  columns.forEach((x, i) => (i % (columns.length - 1 || 1) ? inner : outer).push(`M${x} ${top}V${bottom}`));
  rows.forEach((y, i) => (i % (rows.length - 1 || 1) ? inner : outer).push(`M${left} ${y}H${right}`));
  return { inner: inner.join(""), outer: outer.join("") };
}

/**
 * A stretch of line through a row of points, from the first to the last.
 *
 * @param {Layout} plan
 * @param {readonly Point[]} points at least one
 */
export function stretch(plan, points) {
  const [ax, ay] = centre(plan, points[0]);
  const [bx, by] = centre(plan, points[points.length - 1]);
  const length = Math.hypot(bx - ax, by - ay);
  const beyond = plan.signs ? LENGTHS.beyond * CELL : 0;
  const [dx, dy] = length ? [((bx - ax) / length) * beyond, ((by - ay) / length) * beyond] : [beyond, 0];
  return `M${ax - dx} ${ay - dy}L${bx + dx} ${by + dy}`;
}

/**
 * An arrow from one point to another: its shaft and its head.
 *
 * @param {Layout} plan
 * @param {Point} from
 * @param {Point} to another point
 */
export function arrow(plan, from, to) {
  const [ax, ay] = centre(plan, from);
  const [bx, by] = centre(plan, to);
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  // From the rim of one point's stone to the other's; neighbours stand closer than two rims.
  const { arrow: parts } = LENGTHS;
  const tail = Math.min(parts.tail * CELL, parts.length * length);
  const tip = Math.max(length - parts.tip * CELL, parts.least * length);
  const neck = tip - parts.head * CELL;
  const half = parts.width * CELL;
  /** @type {(along: number, aside: number) => string} */
  const at = (along, aside) => `${ax + ux * along - uy * aside} ${ay + uy * along + ux * aside}`;
  return {
    shaft: `M${at(tail, 0)}L${at(neck, 0)}`,
    head: `M${at(neck, half)}L${at(tip, 0)}L${at(neck, -half)}Z`,
  };
}

/**
 * A sign drawn as a path round a place.
 *
 * @param {"triangle" | "square" | "circle" | "cross"} kind
 * @param {number} x
 * @param {number} y
 * @param {number} [size] of the cell it stands in
 */
export function shape(kind, x, y, size = CELL) {
  if (kind === "triangle") {
    const side = LENGTHS.mark.triangle * size;
    const dx = (side * Math.sqrt(3)) / 2;
    return `M${x} ${y - side}L${x + dx} ${y + side / 2}H${x - dx}Z`;
  }
  if (kind === "square") {
    const half = LENGTHS.mark.square * size;
    return `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}Z`;
  }
  if (kind === "circle") {
    const radius = LENGTHS.mark.circle * size;
    const arc = `a${radius} ${radius} 0 1 0 `;
    return `M${x - radius} ${y}${arc}${2 * radius} 0${arc}${-2 * radius} 0Z`;
  }
  return cross(x, y, LENGTHS.mark.cross * size);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} half half its side
 */
export function cross(x, y, half) {
  return `M${x - half} ${y - half}l${2 * half} ${2 * half}m${-2 * half} 0l${2 * half} ${-2 * half}`;
}

/**
 * The size, at most `size`, at which a bold text is at most `room` wide in any usual font.
 *
 * @param {string} text
 * @param {number} size
 * @param {number} room
 */
export function fitText(text, size, room) {
  let width = 0;
  for (const letter of text)
    width += /[\u1100-\u11ff\u2e80-\uffef]|[^\u0000-\uffff]/.test(letter) ? 1 : 0.63;
  return width ? Math.min(size, room / width) : size;
}

/**
 * A weight in at most about five characters: `500`, `−0.35`, `12.3k`.
 *
 * @param {number} weight
 */
export function figure(weight) {
  const size = Math.abs(weight);
  let text;
  if (size && (size < 1e-3 || size >= 999.5e6)) text = weight.toExponential(0).replace("e+", "e");
  else if (size >= 999_500) text = `${Number((weight / 1e6).toPrecision(3))}M`;
  else if (size >= 9_999.5) text = `${Number((weight / 1e3).toPrecision(3))}k`;
  else if (size >= 99.95 || Number.isInteger(weight)) text = weight.toFixed(0);
  else text = weight.toFixed(size >= 0.995 ? 1 : size >= 0.0095 ? 2 : 3);
  return text.replace("-", "−");
}
