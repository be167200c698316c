/**
 * The puzzles that a reader wants, the next one, and those that are solved, alone or with help, kept in the browser. A hint, a
 * wrong move, and the solution are help.
 *
 * @import { Settings } from "../shared/settings.js"
 * @import { Entry } from "./puzzle_tree.js"
 *
 * @typedef {object} Choice
 * @property {string} rules name of a preset; "" for any
 * @property {string} kind "" for any
 * @property {number} level 0 for any
 */

import { PLACES, keep, read } from "../shared/settings.js";

/** What a newcomer begins with, until it is said what is wanted. @type {Choice} */
const FIRST = { rules: "freestyle", kind: "", level: 0 };

/** @param {Settings} settings @returns {Choice} */
export function chosenPuzzles(settings) {
  return { ...FIRST, ...settings.get("puzzles") };
}

/** Whether it was said which rules are wanted. @param {Settings} settings */
export function hasChosen(settings) {
  return settings.get("puzzles")?.rules !== undefined;
}

/**
 * Those that are wanted, the easier ones first. Where any task is, short wins by fours are the first: they explain
 * themselves.
 *
 * @param {readonly Entry[]} all the easier ones first
 * @param {Choice} choice
 */
export function wanted(all, choice) {
  const fitting = all.filter((entry) => fits(entry, choice));
  if (choice.kind || choice.level) return fitting;
  const begins = (/** @type {Entry} */ { kind, length, level }) =>
    kind === "vcf" && length === 2 && level === 1;
  return [...fitting.filter(begins), ...fitting.filter((entry) => !begins(entry))];
}

/**
 * @param {Entry} entry
 * @param {Choice} choice
 */
export function fits(entry, { rules, kind, level }) {
  return (
    (!rules || entry.rules === rules) && (!kind || entry.kind === kind) && (!level || entry.level === level)
  );
}

/**
 * The next one that is not done, after the present one and then from the beginning; where all others are, simply
 * the next one; null where there is no other.
 *
 * @param {readonly Entry[]} entries
 * @param {Progress} progress
 * @param {string} [present] name
 * @returns {string | null}
 */
export function nextPuzzle(entries, progress, present) {
  const at = entries.findIndex(({ name }) => name === present);
  const others = [...entries.slice(at + 1), ...entries.slice(0, Math.max(at, 0))];
  return (others.find(({ name }) => !progress[name]) ?? others[0])?.name ?? null;
}

/**
 * How many are solved, and with help.
 *
 * @param {readonly Entry[]} entries
 * @param {Progress} progress
 */
export function countDone(entries, progress) {
  const count = (/** @type {string} */ done) =>
    entries.filter(({ name }) => progress[name] === done).length;
  return { all: entries.length, solved: count("solved"), helped: count("helped") };
}

/**
 * @typedef {"solved" | "helped"} Done
 * @typedef {Record<string, Done>} Progress by the names of the puzzles
 */

/** @returns {Progress} */
export function readProgress() {
  return read(PLACES.puzzles);
}

/** @param {Progress} progress */
export function keepProgress(progress) {
  keep(PLACES.puzzles, progress);
}

/**
 * @param {string} name
 * @param {Done} done what is solved alone stays so
 */
export function addProgress(name, done) {
  const all = readProgress();
  if (all[name] !== "solved") keepProgress({ ...all, [name]: done });
}
