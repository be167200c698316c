/**
 * The page on which one plays: a board that waits for the first click, or the game that the address names.
 *
 * @import { Mount } from "../shared/router.js"
 */

import { html, render } from "/static/vendor/lit-html/lit-html.js";
import { ApiError } from "../shared/api.js";
import { loadAhead } from "../shared/load_module.js";
import { createTable } from "../shared/table.js";
import { sorryView } from "../shared/view.js";
import { createStart } from "./start.js";

const loadGame = () => import("./game.js");

/** @type {Mount} */
export function mount(root, context, { id }) {
  const table = createTable(root, context);
  /** @type {{destroy: () => void}} */
  let part = { destroy: () => {} };
  let gone = false;

  if (id) void resume(id);
  else {
    part = createStart(table, context, begin);
    // What the game needs is there when the first stone falls.
    loadAhead(loadGame);
  }

  return () => {
    gone = true;
    part.destroy();
    table.destroy();
  };

  /**
   * A game was made by a click: the page stays as it is, under the game's address.
   *
   * @param {any} made
   * @param {string | null} point
   */
  async function begin(made, point) {
    const { createGame } = await loadGame();
    if (gone) return;
    part.destroy();
    context.go(`/g/${made.id}`, { keep: true });
    part = createGame(table, context, made.state, point ?? undefined);
  }

  /** @param {string} game its id */
  async function resume(game) {
    try {
      const path = `/api/games/${encodeURIComponent(game)}`;
      const [state, { createGame }] = await Promise.all([context.api.get(path), loadGame()]);
      if (!gone) part = createGame(table, context, state);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!gone) fail(error);
    }
  }

  /** @param {ApiError} error */
  function fail(error) {
    const { say } = context;
    table.destroy();
    const way =
      error.status === 404
        ? html`<a class="button main" href="/">${say("web.play.new")}</a>`
        : html`<button class="button main" type="button" @click=${() => location.reload()}>
            ${say("web.error.reload")}
          </button>`;
    render(sorryView(context.lookupKey(error.message), way), root);
  }
}
