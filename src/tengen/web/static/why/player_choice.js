/**
 * Which player is asked: any that plays by these rules may be asked about any position.
 *
 * @import { Catalogue, PlayerParameter } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { api } from "../shared/api.js";
import { parseSpec, playerName } from "../shared/names.js";
import { parametersOf as listedParameters } from "../shared/player_numbers.js";
import { createPromiseCache } from "../shared/promise_cache.js";
import { optionsView, valueOf } from "../shared/view.js";

/** What plays by some rules, by its address. @type {(path: string) => Promise<Catalogue>} */
export const loadCatalogue = createPromiseCache((path) => api.get(path));

/**
 * The parameters of a player as its preset and the settings of a spec have them.
 *
 * @param {Catalogue} catalogue
 * @param {string} spec
 * @returns {PlayerParameter[]}
 */
export function parametersOf(catalogue, spec) {
  const { name, preset, settings } = parseSpec(spec);
  const entry = catalogue.players.find((player) => player.name === name);
  return listedParameters(entry, preset).map((parameter) => ({
    ...parameter,
    default: settings[parameter.name] ?? parameter.default,
  }));
}

/**
 * @param {Catalogue | null} catalogue null until it is known
 * @param {string} head of the spec of the player that is asked
 * @param {Context} context
 * @param {(head: string) => void} onChoose
 */
export function playerChoiceView(catalogue, head, { say }, onChoose) {
  const textbook = (catalogue?.players ?? []).filter(({ name }) => name !== "level");
  const specs = textbook.flatMap(({ name, presets }) =>
    presets.length ? presets.map((preset) => `${name}:${preset}`) : [name],
  );
  const levels = (catalogue?.levels ?? []).map((level) => `level:${level}`);
  const known = [...specs, ...levels];
  const whole = known.includes(head) ? head : (known.find((spec) => parseSpec(spec).name === head) ?? head);
  if (!known.includes(whole)) specs.unshift(whole);
  const named = (/** @type {string} */ spec) =>
    /** @type {[string, string]} */ ([spec, playerName(say, spec)]);
  const levelled = (/** @type {string} */ spec) =>
    /** @type {[string, string]} */ ([spec, say(`level.${parseSpec(spec).preset}`)]);
  return html`<label class="why-player">
    <span>${say("web.why.eyes")}</span>
    <select @change=${(/** @type {Event} */ event) => onChoose(valueOf(event))}>
      ${
        catalogue
          ? html`<optgroup label=${say("web.why.textbook")}>
                ${optionsView(specs.map(named), whole)}
              </optgroup>
              <optgroup label=${say("web.why.levels")}>
                ${optionsView(levels.map(levelled), whole)}
              </optgroup>`
          : nothing
      }
    </select>
  </label>`;
}
