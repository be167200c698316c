/**
 * The state of a game's page at its beginning, and what can be read off it. Nothing here touches the page.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { GameState, ParticipantNumber, Seat } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Acts, Game, GameFields } from "./types.js"
 */

import { playerName } from "../shared/names.js";

/**
 * A game as it is when its page is opened.
 *
 * @param {Context} context
 * @param {GameState} state
 * @param {Acts} acts
 * @returns {GameFields}
 */
export function newGame(context, state, acts) {
  return {
    context,
    state,
    you: [],
    made: false,
    mayDecide: false,
    apart: false,
    between: false,
    linked: true,
    thinking: null,
    passed: 0,
    shown: state.ply,
    sent: null,
    premove: null,
    fouled: null,
    hinted: null,
    overlay: null,
    explained: null,
    phrases: {},
    speech: null,
    note: "",
    leftAt: {},
    unsure: "",
    next: null,
    pace: null,
    tab: "moves",
    raised: false,
    acts,
  };
}

/** The seats of people here. @param {{state: GameState, you: ParticipantNumber[]}} game */
export function ownSeats({ state, you }) {
  return state.seats.filter(
    ({ participant, occupant }) => occupant === "human" && you.includes(participant),
  );
}

/** @param {GameState} state */
export function computerSeats({ seats }) {
  return seats.filter(({ occupant }) => occupant !== "human");
}

/** Whether a stone of one's own is due. @param {Game} game */
export function mayPlay({ state, you }) {
  const seat = state.seats.find(({ participant }) => participant === state.actor);
  if (!seat || seat.occupant !== "human" || !you.includes(seat.participant)) return false;
  return (
    !state.paused && state.opening?.decision?.kind !== "choice" && !state.seats.some(({ open }) => open)
  );
}

/**
 * @param {Game} game
 * @param {Seat} seat
 */
export function seatName({ context: { say }, you }, seat) {
  if (seat.occupant !== "human") return playerName(say, seat.occupant);
  if (seat.name) {
    const own = you.length === 1 && you.includes(seat.participant);
    return own ? say("web.play.you_named", { name: seat.name }) : seat.name;
  }
  if (you.length === 2 || !you.length) return say("web.play.player", { colour: say(seat.colour) });
  return you.includes(seat.participant) ? say("web.play.you") : say("web.play.friend");
}

/**
 * Whose a move of the game is; the colours take turns.
 *
 * @param {GameState} state
 * @param {number} index of the move
 * @returns {Colour}
 */
export function colourOfMove({ setup }, index) {
  return (index % 2 === 0) === ((setup?.turn ?? "black") === "black") ? "black" : "white";
}
