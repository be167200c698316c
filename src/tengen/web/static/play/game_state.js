/**
 * What the parts of a game's page share, and what can be read off it. No part of it touches the page.
 *
 * @import { Colour, State as BoardState } from "/assets/board.js"
 * @import { Message } from "../shared/api.js"
 * @import { Context } from "../shared/context.js"
 * @import { GameState, ParticipantNumber, Seat } from "../shared/schemas.js"
 * @import { Thinking } from "../shared/live_game.js"
 * @import { Premove } from "./premove.js"
 *
 * @typedef {"moves" | "why" | "engine"} Tab
 *
 * @typedef {object} Game
 * @property {Context} context
 * @property {GameState} state as the server has told it last
 * @property {ParticipantNumber[]} you whom one plays
 * @property {boolean} made whether one has made the game
 * @property {boolean} mine whether one sits here or has made the game, and so may decide about it
 * @property {boolean} apart whether the seats are those of two people in two places
 * @property {boolean} between whether two such people play, or one in a tournament, so that nobody may be helped
 * @property {boolean} linked whether the connection stands
 * @property {Thinking | null} thinking what a computer thinks just now
 * @property {number} passed seconds for which a clock has run since the server told it
 * @property {number} shown moves that are shown; all, unless an earlier position is looked at
 * @property {string | null} sent the point of a stone that the server has not confirmed
 * @property {Premove | null} premove what is played when it is one's turn
 * @property {string | null} fouled a point of a foul that was touched
 * @property {string | null} hinted
 * @property {BoardState | null} overlay what a tab draws upon the position
 * @property {number | null} explained moves before the one that "Why?" explains, whose stone is not yet there; else null
 * @property {Partial<Record<ParticipantNumber, string | null>>} phrases what people say just now, by seat
 * @property {typeof import("./phrases.js") | null} speech how phrases are said and shown; null before that is loaded,
 *     and where nobody says any
 * @property {string} note what answers something that was done in this state; gone with it, or after a while
 * @property {Partial<Record<ParticipantNumber, number>>} leftAt when those have left who are not there, by this device's clock
 * @property {string} unsure the action that waits for a second click
 * @property {string | null} next id of the game that one plays next in the tournament, once it has begun
 * @property {number | null} pace to which the slider is being drawn, in seconds a move
 * @property {Tab} tab
 * @property {boolean} raised whether the tabs are pulled up on small screens
 * @property {Acts} acts
 *
 * @typedef {object} Acts what one may do
 * @property {(ply: number) => void} show
 * @property {(type: string, more?: Record<string, unknown>) => Promise<any>} send a message; what the server refuses is
 *     said, and null is answered
 * @property {(option: string) => Promise<any>} choose an option of the opening rule
 * @property {(overlay: BoardState | null) => void} overlay draw upon the position
 * @property {(text: string | Message, stay?: boolean) => void} note say something,
 *     for a while or until something else is said
 * @property {() => Promise<void>} again the next game
 * @property {() => Promise<void>} join take the seat that is open
 * @property {(change: Partial<Game>) => void} change what is seen
 * @property {() => void} resume show the game as it stands, and play on
 */

import { playerName } from "../shared/names.js";

/**
 * A game as it is when its page is opened.
 *
 * @param {Context} context
 * @param {GameState} state
 * @param {Acts} acts
 * @returns {Game}
 */
export function newGame(context, state, acts) {
  return {
    context,
    state,
    you: [],
    made: false,
    mine: false,
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
