/**
 * Windows over the page that ask or show one thing. The context of a page loads this module.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Context } from "./types.js"
 * @import { Content } from "./view.js"
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

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { icon } from "./view.js";

/**
 * @param {Say} say
 * @param {DialogOptions} options
 * @returns {Promise<string>} the value of the button that closed it; "" where it was just closed
 */
export function openDialog(say, options) {
  const place = document.createElement("div");
  document.body.append(place);
  let busy = "";
  /** Whether the pointer went down beside the dialog. */
  let beside = false;
  draw();
  const dialog = /** @type {HTMLDialogElement} */ (place.firstElementChild);
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector("footer .main"))?.focus();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      place.remove();
      done(dialog.returnValue);
    });
  });

  function draw() {
    render(dialogView(say, options, busy, { close, press, point }), place);
  }

  /** @param {string} value */
  function close(value) {
    dialog.close(value);
  }

  /** A click beside the dialog closes it, but not the end of a text that is marked. @param {Event} event */
  function point({ type, target }) {
    if (type === "click" && beside && target === dialog) close("");
    beside = type === "pointerdown" && target === dialog;
  }

  /** @param {Choice} choice */
  async function press({ value, check }) {
    if (!check) {
      close(value);
      return;
    }
    if (busy) return;
    busy = value;
    draw();
    try {
      if (await check()) close(value);
    } finally {
      busy = "";
      draw();
    }
  }
}

/**
 * @param {Say} say
 * @param {DialogOptions} options
 * @param {string} busy the value of the button that was pressed and is being checked; "" for none
 * @param {{close: (value: string) => void, press: (choice: Choice) => void, point: (event: Event) => void}} acts
 */
function dialogView(say, { title, content, buttons, beside = false }, busy, { close, press, point }) {
  return html`<dialog
    class="dialog ${beside ? "beside" : ""}"
    aria-labelledby="dialog-title"
    @pointerdown=${point}
    @click=${point}
  >
    <header>
      <h2 id="dialog-title">${title}</h2>
      <button class="close" type="button" aria-label=${say("web.close")} @click=${() => close("")}>
        ${icon("M5 5L15 15M15 5L5 15")}
      </button>
    </header>
    <div class="dialog-body">${content}</div>
    ${buttons.length > 0 ? html`<footer>${buttons.map((button) => buttonView(button, busy, press))}</footer>` : nothing}
  </dialog>`;
}

/**
 * @param {Choice} choice
 * @param {string} busy
 * @param {(choice: Choice) => void} press
 */
function buttonView(choice, busy, press) {
  return html`<button
    class="button ${choice.kind ?? ""}"
    type="button"
    aria-busy=${busy === choice.value}
    @click=${() => press(choice)}
  >
    ${choice.label}
  </button>`;
}

/**
 * A dialog with the keys of a page.
 *
 * @param {Context} context
 * @param {readonly (readonly [string, string])[]} keys what is written on them, and what they do
 */
export function showKeys({ say, openDialog }, keys) {
  const content = html`<dl class="keys">
    ${keys.map(
      ([key, does]) =>
        html`<div>
          <dt><kbd>${key}</kbd></dt>
          <dd>${does}</dd>
        </div>`,
    )}
  </dl>`;
  void openDialog({ title: say("web.play.keys"), content, buttons: [] });
}
