/**
 * Moves, Why? and Engine: beside the board, or a sheet that is pulled up from below on small screens. The last two are
 * loaded ahead of their first use. Each of the moves goes to its position.
 *
 * @import { Point } from "/assets/notation.js"
 * @import { Content } from "../shared/view.js"
 * @import { Game, Tab } from "./types.js"
 *
 * @typedef {object} Helper a tab that thinks
 * @property {() => Content} view
 * @property {() => void} set another position is shown
 * @property {() => void} stop the tab was left: what it has drawn is to be drawn again
 * @property {(point: Point | null) => void} [hover]
 * @property {() => void} destroy
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { moveNames, stepView, stepsView } from "../shared/moves_view.js";
import { loadAhead, loadModule } from "../shared/router.js";
import { tabsView } from "../shared/tabs_view.js";
import { reveal } from "../shared/view.js";
import { colourOfMove } from "./game_state.js";

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

/** @param {Game} game */
export function movesView(game) {
  const { state, shown, between, acts, context } = game;
  const { say, settings } = context;
  const numbers = Boolean(settings.get("numbers"));
  const named = moveNames(context, state.rules.height);
  const steps = {
    first: () => acts.show(0),
    back: () => acts.show(shown - 1),
    forward: () => acts.show(shown + 1),
    last: () => acts.show(state.ply),
  };
  return html`<p class="soft pad" ?hidden=${state.moves.length > 0}>${say("web.play.no_moves")}</p>
    <ol class="moves" aria-label=${say("web.play.moves")}>
      ${state.moves.map((point, index) => moveView(game, named(point), index))}
    </ol>
    <div class="steps">
      ${stepsView(say, { atFirst: shown === 0, atLast: shown === state.ply }, steps)}
      ${stepView(say("replay.numbers"), "12", () => settings.set("numbers", !numbers), { pressed: numbers })}
      <a class="step wide" href=${link(`/analyse?game=${state.id}#ply=${shown}`)} ?hidden=${between}>
        ${say("web.play.analyse")}
      </a>
    </div>`;
}

/**
 * @param {Game} game
 * @param {string} text
 * @param {number} index
 */
function moveView({ state, shown, acts, context: { say } }, text, index) {
  const colour = colourOfMove(state, index);
  const stone = html`<span class="disc ${colour}" role="img" aria-label=${say(colour)}></span>`;
  const current = index + 1 === shown ? "true" : nothing;
  return html`<li>
    <button type="button" aria-current=${current} @click=${() => acts.show(index + 1)}>
      <span class="number">${index + 1}</span>${stone}<span>${text}</span>
    </button>
  </li>`;
}

/** Scroll the list on the page so that the move that is shown can be seen. */
export function scrollToShown() {
  const list = document.querySelector(".moves");
  const current = list?.querySelector("[aria-current]");
  if (list && current) reveal(list, current);
}
