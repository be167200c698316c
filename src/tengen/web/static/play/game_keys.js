/**
 * The keys of a game: those of its buttons, and those that change what is seen.
 *
 * @import { Table } from "../shared/types.js"
 * @import { Game, Tab } from "./types.js"
 */

import { listenToKeys } from "../shared/tabs_view.js";

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
  "?": "help",
};

/**
 * @param {Game} game
 * @param {{press: (name: string) => void}} actions
 * @param {{choose: (name: Tab) => void}} tabs
 * @param {Table} table
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
  });
}
