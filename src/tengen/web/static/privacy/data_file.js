/**
 * All that a site's browser keeps, as one file: the games as the app gives them (`tengen.web.browser.user_data`), settings,
 * progress, and what is on the analysis board.
 *
 * @typedef {Record<string, any>} Kept
 *
 * @typedef {object} DataFile
 * @property {object[]} games
 * @property {Kept} settings
 * @property {Kept} puzzles
 * @property {Kept} chapters
 * @property {Kept} study
 */

import { ApiError } from "../shared/api.js";
import { DEFAULTS, PLACES, keep, read } from "../shared/settings.js";

const FORMAT = "tengen-data";
const VERSION = 1;

/** What is merged: what is solved stays so. @type {("puzzles" | "chapters")[]} */
const PROGRESS = ["puzzles", "chapters"];

/** What may be said of a puzzle or a chapter. */
const STATES = ["read", "helped", "solved"];

/** What replaces what was there. @type {("settings" | "study")[]} */
const REPLACED = ["settings", "study"];

/**
 * The text of a file.
 *
 * @param {object[]} games
 * @param {Date} now
 */
export function writeDataFile(games, now) {
  const kept = Object.fromEntries([...REPLACED, ...PROGRESS].map((name) => [name, read(PLACES[name])]));
  return JSON.stringify({ format: FORMAT, version: VERSION, date: now.toISOString(), ...kept, games });
}

/** The name of a file. @param {Date} now */
export function dataFileName(now) {
  return `tengen-${now.toISOString().slice(0, 10)}.json`;
}

/**
 * What is in a file; only the app can tell whether its games are whole.
 *
 * @param {string} text
 * @returns {DataFile}
 * @throws {ApiError} where it is damaged, or something else
 */
export function readDataFile(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new ApiError({ key: "web.data.damaged" }, 0);
  }
  if (file?.format === FORMAT && Number.isInteger(file.version) && file.version > VERSION) {
    throw new ApiError({ key: "web.data.newer" }, 0);
  }
  const parts = [...REPLACED, ...PROGRESS];
  const whole =
    file?.format === FORMAT &&
    file.version === VERSION &&
    Array.isArray(file.games) &&
    parts.every((name) => isRecord(file[name])) &&
    Object.entries(DEFAULTS).every(
      ([name, value]) => typeof (file.settings[name] ?? value) === typeof value,
    ) &&
    PROGRESS.every((name) => Object.values(file[name]).every((state) => STATES.includes(state)));
  if (!whole) throw new ApiError({ key: "web.data.damaged" }, 0);
  return file;
}

/**
 * Whether a file would replace something: a browser that has nothing yet need not ask.
 *
 * @param {DataFile} file
 */
export function replaces(file) {
  return REPLACED.some((part) => {
    const mine = read(PLACES[part]);
    const same = Object.entries(file[part]).every(([name, value]) => isEqual(mine[name], value));
    return Object.keys(mine).length > 0 && !same;
  });
}

/**
 * Add the progress in a file to what is kept, and put what is on its analysis board in the place of what was.
 *
 * @param {DataFile} file
 * @param {boolean} replacing whether the analysis board is replaced, too
 * @returns {boolean} whether all of it is kept
 */
export function keepDataFile(file, replacing) {
  const kept = PROGRESS.map((name) => keep(PLACES[name], merged(read(PLACES[name]), file[name])));
  if (replacing && Object.keys(file.study).length > 0) kept.push(keep(PLACES.study, file.study));
  return kept.every(Boolean);
}

/** @param {Kept} mine @param {Kept} given @returns {Kept} */
function merged(mine, given) {
  const better = Object.entries(given).filter(
    ([name, state]) => state === "solved" || !Object.hasOwn(mine, name),
  );
  return { ...mine, ...Object.fromEntries(better) };
}

/** @param {unknown} value */
function isRecord(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** @param {unknown} one @param {unknown} other of JSON's */
function isEqual(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
