/**
 * The numbers inside a player, as the catalogue lists them: fields for those who choose a player in depth.
 *
 * @import { Catalogue, CataloguePlayer, PlayerParameter } from "./schemas.js"
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { parseSpec, specOf } from "./names.js";
import { selectView, valueOf } from "./view.js";

/**
 * The parameters of a player that the catalogue lists.
 *
 * @param {CataloguePlayer | undefined} listed
 * @param {string} preset
 */
export function parametersOf(listed, preset) {
  return listed?.presets_parameters?.[preset] ?? listed?.parameters ?? [];
}

/**
 * The numbers of a textbook player, to be turned.
 *
 * @param {Catalogue | null} catalogue null as long as it is not known
 * @param {string} spec
 * @param {string} label
 * @param {(spec: string) => void} onPick
 */
export function numbersView(catalogue, spec, label, onPick) {
  const { head, name, preset, settings: given } = parseSpec(spec);
  const listed = catalogue?.players.find((player) => player.name === name && name !== "level");
  const parameters = parametersOf(listed, preset);
  return html`<details class="fold" ?hidden=${!parameters.length}>
    <summary>${label}</summary>
    <div class="numbers">
      ${parameters.map((one) => parameterView(one, given[one.name] ?? usualOf(one), turn))}
    </div>
  </details>`;

  /**
   * @param {string} name of a parameter
   * @param {string} value
   */
  function turn(name, value) {
    const values = { ...given, [name]: value.trim() };
    const changed = parameters.filter((one) => values[one.name] && values[one.name] !== usualOf(one));
    onPick(specOf(head, Object.fromEntries(changed.map((one) => [one.name, values[one.name]]))));
  }
}

/**
 * @param {PlayerParameter} parameter
 * @param {string} value
 * @param {(name: string, value: string) => void} onTurn
 */
function parameterView({ name, kind, least, most, choices }, value, onTurn) {
  const options = kind === "bool" ? ["true", "false"] : choices;
  const turn = (/** @type {string} */ next) => onTurn(name, next);
  const field = options
    ? selectView(
        options.map((option) => [option, option]),
        value,
        turn,
      )
    : html`<input
        type=${kind === "text" ? "text" : "number"}
        min=${least ?? nothing}
        max=${most ?? nothing}
        step=${kind === "int" ? 1 : "any"}
        .value=${live(value)}
        @change=${(/** @type {Event} */ event) => turn(valueOf(event))}
      />`;
  return html`<label class="field"><code>${name}</code>${field}</label>`;
}

/** @param {PlayerParameter} parameter */
function usualOf({ default: usual }) {
  return usual === null ? "" : String(usual);
}
