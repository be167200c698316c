/**
 * The page on which one plays: a board that waits for the first click, or the game that the address names.
 *
 * @typedef {import("../shared/context.js").Context} Context
 */

import { ApiError } from "../shared/api.js";
import { html, render } from "/static/vendor/lit-html/lit-html.js";
import { createFrame } from "../shared/frame.js";
import { sorryView } from "../shared/view.js";
import { createStart } from "./start.js";

const view = () => import("./game_view.js");

/** @type {import("../shared/router.js").Mount} */
export function mount(root, context, { id }) {
  const frame = createFrame(root, context);
  /** @type {{destroy: () => void}} */
  let part = { destroy: () => {} };
  let gone = false;

  if (id) void resume(id);
  else {
    part = createStart(frame, context, begin);
    // What the game needs is there when the first stone falls.
    const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 300));
    idle(() => void view().catch(() => {}));
  }

  return () => {
    gone = true;
    part.destroy();
    frame.destroy();
  };

  /**
   * A game was made by a click: the page stays as it is, under the game's address.
   *
   * @param {any} made
   * @param {string | null} point
   */
  async function begin(made, point) {
    const { createGameView } = await view();
    if (gone) return;
    part.destroy();
    context.go(`/g/${made.id}`, { keep: true });
    part = createGameView(frame, context, made.state, point ?? undefined);
  }

  /** @param {string} game its id */
  async function resume(game) {
    frame.element.classList.add("loading");
    try {
      const path = `/api/games/${encodeURIComponent(game)}`;
      const [state, { createGameView }] = await Promise.all([context.api.get(path), view()]);
      if (gone) return;
      part = createGameView(frame, context, state);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (gone) return;
      frame.element.hidden = true;
      const { say } = context;
      const way =
        error.status === 404
          ? html`<a class="button main" href="/">${say("web.play.new")}</a>`
          : html`<button class="button main" type="button" @click=${() => location.reload()}>
              ${say("web.error.reload")}
            </button>`;
      render(sorryView(context.lookupKey(error.message), way), root);
    }
  }
}
