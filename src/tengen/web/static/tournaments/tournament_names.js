/**
 * Names of tournaments and of those who take part, and the game that is one's next.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Meeting, Tournament } from "../shared/schemas.js"
 * @import { Call, Context } from "../shared/types.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { factsText, playerName, sentence } from "../shared/names.js";
import { isOff } from "../shared/view.js";

/**
 * @param {Say} say
 * @param {Tournament} tournament
 * @param {number} id of the entrant
 */
export function entrantName(say, { entrants }, id) {
  const found = entrants.find((one) => one.id === id);
  if (!found) return "";
  // Who has been forgotten has no name any more.
  const unnamed = found.occupant === "human" ? say("web.lobby.anonymous") : playerName(say, found.occupant);
  return found.name ?? unnamed;
}

/** @param {Say} say @param {Tournament} tournament */
function kindName(say, { kind, rounds }) {
  if (kind === "swiss") return say("web.tournament.swiss_rounds", { rounds });
  return rounds === 1 ? say("web.tournament.single") : say("web.tournament.double");
}

/** How many rounds there are in all. @param {Tournament} tournament */
export function roundCount({ kind, rounds, entrants: { length } }) {
  return kind === "swiss" ? rounds : rounds * (length % 2 ? length : length - 1);
}

/** Kind, rules, size, opening and clock, in a line, and that nothing is taken back. @param {Say} say @param {Tournament} tournament */
export function tournamentFacts(say, tournament) {
  return [sentence(kindName(say, tournament)), factsText(say, { ...tournament, take_backs: 0 })].join(
    " · ",
  );
}

/**
 * One's own game that goes on.
 *
 * @param {Tournament} tournament
 * @returns {Meeting | undefined}
 */
export function ownMeeting({ played, you }) {
  return played
    .flatMap(({ meetings }) => meetings)
    .find(
      ({ first, second, game, reason }) =>
        you !== null && game && !reason && (first === you || second === you),
    );
}

/**
 * Whom one plays in one's own meeting.
 *
 * @param {Tournament} tournament
 * @param {Meeting} meeting
 */
export function opponentOf({ you }, { first, second }) {
  return first === you ? second : first;
}

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

/**
 * Instead of what makes or enters a tournament.
 *
 * @param {Context["say"]} say
 */
export function noTournamentsView(say) {
  const text = isOff("games") ? say("web.off.games") : say("web.off.tournaments");
  return html`<p class="lead" role="note">${text}</p>`;
}
