/**
 * Whether the opponent has left: who is left alone long enough, without a clock, may end the game.
 *
 * @typedef {import("./game_state.js").Game} Game
 * @typedef {import("../shared/game_types.js").Participant} Participant
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

  /** The server has told who is there. @param {Partial<Record<Participant, number | null>>} away in seconds */
  function set(away) {
    const other = opponent(game);
    const seconds = other && away[other];
    game.leftAt = seconds === undefined || seconds === null ? null : Date.now() - seconds * 1000;
    clearTimeout(timer);
    if (game.leftAt !== null)
      timer = setTimeout(draw, Math.max(0, PATIENCE * 1000 - (Date.now() - game.leftAt)));
  }
}

/** Whether one may end the game for that. @param {Game} game */
export function isLeftAlone(game) {
  const { state, leftAt } = game;
  if (state.outcome || state.control || state.tournament || !opponent(game) || leftAt === null)
    return false;
  return Date.now() - leftAt >= PATIENCE * 1000;
}

/** The other person, where one plays against one. @param {Game} game */
function opponent({ state, you, apart }) {
  const other = state.seats.find(({ participant }) => !you.includes(participant));
  return apart && you.length === 1 && other && !other.open ? other.participant : null;
}
