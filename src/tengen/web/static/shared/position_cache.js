/**
 * What the server says of positions; asked once for each, and remembered.
 *
 * @import { Api } from "./api.js"
 */

const KEPT = 400; // positions that are remembered

/**
 * @template T what the page reads of a position
 * @param {Api} api
 * @returns {(position: object) => Promise<T>} of a position as the server wants it
 */
export function createPositionCache(api) {
  /** @type {Map<string, Promise<any>>} */
  const known = new Map();

  return function described(position) {
    const text = JSON.stringify(position);
    const found = known.get(text) ?? api.post("/api/position", position);
    // What was asked for last is forgotten last.
    known.delete(text);
    known.set(text, found);
    // What failed for want of a connection is to be asked again.
    found.catch(() => known.delete(text));
    if (known.size > KEPT) known.delete(known.keys().next().value ?? "");
    return found;
  };
}
