/**
 * Says the sentences of the catalogue: the browser's half of `tengen.words`.
 *
 *     const say = speaker(texts); // texts: of one language: those of the page, by key
 *     say("board.number", { number: 12 }); // "move 12"
 *
 * A text may hold `{name}`, and `{name|one|many}`: `one` where the value is 1, a number or a text. A value may be
 * a list, joined with the language's comma, or a sentence of its own, `{ key, values }`.
 *
 * @typedef {(key: string, values?: Record<string, unknown>) => string} Say
 */

const PLACEHOLDER = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

/**
 * @param {Record<string, string>} texts the catalogue of one language
 * @returns {Say}
 */
export function speaker(texts) {
  /** @param {any} value @returns {string} */
  function said(value) {
    if (Array.isArray(value)) return value.map(said).join(texts.comma);
    if (value !== null && typeof value === "object") return say(value.key, value.values);
    return String(value);
  }

  /** @type {Say} */
  function say(key, values = {}) {
    if (!Object.hasOwn(texts, key)) throw new Error(`no text for ${key}`);
    return texts[key].replace(PLACEHOLDER, (_, name, one, many) => {
      if (!Object.hasOwn(values, name)) throw new Error(`${key} needs a value for ${name}`);
      if (one === undefined) return said(values[name]);
      return String(values[name]) === "1" ? one : many;
    });
  }

  return say;
}
