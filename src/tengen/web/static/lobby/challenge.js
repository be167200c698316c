/**
 * A game that is offered to whoever comes.
 *
 * @import { Choices, Context } from "../shared/types.js"
 */

import { termsOf } from "../shared/new_game.js";

/**
 * Offer a game in the lobby; throws ApiError.
 *
 * @param {Context} context
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 */
export async function openChallenge({ api }, choices, hasFouls) {
  const { takeBacks: take_backs, colour, rated = false } = choices;
  await api.post("/api/challenges", { ...termsOf(choices, hasFouls), take_backs, colour, rated });
}
