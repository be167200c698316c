/**
 * The weights of the points: the heaviest in a table, and of one point the parts that add up to its weight.
 *
 * @typedef {import("./why_types.js").Answer} Answer
 * @typedef {import("./why_types.js").Part} Part
 * @typedef {import("./why_types.js").Scene} Scene
 * @typedef {import("../shared/context.js").Context} Context
 */

import { figure } from "/assets/board_layout.js";

import { h } from "../shared/dom.js";
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
 * @param {Context} context
 * @param {Scene} scene
 * @param {Answer} answer
 * @param {string} point
 * @returns {HTMLElement}
 */
export function partsTable({ say }, scene, answer, point) {
  const weight = answer.weights[point];
  const parts = answer.parts[point] ?? [];
  if (weight === undefined) return h("p", { class: "why-soft" }, say("web.why.unweighed", { point }));
  const heading = say("web.why.weighs", { point, weight: figure(weight) });
  if (!parts.length) return h("p", { class: "why-point" }, heading);
  // The largest parts say the most; the many small ones of `lines` are told as one sum.
  const sorted = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const rest = sorted.length > PARTS + 1 ? sorted.splice(PARTS) : [];
  const rows = sorted.map((part) => partRow(say, scene, point, part));
  if (rest.length) {
    const sum = rest.reduce((total, part) => total + part.value, 0);
    rows.push(
      h(
        "tr",
        {},
        h("td", {}),
        h("td", {}, say("web.why.rest", { count: rest.length })),
        h("td", {}, figure(sum)),
      ),
    );
  }
  return h(
    "table",
    { class: "why-parts" },
    h("caption", {}, heading),
    h("tbody", {}, ...rows),
    h(
      "tfoot",
      {},
      h("tr", {}, h("th", { scope: "row", colspan: "2" }, say("web.why.sum")), h("td", {}, figure(weight))),
    ),
  );
}

/**
 * @param {Context["say"]} say
 * @param {Scene} scene
 * @param {string} point
 * @param {Part} part
 */
function partRow(say, scene, point, { label, points, value }) {
  const row = rowOf(point, points);
  return h(
    "tr",
    {},
    h("td", {}, axisIcon(row?.axis ?? null)),
    h(
      "td",
      {},
      row ? stoneRow(cellsOf(scene, point, row.points), scene.signs) : "",
      h("span", { class: "why-label" }, say(label.key, label.values)),
    ),
    h("td", {}, figure(value)),
  );
}

/**
 * The heaviest points, to be looked at by pointer, finger or key.
 *
 * @param {Context} context
 * @param {Answer} answer
 * @param {{ onPoint: (point: string | null) => void, onPin: (point: string) => void }} told
 * @returns {{ element: HTMLElement, mark: (point: string | null) => void }}
 */
export function pointsTable({ say }, answer, { onPoint, onPin }) {
  const all = heaviest(answer).filter(
    ([point, weight], i) => i === 0 || weight !== 0 || point === answer.point,
  );
  const most = Math.max(...all.map(([, weight]) => Math.abs(weight)), 1e-9);
  /** @type {Map<string, HTMLElement>} */
  const buttons = new Map();
  const body = h("ul", { class: "why-heaviest", role: "list" });
  const more = h("button", { class: "why-more", type: "button", onclick: () => show(all.length) }, "");
  const element = h("section", {}, h("h3", {}, say("web.why.heaviest")), body, more);
  show(SHOWN);
  return { element, mark };

  /** @param {number} count */
  function show(count) {
    for (const [point, weight] of all.slice(buttons.size, count)) body.append(item(point, weight));
    const left = all.length - buttons.size;
    more.hidden = left === 0;
    more.textContent = say("web.why.more", { count: left });
  }

  /**
   * @param {string} point
   * @param {number} weight
   */
  function item(point, weight) {
    const bar = h("span", { class: weight < 0 ? "why-bar below" : "why-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(Math.abs(weight) / most));
    const button = h(
      "button",
      {
        type: "button",
        onclick: () => onPin(point),
        onpointerenter: () => onPoint(point),
        onpointerleave: () => onPoint(null),
        onfocus: () => onPoint(point),
        onblur: () => onPoint(null),
      },
      h("b", {}, point.toUpperCase()),
      bar,
      h("span", { class: "why-figure" }, figure(weight)),
      point === answer.point ? h("span", { class: "why-chosen" }, say("web.why.chosen")) : "",
    );
    buttons.set(point, button);
    return h("li", {}, button);
  }

  /** @param {string | null} point */
  function mark(point) {
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === point));
  }
}
