/**
 * What the browser keeps: the choices of its reader, and the tokens of the seats in games that it has made or joined.
 *
 * @typedef {object} Settings
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(values: Record<string, unknown>) => void} lend have others for a while, which are not kept, until
 *     none are lent
 * @property {(name: string, listener: (value: any) => void) => () => void} on returns how to stop listening
 */

import { isRemote } from "./connection.js";

/** The names under which the browser keeps things; those of a site, whose games it keeps too, begin likewise. */
export const PLACES = {
  settings: "tengen",
  seats: "tengen.seats",
  puzzles: "tengen.puzzles", // which are solved
  chapters: "tengen.learn", // which are read
  study: "tengen-study", // what is on the analysis board
  formerStudies: "tengen-studies-before",
};

/** @type {Record<string, unknown>} */
export const DEFAULTS = {
  theme: "auto", // "auto" | "light" | "dark"
  lang: "", // code of a language; none: as the browser
  sound: true,
  numbers: false,
  coordinates: true,
  coordinateStyle: "letters", // of coordinates.js
  boardTheme: "wood", // of board.js
  confirm: "auto", // of board.js
  premoves: true, // whether a move may be chosen while the opponent is to move
  mutedPhrases: false, // whether what others say is not shown
};

/** @returns {Settings} */
export function createSettings() {
  const chosen = { ...DEFAULTS, ...read(PLACES.settings) };
  /** @type {Map<string, Set<(value: any) => void>>} */
  const listeners = new Map();
  /** @type {Record<string, unknown>} */
  let lent = {};
  return {
    get,
    set(name, value) {
      chosen[name] = value;
      // What another tab has changed meanwhile stays.
      keep(PLACES.settings, { ...read(PLACES.settings), [name]: value });
      notify(name);
    },
    lend(values) {
      const names = new Set([...Object.keys(lent), ...Object.keys(values)]);
      const before = Array.from(names, (name) => /** @type {const} */ ([name, get(name)]));
      lent = values;
      for (const [name, value] of before) if (get(name) !== value) notify(name);
    },
    on(name, listener) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return () => void all.delete(listener);
    },
  };

  /** @param {string} name */
  function get(name) {
    return name in lent ? lent[name] : chosen[name];
  }

  /** @param {string} name */
  function notify(name) {
    for (const listener of listeners.get(name) ?? []) listener(get(name));
  }
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
 * @returns {boolean} whether it is kept
 */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A private window, or no room left: it lasts as long as the page.
    return false;
  }
  if (name === PLACES.seats || name === PLACES.puzzles) void persist();
  return true;
}

let hasAsked = false;

/**
 * Ask the browser not to throw away what only it has: games, settings and progress. That is when there is something to
 * lose, a game or a solved puzzle: some browsers decide by what one does there, others ask their reader.
 */
async function persist() {
  if (isRemote || hasAsked) return;
  hasAsked = true;
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // A browser, or an address, where that is not known.
  }
}

/** Forget all that is kept in this browser; whoever calls it loads the page anew. */
export function forgetKept() {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      // Another site may have the same host.
      for (const name of Object.keys(storage)) {
        if (name.startsWith(PLACES.settings)) storage.removeItem(name);
      }
    }
  } catch {
    // Nothing was kept.
  }
}

const KEPT = 200; // games whose seats this browser remembers

/**
 * The tokens of the seats that this browser holds in a game.
 *
 * @param {string} id
 * @returns {string[]}
 */
export function tokensOf(id) {
  return read(PLACES.seats)[id] ?? [];
}

/**
 * Whether this browser has made or joined a game.
 *
 * @param {string} id
 */
export function knows(id) {
  return id in read(PLACES.seats);
}

/**
 * @param {string} id
 * @param {(string | null)[]} tokens
 */
export function keepTokens(id, tokens) {
  const others = Object.entries(read(PLACES.seats)).filter(([other]) => other !== id);
  const mine = new Set([...tokensOf(id), ...tokens.filter((token) => token !== null)]);
  keep(PLACES.seats, Object.fromEntries([...others.slice(1 - KEPT), [id, [...mine]]]));
}
