/**
 * A small live analysis of the position that is shown: the engine's best lines and its win rate. Off until asked.
 *
 * @typedef {import("./game_view.js").Game} Game
 * @typedef {{point: string, win_rate: number, mate: number | null, depth: number, nodes: number, line: string[]}} Info
 */

import { parseMoves } from "/assets/notation.js";
import { disc, h } from "../shared/dom.js";
import { positionOf, valueText } from "../shared/names.js";

const SECONDS = 60;
const LINES = 3;

/**
 * @param {HTMLElement} element
 * @param {Game} game
 */
export function createEngineTab(element, game) {
  const { say, lookupKey } = game.context;
  const button = h("button", { class: "button", type: "button", onclick: toggle });
  const told = h("p", { class: "soft", role: "status" });
  const bar = h("div", { class: "rate", role: "img" });
  const list = h("ol", { class: "best" });
  element.append(
    h("div", { class: "pad engine" }, h("div", { class: "engine-head" }, button, told), bar, list),
  );
  /** @type {WebSocket | null} */
  let socket = null;
  let wanted = false;
  let asked = "";
  let count = 0;
  rest();

  return { set, show: set, hide: stop, destroy: stop };

  function toggle() {
    wanted = !wanted;
    if (!wanted) stop();
    set();
  }

  function stop() {
    socket?.close();
    socket = null;
    asked = "";
    game.overlay(null);
    rest();
  }

  function rest() {
    bar.hidden = true;
    list.replaceChildren();
    told.textContent = wanted ? "" : say("web.play.engine_off");
    button.textContent = wanted ? say("web.play.engine_stop") : say("web.play.engine_start");
    button.setAttribute("aria-pressed", String(wanted));
  }

  function set() {
    if (game.between) {
      if (socket) stop();
      wanted = false;
      rest();
      button.disabled = true;
      told.textContent = say("web.play.no_help");
      return;
    }
    button.disabled = false;
    if (!wanted) return;
    const position = positionOf(game.state, game.shown);
    const text = JSON.stringify(position);
    if (text === asked) return;
    asked = text;
    rest();
    if (game.state.outcome && game.shown === game.state.ply) {
      told.textContent = say("web.play.engine_over");
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: ++count, do: "stop" }));
      return;
    }
    told.textContent = say("web.play.engine_busy");
    const order = JSON.stringify({
      id: ++count,
      do: "analyse",
      ...position,
      lines: LINES,
      seconds: SECONDS,
    });
    if (socket?.readyState === WebSocket.OPEN) socket.send(order);
    else open(order);
  }

  /** @param {string} order */
  function open(order) {
    socket?.close();
    const mine = new WebSocket(`${location.origin.replace("http", "ws")}/api/analysis`);
    socket = mine;
    mine.onopen = () => mine.send(order);
    mine.onmessage = ({ data }) => mine === socket && hear(JSON.parse(data));
    mine.onclose = () => {
      if (mine !== socket) return;
      socket = null;
      asked = "";
      wanted = false;
      rest();
      told.textContent = say("web.error.offline");
    };
  }

  /** @param {{id: number, infos?: Info[], error?: any, text?: string, waiting?: any}} news */
  function hear({ id, infos, error, text, waiting }) {
    if (id !== count) return;
    if (waiting) told.textContent = lookupKey(waiting);
    if (error) {
      bar.hidden = true;
      told.textContent = error.key ? lookupKey(error) : (text ?? "");
      return;
    }
    if (!infos?.length) return;
    const turn = game.state.moves.length === game.shown ? game.state.turn : null;
    const black = (turn ?? (game.shown % 2 ? "white" : "black")) === "black";
    const [best] = infos;
    const share = black ? best.win_rate : 1 - best.win_rate;
    const percent = Math.round(100 * share);
    const thousands = Math.round(best.nodes / 1000);
    told.replaceChildren(
      h("b", null, say("web.play.black_rate", { percent })),
      h("br", null),
      say("web.play.engine_depth", { depth: best.depth, nodes: thousands }),
    );
    bar.hidden = false;
    bar.style.setProperty("--black-share", `${percent}%`);
    bar.setAttribute("aria-label", say("web.play.black_rate", { percent }));
    const rows = infos.map((info) => entry(info, black));
    const focused = [...list.children].findIndex((row) => row.contains(document.activeElement));
    list.replaceChildren(...rows);
    rows[focused]?.querySelector("button")?.focus();
  }

  /**
   * @param {Info} info
   * @param {boolean} black whether Black is to move
   */
  function entry(info, black) {
    const { point, mate, line, win_rate: rate } = info;
    const value = valueText(say, rate, mate);
    const show = () => preview(line, black);
    const row = h(
      "button",
      {
        type: "button",
        onfocus: show,
        onpointerenter: show,
        onblur: clear,
        onpointerleave: clear,
        onclick: show,
      },
      h("b", null, point),
      h("span", { class: "value" }, disc(black ? "black" : "white"), value),
      h("span", { class: "soft line" }, line.slice(1, 9).join(" ")),
    );
    return h("li", null, row);
  }

  function clear() {
    game.overlay(null);
  }

  /**
   * Draw a line of moves, numbered.
   *
   * @param {string[]} line
   * @param {boolean} black
   */
  function preview(line, black) {
    const count =
      game.state.numbered_from + game.state.moves.slice(0, game.shown).filter((p) => p !== "--").length;
    const stones = game.state.stones.slice(0, count).map(([name, colour]) => ({ point: at(name), colour }));
    const next = line.slice(0, 12).flatMap((name, index) => {
      const colour = /** @type {import("../shared/types.js").Colour} */ (
        (index % 2 === 0) === black ? "black" : "white"
      );
      return name === "--" ? [] : [{ point: at(name), colour, number: index + 1 }];
    });
    game.overlay({ stones: [...stones, ...next], last: null, turn: null });
  }
}

/** @param {string} name */
function at(name) {
  return /** @type {import("/assets/notation.js").Point} */ (parseMoves(name)[0]);
}
