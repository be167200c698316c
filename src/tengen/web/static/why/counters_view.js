/**
 * The line counters of tic-tac-toe: a row for each line, +1 for every black and −1 for every white stone.
 *
 * @import { Context } from "../shared/types.js"
 * @import { Scene } from "./stone_rows.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { axisIcon, cellsOf, rowOf, stoneRow } from "./stone_rows.js";

/**
 * @param {Scene} scene
 * @param {readonly { points: string[], value: number }[]} counters
 * @param {Context} context
 * @param {(points: readonly string[]) => void} onLine the line looked at; no points when it is left
 */
export function countersView(scene, counters, { say }, onLine) {
  return html`<section>
    <h3>${say("web.why.counters")}</h3>
    <p class="why-soft">${say("web.why.counters.how", { full: counters[0]?.points.length ?? 3 })}</p>
    <ul class="why-counters" role="list">
      ${counters.map(counterView)}
    </ul>
  </section>`;

  /**
   * @param {{ points: string[], value: number }} counter
   * @param {number} i
   */
  function counterView({ points, value }, i) {
    const row = rowOf(points[0], points);
    const text = value > 0 ? `+${value}` : String(value).replace("-", "−");
    const look = () => onLine(points);
    const leave = () => onLine([]);
    return html`<li>
      <button
        type="button"
        aria-label=${say("web.why.counter", { points: points.join(" "), value: text })}
        @pointerenter=${look}
        @pointerleave=${leave}
        @focus=${look}
        @blur=${leave}
        @click=${look}
      >
        <i>${i}</i
        >${axisIcon(row?.axis ?? null)}${stoneRow(row ? cellsOf(scene, "", row.points) : [], scene.signs)}
        <span class="why-figure${Math.abs(value) === points.length ? " full" : ""}">${text}</span>
      </button>
    </li>`;
  }
}
