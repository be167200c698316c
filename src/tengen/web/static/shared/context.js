/**
 * What a page gets from the app: words, the server, the address, the reader's choices, and ways to speak: dialogs,
 * announcements, and toasts, sentences that appear below the page and go away again.
 *
 * @import { Context, Language, Toast } from "./types.js"
 */

import { html, nothing, render, repeat } from "/static/vendor/lit-html/lit.js";
import { ApiError, api } from "./api.js";
import { loadModule } from "./router.js";

/** @type {Language[]} */
export const LANGUAGES = JSON.parse(document.documentElement.dataset.languages ?? "");

/**
 * @param {Pick<Context, "say" | "language" | "learn" | "go" | "settings" | "sound" | "calls">} parts
 * @returns {Context}
 */
export function createContext(parts) {
  const { say } = parts;
  /** @type {Context} */
  const context = { ...parts, api, announce, toast, openDialog, lookupKey, errorText, toastError };
  return context;

  /** @type {Context["lookupKey"]} */
  function lookupKey(message) {
    if (typeof message === "string") return message;
    try {
      return say(message.key, message.values);
    } catch {
      return say("web.error.server", { status: message.key });
    }
  }

  /** @type {Context["errorText"]} */
  function errorText(error) {
    if (!(error instanceof ApiError)) throw error;
    return lookupKey(error.message);
  }

  /** @type {Context["toastError"]} */
  function toastError(error) {
    toast(errorText(error), { kind: "error" });
  }

  /** @type {Context["toast"]} */
  function toast(text, { kind = "info", action } = {}) {
    showToast({ text: lookupKey(text), kind, action });
  }

  /** @type {Context["openDialog"]} */
  async function openDialog(options) {
    const page = document.querySelector(".page");
    const module = await loadModule(context, import("./dialog.js"));
    // The page that asked may have been left meanwhile.
    return module && page?.isConnected !== false ? module.openDialog(say, options) : "";
  }
}

/** @type {Context["announce"]} */
function announce(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("spoken"));
  // The same text twice is said twice.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

const SECONDS = 5; // a toast stays, and a second longer for every thirty letters
const MOST = 3;

/** @type {Toast[]} */
let toasts = [];

/**
 * Say something for a while; what is said twice is there once.
 *
 * @param {Toast} toast
 */
function showToast(toast) {
  drawToasts([...toasts.filter(({ text }) => text !== toast.text), toast].slice(-MOST));
  setTimeout(() => dropToast(toast), 1000 * (SECONDS + toast.text.length / 30));
}

/** @param {Toast} toast */
function dropToast(toast) {
  drawToasts(toasts.filter((other) => other !== toast));
}

/** @param {Toast[]} next */
function drawToasts(next) {
  toasts = next;
  const place = /** @type {HTMLElement} */ (document.getElementById("toasts"));
  render(
    repeat(toasts, (toast) => toast, toastView),
    place,
  );
}

/** @param {Toast} toast */
function toastView(toast) {
  const { text, kind, action } = toast;
  const role = kind === "error" ? "alert" : "status";
  return html`<p class="toast ${kind}" role=${role} @click=${() => dropToast(toast)}>
    ${text}${action ? html`<button type="button" @click=${action.act}>${action.label}</button>` : nothing}
  </p>`;
}
