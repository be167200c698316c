/**
 * Black's chances over a game, on which any move can be chosen with the pointer or the arrow keys.
 *
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {object} Point
 * @property {number} ply
 * @property {number} black Black's chance, from 0 to 1
 * @property {"inaccuracy" | "mistake" | "blunder" | null} mark
 */

import { html, nothing, svg } from "/static/vendor/lit-html/lit.js";

const KINDS = /** @type {const} */ (["inaccuracy", "mistake", "blunder"]);

/**
 * @param {object} state
 * @param {readonly Point[]} state.points in the order of play
 * @param {number} state.current ply that is shown
 * @param {number} state.length plies of the game
 * @param {Context} context
 * @param {(ply: number) => void} onSelect
 */
export function winRateGraphView({ points, current, length: plies }, { say }, onSelect) {
  const length = Math.max(plies, 1);
  const places = points.map(({ ply, black }) => `${ply} ${(100 - 100 * black).toFixed(1)}`);
  const here = points.find(({ ply }) => ply === current);
  const text = here
    ? say("web.analyse.graph_at", { ply: current, percent: Math.round(100 * here.black) })
    : say("web.analyse.graph_move", { ply: current });
  return html`<figure class="graph-figure">
    <div
      class="graph"
      role="slider"
      tabindex="0"
      aria-label=${say("web.analyse.graph")}
      aria-valuemin="0"
      aria-valuemax=${length}
      aria-valuenow=${current}
      aria-valuetext=${text}
      @pointerdown=${take}
      @pointermove=${(/** @type {PointerEvent} */ event) => event.buttons && choose(event)}
      @keydown=${press}
    >
      <svg viewBox="0 0 ${length} 100" preserveAspectRatio="none" aria-hidden="true">
        ${
          points.length
            ? svg`<path class="area" d="M${points[0].ply} 100L${places.join("L")}L${points[points.length - 1].ply} 100Z" />`
            : nothing
        }
        <path class="middle" d="M0 50H${length}" />
        ${points.length ? svg`<path class="chances" d="M${places.join("L")}" />` : nothing}
        <path class="cursor" d="M${current} 0V100" />
        ${points.map(({ mark }, i) => (mark ? svg`<path class="dot ${mark}" d="M${places[i]}h0" />` : nothing))}
      </svg>
    </div>
    <figcaption class="soft">
      <span>${say("web.analyse.graph_above")}</span>
      <span class="graph-key">
        ${KINDS.map((kind) => html`<span><i class=${kind} aria-hidden="true"></i>${say(`review.${kind}`)}</span> `)}
      </span>
    </figcaption>
  </figure>`;

  /** @param {PointerEvent} event */
  function take(event) {
    /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
    choose(event);
  }

  /** @param {PointerEvent} event */
  function choose(event) {
    const graph = /** @type {HTMLElement} */ (event.currentTarget);
    const { left } = graph.getBoundingClientRect();
    go(Math.round(((event.clientX - left - graph.clientLeft) / graph.clientWidth) * length));
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  }

  /** @param {number} ply */
  function go(ply) {
    onSelect(Math.min(Math.max(ply, 0), length));
  }
}
