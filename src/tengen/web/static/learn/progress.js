/** Which chapters a reader has read and solved, kept in the browser. */

import { keep, read } from "../shared/settings.js";

const PLACE = "tengen.learn";

/**
 * @param {string} chapter
 * @returns {"" | "read" | "solved"}
 */
export function progressOf(chapter) {
  const state = read(PLACE)[chapter];
  return state === "read" || state === "solved" ? state : "";
}

/**
 * @param {string} chapter
 * @param {"read" | "solved"} state what is solved stays so
 */
export function progress(chapter, state) {
  const all = read(PLACE);
  if (all[chapter] !== "solved") keep(PLACE, { ...all, [chapter]: state });
}
