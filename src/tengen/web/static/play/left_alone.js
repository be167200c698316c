/**
 * Whether the opponent has left: who is left alone long enough, without a clock, may end the game.
 *
 * @import { ParticipantNumber } from "../shared/schemas.js"
 * @import { Game } from "./game_state.js"
 */

/** Seconds for which the opponent has to have been away, as the server has it. */
export const PATIENCE = 600;

/**
 * @param {Game} game
 * @param {() => void} draw one has been left alone long enough
 */
export function createAbsence(game, draw) {
  let timer = 0;
  return { set, destroy: () => clearTimeout(timer) };

  /** The server has told for how long who is away. @param {Partial<Record<ParticipantNumber, number>>} away in seconds */
  function set(away) {
    const now = Date.now();
    const seconds = Object.entries(away);
    game.leftAt = Object.fromEntries(seconds.map(([who, long]) => [who, now - long * 1000]));
    clearTimeout(timer);
    const next = seconds.map(([, long]) => PATIENCE - long).filter((left) => left > 0);
    if (next.length) timer = setTimeout(draw, Math.min(...next) * 1000);
  }
}

/** Whether one may end the game for that. @param {Game} game */
export function isLeftAlone(game) {
  const { state } = game;
  const other = opponent(game);
  const left = other && game.leftAt[other];
  if (state.outcome || state.control || state.tournament || !left) return false;
  return Date.now() - left >= PATIENCE * 1000;
}

/** The other person, where one plays against one. @param {Game} game */
function opponent({ state, you, apart }) {
  const other = state.seats.find(({ participant }) => !you.includes(participant));
  return apart && you.length === 1 && other && !other.open ? other.participant : null;
}
