/**
 * The table that start page and game share: the board, and the places for all that stands beside or below it.
 *
 * @typedef {import("./context.js").Context} Context
 *
 * @typedef {object} Frame
 * @property {HTMLElement} element
 * @property {HTMLElement} top the seat of the opponent
 * @property {HTMLElement} bottom one's own
 * @property {HTMLElement} status
 * @property {HTMLElement} side tabs, or what there is to choose
 * @property {HTMLElement} actions
 * @property {(shape: {width: number, height: number, k: number}) => void} shape
 * @property {(state: import("/assets/board.js").State) => void} draw
 * @property {(listeners: Listeners) => void} listen
 * @property {() => void} refuse a gentle cue that a point was not taken
 * @property {() => void} focus
 * @property {() => void} destroy
 *
 * @typedef {import("/assets/board.js").Options} Options
 * @typedef {{onSelect?: Options["onSelect"], onPoint?: Options["onPoint"]}} Listeners
 */

import { createBoard, showsSigns } from "/assets/board.js";
import { h } from "./dom.js";

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @returns {Frame}
 */
export function createFrame(root, context) {
  const { settings, say } = context;
  const place = h("div", { class: "board" });
  const top = h("div", { class: "seat top" });
  const bottom = h("div", { class: "seat bottom" });
  const status = h("div", { class: "status panel" });
  const side = h("div", { class: "side panel" });
  const actions = h("div", { class: "actions" });
  const element = h(
    "div",
    { class: "table" },
    h("div", { class: "board-place" }, place),
    h("div", { class: "seats panel" }, top, bottom),
    status,
    side,
    actions,
  );
  root.append(element);

  /** @type {import("/assets/board.js").Board | null} */
  let board = null;
  let shown = { width: 0, height: 0, k: 0 };
  /** @type {import("/assets/board.js").State} */
  let state = {};
  /** @type {Listeners} */
  let listeners = {};
  const off = ["boardTheme", "coordinates", "confirm"].map((name) => settings.on(name, build));

  return {
    element,
    top,
    bottom,
    status,
    side,
    actions,
    shape(next) {
      if (board && next.width === shown.width && next.height === shown.height && next.k === shown.k) return;
      shown = next;
      build();
    },
    draw(next) {
      state = next;
      board?.set(state);
    },
    listen: (next) => void (listeners = next),
    refuse,
    focus: () => board?.focus(),
    destroy() {
      for (const stop of off) stop();
      board?.destroy();
      element.remove();
    },
  };

  function build() {
    const focused = document.activeElement === place;
    board?.destroy();
    const { width, height, k } = shown;
    element.dataset.shape = JSON.stringify([width, height, k]);
    board = createBoard(place, {
      width,
      height,
      say,
      signs: showsSigns(width, height, k),
      theme: settings.get("boardTheme"),
      coordinates: settings.get("coordinates"),
      confirm: settings.get("confirm"),
      onSelect: (point) => listeners.onSelect?.(point),
      onPoint: (point) => listeners.onPoint?.(point),
    });
    element.style.setProperty("--board-ratio", place.style.getPropertyValue("--board-ratio"));
    board.set(state);
    if (focused) board.focus();
  }

  function refuse() {
    context.sound.refuse();
    place.classList.remove("refused");
    void place.offsetWidth;
    place.classList.add("refused");
  }
}
