/**
 * Games that this browser has made or joined: it remembers by which tokens it plays in them.
 *
 * @import { Choices } from "./choices.js"
 * @import { Context } from "./context.js"
 */

import { ApiError } from "./api.js";
import { gameBody } from "./choices.js";
import { loadModule } from "./load_module.js";
import { keep, read } from "./settings.js";

const SEATS = "tengen.seats";
const KEPT = 200; // games whose seats this browser remembers

/**
 * The tokens of the seats that this browser holds in a game.
 *
 * @param {string} id
 * @returns {string[]}
 */
export function tokensOf(id) {
  return read(SEATS)[id] ?? [];
}

/**
 * Whether this browser has made or joined a game.
 *
 * @param {string} id
 */
export function knows(id) {
  return id in read(SEATS);
}

/**
 * @param {string} id
 * @param {(string | null)[]} tokens
 */
export function keepTokens(id, tokens) {
  const others = Object.entries(read(SEATS)).filter(([other]) => other !== id);
  const mine = new Set([...tokensOf(id), ...tokens.filter((token) => token !== null)]);
  keep(SEATS, Object.fromEntries([...others.slice(1 - KEPT), [id, [...mine]]]));
}

/**
 * Ask for a game, and go there.
 *
 * @param {Context} context
 * @param {Choices} choices
 * @param {boolean} hasFouls
 * @param {boolean} [stay] answer the game, and leave the page to the caller
 * @returns {Promise<any>} the server's answer; null where it refused, which has been said
 */
export async function createGame(context, choices, hasFouls, stay = false) {
  try {
    const made = await makeGame(context, choices, hasFouls);
    if (!stay) context.go(`/g/${made.id}`);
    return made;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.sound.refuse();
    context.toast(error.message, { kind: "error" });
    return null;
  }
}

/**
 * Make a game on the server, and keep what one needs to play it; throws ApiError.
 *
 * @param {Context} context
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 * @returns {Promise<any>} as the server has made it
 */
export async function makeGame(context, choices, hasFouls) {
  const made = await context.api.post("/api/games", gameBody(choices, hasFouls));
  keepTokens(made.id, Object.values(made.seats));
  return made;
}

/**
 * Ask for everything one may choose about a new game; see setup_dialog.js, which is loaded when it is needed.
 *
 * @param {Context} context
 * @param {Partial<Choices>} [given]
 * @param {boolean} [keeps] whether what is chosen may be kept without a game
 */
export async function showSetup(context, given, keeps) {
  const dialog = await loadModule(context, import("../play/setup_dialog.js"));
  await dialog?.openSetup(context, given, keeps);
}
