/**
 * The weights of the points: the heaviest in a table, and of one point the parts that add up to its weight.
 *
 * @import { Part } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Scene } from "./stone_rows.js"
 *
 * @typedef {object} Weighed points with numbers that are listed and drawn
 * @property {string | null} point the one that is played
 * @property {Record<string, number>} weights
 * @property {Record<string, Part[]>} parts
 * @property {boolean} [signed] whether what is below zero counts as much as what is above it
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { figure } from "/assets/board_layout.js";
import { axisIcon, cellsOf, rowOf, stoneRow } from "./stone_rows.js";

const SHOWN = 5;
const PARTS = 12;

/**
 * The points, the one that is chosen first, and then the heaviest.
 *
 * @param {Weighed} weighed
 * @returns {[string, number][]}
 */
export function heaviest({ point, weights, signed }) {
  const size = signed ? Math.abs : Number;
  return Object.entries(weights).sort(
    ([a, x], [b, y]) => Number(b === point) - Number(a === point) || size(y) - size(x),
  );
}

/**
 * The parts of a point's weight, a row each, and their sum.
 *
 * @param {Weighed} weighed
 * @param {string} point
 * @param {Scene} scene
 * @param {Context} context
 */
export function partsView(weighed, point, scene, { say }) {
  const weight = weighed.weights[point];
  const parts = weighed.parts[point] ?? [];
  const heading = say("web.why.weighs", { point, weight: figure(weight) });
  if (!parts.length) return html`<p class="why-point">${heading}</p>`;
  // The largest parts say the most.
  const sorted = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return sumView(heading, sorted, weight, point, scene, say);
}

/**
 * Parts, a row each, and their sum.
 *
 * @param {string} heading
 * @param {readonly Part[]} parts
 * @param {number} whole
 * @param {string} point that they are parts of; "" for the whole position
 * @param {Scene} scene
 * @param {Context["say"]} say
 */
export function sumView(heading, parts, whole, point, scene, say) {
  // The many small ones of `lines` are told as one sum.
  const shown = parts.length > PARTS + 1 ? parts.slice(0, PARTS) : parts;
  const rest = parts.slice(shown.length);
  const sum = rest.reduce((total, part) => total + part.value, 0);
  const plain = parts.every(({ points }) => !points.length);
  return html`<table class="why-parts${plain ? " plain" : ""}">
    <caption>
      ${heading}
    </caption>
    <tbody>
      ${shown.map((part) => partView(part, point, scene, say))}
      ${
        rest.length
          ? html`<tr>
              <td></td>
              <td>${say("web.why.rest", { count: rest.length })}</td>
              <td>${figure(sum)}</td>
            </tr>`
          : nothing
      }
    </tbody>
    <tfoot>
      <tr>
        <th scope="row" colspan="2">${say("web.why.sum")}</th>
        <td>${figure(whole)}</td>
      </tr>
    </tfoot>
  </table>`;
}

/**
 * @param {Part} part
 * @param {string} point
 * @param {Scene} scene
 * @param {Context["say"]} say
 */
function partView({ label, points, value }, point, scene, say) {
  const row = rowOf(point, points);
  return html`<tr>
    <td>${axisIcon(row?.axis ?? null)}</td>
    <td>
      ${row ? stoneRow(cellsOf(scene, point, row.points), scene.signs) : nothing}<span class="why-label"
        >${say(label.key, label.values)}</span
      >
    </td>
    <td>${figure(value)}</td>
  </tr>`;
}

/**
 * The heaviest points, to be looked at by pointer, finger or key.
 *
 * @param {Weighed} weighed
 * @param {object} shown
 * @param {string | null} shown.played the move that was played
 * @param {string | null} shown.marked the point that is looked at
 * @param {boolean} shown.all whether all points are listed
 * @param {Context} context
 * @param {{ touch: (point: string | null) => void, pin: (point: string) => void, showAll: () => void }} acts
 */
export function pointsView(weighed, { played, marked, all }, { say }, { touch, pin, showAll }) {
  const points = heaviest(weighed).filter(
    ([point, weight], i) => i === 0 || weight !== 0 || point === weighed.point,
  );
  const most = Math.max(...points.map(([, weight]) => Math.abs(weight)), 1e-9);
  const left = all ? 0 : Math.max(points.length - SHOWN, 0);
  const tagged = points.some(([point]) => point === weighed.point || point === played);
  return html`<section>
    <h3>${say("web.why.heaviest")}</h3>
    <ul class="why-heaviest ${tagged ? "tagged" : ""}" role="list">
      ${points.slice(0, points.length - left).map(pointView)}
    </ul>
    <button class="why-more" type="button" ?hidden=${left === 0} @click=${showAll}>
      ${say("web.why.more", { count: left })}
    </button>
  </section>`;

  /** What became of a point: chosen by the player that is asked, and played in the game. @param {string} point */
  function tagsOf(point) {
    return [
      ...(point === weighed.point ? [say("web.why.best")] : []),
      ...(point === played ? [say("web.why.played")] : []),
    ].map((tag) => html`<span class="why-chosen">${tag}</span>`);
  }

  /** @param {[string, number]} entry */
  function pointView([point, weight]) {
    const look = () => touch(point);
    const leave = () => touch(null);
    return html`<li>
      <button
        type="button"
        aria-pressed=${point === marked}
        @click=${() => pin(point)}
        @pointerenter=${look}
        @pointerleave=${leave}
        @focus=${look}
        @blur=${leave}
      >
        <b>${point.toUpperCase()}</b>
        <span
          class="why-bar${weight < 0 ? " below" : ""}"
          aria-hidden="true"
          .style=${`--share: ${Math.abs(weight) / most}`}
        ></span>
        <span class="why-figure">${figure(weight)}</span>
        ${tagged ? html`<span class="why-tags">${tagsOf(point)}</span>` : nothing}
      </button>
    </li>`;
  }
}
