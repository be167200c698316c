/**
 * The keys of a game: those of its buttons, and those that change what is seen.
 *
 * @typedef {import("./game_state.js").Game} Game
 */

import { listenToKeys, showKeys } from "../shared/keyboard.js";

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
export function listenToGameKeys(game, actions, tabs, table) {
  const { settings } = game.context;
  const back = () => game.acts.show(game.shown - 1);
  const forward = () => game.acts.show(game.shown + 1);
  const pressed = Object.entries(ACTIONS).map(([key, name]) => [key, () => actions.press(name)]);
  return listenToKeys({
    ...Object.fromEntries(pressed),
    ArrowLeft: back,
    ArrowRight: forward,
    ",": back,
    ".": forward,
    Home: () => game.acts.show(0),
    End: () => game.acts.show(game.state.ply),
    b: table.focus,
    m: () => settings.set("numbers", !settings.get("numbers")),
    k: () => settings.set("coordinates", !settings.get("coordinates")),
    w: () => tabs.choose("why"),
    e: () => tabs.choose("engine"),
    l: () => tabs.choose("moves"),
    "?": () => showGameKeys(game.context),
  });
}

/** @param {import("../shared/context.js").Context} context */
export function showGameKeys(context) {
  const { say } = context;
  showKeys(context, [
    ["↑ ↓ ← →", say("web.keys.cursor")],
    ["Enter", say("web.keys.play")],
    ["Esc", say("web.keys.premove")],
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
    ["← →", say("web.keys.browse")],
    ["Home End", say("web.analyse.keys.ends")],
    ["l / w / e", say("web.keys.tabs")],
    ["m / k", say("web.keys.look")],
  ]);
}
