/**
 * How results of the engine are written.
 *
 * @import { Say } from "/assets/words.js"
 */

/**
 * A large number as it is said: 1,465,000 is "1.5 million" in English and "147万" in Chinese.
 *
 * @param {string} locale
 * @param {number} count
 */
export function countText(locale, count) {
  return new Intl.NumberFormat(locale, {
    notation: "compact",
    compactDisplay: "long",
    maximumSignificantDigits: 3,
  }).format(count);
}

/**
 * What the engine gives for a move: the chance to win, or in how many moves the game is won or lost.
 *
 * @param {Say} say
 * @param {number} rate
 * @param {number | null} mate plies
 */
export function valueText(say, rate, mate) {
  if (mate === null) return `${Math.round(100 * rate)}%`;
  return say(mate > 0 ? "web.play.wins_in" : "web.play.loses_in", { moves: Math.ceil(Math.abs(mate) / 2) });
}
