/**
 * Black's chances over a game, on which any move can be chosen with the pointer or the arrow keys.
 *
 * @typedef {import("../shared/context.js").Context} Context
 *
 * @typedef {object} Point
 * @property {number} ply
 * @property {number} black Black's chance, from 0 to 1
 * @property {"mistake" | "blunder"} [mark]
 *
 * @typedef {object} Graph
 * @property {(points: Point[], current: number, length: number) => void} set
 * @property {() => void} destroy
 */

import { h } from "../shared/dom.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {HTMLElement} element
 * @param {{context: Context, onSelect: (ply: number) => void}} options
 * @returns {Graph}
 */
export function createGraph(element, { context, onSelect }) {
  const { say } = context;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const slider = h("div", {
    class: "graph",
    role: "slider",
    tabindex: 0,
    "aria-label": say("web.analyse.graph"),
    "aria-valuemin": 0,
  });
  slider.append(svg);
  const figure = h(
    "figure",
    { class: "graph-figure" },
    slider,
    h(
      "figcaption",
      { class: "soft" },
      h("span", null, say("web.analyse.graph_above")),
      h("span", null, say("web.analyse.graph_below")),
    ),
  );
  element.append(figure);
  let length = 1;
  let current = 0;

  slider.addEventListener("pointerdown", (event) => {
    slider.setPointerCapture(event.pointerId);
    choose(event);
  });
  slider.addEventListener("pointermove", (event) => event.buttons && choose(event));
  slider.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(Math.min(Math.max(to, 0), length));
  });

  return { set, destroy: () => figure.remove() };

  /** @param {PointerEvent} event */
  function choose(event) {
    const { left, width } = svg.getBoundingClientRect();
    const ply = Math.round(((event.clientX - left) / width) * length);
    onSelect(Math.min(Math.max(ply, 0), length));
  }

  /** @type {Graph["set"]} */
  function set(points, now, plies) {
    length = Math.max(plies, 1);
    current = now;
    svg.setAttribute("viewBox", `0 0 ${length} 100`);
    svg.replaceChildren();
    const known = [...points].sort((a, b) => a.ply - b.ply);
    const places = known.map(({ ply, black }) => `${ply} ${(100 - 100 * black).toFixed(1)}`);
    if (known.length) {
      const [from, to] = [known[0].ply, known[known.length - 1].ply];
      path("area", `M${from} 100L${places.join("L")}L${to} 100Z`);
    }
    path("middle", `M0 50H${length}`);
    if (places.length) path("chances", `M${places.join("L")}`);
    path("cursor", `M${now} 0V100`);
    for (const { ply, black, mark } of known) {
      if (mark) path(`dot ${mark}`, `M${ply} ${(100 - 100 * black).toFixed(1)}h0`);
    }
    const here = known.find(({ ply }) => ply === now);
    slider.setAttribute("aria-valuemax", String(length));
    slider.setAttribute("aria-valuenow", String(now));
    slider.setAttribute(
      "aria-valuetext",
      here
        ? say("web.analyse.graph_at", { ply: now, percent: Math.round(100 * here.black) })
        : say("web.analyse.graph_move", { ply: now }),
    );
  }

  /**
   * @param {string} kind
   * @param {string} d
   */
  function path(kind, d) {
    const made = document.createElementNS(SVG, "path");
    made.setAttribute("class", kind);
    made.setAttribute("d", d);
    svg.append(made);
  }
}
