/**
 * What a page gets from the app: words, the server, the address, the reader's choices, and ways to speak.
 *
 * @import { Context, Language } from "./types.js"
 */

import { api } from "./api.js";

const loadDialog = () => import("./dialog.js");

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
    openDialog: async (options) => (await loadDialog()).openDialog(say, options),
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
    void loadDialog().then(({ showToast }) => showToast({ text: lookupKey(text), kind, action }));
  }
}

/** @type {Context["announce"]} */
function announce(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("spoken"));
  // The same text twice is said twice.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}
