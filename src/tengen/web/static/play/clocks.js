/**
 * Lets the clocks run between the server's news.
 *
 * @import { Game } from "./game_state.js"
 */

import { clockText, secondsLeft } from "./seats_view.js";

const TICK = 100; // milliseconds

/**
 * @param {Game} game
 * @param {() => void} draw the clocks show something else
 */
export function createClocks(game, draw) {
  let since = 0;
  let timer = 0;
  return { set, destroy: () => clearInterval(timer) };

  /** The server has told the clocks as of now. */
  function set() {
    since = performance.now();
    game.passed = 0;
    clearInterval(timer);
    if (game.state.seats.some(({ clock }) => clock?.running)) timer = setInterval(tick, TICK);
  }

  function tick() {
    const before = faces();
    game.passed = (performance.now() - since) / 1000;
    if (faces() !== before) draw();
  }

  function faces() {
    return game.state.seats
      .map(({ clock }) => (clock ? clockText(secondsLeft(clock, game.passed)) : ""))
      .join();
  }
}
