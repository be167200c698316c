/**
 * Moves, Why? and Engine: beside the board, or a sheet that is pulled up from below on small screens.
 *
 * @typedef {import("./game_state.js").Game} Game
 * @typedef {import("./game_state.js").Tab} Tab
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { createEngineTab } from "./engine_tab.js";
import { movesView } from "./moves_view.js";
import { createWhyTab } from "./why_tab.js";

/** @type {readonly Tab[]} */
const TABS = ["moves", "why", "engine"];

/**
 * @param {Game} game
 * @param {() => void} draw the tabs show something else
 */
export function createTabs(game, draw) {
  const engine = createEngineTab(game, draw);
  const why = createWhyTab(game, draw);
  const small = matchMedia("(max-width: 899px)");

  return {
    view: () =>
      tabsView(game, { moves: movesView(game), why: why.view(), engine: engine.view() }, { choose, turn }),
    set,
    choose,
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

  /** The arrow keys go from tab to tab. @param {KeyboardEvent} event */
  function turn(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = TABS[(TABS.indexOf(game.tab) + step + TABS.length) % TABS.length];
    select(next, game.raised);
    document.getElementById(`tab-${next}`)?.focus();
  }
}

/**
 * @param {Game} game
 * @param {Record<Tab, import("../shared/view.js").Content>} panels
 * @param {{choose: (tab: Tab) => void, turn: (event: KeyboardEvent) => void}} acts
 */
function tabsView({ tab: open, context: { say } }, panels, acts) {
  /** @type {Record<Tab, string>} */
  const labels = { moves: say("web.play.moves"), why: say("web.play.why"), engine: say("web.play.engine") };
  return html`<div class="tab-list" role="tablist" aria-label=${say("web.play.tabs")} @keydown=${acts.turn}>
      ${TABS.map(
        (tab) =>
          html`<button
            id="tab-${tab}"
            type="button"
            role="tab"
            aria-controls="panel-${tab}"
            aria-selected=${tab === open}
            tabindex=${tab === open ? 0 : -1}
            @click=${() => acts.choose(tab)}
          >
            ${labels[tab]}
          </button>`,
      )}
    </div>
    <div class="tab-body">
      ${TABS.map(
        (tab) =>
          html`<div
            id="panel-${tab}"
            class="tab-${tab}"
            role="tabpanel"
            aria-labelledby="tab-${tab}"
            ?hidden=${tab !== open}
          >
            ${panels[tab]}
          </div>`,
      )}
    </div>`;
}
