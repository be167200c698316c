/**
 * Single keys for what a game's buttons do. The board has keys of its own, see board.js.
 *
 * @typedef {import("./game_state.js").Game} Game
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
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
 * @param {{choose: (name: import("./game_state.js").Tab) => void}} tabs
 * @param {import("../shared/table.js").Table} table
 * @returns {() => void} how to stop listening
 */
export function listenToKeys(game, actions, tabs, table) {
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
      ArrowLeft: () => game.acts.show(game.shown - 1),
      ArrowRight: () => game.acts.show(game.shown + 1),
      ",": () => game.acts.show(game.shown - 1),
      ".": () => game.acts.show(game.shown + 1),
      Home: () => game.acts.show(0),
      End: () => game.acts.show(game.state.ply),
      b: () => table.focus(),
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
  const content = html`<dl class="keys">
    ${keys.map(
      ([key, does]) =>
        html`<div>
          <dt><kbd>${key}</kbd></dt>
          <dd>${does}</dd>
        </div>`,
    )}
  </dl>`;
  void openDialog({ title: say("web.play.keys"), content, buttons: [] });
}
