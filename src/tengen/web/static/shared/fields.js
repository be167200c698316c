/**
 * The fields that one chooses with.
 *
 * @import { Context } from "./context.js"
 * @import { Content } from "./view.js"
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { live } from "/static/vendor/lit-html/directives/live.js";

/**
 * What a field holds, or the option that is chosen in it.
 *
 * @param {Event} event of the field
 */
export function valueOf({ target }) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (target).value;
}

/**
 * Whether what is written in a field can be; if not, the field says so in place. The sentence is ours: a browser
 * speaks its own language, and not always the reader's.
 *
 * @param {HTMLInputElement} field with a range if it is for a number, and else with a title that says what is expected
 * @param {Context["say"]} say
 */
export function checkField(field, say) {
  field.setCustomValidity("");
  if (field.closest("[hidden]") || field.validity.valid) return true;
  const { type, min, max, title } = field;
  field.setCustomValidity(type === "number" ? say("web.field.number", { least: min, most: max }) : title);
  field.addEventListener("input", () => field.setCustomValidity(""), { once: true });
  return field.reportValidity();
}

/**
 * The options of a select.
 *
 * @param {readonly (readonly [value: string, label: string])[]} all
 * @param {string} chosen value
 */
export function optionsView(all, chosen) {
  return all.map(
    ([value, label]) => html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`,
  );
}

/**
 * A row of labels of which one is chosen.
 *
 * @template {string} Value
 * @param {object} asked
 * @param {string} asked.name on the page
 * @param {string} asked.label what is chosen
 * @param {readonly (readonly [value: Value, label: Content])[]} asked.all
 * @param {Value} asked.chosen
 * @param {string} [asked.kind] a further class
 * @param {(value: Value) => void} onChoose
 */
export function segmentsView({ name, label, all, chosen, kind = "" }, onChoose) {
  return html`<div class="segments ${kind}" role="radiogroup" aria-label=${label}>
    ${all.map(
      ([value, text]) =>
        html`<label>
          <input
            type="radio"
            name=${name}
            value=${value}
            .checked=${live(value === chosen)}
            @change=${() => onChoose(value)}
          />
          <span>${text}</span>
        </label>`,
    )}
  </div>`;
}
