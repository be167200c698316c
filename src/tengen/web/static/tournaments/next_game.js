/** The game of a tournament that is one's next. */

import { entrantName, opponentOf, ownMeeting } from "./tournament_names.js";

/**
 * @param {import("../shared/context.js").Context["say"]} say
 * @param {import("./tournament_types.js").Tournament} tournament
 * @returns {import("../shared/calls.js").Call | null} null where one has none now
 */
export function nextGame(say, tournament) {
  const meeting = ownMeeting(tournament);
  if (!meeting?.game) return null;
  const name = entrantName(say, tournament, opponentOf(tournament, meeting));
  return { game: meeting.game, text: say("web.tournament.ready", { name }), tournament: tournament.id };
}
