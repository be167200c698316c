/** Whoever stays at the board after a game of a tournament is told when the next one begins, for its clock runs. */

import { createLiveSocket } from "../shared/live_socket.js";
import { entrantName, opponentOf, ownMeeting } from "./tournament_names.js";

/**
 * @param {import("../shared/context.js").Context["say"]} say
 * @param {string} tournament its id
 * @param {string} game the id of the one that is over
 * @param {(game: string, text: string) => void} onNext the next one, and what is to be said
 * @returns {() => void} how to stop looking for it
 */
export function awaitNextGame(say, tournament, game, onNext) {
  const socket = createLiveSocket(
    `/api/tournaments/${tournament}/live`,
    ({ type, tournament: told }) => {
      const meeting = type === "tournament" && ownMeeting(told);
      if (!meeting || !meeting.game || meeting.game === game) return;
      const name = entrantName(say, told, opponentOf(told, meeting));
      onNext(meeting.game, say("web.tournament.ready", { name }));
      socket.close();
    },
    () => {},
  );
  return socket.close;
}
