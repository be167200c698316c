/**
 * The weights of the points: the heaviest in a table, and of one point the parts that add up to its weight.
 *
 * @typedef {import("./explanation_types.js").Answer} Answer
 * @typedef {import("./explanation_types.js").Part} Part
 * @typedef {import("./explanation_types.js").Scene} Scene
 * @typedef {import("../shared/context.js").Context} Context
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { figure } from "/assets/board_layout.js";

import { axisIcon, cellsOf, rowOf, stoneRow } from "./stone_rows.js";

const SHOWN = 5;
const PARTS = 12;

/**
 * The points of an answer, the one that is played first, and then the heaviest.
 *
 * @param {Answer} answer
 * @returns {[string, number][]}
 */
export function heaviest({ point, weights }) {
  return Object.entries(weights).sort(
    ([a, x], [b, y]) => Number(b === point) - Number(a === point) || y - x,
  );
}

/**
 * The parts of a point's weight, a row each, and their sum.
 *
 * @param {Answer} answer
 * @param {string} point
 * @param {Scene} scene
 * @param {Context} context
 */
export function partsView(answer, point, scene, { say }) {
  const weight = answer.weights[point];
  const parts = answer.parts[point] ?? [];
  const heading = say("web.why.weighs", { point, weight: figure(weight) });
  if (!parts.length) return html`<p class="why-point">${heading}</p>`;
  // The largest parts say the most; the many small ones of `lines` are told as one sum.
  const sorted = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const rest = sorted.length > PARTS + 1 ? sorted.splice(PARTS) : [];
  const sum = rest.reduce((total, part) => total + part.value, 0);
  return html`<table class="why-parts">
    <caption>
      ${heading}
    </caption>
    <tbody>
      ${sorted.map((part) => partView(part, point, scene, say))}
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
        <td>${figure(weight)}</td>
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
 * @param {Answer} answer
 * @param {{ marked: string | null, all: boolean }} shown the point that is looked at; whether all points are listed
 * @param {Context} context
 * @param {{ touch: (point: string | null) => void, pin: (point: string) => void, showAll: () => void }} acts
 */
export function pointsView(answer, { marked, all }, { say }, { touch, pin, showAll }) {
  const points = heaviest(answer).filter(
    ([point, weight], i) => i === 0 || weight !== 0 || point === answer.point,
  );
  const most = Math.max(...points.map(([, weight]) => Math.abs(weight)), 1e-9);
  const left = all ? 0 : Math.max(points.length - SHOWN, 0);
  return html`<section>
    <h3>${say("web.why.heaviest")}</h3>
    <ul class="why-heaviest" role="list">
      ${points.slice(0, points.length - left).map(pointView)}
    </ul>
    <button class="why-more" type="button" ?hidden=${left === 0} @click=${showAll}>
      ${say("web.why.more", { count: left })}
    </button>
  </section>`;

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
        ${point === answer.point ? html`<span class="why-chosen">${say("web.why.chosen")}</span>` : nothing}
      </button>
    </li>`;
  }
}
