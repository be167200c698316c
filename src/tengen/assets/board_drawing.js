/**
 * Draws what a board shows into an SVG: the hand of board.js, which holds the brush.
 *
 * @typedef {import("./board.js").Colour} Colour
 * @typedef {import("./board.js").Line} Line
 * @typedef {import("./board.js").State} State
 * @typedef {import("./board.js").Stone} Stone
 * @typedef {import("./board_layout.js").Layout} Layout
 * @typedef {import("./notation.js").Point} Point
 *
 * @typedef {object} Drawing
 * @property {SVGGraphicsElement} svg
 * @property {(state: State, soft: boolean) => void} set draw a position; softly: new stones appear gently
 * @property {(ghosts: {point: Point, colour: Colour}[], frames: Point[]) => void} over draw what comes and
 *     goes with the pointer: stones that are only thought of, and frames round points
 * @property {() => number} fit fill the box that the page gives it; the CSS pixels to a cell
 */

import * as shapes from "./board_layout.js";
import { LENGTHS } from "./board_lengths.js";
import { columnName, pointName } from "./notation.js";

const { CELL, STONE } = shapes;
const FIGURE_FROM = 0.1; // the share of the largest weight from which a weight is written out
const FIGURE_INSIDE = 0.5; // the share from which it has room within its disc
const MAX_LABEL = 6;
const LAYERS = ["under", "stones", "over", "heat", "last", "fouls", "marks", "arrows", "ghosts", "frames"];

/**
 * @param {Layout} plan
 * @param {string} prefix of identifiers, which a page may hold but once
 * @returns {Drawing}
 */
