/**
 * Single keys for what a game's buttons do. The board has keys of its own, see board.js.
 *
 * @typedef {import("./game_view.js").Game} Game
 */

import { h } from "../shared/dom.js";
import { typing } from "../shared/typing.js";

/** @type {Record<string, string>} */
const ACTIONS = {
  u: "back",
  h: "hint",
  n: "hurry",
  d: "draw",
  r: "resign",
  c: "claim",
  x: "swap",
  p: "pause",
  s: "step",
  a: "again",
};

/**
 * @param {Game} game
 * @param {{press: (name: string) => void}} actions
 * @param {{choose: (name: "moves" | "why" | "engine") => void}} tabs
 * @param {import("../shared/frame.js").Frame} frame
 * @returns {() => void} how to stop listening
 */
export function listenToKeys(game, actions, tabs, frame) {
  const { context } = game;
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const { key, target } = event;
    const busy = event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || typing(event);
    if (busy || document.querySelector("dialog[open]")) return;
    const sliding = target instanceof HTMLInputElement && target.type === "range";
    if (sliding && key.startsWith("Arrow")) return;
    /** @type {Record<string, () => void>} */
    const others = {
      ArrowLeft: () => game.show(game.shown - 1),
      ArrowRight: () => game.show(game.shown + 1),
      ",": () => game.show(game.shown - 1),
      ".": () => game.show(game.shown + 1),
      Home: () => game.show(0),
      End: () => game.show(game.state.ply),
      b: () => frame.focus(),
      m: () => context.settings.set("numbers", !context.settings.get("numbers")),
      k: () => context.settings.set("coordinates", !context.settings.get("coordinates")),
      w: () => tabs.choose("why"),
      e: () => tabs.choose("engine"),
      l: () => tabs.choose("moves"),
      "?": () => showHelp(context),
    };
    if (Object.hasOwn(ACTIONS, key)) actions.press(ACTIONS[key]);
    else if (Object.hasOwn(others, key)) others[key]();
    else return;
    event.preventDefault();
  }
}

/** @param {import("../shared/context.js").Context} context */
export function showHelp({ say, openDialog }) {
  /** @type {[string, string][]} */
  const keys = [
    ["↑ ↓ ← →", say("web.keys.cursor")],
    ["Enter", say("web.keys.play")],
    ["b", say("web.keys.board")],
    ["u", say("web.play.back_take")],
    ["h", say("web.play.hint")],
    ["n", say("web.play.hurry")],
    ["c", say("web.play.claim")],
    ["d", say("web.play.draw")],
    ["r", say("web.play.resign")],
    ["x", say("web.play.swap")],
    ["p / s", say("web.keys.pause")],
    ["a", say("web.play.again")],
    [", / .", say("web.keys.browse")],
    ["l / w / e", say("web.keys.tabs")],
    ["m / k", say("web.keys.look")],
  ];
  const rows = keys.map(([key, does]) =>
    h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, does)),
  );
  void openDialog({ title: say("web.play.keys"), content: h("dl", { class: "keys" }, rows), buttons: [] });
}
