/**
 * Premoves: one's next move, chosen while the opponent is to move, and played as soon as it is one's turn.
 *
 * A premove answers the opponent's next stone. If anything else changes who is to move, or what a stone there would
 * mean (a take-back, another colour, a question of the opening rule), it is forgotten, and that is said.
 *
 * @import { Colour } from "/assets/board.js"
 * @import { Game } from "./game_state.js"
 *
 * @typedef {object} Premove
 * @property {string} point
 * @property {Colour} colour one's own
 * @property {number} ply moves before the one that it waits for
 */

import { mayPlay, ownSeats } from "./game_state.js";

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
    game.premove = game.premove?.point === point ? null : { point, colour, ply: game.state.ply };
    acts.note("");
  }

  function cancel() {
    acts.change({ premove: null });
  }

  /** The server has told another state. */
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
