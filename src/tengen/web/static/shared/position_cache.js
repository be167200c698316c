/**
 * What the server says of positions; asked once for each, and remembered.
 *
 * @typedef {import("../shared/api.js").Api} Api
 */

const KEPT = 400; // positions that are remembered

/** @param {Api} api */
export function createPositionCache(api) {
  /** @type {Map<string, Promise<any>>} */
  const known = new Map();

  /**
   * @param {object} position as the server wants it
   * @returns {Promise<import("./position_drawing.js").Shown>}
   */
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
