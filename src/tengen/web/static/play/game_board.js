/**
 * What is to be seen on the board of a game.
 *
 * @import { Mark, State as BoardState } from "/assets/board.js"
 * @import { Game } from "./game_state.js"
 */

import { parsePoint } from "/assets/notation.js";
import { boardState } from "../shared/board_state.js";
import { colourOfMove, mayPlay, ownSeats } from "./game_state.js";
import { mayPremove } from "./premove.js";

const FEW = 25; // points to choose from are marked up to so many

/**
 * @param {Game} game
 * @returns {BoardState}
 */
export function gameBoard(game) {
  const { state, overlay, explained, premove, fouled, context } = game;
  const ply = explained ?? game.shown;
  const now = ply === state.ply;
  // Who claims fouls finds them.
  const position = state.fouls_mode === "claimed" ? { ...state, fouls: {} } : state;
  const numbers = context.settings.get("numbers");
  /** @type {BoardState} */
  const base = {
    ...boardState(position, { ply, numbers, foul: fouled }),
    marks: marks(game, now),
    turn: !now ? null : mayPlay(game) ? state.turn : mayPremove(game) ? ownSeats(game)[0].colour : null,
    premove: now && premove ? { point: parsePoint(premove.point), colour: premove.colour } : null,
    ghost: now ? ghost(game) : explained === null || overlay?.stones ? null : next(game, explained),
  };
  return { ...base, ...(now || explained !== null || overlay?.stones ? overlay : null) };
}

/**
 * @param {Game} game
 * @param {boolean} now
 * @returns {Mark[]}
 */
function marks({ state, hinted }, now) {
  const decision = now ? state.opening?.decision : null;
  const few = decision?.kind === "place" && decision.points.length <= FEW ? decision.points : [];
  const circled = [...few, ...(hinted && hinted !== "--" ? [hinted] : [])];
  return [
    ...state.offered.map((name, index) => ({
      point: parsePoint(name),
      kind: /** @type {const} */ ("label"),
      label: String.fromCharCode(65 + index),
    })),
    ...circled.map((name) => ({ point: parsePoint(name), kind: /** @type {const} */ ("circle") })),
  ];
}

/**
 * The stone of the move that is explained: where it will stand.
 *
 * @param {Game} game
 * @param {number} index of the move
 */
function next({ state }, index) {
  const name = state.moves[index];
  return name === "--" ? null : { point: parsePoint(name), colour: colourOfMove(state, index) };
}

/** A stone that is only thought of: one's own until the server has it, a hint, the computer's best. @param {Game} game */
function ghost({ state, sent, hinted, thinking }) {
  const name = sent ?? hinted ?? (state.thinking ? thinking?.point : null);
  if (!name || name === "--" || !state.turn) return null;
  return { point: parsePoint(name), colour: state.turn };
}
