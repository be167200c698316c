/**
 * "Why?" beside a game: how a computer sees the position. Its panel is loaded when it is first opened.
 *
 * @import { Game } from "./types.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { positionOf } from "../shared/names.js";
import { createLazyWhy } from "../why/lazy_why.js";
import { colourOfMove, computerSeats } from "./game_state.js";
import { beforeText } from "./status_view.js";

/**
 * @param {Game} game
 * @param {() => void} draw the tab shows something else
 */
export function createWhyTab(game, draw) {
  const { say } = game.context;
  const why = createLazyWhy(
    game.context,
    (overlay) => void (game.tab === "why" && game.acts.overlay(overlay)),
    () => {
      if (why.loaded && game.tab === "why") set();
      draw();
    },
  );
  let explained = "";

  return {
    view,
    set,
    /** The tab was left: what it has drawn is to be drawn again. */
    stop() {
      explained = "";
      game.acts.change({ explained: null });
    },
    hover: why.hover,
    destroy: why.destroy,
  };

  function view() {
    if (game.between) return html`<p class="soft pad">${say("web.play.no_help")}</p>`;
    // On small screens the sheet covers the line that says so.
    const before = game.explained === null ? "" : beforeText(game, game.explained);
    return html`<p class="explained soft" ?hidden=${!before}>${before}</p>
      ${why.view()}`;
  }

  /** Explain the position in which a computer made its last move, or the one that is shown. */
  function set() {
    if (game.between || !why.loaded) {
      game.acts.change({ explained: null });
      if (!game.between) why.load();
      return;
    }
    const { state, shown } = game;
    const computers = computerSeats(state);
    const mover = shown > 0 && shown === state.ply ? colourOfMove(state, shown - 1) : null;
    const last = computers.find(({ colour }) => colour === mover);
    const ply = last ? shown - 1 : shown;
    game.acts.change({ explained: last ? ply : null });
    const player = (last ?? computers[0])?.occupant;
    const wanted = JSON.stringify([state.moves.slice(0, ply), player]);
    if (wanted === explained) return;
    explained = wanted;
    const { width, height } = state.rules;
    const played = last ? state.moves[ply] : null;
    const given = { position: positionOf(state, ply), played, board: { width, height } };
    why.set(player ? { ...given, player } : given);
  }
}
