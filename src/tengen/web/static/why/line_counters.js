/**
 * The line counters of tic-tac-toe: a row for each line, +1 for every black and −1 for every white stone.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./why_types.js").Scene} Scene
 */

import { h } from "../shared/dom.js";
import { axisIcon, cellsOf, rowOf, stoneRow } from "./stone_rows.js";

/**
 * @param {Context} context
 * @param {Scene} scene
 * @param {readonly { points: string[], value: number }[]} counters
 * @param {(points: readonly string[]) => void} onLine the line looked at; no points when it is left
 * @returns {HTMLElement}
 */
export function countersTable({ say }, scene, counters, onLine) {
  const rows = counters.map(({ points, value }, i) => {
    const row = rowOf(points[0], points);
    const cells = row ? cellsOf(scene, "", row.points) : [];
    const text = value > 0 ? `+${value}` : String(value).replace("-", "−");
    const label = say("web.why.counter", { points: points.join(" "), value: text });
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          "aria-label": label,
          onpointerenter: () => onLine(points),
          onpointerleave: () => onLine([]),
          onfocus: () => onLine(points),
          onblur: () => onLine([]),
          onclick: () => onLine(points),
        },
        h("i", {}, String(i)),
        axisIcon(row?.axis ?? null),
        stoneRow(cells, scene.signs),
        h("span", { class: `why-figure${Math.abs(value) === points.length ? " full" : ""}` }, text),
      ),
    );
  });
  return h(
    "section",
    {},
    h("h3", {}, say("web.why.counters")),
    h("p", { class: "why-soft" }, say("web.why.counters.how", { full: counters[0]?.points.length ?? 3 })),
    h("ul", { class: "why-counters", role: "list" }, ...rows),
  );
}
