/**
 * A game that is offered to whoever comes.
 *
 * @import { Choices, Context } from "../shared/types.js"
 */

import { rulesText } from "../shared/names.js";

/**
 * Offer a game in the lobby; throws ApiError.
 *
 * @param {Context} context
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 */
export async function openChallenge({ api }, choices, hasFouls) {
  const { size, fouls, opening, clock, takeBacks, colour, rated = false } = choices;
  await api.post("/api/challenges", {
    rules: rulesText(choices),
    size: choices.rules === "mnk" ? null : size,
    fouls: hasFouls ? fouls : null,
    opening: opening === "free" ? null : opening,
    clock: clock || null,
    take_backs: takeBacks,
    colour,
    rated,
  });
}
