/**
 * "Why?" on the analysis page: what a player sees in the position that is shown. Its code is loaded when the tab
 * is first opened.
 *
 * @import { Point } from "/assets/notation.js"
 * @import { Why } from "../why/why.js"
 * @import { Analysis } from "./analyse.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { positionOf } from "../shared/names.js";

/**
 * @param {Analysis} analysis
 * @param {(seen: object) => void} onDraw what is to be drawn over the board
 */
export function createWhyPanel({ context, study, draw }, onDraw) {
  const { say, settings } = context;
  const element = document.createElement("div");
  /** @type {Why | null} */
  let why = null;
  let asked = false;
  let failed = false;
  let gone = false;

  return {
    view: () =>
      failed
        ? html`<p class="soft">${say("web.error.load")}</p>`
        : html`<h2 class="unseen">${say("web.play.why")}</h2>
            ${element}`,
    set: () => void set(),
    /** @param {Point | null} point that the pointer is at */
    hover: (point) => why?.hover(point),
    destroy() {
      gone = true;
      why?.destroy();
    },
  };

  async function set() {
    if (!why) await load();
    const { shown } = study;
    if (!why || !shown) return;
    const { width, height } = shown.rules;
    why.set({
      position: positionOf(shown),
      player: settings.get("whyPlayer") ?? "shapes",
      board: { width, height },
    });
  }

  async function load() {
    if (asked) return;
    asked = true;
    const loaded = await import("../why/why.js").catch(() => null);
    if (gone) return;
    failed = !loaded;
    why =
      loaded?.createWhy(element, {
        context,
        onDraw,
        onPlayer: (spec) => settings.set("whyPlayer", spec),
      }) ?? null;
    draw();
  }
}
