/**
 * Windows over the page that ask or show one thing, and sentences that appear below the page and go away again. The context
 * of a page loads this module.
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

import { html, nothing, render, repeat } from "/static/vendor/lit-html/lit.js";
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

const SECONDS = 5; // a toast stays, and a second longer for every thirty letters
const MOST = 3;

/**
 * @typedef {object} ToastAction what may be done about it
 * @property {string} label
 * @property {() => void} act
 *
 * @typedef {{text: string, kind: "info" | "error", action?: ToastAction}} Toast
 */

/** @type {Toast[]} */
let toasts = [];

/**
 * Say something for a while; what is said twice is there once.
 *
 * @param {Toast} toast
 */
export function showToast(toast) {
  toasts = [...toasts.filter(({ text }) => text !== toast.text), toast].slice(-MOST);
  draw();
  setTimeout(() => drop(toast), 1000 * (SECONDS + toast.text.length / 30));
}

/** @param {Toast} toast */
function drop(toast) {
  toasts = toasts.filter((other) => other !== toast);
  draw();
}

function draw() {
  const place = /** @type {HTMLElement} */ (document.getElementById("toasts"));
  render(
    repeat(
      toasts,
      (toast) => toast,
      (toast) => toastView(toast, drop),
    ),
    place,
  );
}

/**
 * @param {Toast} toast
 * @param {(toast: Toast) => void} onDrop
 */
function toastView(toast, onDrop) {
  const { text, kind, action } = toast;
  const role = kind === "error" ? "alert" : "status";
  return html`<p class="toast ${kind}" role=${role} @click=${() => onDrop(toast)}>
    ${text}${action ? html`<button type="button" @click=${action.act}>${action.label}</button>` : nothing}
  </p>`;
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
