/**
 * What a page gets from the app: words, the server, the address, the reader's choices, and ways to speak.
 *
 * @typedef {import("/assets/words.js").Say} Say
 * @typedef {import("./api.js").Message} Message
 *
 * @typedef {object} Choice a button of a dialog
 * @property {string} value what the dialog answers
 * @property {string} label
 * @property {"main" | "warn"} [kind]
 *
 * @typedef {object} Context
 * @property {Say} say
 * @property {"en" | "zh"} lang
 * @property {import("./api.js").Api} api
 * @property {(path: string, how?: {replace?: boolean, keep?: boolean}) => void} go
 * @property {(text: string) => void} announce read out by screen readers
 * @property {(text: string | Message, how?: {kind?: "info" | "error"}) => void} toast a sentence that goes away
 * @property {import("./settings.js").Settings} settings
 * @property {import("./sound.js").Sound} sound
 * @property {(title: string, content: Node, buttons: Choice[]) => Promise<string>} openDialog the value of the
 *     button that closed it; "" where it was just closed
 * @property {(message: string | Message) => string} lookupKey what a message of the server says here; English
 *     or a general sentence where the catalogue has no such key
 */

import { speaker } from "/assets/words.js";
import { api } from "./api.js";
import { h, icon } from "./dom.js";

const SECONDS = 5; // a toast stays

/**
 * @param {object} parts
 * @param {Record<string, string>} parts.texts
 * @param {"en" | "zh"} parts.lang
 * @param {Context["go"]} parts.go
 * @param {Context["settings"]} parts.settings
 * @param {Context["sound"]} parts.sound
 * @returns {Context}
 */
export function createContext({ texts, lang, go, settings, sound }) {
  const say = speaker(texts);
  return { say, lang, api, go, announce, toast, settings, sound, openDialog, lookupKey };

  /** @type {Context["lookupKey"]} */
  function lookupKey(message) {
    if (typeof message === "string") return message;
    try {
      return say(message.key, message.values);
    } catch {
      return say("web.error.server", { status: message.key });
    }
  }

  /** @type {Context["toast"]} */
  function toast(text, { kind = "info" } = {}) {
    const place = /** @type {HTMLElement} */ (document.getElementById("toasts"));
    const said = lookupKey(text);
    for (const old of place.children) if (old.textContent === said) old.remove();
    const made = h("p", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" }, said);
    made.addEventListener("click", () => made.remove());
    place.append(made);
    while (place.children.length > 3) place.firstElementChild?.remove();
    setTimeout(() => made.remove(), 1000 * (SECONDS + said.length / 30));
  }

  /** @type {Context["openDialog"]} */
  function openDialog(title, content, buttons) {
    const closing = h("button", {
      class: "close",
      type: "button",
      "aria-label": say("web.close"),
      onclick: () => dialog.close(""),
    });
    closing.append(icon("M5 5L15 15M15 5L5 15"));
    const row = buttons.map(({ value, label, kind = "" }) =>
      h("button", { class: `button ${kind}`, type: "button", onclick: () => dialog.close(value) }, label),
    );
    const dialog = h(
      "dialog",
      { class: "dialog", "aria-labelledby": "dialog-title" },
      h("header", null, h("h2", { id: "dialog-title" }, title), closing),
      h("div", { class: "dialog-body" }, content),
      row.length > 0 && h("footer", null, row),
    );
    document.body.append(dialog);
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(""));
    dialog.showModal();
    row.find((button) => button.classList.contains("main"))?.focus();
    return new Promise((done) => {
      dialog.addEventListener("close", () => {
        dialog.remove();
        done(dialog.returnValue);
      });
    });
  }
}

/** @type {Context["announce"]} */
function announce(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("spoken"));
  // The same text twice is said twice.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}
