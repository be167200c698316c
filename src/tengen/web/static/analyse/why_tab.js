/**
 * "Why?" on the analysis page: what a player sees in the position that is shown. Its code is loaded when the tab
 * is first opened.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 */

import { h, replace } from "../shared/dom.js";
import { positionOf } from "../shared/names.js";

/**
 * @param {HTMLElement} panel
 * @param {Desk} desk
 * @param {(seen: object) => void} onDraw what is to be drawn over the board
 */
export function createDeskWhy(panel, desk, onDraw) {
  const { context } = desk;
  /** @type {any} */
  let why = null;
  let asked = false;
  let gone = false;

  return {
    set,
    /** @param {any} point that the pointer is at */
    hover: (point) => why?.hover(point),
    destroy() {
      gone = true;
      why?.destroy();
    },
  };

  async function set() {
    if (!desk.shown || (!why && !(await load()))) return;
    const { width, height } = desk.shown.rules;
    why.set({
      position: positionOf(desk.shown),
      player: context.settings.get("whyPlayer") ?? "shapes",
      board: { width, height },
    });
  }

  /** Whether it is there now, because of this call. */
  async function load() {
    if (asked) return false;
    asked = true;
    const loaded = await import("../why/why.js").catch(() => null);
    if (!loaded || gone) {
      replace(panel, h("p", { class: "soft" }, context.say("web.error.load")));
      return false;
    }
    const place = h("div", null);
    replace(panel, h("h2", { class: "unseen" }, context.say("web.play.why")), place);
    why = loaded.createWhy(place, {
      context,
      onDraw,
      onPlayer: (spec) => context.settings.set("whyPlayer", spec),
    });
    return true;
  }
}
