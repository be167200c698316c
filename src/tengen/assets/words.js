/**
 * Says the sentences of the catalogue: the browser's half of `tengen.words`.
 *
 *     const say = speaker(texts, locale); // texts: of one language, those of the page, by key
 *     say("board.number", { number: 12 }); // "move 12"
 *
 * A text is written in a part of ICU's MessageFormat: it may hold `{name}`, `{name, number}`, `{name, number, ::.0}` and
 * `{name, plural, one {# game} other {# games}}`. A value may be a list, joined with the language's comma, or a
 * sentence of its own, `{ key, values }`.
 *
 * @typedef {(key: string, values?: Record<string, unknown>) => string} Say
 */

const PLACEHOLDER =
  /\{(\w+)(?:, (number)(?:, ::\.(0+))?|, plural,((?: \w+ \{(?:[^{}]|\{[^{}]*\})*\})+))?\}|#/g;
const FORM = / (\w+) \{((?:[^{}]|\{[^{}]*\})*)\}/g;

/**
 * @param {Record<string, string>} texts the catalogue of one language
 * @param {string} locale the language's tag for numbers and plural forms
 * @param {Say} [otherwise] says what the texts lack
 * @returns {Say}
 */
export function speaker(texts, locale, otherwise) {
  const plurals = new Intl.PluralRules(locale);
  return say;

  /** @type {Say} */
  function say(key, values = {}) {
    if (Object.hasOwn(texts, key)) return filled(texts[key], key, values);
    if (otherwise) return otherwise(key, values);
    throw new Error(`no text for ${key}`);
  }

  /**
   * @param {string} text
   * @param {string} key
   * @param {Record<string, unknown>} values
   * @param {string} [count] what stands for #
   * @returns {string}
   */
  function filled(text, key, values, count = "#") {
    return text.replace(PLACEHOLDER, (_, name, number, digits, forms) => {
      if (!name) return count;
      if (!Object.hasOwn(values, name)) throw new Error(`${key} needs a value for ${name}`);
      const value = values[name];
      if (number) return formatNumber(locale, value, digits?.length);
      if (!forms) return said(value);
      const texts = Object.fromEntries(
        Array.from(forms.matchAll(FORM), ([, category, form]) => [category, form]),
      );
      const form = texts[plurals.select(Number(value))] ?? texts.other;
      return filled(form, key, values, formatNumber(locale, value));
    });
  }

  /** @param {any} value @returns {string} */
  function said(value) {
    if (Array.isArray(value)) return value.map(said).join(say("comma"));
    if (value !== null && typeof value === "object") return say(value.key, value.values);
    return String(value);
  }
}

/** Integers below it have no sign between groups of digits in any language. */
const FEW = 1000;

/**
 * A number as a language writes it; anything else as it is.
 *
 * @param {string} locale
 * @param {unknown} value
 * @param {number} [digits] how many follow the decimal sign; as many as needed, but at most three, if left out
 */
function formatNumber(locale, value, digits) {
  const number = value === "" ? NaN : Number(value);
  if (!Number.isFinite(number)) return String(value);
  // The first use of Intl takes long on a phone, and all languages write these alike.
  if (digits === undefined && Number.isInteger(number) && 1 / number > 0 && number < FEW)
    return String(number);
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, {
    numberingSystem: "latn",
    ...(digits === undefined ? {} : fixed),
  }).format(number);
}
