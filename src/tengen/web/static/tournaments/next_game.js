/**
 * The game of a tournament that is one's next.
 *
 * @import { Call } from "../shared/calls.js"
 * @import { Context } from "../shared/context.js"
 * @import { Tournament } from "../shared/schemas.js"
 */

import { entrantName, opponentOf, ownMeeting } from "./tournament_names.js";

/**
 * @param {Context["say"]} say
 * @param {Tournament} tournament
 * @returns {Call | null} null where one has none now
 */
export function nextGame(say, tournament) {
  const meeting = ownMeeting(tournament);
  if (!meeting?.game) return null;
  const name = entrantName(say, tournament, opponentOf(tournament, meeting));
  return { game: meeting.game, text: say("web.tournament.ready", { name }), tournament: tournament.id };
}
