/**
 * Moves, Why? and Engine: beside the board, or a sheet that is pulled up from below on small screens. The last two are
 * loaded ahead of their first use.
 *
 * @import { Point } from "/assets/notation.js"
 * @import { Content } from "../shared/view.js"
 * @import { Game, Tab } from "./game_state.js"
 *
 * @typedef {object} Helper a tab that thinks
 * @property {() => Content} view
 * @property {() => void} set another position is shown
 * @property {() => void} stop the tab was left: what it has drawn is to be drawn again
 * @property {(point: Point | null) => void} [hover]
 * @property {() => void} destroy
 */

import { nothing } from "/static/vendor/lit-html/lit-html.js";
import { loadAhead, loadModule } from "../shared/load_module.js";
import { tabsView } from "../shared/tabs_view.js";
import { movesView } from "./moves_view.js";

const HELPERS = {
  why: async () => (await import("./why_tab.js")).createWhyTab,
  engine: async () => (await import("./engine_tab.js")).createEngineTab,
};

/**
 * @param {Game} game
 * @param {() => void} draw the tabs show something else
 */
export function createTabs(game, draw) {
  /** Those that have been opened. @type {Partial<Record<Tab, Helper>>} */
  const opened = {};
  let gone = false;
  const small = matchMedia("(max-width: 559px), (max-width: 899px) and (min-height: 521px)");
  for (const load of Object.values(HELPERS)) loadAhead(load);

  return {
    view,
    set,
    choose,
    /** Back from what is explained to the game as it stands. */
    leave: () => select("moves", false),
    /** @param {Point | null} point */
    hover: (point) => opened[game.tab]?.hover?.(point),
    destroy() {
      gone = true;
      for (const helper of Object.values(opened)) helper.destroy();
    },
  };

  /** Another position is shown. */
  function set() {
    opened[game.tab]?.set();
  }

  /** @param {"why" | "engine"} tab */
  async function open(tab) {
    const create = await loadModule(game.context, HELPERS[tab]());
    if (!create || gone || opened[tab]) return;
    opened[tab] = create(game, draw);
    set();
    draw();
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
    if (before !== tab) acts.overlay(null);
    if (before !== tab || tab === "why") opened[before]?.stop();
    acts.change({ tab, raised });
    if (tab !== "moves" && !opened[tab]) void open(tab);
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
    const panel = tab === "moves" ? movesView(game) : (opened[tab]?.view() ?? nothing);
    const tabs = [
      { name: "moves", label: say("web.play.moves"), kind: "tab-moves" },
      { name: "why", label: say("web.play.why"), kind: "tab-why" },
      { name: "engine", label: say("web.play.engine"), kind: "tab-engine" },
    ];
    return tabsView({ label: say("web.play.tabs"), tabs, open: tab, panel }, turn);
  }
}
