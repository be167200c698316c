/**
 * "Why?" on the analysis page: what a player sees in the position that is shown.
 *
 * @import { Analysis } from "./analyse.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { positionOf } from "../shared/names.js";
import { createLazyWhy } from "../why/lazy_why.js";

/**
 * @param {Analysis} analysis
 * @param {(overlay: object) => void} onDraw what is to be drawn over the board
 */
export function createWhyPanel({ context, study, draw }, onDraw) {
  const why = createLazyWhy(context, onDraw, () => {
    if (why.loaded) set();
    draw();
  });

  return {
    view: () =>
      html`<h2 class="unseen">${context.say("web.play.why")}</h2>
        ${why.view()}`,
    set,
    hover: why.hover,
    destroy: why.destroy,
  };

  function set() {
    why.load();
    const { shown } = study;
    if (!shown) return;
    const { width, height } = shown.rules;
    why.set({ position: positionOf(shown), board: { width, height } });
  }
}
