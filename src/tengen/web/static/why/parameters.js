/**
 * The numbers inside a player, to be turned: the choice changes as they do.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {object} Parameter
 * @property {string} name
 * @property {number | string | boolean | null} default
 * @property {"int" | "float" | "bool" | "text"} kind
 * @property {number} [least] of a number
 * @property {number} [most]
 * @typedef {Map<string, number>} Changes
 */

import { h } from "../shared/dom.js";
import { stoneRow } from "./stone_rows.js";

/** What makes no difference to what is explained, or is no number to turn here. */
const HIDDEN = new Set(["threads", "memory", "memory_mb", "level", "preset"]);

/** @type {Record<string, [number, number]>} the ends of a slider, where the default does not tell them */
const RANGES = {
  seed: [0, 99],
  depth: [1, 6],
  width: [2, 40],
  playouts: [50, 8000],
  exploration: [0, 3],
  strength: [0, 100],
  growth: [1, 10],
  own: [0, 10],
  enemy: [0, 10],
  dead: [0, 10],
  nodes: [500, 200_000],
};

/**
 * @param {Parameter} parameter
 * @returns {[number, number, number]} least, most and step
 */
function range({ name, default: value, kind, least: bottom = -Infinity, most: top = Infinity }) {
  const size = Math.abs(Number(value)) || 100;
  const [low, high] = RANGES[name] ?? [Number(value) < 0 ? -3 * size : 0, 3 * size];
  const [least, most] = [Math.max(low, bottom), Math.min(high, top)];
  if (kind === "float" && most <= 10) return [least, most, 0.1];
  const step = Math.max(1, 10 ** Math.floor(Math.log10(most - least) - 2));
  return [least, most, step];
}

/**
 * The parameters that can be turned: numbers. A seed alone changes nothing worth looking at, but for a level,
 * whose seed decides what it overlooks.
 *
 * @param {readonly Parameter[]} parameters
 * @param {boolean} level
 * @returns {Parameter[]}
 */
export function turnable(parameters, level) {
  const numbers = parameters.filter(
    ({ name, kind }) => (kind === "int" || kind === "float") && !HIDDEN.has(name),
  );
  numbers.sort((a, b) => Number(a.name === "seed") - Number(b.name === "seed"));
  return level || numbers.some(({ name }) => name !== "seed") ? numbers : [];
}

/**
 * @param {Context} context
 * @param {object} given
 * @param {readonly Parameter[]} given.parameters
 * @param {import("./why_types.js").Colour} given.turn whose the own stones are
 * @param {Changes} given.changes what has been turned so far; is changed
 * @param {() => void} given.onChange
 * @returns {HTMLElement}
 */
export function createParameters({ say }, { parameters, turn, changes, onChange }) {
  const rows = parameters.map(row);
  const reset = h("button", { class: "button", type: "button", onclick: undo }, say("web.why.reset"));
  const element = h(
    "div",
    { class: "why-parameters" },
    rows.map(({ element }) => element),
    reset,
  );
  reset.disabled = changes.size === 0;
  return element;

  function undo() {
    changes.clear();
    for (const { show } of rows) show();
    reset.disabled = true;
    onChange();
  }

  /** @param {Parameter} parameter */
  function row(parameter) {
    const { name } = parameter;
    const [min, max, step] = range(parameter);
    const label = named(name);
    const common = { min: String(min), max: String(max), step: String(step) };
    const slider = h("input", { type: "range", ...common, "aria-label": label.text });
    const field = h("input", {
      type: "number",
      step: "any",
      inputmode: "decimal",
      "aria-label": label.text,
    });
    slider.addEventListener("input", () => turned(Number(slider.value)));
    field.addEventListener("change", () => field.value !== "" && turned(Number(field.value)));
    const element = h("div", { class: "why-parameter" }, h("span", {}, label.node), slider, field);
    show();
    return { element, show };

    function show() {
      const value = changes.get(name) ?? Number(parameter.default);
      slider.value = String(value);
      field.value = String(value);
      element.classList.toggle("changed", changes.has(name));
    }

    /** @param {number} wanted */
    function turned(wanted) {
      if (!Number.isFinite(wanted)) return;
      const { least = -Infinity, most = Infinity } = parameter;
      const within = Math.min(Math.max(wanted, least), most);
      const value = parameter.kind === "int" ? Math.round(within) : Number(within.toPrecision(6));
      if (value === Number(parameter.default)) changes.delete(name);
      else changes.set(name, value);
      show();
      reset.disabled = changes.size === 0;
      onChange();
    }
  }

  /**
   * What a parameter is called: the shape that it weighs, a word, or its own name.
   *
   * @param {string} name
   */
  function named(name) {
    const shape = /^w_([12]+)$/.exec(name);
    if (shape) {
      const other = turn === "black" ? "white" : "black";
      const cells = Array.from(shape[1], (digit) => (digit === "2" ? turn : other));
      return {
        node: stoneRow(["here", ...cells], false),
        text: say("explain.shapes.shape", { shape: shape[1] }),
      };
    }
    const text = NAMED.has(name) ? say(`web.why.parameter.${name}`) : name;
    return { node: text, text };
  }
}

/** Parameters that have a word in the catalogue. */
const NAMED = new Set(
  (
    "own enemy growth win block dead pair_1 pair_2 row_1 row_2 five_1 five_2 depth width need1 need2 need3 need4 " +
    "tempo turn playouts exploration seed strength nodes"
  ).split(" "),
);
