/**
 * "Why?" beside a game: how a computer sees the position. Its panel is loaded when it is first opened.
 *
 * @import { Point } from "/assets/notation.js"
 * @import { Why } from "../why/why.js"
 * @import { Game } from "./types.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { positionOf } from "../shared/names.js";
import { loadStyles } from "../shared/router.js";
import { colourOfMove, computerSeats } from "./game_state.js";
import { beforeText } from "./status_view.js";

/**
 * @param {Game} game
 * @param {() => void} draw the tab shows something else
 */
export function createWhyTab(game, draw) {
  const { say, settings } = game.context;
  const panel = document.createElement("div");
  /** @type {Why | null} once it was loaded */
  let why = null;
  let loading = false;
  let failed = false;
  let explained = "";

  return {
    view,
    set,
    /** The tab was left: what it has drawn is to be drawn again. */
    stop() {
      explained = "";
      game.acts.change({ explained: null });
    },
    /** @param {Point | null} point */
    hover: (point) => why?.hover(point),
    destroy: () => why?.destroy(),
  };

  function view() {
    if (game.between) return html`<p class="soft pad">${say("web.play.no_help")}</p>`;
    if (failed) return html`<p class="soft pad">${say("web.error.load")}</p>`;
    // On small screens the sheet covers the line that says so.
    const before = game.explained === null ? "" : beforeText(game, game.explained);
    return html`<p class="explained soft" ?hidden=${!before}>${before}</p>
      ${panel}`;
  }

  /** Explain the position in which a computer made its last move, or the one that is shown. */
  function set() {
    if (game.between || !why) {
      game.acts.change({ explained: null });
      if (!game.between) void load();
      return;
    }
    const { state, shown } = game;
    const computers = computerSeats(state);
    const mover = shown > 0 && shown === state.ply ? colourOfMove(state, shown - 1) : null;
    const last = computers.find(({ colour }) => colour === mover);
    const ply = last ? shown - 1 : shown;
    game.acts.change({ explained: last ? ply : null });
    const player = (last ?? computers[0])?.occupant ?? settings.get("whyPlayer") ?? "shapes";
    const wanted = JSON.stringify([state.moves.slice(0, ply), player]);
    if (wanted === explained) return;
    explained = wanted;
    const { width, height } = state.rules;
    const played = last ? state.moves[ply] : null;
    why.set({ position: positionOf(state, ply), player, played, board: { width, height } });
  }

  async function load() {
    if (loading) return;
    loading = true;
    const loaded = await Promise.all([import("../why/why.js"), loadStyles("why/why.css")]).catch(
      () => null,
    );
    loading = false;
    failed = !loaded;
    if (loaded) {
      why = loaded[0].createWhy(panel, {
        context: game.context,
        onDraw: (/** @type {any} */ overlay) => void (game.tab === "why" && game.acts.overlay(overlay)),
        onPlayer: (/** @type {string} */ spec) => settings.set("whyPlayer", spec),
      });
      if (game.tab === "why") set();
    }
    draw();
  }
}