export function createDrawing(plan, prefix) {
  const svg = draw(null, "svg", { "aria-hidden": "true", focusable: "false" });
  const fitGround = drawGround(svg, plan, prefix);
  const layers = Object.fromEntries(LAYERS.map((name) => [name, draw(svg, "g", { class: name })]));
  /** @type {Map<string, {stone: Stone, node: SVGElement}>} */
  let standing = new Map();

  return { svg, set, over, fit };

  /** @type {Drawing["set"]} */
  function set(state, soft) {
    drawStones(state.stones ?? [], soft);
    drawLines(state);
    drawHeat(state.heat ?? [], state.chosen ?? null);
    drawLast(state);
    drawFouls(state.fouls ?? []);
    drawMarks(state.marks ?? []);
    drawArrows(state.arrows ?? []);
  }

  /** @type {Drawing["over"]} */
  function over(ghosts, frames) {
    layers.ghosts.replaceChildren();
    layers.frames.replaceChildren();
    for (const { point, colour } of ghosts) drawPiece(layers.ghosts, point, colour);
    for (const point of frames) {
      const [x, y] = at(point);
      const half = 0.48 * CELL;
      draw(layers.frames, "rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 7 });
    }
  }

  /** @type {Drawing["fit"]} */
  function fit() {
    const dots = window.devicePixelRatio || 1;
    const { left, top, width, height } = svg.getBoundingClientRect();
    if (!width || !height) return CELL;
    const box = { left: left * dots, top: top * dots, width: width * dots, height: height * dots };
    const { view, lines, cell } = shapes.fitted(plan, box, dots);
    svg.setAttribute("viewBox", view.map((length) => length.toFixed(4)).join(" "));
    fitGround(view, lines);
    return cell / dots;
  }

  /** @param {Point} point */
  function at(point) {
    return shapes.centre(plan, point);
  }

  /**
   * @param {readonly Stone[]} stones
   * @param {boolean} soft
   */
  function drawStones(stones, soft) {
    const before = standing;
    standing = new Map();
    /** @type {SVGElement[]} */
    const fresh = [];
    for (const stone of stones) {
      const name = pointName(stone.point);
      const old = before.get(name);
      const same = old?.stone.colour === stone.colour && old.stone.number === stone.number;
      const node = same ? old.node : drawStone(stone);
      if (!old) fresh.push(node);
      standing.set(name, { stone, node });
    }
    for (const [name, { node }] of before) if (standing.get(name)?.node !== node) node.remove();
    // A stone or two have been played; more are another position.
    if (soft && fresh.length <= 2) for (const node of fresh) node.classList.add("fresh");
  }

  /** @param {Stone} stone */
  function drawStone({ point, colour, number }) {
    const group = draw(layers.stones, "g", { class: `stone ${colour}`, "data-point": pointName(point) });
    drawPiece(group, point, colour);
    if (number !== undefined) {
      const text = String(number);
      const [x, y] = at(point);
      const { right, down, size } = LENGTHS.numberBeside;
      const sizes = LENGTHS.numbers;
      if (plan.signs) write(group, "number", text, x + right * CELL, y + down * CELL, size * CELL);
      else write(group, "number", text, x, y, sizes[Math.min(text.length, sizes.length) - 1] * CELL);
    }
    return group;
  }

  /**
   * A stone, or the sign that stands for it.
   *
   * @param {SVGElement} parent
   * @param {Point} point
   * @param {Colour} colour
   */
  function drawPiece(parent, point, colour) {
    const [cx, cy] = at(point);
    if (plan.signs && colour === "black") {
      draw(parent, "path", { class: "sign black", d: shapes.cross(cx, cy, LENGTHS.cross * CELL) });
    } else if (plan.signs) {
      draw(parent, "circle", { class: "sign white", cx, cy, r: LENGTHS.ring * CELL });
    } else {
      const shade = { class: "shade", fill: `url(#${prefix}-shade)` };
      draw(parent, "circle", { cx: cx + 0.7, cy: cy + 1.3, r: 15, ...shade });
      const fill = `url(#${prefix}-${colour})`;
      draw(parent, "circle", { cx, cy, r: STONE - 0.4, class: `body ${colour}`, fill });
    }
  }

  /**
   * Rows are drawn behind their stones, which then have rims, where something is written upon them.
   *
   * @param {State} state
   */
  function drawLines({ lines = [], marks = [], stones = [] }) {
    layers.under.replaceChildren();
    layers.over.replaceChildren();
    const written = [...marks, ...stones.filter(({ number }) => number !== undefined)];
    const upon = new Set(written.map(({ point }) => pointName(point)));
    const rows = lines.filter(({ points }) => points.length);
    const covered =
      !plan.signs && rows.some(({ points }) => points.some((point) => upon.has(pointName(point))));
    for (const { kind, points } of rows) {
      const d = shapes.stretch(plan, points);
      draw(covered ? layers.under : layers.over, "path", {
        class: `row light ${covered ? "wide" : ""}`,
        d,
      });
      draw(covered ? layers.under : layers.over, "path", {
        class: `row ${kind} ${covered ? "wide" : ""}`,
        d,
      });
    }
    // All rims first: one outline round all the stones of a row, with a little light between.
    for (const [rim, radius] of covered
      ? /** @type {const} */ ([
          ["rim", 2.8],
          ["light", 1],
        ])
      : []) {
      for (const { kind, points } of rows) {
        for (const point of points) {
          const [cx, cy] = at(point);
          draw(layers.under, "circle", { class: `${rim} ${kind}`, cx, cy, r: STONE + radius });
        }
      }
    }
  }

  /**
   * @param {NonNullable<State["heat"]>} heat
   * @param {Point | null} told what is outlined, if not the heaviest
   */
  function drawHeat(heat, told) {
    const layer = layers.heat;
    layer.replaceChildren();
    const weights = heat.filter(({ weight, share }) => weight || share !== undefined);
    const largest = Math.max(...weights.map(({ weight }) => Math.abs(weight)));
    for (const { point, weight, share = weight / largest } of weights) {
      const [cx, cy] = at(point);
      const r = Math.max(LENGTHS.heat.disc * CELL * Math.sqrt(Math.abs(share)), 1.2);
      if (share < 0) draw(layer, "circle", { class: "below", cx, cy, r: Math.max(r - 1, 0.6) });
      else draw(layer, "circle", { class: "weight", cx, cy, r, "fill-opacity": 0.6 + 0.25 * share });
    }
    const best = Math.max(...weights.map(({ weight }) => weight));
    const heaviest = weights.filter(({ weight }) => weight === best);
    const chosen = told ?? (heaviest.length === 1 && weights.length > 1 ? heaviest[0].point : null);
    if (chosen) {
      const [cx, cy] = at(chosen);
      draw(layer, "circle", { class: "chosen", cx, cy, r: LENGTHS.heat.chosen * CELL });
    }
    for (const { point, weight, share } of weights) {
      if (share === undefined && Math.abs(weight) < FIGURE_FROM * largest) continue;
      const text = shapes.figure(weight);
      const kind = (share ?? weight / largest) > FIGURE_INSIDE ? "figure" : "figure across";
      const size = shapes.fitText(text, LENGTHS.heat.figure * CELL, LENGTHS.heat.room * CELL);
      write(layer, kind, text, ...at(point), size);
    }
  }

  /** @param {State} state */
  function drawLast({ last, marks = [], heat = [] }) {
    const layer = layers.last;
    layer.replaceChildren();
    if (!last) return;
    const name = pointName(last);
    const [cx, cy] = at(last);
    const stone = standing.get(name)?.stone;
    if (plan.signs) {
      const half = LENGTHS.last.frame * CELL;
      draw(layer, "rect", { x: cx - half, y: cy - half, width: 2 * half, height: 2 * half, rx: 3 });
    } else if (stone) {
      const signed = [...marks, ...heat].some(({ point }) => pointName(point) === name);
      const taken = signed || stone.number !== undefined;
      const r = (taken ? LENGTHS.last.around : LENGTHS.last.ring) * CELL;
      draw(layer, "circle", { class: stone.colour, cx, cy, r, "stroke-width": taken ? 1.5 : 2.2 });
    }
  }

  /** @param {readonly Point[]} fouls */
  function drawFouls(fouls) {
    layers.fouls.replaceChildren();
    const d = fouls.map((point) => shapes.cross(...at(point), LENGTHS.foul * CELL)).join("");
    if (d) draw(layers.fouls, "path", { d });
  }

  /** @param {NonNullable<State["marks"]>} marks */
  function drawMarks(marks) {
    const layer = layers.marks;
    layer.replaceChildren();
    for (const { point, kind, label = "" } of marks) {
      let [x, y] = at(point);
      let size = CELL;
      const colour = standing.get(pointName(point))?.stone.colour;
      // A sign keeps the middle of its cell.
      if (colour && plan.signs) {
        const { right, up, size: small } = LENGTHS.markBeside;
        [x, y, size] = [x + right * CELL, y - up * CELL, small * CELL];
      }
      const on = colour && !plan.signs ? `on-${colour}` : "on-board";
      if (kind === "label") {
        const text = shortened(label);
        if (!colour)
          draw(layer, "circle", { class: "clearing", cx: x, cy: y, r: LENGTHS.mark.clearing * CELL });
        write(
          layer,
          `label ${on}`,
          text,
          x,
          y,
          shapes.fitText(text, LENGTHS.mark.label * size, LENGTHS.mark.room * size),
        );
      } else {
        const width = size < CELL ? 1.3 : 2.2;
        const d = shapes.shape(kind, x, y, size);
        draw(layer, "path", { class: `${kind} ${on}`, d, "stroke-width": width });
      }
    }
  }

  /** @param {NonNullable<State["arrows"]>} arrows */
  function drawArrows(arrows) {
    layers.arrows.replaceChildren();
    for (const [from, to] of arrows) {
      const { shaft, head } = shapes.arrow(plan, from, to);
      draw(layers.arrows, "path", { class: "shaft", d: shaft });
      draw(layers.arrows, "path", { class: "head", d: head });
    }
  }
}

/**
 * The board without what stands on it.
 *
 * @param {SVGElement} svg
 * @param {Layout} plan
 * @param {string} prefix
 * @returns {(view: number[], lines: number[]) => void} fits it to a view box and to widths of lines
 */
function drawGround(svg, plan, prefix) {
  const defs = draw(svg, "defs", {});
  /** @type {(id: string, kind: string, attributes: Record<string, unknown>, stops: number[]) => void} */
  const gradient = (id, kind, attributes, stops) => {
    const made = draw(defs, kind, { id: `${prefix}-${id}`, ...attributes });
    stops.forEach((offset, i) => draw(made, "stop", { offset, class: `${id}-${i}` }));
  };
  const lit = { cx: 0.36, cy: 0.3, r: 0.78 };
  gradient("wood", "linearGradient", { x1: 0, y1: 0, x2: 1, y2: 1 }, [0, 1]);
  gradient("black", "radialGradient", lit, [0, 0.45, 1]);
  gradient("white", "radialGradient", lit, [0, 0.7, 1]);
  gradient("shade", "radialGradient", {}, [0.82, 1]);

  const wood = draw(svg, "rect", { class: "wood", fill: `url(#${prefix}-wood)` });
  const { inner, outer } = shapes.grid(plan);
  const lines = [inner, outer].map((d) => draw(svg, "path", { class: "grid", d }));
  for (const point of plan.signs ? [] : shapes.starPoints(plan.columns, plan.rows)) {
    const [cx, cy] = shapes.centre(plan, point);
    draw(svg, "circle", { class: "star", cx, cy, r: LENGTHS.star });
  }
  for (let x = 0; plan.text && x < plan.columns; x++) {
    const name = columnName(x).toUpperCase();
    write(svg, "coordinate", name, plan.left + x * CELL, plan.bottom + plan.gap, plan.text);
  }
  for (let y = 0; plan.text && y < plan.rows; y++) {
    const left = plan.left - plan.gap - LENGTHS.coordinates.aside * CELL;
    write(svg, "coordinate", String(y + 1), left, plan.bottom - y * CELL, plan.text);
  }
  return ([x, y, width, height], widths) => {
    for (const [name, value] of Object.entries({ x, y, width, height }))
      wood.setAttribute(name, String(value));
    lines.forEach((line, i) => line.setAttribute("stroke-width", String(widths[i])));
  };
}

/**
 * Add an SVG element.
 *
 * @param {Element | null} parent
 * @param {string} name
 * @param {Record<string, unknown>} attributes
 * @returns {SVGGraphicsElement}
 */
function draw(parent, name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return /** @type {SVGGraphicsElement} */ (made);
}

/**
 * Write a text round a place.
 *
 * @param {Element} parent
 * @param {string} kind
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function write(parent, kind, text, x, y, size) {
  draw(parent, "text", { class: kind, x, y: y + LENGTHS.baseline * size, "font-size": size }).textContent =
    text;
}

/** @param {string} label */
function shortened(label) {
  const letters = Array.from(label);
  return letters.length <= MAX_LABEL ? label : `${letters.slice(0, MAX_LABEL - 1).join("")}…`;
}
