/**
 * Whose eyes to look through: any player that plays by these rules may be asked about any position.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./parameters.js").Parameter} Parameter
 *
 * @typedef {object} Entry a player of the catalogue
 * @property {string} name
 * @property {string[]} presets
 * @property {import("./why_types.js").Message} summary
 * @property {Parameter[]} parameters
 * @property {Record<string, Parameter[]>} presets_parameters of presets that have others than the first
 *
 * @typedef {{ players: Entry[], levels: string[] }} Catalogue
 */

import { h } from "../shared/dom.js";
import { playerName } from "../shared/names.js";

/** @type {Map<string, Promise<Catalogue>>} */
const asked = new Map();

/**
 * What plays by the rules of a position.
 *
 * @param {Context} context
 * @param {import("./why_types.js").Position} position
 * @returns {Promise<Catalogue>}
 */
export function catalogueOf({ api }, { rules, size }) {
  const query = new URLSearchParams({ rules });
  if (size) query.set("size", Array.isArray(size) ? size.join("x") : String(size));
  const path = `/api/catalogue?${query}`;
  let answer = asked.get(path);
  if (!answer) {
    answer = api.get(path);
    asked.set(path, answer);
    answer.catch(() => asked.delete(path));
  }
  return answer;
}

/**
 * The player and preset of a spec, `shapes:o5` of `shapes:o5,w_1=3`.
 *
 * @param {string} spec
 */
export function headOf(spec) {
  return spec.split(",")[0];
}

/**
 * What a spec sets beside that: `["w_1=3"]`.
 *
 * @param {string} spec
 */
export function settingsOf(spec) {
  return spec.split(",").slice(1);
}

/**
 * The parameters of a player as its preset and the settings of a spec have them.
 *
 * @param {Catalogue} catalogue
 * @param {string} spec
 * @returns {Parameter[]}
 */
export function parametersOf(catalogue, spec) {
  const [name, preset] = headOf(spec).split(":");
  const entry = catalogue.players.find((player) => player.name === name);
  if (!entry) return [];
  const parameters = entry.presets_parameters[preset ?? ""] ?? entry.parameters;
  const set = Object.fromEntries(settingsOf(spec).map((text) => text.split("=")));
  return parameters.map((parameter) => ({
    ...parameter,
    default: set[parameter.name] ?? parameter.default,
  }));
}

/**
 * @param {Context} context
 * @param {(head: string) => void} onChoose
 */
export function createEyes({ say }, onChoose) {
  const select = h("select", { onchange: () => onChoose(select.value) });
  const element = h("label", { class: "why-eyes" }, h("span", {}, say("web.why.eyes")), select);
  return { element, show };

  /**
   * @param {Catalogue} catalogue
   * @param {string} head
   */
  function show(catalogue, head) {
    const textbook = catalogue.players.filter(({ name }) => name !== "level");
    const specs = textbook.flatMap(({ name, presets }) =>
      presets.length ? presets.map((preset) => `${name}:${preset}`) : [name],
    );
    const levels = catalogue.levels.map((level) => `level:${level}`);
    const known = [...specs, ...levels];
    const whole = known.includes(head) ? head : (known.find((spec) => headName(spec) === head) ?? head);
    if (!known.includes(whole)) specs.unshift(whole);
    select.replaceChildren(
      h(
        "optgroup",
        { label: say("web.why.textbook") },
        ...specs.map((spec) => option(spec, playerName(say, spec))),
      ),
      h(
        "optgroup",
        { label: say("web.why.levels") },
        ...levels.map((spec) => option(spec, say(`level.${spec.slice(6)}`))),
      ),
    );
    select.value = whole;
  }

  /**
   * @param {string} value
   * @param {string} text
   */
  function option(value, text) {
    return h("option", { value }, text);
  }
}

/** @param {string} spec */
function headName(spec) {
  return spec.split(":")[0];
}
