/**
 * What a page gets from the app: words, the server, the address, the reader's choices, and ways to speak.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Api, Message } from "./api.js"
 * @import { Calls } from "./calls.js"
 * @import { DialogOptions } from "./dialog.js"
 * @import { Settings } from "./settings.js"
 * @import { Sound } from "./sound.js"
 * @import { ToastAction } from "./toasts.js"
 *
 * @typedef {object} Language a `Translation` of `tengen.words.languages`
 * @property {string} code
 * @property {string} locale
 * @property {string} name what its speakers call it
 * @property {boolean} draft whether it still waits for a speaker to read it
 *
 * @typedef {object} Context
 * @property {Say} say
 * @property {Language} language
 * @property {(part: string) => Promise<void>} learn load the words of a folder of pages
 * @property {Api} api
 * @property {(path: string, how?: {replace?: boolean, keep?: boolean}) => void} go
 * @property {(text: string) => void} announce read out by screen readers
 * @property {(text: string | Message, how?: {kind?: "info" | "error", action?: ToastAction}) => void} toast a sentence
 *     that goes away
 * @property {Settings} settings
 * @property {Calls} calls games that one waits for, on whatever page
 * @property {Sound} sound
 * @property {(options: DialogOptions) => Promise<string>} openDialog the value of the button
 *     that closed it; "" where it was just closed
 * @property {(message: string | Message) => string} lookupKey what a message of the server says here; English
 *     or a general sentence where the catalogue has no such key
 */

import { api } from "./api.js";
import { openDialog } from "./dialog.js";
import { showToast } from "./toasts.js";

/** @type {Language[]} */
export const LANGUAGES = JSON.parse(document.documentElement.dataset.languages ?? "");

/**
 * @param {Pick<Context, "say" | "language" | "learn" | "go" | "settings" | "sound" | "calls">} parts
 * @returns {Context}
 */
export function createContext(parts) {
  const { say } = parts;
  return {
    ...parts,
    api,
    announce,
    toast,
    openDialog: (options) => openDialog(say, options),
    lookupKey,
  };

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
  function toast(text, { kind = "info", action } = {}) {
    showToast({ text: lookupKey(text), kind, action });
  }
}

/** @type {Context["announce"]} */
function announce(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("spoken"));
  // The same text twice is said twice.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}
