/**
 * What a reader has chosen, kept in the browser.
 *
 * @typedef {object} Settings
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(name: string, listener: (value: any) => void) => () => void} on returns how to stop listening
 */

const PLACE = "tengen";

/** @type {Record<string, unknown>} */
const DEFAULTS = {
  theme: "auto", // "auto" | "light" | "dark"
  lang: "", // "en" | "zh"; none: as the browser
  sound: true,
  numbers: false,
  coordinates: true,
  boardTheme: "wood", // "wood" | "plain" | "print"
  confirm: "auto", // of board.js
};

/** @returns {Settings} */
export function createSettings() {
  const chosen = { ...DEFAULTS, ...read(PLACE) };
  /** @type {Map<string, Set<(value: any) => void>>} */
  const listeners = new Map();
  return {
    get: (name) => chosen[name],
    set(name, value) {
      chosen[name] = value;
      keep(PLACE, chosen);
      for (const listener of listeners.get(name) ?? []) listener(value);
    },
    on(name, listener) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return () => void all.delete(listener);
    },
  };
}

/**
 * What was kept under a name; an empty object where there is nothing, or the browser keeps nothing.
 *
 * @param {string} name
 * @returns {Record<string, any>}
 */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A private window: choices last as long as the page.
  }
}
