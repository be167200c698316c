/**
 * Fields that are written in: names, and what is wrong with what is written.
 *
 * @import { Context } from "./types.js"
 */

import { html, live } from "/static/vendor/lit-html/lit.js";
import { valueOf } from "./view.js";

const LONGEST_NAME = 20;

/**
 * Where a name is written, under which somebody plays.
 *
 * @param {string} name
 * @param {(name: string) => void} onInput
 * @param {(event: KeyboardEvent) => void} [onKey]
 */
export function nameView(name, onInput, onKey) {
  return html`<input
    type="text"
    autocomplete="nickname"
    maxlength=${LONGEST_NAME}
    .value=${live(name)}
    @input=${(/** @type {Event} */ event) => onInput(valueOf(event))}
    @keydown=${onKey}
  />`;
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
