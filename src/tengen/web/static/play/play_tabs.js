/**
 * Moves, Why? and Engine: beside the board, or a sheet that is pulled up from below on small screens.
 *
 * @typedef {import("./game_view.js").Game} Game
 */

import { createEngineTab } from "./engine_tab.js";
import { h } from "../shared/dom.js";
import { createMovesList } from "./moves_list.js";
import { positionOf } from "../shared/names.js";
import { loadStyles } from "../shared/styles.js";

/**
 * @param {HTMLElement} element
 * @param {Game} game
 */
export function createTabs(element, game) {
  const { context } = game;
  const { say, settings } = context;
  const names = /** @type {const} */ (["moves", "why", "engine"]);
  const labels = { moves: say("web.play.moves"), why: say("web.play.why"), engine: say("web.play.engine") };
  /** @type {typeof names[number]} */
  let open = "moves";
  /** @type {any} E's panel, once it was opened */
  let why = null;
  let mounting = false;
  let explained = "";
  const small = matchMedia("(max-width: 899px)");

  const tabs = names.map((name) =>
    h(
      "button",
      {
        id: `tab-${name}`,
        type: "button",
        role: "tab",
        "aria-controls": `panel-${name}`,
        onclick: () => choose(name),
      },
      labels[name],
    ),
  );
  const panels = names.map((name) =>
    h("div", {
      id: `panel-${name}`,
      role: "tabpanel",
      "aria-labelledby": `tab-${name}`,
      class: `tab-${name}`,
    }),
  );
  const list = h("div", { class: "tab-list", role: "tablist", "aria-label": say("web.play.tabs") }, tabs);
  list.addEventListener("keydown", turn);
  element.append(list, h("div", { class: "tab-body" }, panels));
  const moves = createMovesList(panels[0], game);
  const engine = createEngineTab(panels[2], game);
  select("moves");

  return {
    set,
    choose,
    /** @param {import("/assets/notation.js").Point | null} point */
    hover: (point) => void (open === "why" && why?.hover(point)),
    destroy() {
      moves.destroy();
      engine.destroy();
      why?.destroy();
    },
  };

  function set() {
    moves.set();
    if (open === "engine") engine.set();
    if (open === "why") explain();
  }

  /** On a small screen a second tap folds the sheet away. @param {typeof names[number]} name */
  function choose(name) {
    const folded = element.classList.contains("up") && name === open;
    element.classList.toggle("up", !folded);
    // What is folded away draws nothing upon the board.
    select(folded && small.matches ? "moves" : name);
  }

  /** @param {typeof names[number]} name */
  function select(name) {
    if (open !== name) {
      game.overlay(null);
      if (open === "engine") engine.hide();
    }
    open = name;
    names.forEach((other, index) => {
      tabs[index].setAttribute("aria-selected", String(other === name));
      tabs[index].tabIndex = other === name ? 0 : -1;
      panels[index].hidden = other !== name;
    });
    explained = "";
    if (name === "engine") engine.show();
    if (name === "why") explain();
  }

  /** The arrow keys go from tab to tab. @param {KeyboardEvent} event */
  function turn(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (names.indexOf(open) + step + names.length) % names.length;
    select(names[next]);
    tabs[next].focus();
  }

  /** Let the panel explain how a computer sees the position: the one in which it made its last move, or this one. */
  async function explain() {
    const panel = panels[1];
    if (game.between) {
      panel.replaceChildren(h("p", { class: "soft pad" }, say("web.play.no_help")));
      return;
    }
    const { state, shown } = game;
    const computers = state.seats.filter(({ occupant }) => occupant !== "human");
    const mover = state.stones[state.stones.length - 1]?.[1];
    const last = shown === state.ply ? computers.find(({ colour }) => colour === mover) : undefined;
    const ply = last && shown ? shown - 1 : shown;
    const player = (last ?? computers[0])?.occupant ?? settings.get("whyPlayer") ?? "shapes";
    const { width, height } = state.rules;
    const wanted = JSON.stringify([state.moves.slice(0, ply), player]);
    if (wanted === explained) return;
    if (!why) {
      if (mounting) return;
      mounting = true;
      const loaded = await Promise.all([import("../why/why.js"), loadStyles("why/why.css")]).catch(
        () => null,
      );
      mounting = false;
      if (!loaded) {
        panel.replaceChildren(h("p", { class: "soft pad" }, say("web.error.load")));
        return;
      }
      panel.replaceChildren();
      why = loaded[0].createWhy(panel, {
        context,
        onDraw: (/** @type {any} */ overlay) => void (open === "why" && game.overlay(overlay)),
        onPlayer: (/** @type {string} */ spec) => settings.set("whyPlayer", spec),
      });
      if (open === "why") explain();
      return;
    }
    explained = wanted;
    why.set({ position: positionOf(state, ply), player, board: { width, height } });
  }
}
