/**
 * Which puzzles a reader has solved, alone or with help, kept in the browser. A hint, a wrong move, and the
 * solution are help.
 *
 * @typedef {"solved" | "helped"} Done
 * @typedef {Record<string, Done>} Progress by the names of the puzzles
 */

import { keep, read } from "../shared/settings.js";

const PLACE = "tengen.puzzles";

/** @returns {Progress} */
export function readProgress() {
  return read(PLACE);
}

/** @param {Progress} progress */
export function keepProgress(progress) {
  keep(PLACE, progress);
}

/**
 * @param {string} name
 * @param {Done} done what is solved alone stays so
 */
export function addProgress(name, done) {
  const all = readProgress();
  if (all[name] !== "solved") keepProgress({ ...all, [name]: done });
}
