/**
 * Moves, Why? and Engine: beside the board, or a sheet that is pulled up from below on small screens.
 *
 * @typedef {import("./game_state.js").Game} Game
 * @typedef {import("./game_state.js").Tab} Tab
 */

import { tabsView } from "../shared/tabs_view.js";
import { createEngineTab } from "./engine_tab.js";
import { movesView } from "./moves_view.js";
import { createWhyTab } from "./why_tab.js";

/**
 * @param {Game} game
 * @param {() => void} draw the tabs show something else
 */
export function createTabs(game, draw) {
  const engine = createEngineTab(game, draw);
  const why = createWhyTab(game, draw);
  const small = matchMedia("(max-width: 559px), (max-width: 899px) and (min-height: 521px)");

  return {
    view,
    set,
    choose,
    /** Back from what is explained to the game as it stands. */
    leave: () => select("moves", false),
    /** @param {import("/assets/notation.js").Point | null} point */
    hover: (point) => void (game.tab === "why" && why.hover(point)),
    destroy() {
      engine.stop();
      why.destroy();
    },
  };

  /** Another position is shown. */
  function set() {
    if (game.tab === "engine") engine.set();
    if (game.tab === "why") why.set();
  }

  /** On a small screen a second tap folds the sheet away. @param {Tab} tab */
  function choose(tab) {
    const folded = game.raised && tab === game.tab;
    // What is folded away draws nothing upon the board.
    select(folded && small.matches ? "moves" : tab, !folded);
  }

  /**
   * @param {Tab} tab
   * @param {boolean} raised
   */
  function select(tab, raised) {
    const { tab: before, acts } = game;
    if (before !== tab) {
      acts.overlay(null);
      if (before === "engine") engine.stop();
    }
    why.stop();
    acts.change({ tab, raised });
    set();
    draw();
  }

  /**
   * The arrow keys go from tab to tab; the sheet stays as it is.
   *
   * @param {string} name
   * @param {"key" | "pointer"} by
   */
  function turn(name, by) {
    const tab = /** @type {Tab} */ (name);
    if (by === "key" && tab !== game.tab) select(tab, game.raised);
    else choose(tab);
  }

  function view() {
    const { tab, context } = game;
    const { say } = context;
    const panel = { moves: () => movesView(game), why: why.view, engine: engine.view }[tab]();
    const tabs = [
      { name: "moves", label: say("web.play.moves"), kind: "tab-moves" },
      { name: "why", label: say("web.play.why"), kind: "tab-why" },
      { name: "engine", label: say("web.play.engine"), kind: "tab-engine" },
    ];
    return tabsView({ label: say("web.play.tabs"), tabs, open: tab, panel }, turn);
  }
}
