/**
 * "Why?" beside a game: how a computer sees the position. Its panel is loaded when it is first opened.
 *
 * @typedef {import("./game_state.js").Game} Game
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { positionOf } from "../shared/names.js";
import { loadStyles } from "../shared/styles.js";
import { computerSeats } from "./game_state.js";

/**
 * @param {Game} game
 * @param {() => void} draw the tab shows something else
 */
export function createWhyTab(game, draw) {
  const { say, settings } = game.context;
  const panel = document.createElement("div");
  /** @type {import("../why/why.js").Why | null} once it was loaded */
  let why = null;
  let loading = false;
  let failed = false;
  let explained = "";

  return {
    view,
    set,
    /** The tab was left: what it has drawn is to be drawn again. */
    stop: () => void (explained = ""),
    /** @param {import("/assets/notation.js").Point | null} point */
    hover: (point) => why?.hover(point),
    destroy: () => why?.destroy(),
  };

  function view() {
    if (game.between) return html`<p class="soft pad">${say("web.play.no_help")}</p>`;
    return failed ? html`<p class="soft pad">${say("web.error.load")}</p>` : panel;
  }

  /** Explain the position in which a computer made its last move, or the one that is shown. */
  function set() {
    if (game.between) return;
    if (!why) {
      void load();
      return;
    }
    const { state, shown } = game;
    const computers = computerSeats(state);
    const mover = state.stones.at(-1)?.[1];
    const last = shown === state.ply ? computers.find(({ colour }) => colour === mover) : undefined;
    const ply = last && shown ? shown - 1 : shown;
    const player = (last ?? computers[0])?.occupant ?? settings.get("whyPlayer") ?? "shapes";
    const wanted = JSON.stringify([state.moves.slice(0, ply), player]);
    if (wanted === explained) return;
    explained = wanted;
    const { width, height } = state.rules;
    why.set({ position: positionOf(state, ply), player, board: { width, height } });
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
