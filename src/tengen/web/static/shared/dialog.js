/**
 * A window over the page that asks or shows one thing.
 *
 * @typedef {import("./view.js").Content} Content
 *
 * @typedef {object} Choice a button of a dialog
 * @property {string} value what the dialog answers
 * @property {string} label
 * @property {"main" | "warn"} [kind]
 * @property {() => boolean | Promise<boolean>} [check] whether the dialog may be closed by it now
 *
 * @typedef {object} DialogOptions
 * @property {string} title
 * @property {Content} content
 * @property {Choice[]} buttons
 * @property {boolean} [beside] leave the board in sight where there is room
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit-html.js";
import { icon } from "./view.js";

/**
 * @param {import("/assets/words.js").Say} say
 * @param {DialogOptions} options
 * @returns {Promise<string>} the value of the button that closed it; "" where it was just closed
 */
export function openDialog(say, options) {
  const place = document.createElement("div");
  document.body.append(place);
  render(dialogView(say, options, close), place);
  const dialog = /** @type {HTMLDialogElement} */ (place.firstElementChild);
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector("footer .main"))?.focus();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      place.remove();
      done(dialog.returnValue);
    });
  });

  /** @param {string} value */
  function close(value) {
    dialog.close(value);
  }
}

/**
 * @param {import("/assets/words.js").Say} say
 * @param {DialogOptions} options
 * @param {(value: string) => void} onClose
 */
function dialogView(say, { title, content, buttons, beside = false }, onClose) {
  return html`<dialog
    class="dialog ${beside ? "beside" : ""}"
    aria-labelledby="dialog-title"
    @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && onClose("")}
  >
    <header>
      <h2 id="dialog-title">${title}</h2>
      <button class="close" type="button" aria-label=${say("web.close")} @click=${() => onClose("")}>
        ${icon("M5 5L15 15M15 5L5 15")}
      </button>
    </header>
    <div class="dialog-body">${content}</div>
    ${buttons.length > 0 ? html`<footer>${buttons.map((button) => buttonView(button, onClose))}</footer>` : nothing}
  </dialog>`;
}

/**
 * @param {Choice} choice
 * @param {(value: string) => void} onClose
 */
function buttonView({ value, label, kind, check }, onClose) {
  const press = async () => {
    if ((await check?.()) !== false) onClose(value);
  };
  return html`<button class="button ${kind ?? ""}" type="button" @click=${press}>${label}</button>`;
}
