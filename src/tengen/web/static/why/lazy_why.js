/**
 * "Why?" in a tab: its panel is loaded when it is first opened.
 *
 * @import { State } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 * @import { Context } from "../shared/types.js"
 * @import { Given, Why } from "./why.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { loadStyles } from "../shared/router.js";

/**
 * @param {Context} context
 * @param {(overlay: Partial<State>) => void} onDraw what is to be drawn over the board
 * @param {() => void} onLoad it has been loaded, or could not be
 */
export function createLazyWhy(context, onDraw, onLoad) {
  const { say, settings } = context;
  const element = document.createElement("div");
  /** @type {Why | null} */
  let why = null;
  let loading = false;
  let failed = false;
  let gone = false;

  return {
    load: () => void load(),
    view: () => (failed ? html`<p class="soft">${say("web.error.load")}</p>` : element),
    get loaded() {
      return why !== null;
    },
    /** @param {Omit<Given, "player"> & {player?: string}} given the player that the reader has chosen if left out */
    set: (given) => why?.set({ player: settings.get("whyPlayer") ?? "shapes", ...given }),
    /** @param {Point | null} point that the pointer is at */
    hover: (point) => why?.hover(point),
    destroy() {
      gone = true;
      why?.destroy();
    },
  };

  async function load() {
    if (loading || why) return;
    loading = true;
    const loaded = await Promise.all([import("./why.js"), loadStyles("why/why.css")]).catch(() => null);
    loading = false;
    failed = !loaded;
    if (gone) return;
    const onPlayer = (/** @type {string} */ spec) => settings.set("whyPlayer", spec);
    why = loaded?.[0].createWhy(element, { context, onDraw, onPlayer }) ?? null;
    onLoad();
  }
}
