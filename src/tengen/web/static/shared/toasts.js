/** Sentences that appear below a page and go away again. */

import { html, nothing, render } from "/static/vendor/lit-html/lit-html.js";
import { repeat } from "/static/vendor/lit-html/directives/repeat.js";

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
