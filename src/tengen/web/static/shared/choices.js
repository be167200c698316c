/**
 * What kind of game is wanted: remembered by the browser, and asked of the server.
 *
 * @import { Settings } from "./settings.js"
 *
 * @typedef {"black" | "white" | "random"} Side
 * @typedef {"computer" | "here" | "link" | "watch" | "lobby"} Company against a computer, two people on this
 *     device, a friend by link, two computers, whoever comes to the lobby
 *
 * @typedef {object} Choices
 * @property {Company} company
 * @property {string} opponent spec of a player
 * @property {string} second the other computer, where two play
 * @property {Side} colour
 * @property {string} rules name of a preset, or "mnk"
 * @property {[number, number]} size columns and rows
 * @property {number} k in a row, for "mnk"
 * @property {"forbidden" | "loses" | "claimed"} fouls
 * @property {string} opening
 * @property {string} clock of `TimeControl.parse`; "" for none
 * @property {number | null} takeBacks null is no limit
 * @property {number} pace seconds between two computers' moves
 * @property {boolean} [rated] whether the game is rated; left out where that cannot be chosen
 */

/** @type {Choices} */
export const DEFAULTS = {
  company: "computer",
  opponent: "level:3",
  second: "level:5",
  colour: "black",
  rules: "freestyle",
  size: [15, 15],
  k: 5,
  fouls: "forbidden",
  opening: "free",
  clock: "",
  takeBacks: 5,
  pace: 1,
};

/**
 * What is chosen otherwise for a game that is offered to whoever comes.
 *
 * @type {Partial<Choices>}
 */
export const OFFERED = { colour: "random", clock: "300+5" };

/**
 * @param {Settings} settings
 * @returns {Choices}
 */
export function chosen(settings) {
  return { ...DEFAULTS, ...settings.get("game"), company: "computer" };
}

/**
 * What is chosen otherwise than by default, of what a game against a computer depends on.
 *
 * @param {Choices} choices
 */
export function unusual(choices) {
  const names = /** @type {(keyof Choices)[]} */ (Object.keys(DEFAULTS));
  return names.filter((name) => {
    if (["company", "second", "pace"].includes(name) || (name === "k" && choices.rules !== "mnk"))
      return false;
    return String(choices[name]) !== String(DEFAULTS[name]);
  });
}

/** @param {string} rules @returns {[number, number]} */
export function usualSize(rules) {
  return rules === "tictactoe" ? [3, 3] : [15, 15];
}

/** @param {Choices} choices */
export function rulesText({ rules, size: [m, n], k }) {
  return rules === "mnk" ? `mnk:${m},${n},${k}` : rules;
}

/** In a row that wins. @param {Choices} choices */
export function inARow({ rules, k }) {
  return rules === "mnk" ? k : rules === "tictactoe" ? 3 : 5;
}

/**
 * What the catalogue of players is asked for.
 *
 * @param {Choices} choices
 */
export function catalogueOf(choices) {
  const query = new URLSearchParams({ rules: rulesText(choices) });
  if (choices.rules !== "mnk") query.set("size", choices.size.join("x"));
  return `/api/catalogue?${query}`;
}

/**
 * The body of the request that creates the game.
 *
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 */
export function gameBody(choices, hasFouls) {
  const { company, opponent, second, size, fouls, opening, clock, takeBacks, pace } = choices;
  const colour = choices.colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : choices.colour;
  const seats = {
    computer: colour === "black" ? ["human", opponent] : [opponent, "human"],
    here: ["human", "human"],
    link: ["human", "human"],
    lobby: ["human", "human"],
    watch: [opponent, second],
  }[company];
  return {
    rules: rulesText(choices),
    size: choices.rules === "mnk" ? null : size,
    fouls: hasFouls ? fouls : null,
    black: seats[0],
    white: seats[1],
    take_backs: takeBacks,
    opening: opening === "free" ? null : opening,
    clock: clock || null,
    open: company === "link" ? (colour === "black" ? "white" : "black") : null,
    ...(company === "watch" ? { pace } : {}),
  };
}
