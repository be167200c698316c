/**
 * Draws what a board shows into an SVG: the hand of board.js, which holds the brush.
 *
 * @import { Colour, Drawing, Layout, State, Stone } from "./board_types.js"
 * @import { Point } from "./notation.js"
 */

import * as shapes from "./board_layout.js";
import { LENGTHS } from "./board_lengths.js";
import { coordinates, pointName } from "./notation.js";

const { CELL, STONE } = shapes;
const { pens: PENS, opacity: OPACITY } = LENGTHS;
const DOTS = "0.1 5.5"; // of a threat's row
const HALO = { "stroke-width": PENS.halo, "stroke-opacity": OPACITY.halo };
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
  layers.arrows.setAttribute("opacity", String(OPACITY.arrows));
  /** @type {Map<string, {stone: Stone, node: SVGElement}>} */
  let standing = new Map();

  return { svg, set, over, fit, around };

  /** @type {Drawing["set"]} */
  function set(state, soft) {
    drawStones(state.stones ?? [], soft ? (state.last ?? null) : null);
    drawLines(state);
    drawHeat(state.heat ?? [], state.chosen ?? null);
    drawLast(state);
    drawFouls(state.fouls ?? []);
    drawMarks(state.marks ?? []);
    drawArrows(state.arrows ?? []);
  }

  /** @type {Drawing["over"]} */
  function over(ghosts, frames, aim, premove) {
    layers.ghosts.replaceChildren();
    layers.frames.replaceChildren();
    for (const { point, colour } of ghosts) drawPiece(layers.ghosts, point, colour);
    if (premove) drawPremove(premove);
    if (aim) drawAim(aim);
    for (const point of frames) {
      const [x, y] = at(point);
      const half = 0.48 * CELL;
      draw(layers.frames, "rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 7 });
    }
  }

  /** Lines across the board, which a finger does not cover. @param {Point} point */
  function drawAim(point) {
    const [x, y] = at(point);
    const [[left, bottom], [right, top]] = [at([0, 0]), at([plan.columns - 1, plan.rows - 1])];
    draw(layers.frames, "path", { class: "aim", d: `M${left} ${y}H${right}M${x} ${top}V${bottom}` });
  }

  /** A ring round the stone and a dot upon it: a hint and the hover stone have neither. @param {Point} point */
  function drawPremove(point) {
    const [cx, cy] = at(point);
    const { ring, dot } = LENGTHS.premove;
    const pen = { "stroke-width": PENS.chosen };
    draw(layers.frames, "circle", { class: "premove", cx, cy, r: ring * CELL, ...pen });
    draw(layers.frames, "circle", { class: "premove dot", cx, cy, r: dot * CELL });
  }

  /** @type {Drawing["fit"]} */
  function fit(part) {
    const dots = window.devicePixelRatio || 1;
    const { left, top, width, height } = svg.getBoundingClientRect();
    if (!width || !height) return CELL;
    const box = { left: left * dots, top: top * dots, width: width * dots, height: height * dots };
    const { view, lines, cell } = shapes.fitted(plan, box, dots);
    const [x, y, wide, high] = view;
    const seen = [x + part.left * wide, y + part.top * high, wide / part.scale, high / part.scale];
    svg.setAttribute("viewBox", seen.map((length) => length.toFixed(4)).join(" "));
    fitGround(view, lines);
    return (cell * part.scale) / dots;
  }

  /** @type {Drawing["around"]} */
  function around(point, cells) {
    const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
    // Those of the drawing itself are used: identifiers are held but once.
    copy.querySelector("defs")?.remove();
    const [x, y] = at(point);
    const side = cells * CELL;
    copy.setAttribute("viewBox", [x - side / 2, y - side / 2, side, side].join(" "));
    return copy;
  }

  /** @param {Point} point */
  function at(point) {
    return shapes.centre(plan, point);
  }

  /**
   * @param {readonly Stone[]} stones
   * @param {Point | null} last the move that settles if it was just made
   */
  function drawStones(stones, last) {
    const before = standing;
    standing = new Map();
    let fresh = 0;
    for (const stone of stones) {
      const name = pointName(stone.point);
      const old = before.get(name);
      const same = old?.stone.colour === stone.colour && old.stone.number === stone.number;
      const node = same ? old.node : drawStone(stone);
      if (!old) fresh++;
      standing.set(name, { stone, node });
    }
    for (const [name, { node }] of before) if (standing.get(name)?.node !== node) node.remove();
    const gone = Array.from(before.keys()).some((name) => !standing.has(name));
    const made = last ? pointName(last) : "";
    // A stone was played, perhaps answered at once; anything else is another position.
    if (!gone && fresh <= 2 && !before.has(made)) standing.get(made)?.node.classList.add("fresh");
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
      if (plan.signs) write(group, "number", text, x + right * CELL, y + down * CELL, size * CELL, HALO);
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
      const d = shapes.cross(cx, cy, LENGTHS.cross * CELL);
      draw(parent, "path", { class: "sign black", d, "stroke-width": PENS.sign });
    } else if (plan.signs) {
      const r = LENGTHS.ring * CELL;
      draw(parent, "circle", { class: "sign white", cx, cy, r, "stroke-width": PENS.sign });
    } else {
      const { right, down, radius } = LENGTHS.shade;
      const shade = { class: "shade", fill: `url(#${prefix}-shade)` };
      draw(parent, "circle", { cx: cx + right, cy: cy + down, r: radius, ...shade });
      const body = { class: `body ${colour}`, fill: `url(#${prefix}-${colour})`, "stroke-width": PENS.rim };
      draw(parent, "circle", { cx, cy, r: STONE - PENS.rim / 2, ...body });
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
      if (covered) {
        draw(layers.under, "path", { class: `row ${kind}`, d, "stroke-width": PENS.behind });
        continue;
      }
      const light = { "stroke-width": PENS.under, "stroke-opacity": OPACITY.under };
      draw(layers.over, "path", { class: "row light", d, ...light });
      const dashes = { win: "none", foul: LENGTHS.dashes, threat: DOTS }[kind];
      draw(layers.over, "path", {
        class: `row ${kind}`,
        d,
        "stroke-width": PENS.row,
        "stroke-dasharray": dashes,
      });
    }
    // All rims first: one outline round all the stones of a row, with a little light between.
    for (const [rim, radius] of covered
      ? /** @type {const} */ ([
          ["rim", LENGTHS.rims.line],
          ["light", LENGTHS.rims.light],
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
      const r = Math.max(LENGTHS.heat.disc * CELL * Math.sqrt(Math.abs(share)), LENGTHS.heat.least);
      if (share < 0) {
        const ring = { "stroke-width": PENS.below, "stroke-opacity": OPACITY.below };
        const inner = Math.max(r - PENS.below / 2, LENGTHS.heat.least / 2);
        draw(layer, "circle", { class: "below", cx, cy, r: inner, ...ring });
      } else {
        const [least, more] = OPACITY.weight;
        draw(layer, "circle", { class: "weight", cx, cy, r, "fill-opacity": least + more * share });
      }
    }
    const best = Math.max(...weights.map(({ weight }) => weight));
    const heaviest = weights.filter(({ weight }) => weight === best);
    const chosen = told ?? (heaviest.length === 1 && weights.length > 1 ? heaviest[0].point : null);
    if (chosen) {
      const [cx, cy] = at(chosen);
      draw(layer, "circle", {
        class: "chosen",
        cx,
        cy,
        r: LENGTHS.heat.chosen * CELL,
        "stroke-width": PENS.chosen,
      });
    }
    for (const { point, weight, share } of weights) {
      if (share === undefined && Math.abs(weight) < LENGTHS.heat.written * largest) continue;
      const text = shapes.figure(weight);
      const inside = (share ?? weight / largest) > LENGTHS.heat.inside;
      const size = shapes.fitText(text, LENGTHS.heat.figure * CELL, LENGTHS.heat.room * CELL);
      write(layer, inside ? "figure" : "figure across", text, ...at(point), size, inside ? {} : HALO);
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
      draw(layer, "rect", {
        x: cx - half,
        y: cy - half,
        width: 2 * half,
        height: 2 * half,
        rx: 3,
        "stroke-width": PENS.frame,
      });
    } else if (stone) {
      const signed = [...marks, ...heat].some(({ point }) => pointName(point) === name);
      const taken = signed || stone.number !== undefined;
      const r = (taken ? LENGTHS.last.around : LENGTHS.last.ring) * CELL;
      draw(layer, "circle", {
        class: stone.colour,
        cx,
        cy,
        r,
        "stroke-width": taken ? PENS.around : PENS.last,
      });
    }
  }

  /** @param {readonly Point[]} fouls */
  function drawFouls(fouls) {
    layers.fouls.replaceChildren();
    const d = fouls.map((point) => shapes.cross(...at(point), LENGTHS.foul * CELL)).join("");
    if (d) draw(layers.fouls, "path", { d, "stroke-width": PENS.foul });
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
        const width = size < CELL ? PENS.beside : PENS.mark;
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
      draw(layers.arrows, "path", { class: "shaft", d: shaft, "stroke-width": PENS.arrow });
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
  /** @type {(id: string, kind: string, attributes: Record<string, unknown>, stops: number[]) => SVGElement[]} */
  const gradient = (id, kind, attributes, stops) => {
    const made = draw(defs, kind, { id: `${prefix}-${id}`, ...attributes });
    return stops.map((offset, i) => draw(made, "stop", { offset, class: `${id}-${i}` }));
  };
  const { black, white, ...lit } = LENGTHS.lit;
  gradient("wood", "linearGradient", { x1: 0, y1: 0, x2: 1, y2: 1 }, [0, 1]);
  gradient("black", "radialGradient", lit, [0, black, 1]);
  gradient("white", "radialGradient", lit, [0, white, 1]);
  const shades = gradient("shade", "radialGradient", {}, [LENGTHS.shade.full, 1]);
  shades.forEach((stop, i) => stop.setAttribute("stop-opacity", String(i ? 0 : OPACITY.shade)));

  const wood = draw(svg, "rect", { class: "wood", fill: `url(#${prefix}-wood)` });
  const { inner, outer } = shapes.grid(plan);
  const lines = [inner, outer].map((d) => draw(svg, "path", { class: "grid", d }));
  for (const point of plan.signs ? [] : shapes.starPoints(plan.columns, plan.rows)) {
    const [cx, cy] = shapes.centre(plan, point);
    draw(svg, "circle", { class: "star", cx, cy, r: LENGTHS.star });
  }
  if (plan.text) drawCoordinates(svg, plan);
  return ([x, y, width, height], widths) => {
    for (const [name, value] of Object.entries({ x, y, width, height }))
      wood.setAttribute(name, String(value));
    lines.forEach((line, i) => line.setAttribute("stroke-width", String(widths[i])));
  };
}

/**
 * @param {SVGElement} svg
 * @param {Layout} plan
 */
function drawCoordinates(svg, plan) {
  const { columns, rows } = coordinates(plan.columns, plan.rows, plan.style);
  const line = plan.style === "chinese" ? plan.top - plan.gap : plan.bottom + plan.gap;
  columns.forEach((name, x) => write(svg, "coordinate", name, plan.left + x * CELL, line, plan.text));
  rows.forEach((name, y) =>
    write(svg, "coordinate", name, plan.left - plan.aside, plan.bottom - y * CELL, plan.text),
  );
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
 * @param {Record<string, unknown>} [more] attributes
 */
function write(parent, kind, text, x, y, size, more = {}) {
  const place = { x, y: y + LENGTHS.baseline * size, "font-size": size };
  draw(parent, "text", { class: kind, ...place, ...more }).textContent = text;
}

/** @param {string} label */
function shortened(label) {
  const letters = Array.from(label);
  return letters.length <= LENGTHS.letters ? label : `${letters.slice(0, LENGTHS.letters - 1).join("")}…`;
}
