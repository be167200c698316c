/** Which chapters a reader has read and solved, kept in the browser. */

import { PLACES, keep, read } from "../shared/settings.js";

/**
 * @param {string} chapter
 * @returns {"" | "read" | "solved"}
 */
export function progressOf(chapter) {
  const state = read(PLACES.chapters)[chapter];
  return state === "read" || state === "solved" ? state : "";
}

/**
 * @param {string} chapter
 * @param {"read" | "solved"} state what is solved stays so
 */
export function progress(chapter, state) {
  const all = read(PLACES.chapters);
  if (all[chapter] !== "solved") keep(PLACES.chapters, { ...all, [chapter]: state });
}
