/**
 * The board of a game, and premoves: one's next move, chosen while the opponent is to move, and played as soon as it is one's
 * turn.
 *
 * A premove answers the opponent's next stone. If anything else changes who is to move, or what a stone there would
 * mean (a take-back, another colour, a question of the opening rule), it is cancelled, and the page says so.
 *
 * @import { Colour, Mark, State as BoardState } from "/assets/board_types.js"
 * @import { Game } from "./types.js"
 */

import { parsePoint } from "/assets/notation.js";
import { boardState } from "../shared/position.js";
import { colourOfMove, mayPlay, ownSeats } from "./game_state.js";

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

/**
 * @typedef {object} Premove
 * @property {string} point
 * @property {Colour} colour one's own
 * @property {number} ply moves before the one that it waits for
 */

/**
 * Whether a move may be chosen before one's turn: one plays against somebody else who is to put a stone, by no opening
 * rule.
 *
 * @param {Game} game
 */
export function mayPremove(game) {
  const { state, you, context } = game;
  const own = ownSeats(game);
  if (!context.settings.get("premoves") || you.length !== 1 || own.length !== 1) return false;
  if (state.outcome || state.paused || state.opening || state.seats.some(({ open }) => open)) return false;
  return state.actor !== null && !you.includes(state.actor);
}

/**
 * @param {Game} game
 * @param {(point: string) => void} play
 */
export function createPremoves(game, play) {
  const { acts, context } = game;
  const { say, settings } = context;
  const off = settings.on("premoves", cancel);
  document.addEventListener("keydown", press);

  return {
    toggle,
    follow,
    destroy() {
      off();
      document.removeEventListener("keydown", press);
    },
  };

  /** Choose a point; the one that is chosen is taken back. @param {string} point */
  function toggle(point) {
    const { colour } = ownSeats(game)[0];
    const premove = game.premove?.point === point ? null : { point, colour, ply: game.state.ply };
    acts.change({ premove });
    acts.note("");
  }

  function cancel() {
    acts.change({ premove: null });
  }

  /** The server has sent another state. */
  function follow() {
    const { premove, state } = game;
    if (!premove) return;
    const same = ownSeats(game).some(({ colour }) => colour === premove.colour);
    if (same && state.ply === premove.ply && (state.paused || mayPremove(game))) return;
    cancel();
    if (state.outcome) return;
    if (same && state.ply === premove.ply + 1 && isLegal(premove.point)) play(premove.point);
    else acts.note(say("web.play.premove_forgotten", { point: premove.point }));
  }

  /**
   * Whether a point can be played now; a foul is not played unseen, even where rules allow and punish it.
   *
   * @param {string} point
   */
  function isLegal(point) {
    const { state } = game;
    const free = !state.stones.some(([taken]) => taken === point);
    const fair = state.fouls_mode === "claimed" || !(point in state.fouls);
    return mayPlay(game) && !state.opening && free && fair;
  }

  /** Escape closes what lies above the board first. @param {KeyboardEvent} event */
  function press({ key, defaultPrevented }) {
    if (key !== "Escape" || defaultPrevented || !game.premove) return;
    if (!document.querySelector("dialog[open], :popover-open")) cancel();
  }
}
