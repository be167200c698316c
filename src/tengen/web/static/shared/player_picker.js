/**
 * Chooses a computer player: a level, or one of the textbook's with its presets and numbers.
 *
 * @typedef {import("./context.js").Context} Context
 * @typedef {{name: string, default: any, kind: string, least?: number, most?: number, choices?: string[]}} Parameter
 * @typedef {{name: string, presets: string[], summary: import("./api.js").Message, parameters: Parameter[], presets_parameters?: Record<string, Parameter[]>}} Listed
 * @typedef {{rules: import("./types.js").Rules, players: Listed[], levels: string[], openings: string[], largest: number}} Catalogue
 *
 * @typedef {object} Picker
 * @property {HTMLElement} element
 * @property {() => string} value the spec
 * @property {(catalogue: Catalogue) => void} offer other rules have other players
 */

import { h, replace } from "./dom.js";
import { playerName, sentence } from "./names.js";

let pickers = 0;

/**
 * @param {Context} context
 * @param {string} label
 * @param {string} spec chosen at first
 * @param {(spec: string) => void} onPick
 * @param {boolean} [deep] whether numbers may be turned, too
 * @returns {Picker}
 */
export function createPicker(context, label, spec, onPick, deep = false) {
  const { say, lookupKey } = context;
  const id = `picker${++pickers}`;
  const levels = h("div", { class: "levels", role: "radiogroup", "aria-label": label });
  const others = h("select", {
    "aria-label": say("web.setup.textbook"),
    onchange: () => pick(others.value),
  });
  const told = h("p", { class: "soft told" });
  const numbers = h("div", { class: "numbers" });
  const more = h("details", { class: "fold" }, h("summary", null, say("web.setup.numbers")), numbers);
  const element = h("div", { class: "picker" }, levels, others, told, deep && more);
  /** @type {Catalogue | null} */
  let catalogue = null;
  draw();

  return { element, value: () => spec, offer };

  /** @type {Picker["offer"]} */
  function offer(next) {
    catalogue = next;
    const [head] = /^[^,]*/.exec(spec) ?? [""];
    const [name, preset = ""] = head.split(":");
    const listed = catalogue.players.find((player) => player.name === name);
    const fits = listed && (!preset || listed.presets.includes(preset));
    if (!fits) {
      const best = catalogue.levels.at(-1);
      pick(best ? `level:${best}` : (catalogue.players[0]?.name ?? "random"));
    }
    draw();
  }

  /** @param {string} next */
  function pick(next) {
    if (!next) return;
    spec = next;
    onPick(spec);
    draw();
  }

  function draw() {
    const offered = catalogue?.levels ?? Array.from({ length: 10 }, (_, index) => String(index + 1));
    const level = /^level:(\d+)$/.exec(spec)?.[1];
    replace(
      levels,
      offered.map((number) => radio(number, number === level)),
    );
    const textbook = (catalogue?.players ?? []).filter(({ name }) => name !== "level");
    const specs = textbook.flatMap(({ name, presets }) =>
      presets.length ? presets.map((preset, index) => (index ? `${name}:${preset}` : name)) : [name],
    );
    const [head] = spec.split(",");
    replace(
      others,
      h("option", { value: "" }, say("web.setup.textbook")),
      specs.map((one) => h("option", { value: one }, playerName(say, one))),
      !level && !specs.includes(head) && h("option", { value: head }, playerName(say, head)),
    );
    others.value = level ? "" : head;
    others.classList.toggle("chosen", !level);
    const listed = textbook.find(({ name }) => name === head.split(":")[0]);
    told.textContent = sentence(level ? say(`level.${level}`) : listed ? lookupKey(listed.summary) : "");
    if (deep) drawNumbers(listed, head);
  }

  /**
   * @param {string} number
   * @param {boolean} checked
   */
  function radio(number, checked) {
    const field = h("input", { type: "radio", id: `${id}-${number}`, name: id, value: number, checked });
    field.addEventListener("change", () => pick(`level:${number}`));
    field.setAttribute("aria-label", say("web.player.level", { number }));
    return h("label", { title: say(`level.${number}`) }, field, h("span", null, number));
  }

  /**
   * @param {Listed | undefined} listed
   * @param {string} head name and preset
   */
  function drawNumbers(listed, head) {
    const parameters = listed?.presets_parameters?.[head.split(":")[1] ?? ""] ?? listed?.parameters ?? [];
    more.hidden = !parameters.length;
    const given = Object.fromEntries(
      spec
        .split(",")
        .slice(1)
        .map((text) => text.split("=")),
    );
    replace(numbers, parameters.map(field));

    /** @param {Parameter} parameter */
    function field({ name, default: usual, kind, least, most, choices }) {
      const value = given[name] ?? (usual === null ? "" : String(usual));
      const options = kind === "bool" ? ["true", "false"] : choices;
      const props = {
        "data-name": name,
        "data-usual": usual === null ? "" : String(usual),
        onchange: collect,
      };
      const input = options
        ? h(
            "select",
            props,
            options.map((option) => h("option", { value: option }, option)),
          )
        : h("input", {
            ...props,
            type: kind === "text" ? "text" : "number",
            min: least,
            max: most,
            step: kind === "int" ? 1 : "any",
          });
      input.value = value;
      return h("label", { class: "field" }, h("code", null, name), input);
    }

    function collect() {
      const fields = [...numbers.querySelectorAll("input, select")];
      const changed = fields
        .map((one) => /** @type {HTMLInputElement} */ (one))
        .filter(({ value, dataset }) => value.trim() && value !== dataset.usual)
        .map(({ value, dataset }) => `${dataset.name}=${value.trim()}`);
      spec = [head, ...changed].join(",");
      onPick(spec);
    }
  }
}
