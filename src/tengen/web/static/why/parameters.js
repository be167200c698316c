/**
 * The numbers inside a player, to be turned: the choice changes as they do.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { PlayerParameter } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {Map<string, number>} Changes
 */

import { html, live, render } from "/static/vendor/lit-html/lit.js";
import { other } from "../shared/position.js";
import { buttonView, valueOf } from "../shared/view.js";
import { stoneRow } from "./stone_rows.js";

/** Parameters that have a word in the catalogue. */
const NAMED = new Set(
  (
    "own enemy growth win block dead pair_1 pair_2 row_1 row_2 five_1 five_2 depth width need1 need2 need3 need4 " +
    "tempo turn playouts exploration seed strength nodes"
  ).split(" "),
);

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
 * @param {PlayerParameter} parameter
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
 * @param {readonly PlayerParameter[]} parameters
 * @param {boolean} level
 * @returns {PlayerParameter[]}
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
 * @param {Changes} changes what has been turned so far; is changed
 * @param {() => void} onChange
 */
export function createParameters(context, changes, onChange) {
  /** @type {readonly PlayerParameter[]} */
  let parameters = [];
  /** @type {Colour} */
  let turn = "black";
  const element = document.createElement("div");
  element.className = "why-parameters";

  return {
    element,
    /** Whether there are none. */
    get none() {
      return !parameters.length;
    },
    /**
     * @param {readonly PlayerParameter[]} next
     * @param {Colour} mover whose the own stones are
     */
    set(next, mover) {
      parameters = next;
      turn = mover;
      draw();
    },
  };

  function draw() {
    render(parametersView({ parameters, turn, changes }, context, { change, reset }), element);
  }

  function reset() {
    changes.clear();
    draw();
    onChange();
  }

  /**
   * @param {PlayerParameter} parameter
   * @param {number} wanted
   */
  function change(parameter, wanted) {
    const { name, kind, least = -Infinity, most = Infinity, default: usual } = parameter;
    if (Number.isFinite(wanted)) {
      const within = Math.min(Math.max(wanted, least), most);
      const value = kind === "int" ? Math.round(within) : Number(within.toPrecision(6));
      if (value === Number(usual)) changes.delete(name);
      else changes.set(name, value);
    }
    draw();
    if (Number.isFinite(wanted)) onChange();
  }
}

/**
 * @param {{ parameters: readonly PlayerParameter[], turn: Colour, changes: Changes }} state
 * @param {Context} context
 * @param {{ change: (parameter: PlayerParameter, wanted: number) => void, reset: () => void }} acts
 */
function parametersView({ parameters, turn, changes }, { say }, { change, reset }) {
  return html`${parameters.map(parameterView)}
  ${buttonView(say("web.why.reset"), reset, { disabled: changes.size === 0 })}`;

  /** @param {PlayerParameter} parameter */
  function parameterView(parameter) {
    const { name } = parameter;
    const [least, most, step] = range(parameter);
    const value = String(changes.get(name) ?? Number(parameter.default));
    const { face, text } = named(name);
    const turned = (/** @type {Event} */ event) => {
      const wanted = valueOf(event);
      change(parameter, wanted === "" ? NaN : Number(wanted));
    };
    return html`<div class="why-parameter ${changes.has(name) ? "changed" : ""}">
      <span>${face}</span>
      <input
        type="range"
        min=${least}
        max=${most}
        step=${step}
        aria-label=${text}
        .value=${live(value)}
        @input=${turned}
      />
      <input
        type="number"
        step="any"
        inputmode="decimal"
        aria-label=${text}
        .value=${live(value)}
        @change=${turned}
      />
    </div>`;
  }

  /**
   * What a parameter is called: the shape that it weighs, a word, or its own name.
   *
   * @param {string} name
   */
  function named(name) {
    const shape = /^w_([12]+)$/.exec(name)?.[1];
    if (shape) {
      const cells = Array.from(shape, (digit) => (digit === "2" ? turn : other(turn)));
      return { face: stoneRow(["here", ...cells], false), text: say("explain.shapes.shape", { shape }) };
    }
    const text = NAMED.has(name) ? say(`web.why.parameter.${name}`) : name;
    return { face: text, text };
  }
}
