/**
 * The table: the board, and the places for all that stands beside or below it. Start page, game and analysis
 * lay it. The board has the theme and the coordinates of the settings, and is made anew when those change; what fingers can do
 * beyond tapping is loaded where there is a touch screen.
 *
 * @import { Board, Options, State } from "/assets/board_types.js"
 * @import { Settings } from "./settings.js"
 * @import { Context, Listeners, Parts, Table } from "./types.js"
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { createBoard, showsSigns } from "/assets/board.js";

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @returns {Table}
 */
export function createTable(root, context) {
  const { settings, say } = context;
  const place = document.createElement("div");
  place.className = "board";
  // Who plays with the pointer steps through the moves with the keys that a focused board would take.
  place.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  /** @type {ReaderBoard | null} */
  let board = null;
  /** @type {Parts} */
  let parts = { name: "" };
  let shape = { width: 0, height: 0, k: 0 };
  /** @type {Listeners} */
  let listeners = {};
  /** How to stop listening for what changes the shape of the board. @type {(() => void)[]} */
  let off = [];
  draw();

  return {
    board: place,
    show(next) {
      parts = next;
      draw();
    },
    shape(next) {
      if (board && next.width === shape.width && next.height === shape.height && next.k === shape.k) return;
      shape = { width: next.width, height: next.height, k: next.k };
      build();
    },
    draw: (state) => board?.set(state),
    listen: (next) => void (listeners = next),
    refuse,
    focus: () => board?.focus(),
    destroy() {
      for (const stop of off) stop();
      board?.destroy();
      render(nothing, root);
    },
  };

  function draw() {
    const ratio = place.style.getPropertyValue("--board-ratio");
    render(tableView(parts, place, ratio, board ? shape : null), root);
  }

  function build() {
    const focused = document.activeElement === place;
    for (const stop of off) stop();
    board?.destroy();
    const { width, height, k } = shape;
    board = createReaderBoard(place, settings, {
      width,
      height,
      say,
      signs: showsSigns(width, height, k),
      onSelect: (point) => listeners.onSelect?.(point),
      onPoint: (point) => listeners.onPoint?.(point),
    });
    // After the board, which has the shape that the table leaves room for only when it has been made anew.
    off = ["coordinates", "coordinateStyle"].map((name) => settings.on(name, draw));
    draw();
    if (focused) board.focus();
  }

  function refuse() {
    context.sound.refuse();
    place.classList.remove("refused");
    void place.offsetWidth;
    place.classList.add("refused");
  }
}

/**
 * @param {Parts} parts
 * @param {HTMLElement} board draws itself
 * @param {string} ratio of its width to its height
 * @param {{width: number, height: number, k: number} | null} shape of the board; null before there is one
 */
function tableView(
  { name, heading, top, bottom, status, side, raised, actions, card, printed },
  board,
  ratio,
  shape,
) {
  const shaped = shape ? JSON.stringify([shape.width, shape.height, shape.k]) : nothing;
  return html`<div
    class="table ${name}"
    data-shape=${shaped}
    .style=${ratio ? `--board-ratio: ${ratio}` : ""}
  >
    ${heading ?? nothing} ${printed?.head ?? nothing}
    <div class="board-place">${board}</div>
    ${printed?.moves ?? nothing}
    <div class="seats panel">
      <div class="seat top ${top?.acting ? "acting" : ""}">${top?.content}</div>
      <div class="seat bottom ${bottom?.acting ? "acting" : ""}">${bottom?.content}</div>
    </div>
    <div class="status panel" data-kind=${status?.kind ?? ""} ?hidden=${status?.hidden ?? false}>
      ${status?.content}
    </div>
    <div class="side panel ${raised ? "up" : ""}">${side}</div>
    <div class="actions">${actions}</div>
    ${card ?? nothing}
  </div>`;
}

/**
 * @typedef {Pick<Board, "set" | "moveCursor" | "focus" | "destroy">} ReaderBoard
 */

const CHOICES = ["boardTheme", "coordinates", "coordinateStyle", "confirm"];

/**
 * @param {HTMLElement} element as for `createBoard`
 * @param {Settings} settings
 * @param {Options} options `confirm` is the reader's choice if left out
 * @returns {ReaderBoard}
 */
export function createReaderBoard(element, settings, options) {
  /** @type {State} */
  let state = {};
  let board = build();
  let gone = false;
  /** @type {typeof import("./board_touch.js") | null} */
  let touch = null;
  let release = () => {};
  if (options.onSelect && navigator.maxTouchPoints) {
    // Without it the board is played on by taps.
    import("./board_touch.js").then(hold, () => {});
  }
  const off = CHOICES.map((name) => settings.on(name, rebuild));
  return {
    set(next) {
      state = next;
      board.set(state);
    },
    moveCursor: (point) => board.moveCursor(point),
    focus: () => board.focus(),
    destroy() {
      gone = true;
      for (const stop of off) stop();
      release();
      board.destroy();
    },
  };

  function build() {
    return createBoard(element, {
      theme: settings.get("boardTheme"),
      coordinates: settings.get("coordinates"),
      coordinateStyle: settings.get("coordinateStyle"),
      confirm: settings.get("confirm"),
      ...options,
    });
  }

  /** @param {typeof import("./board_touch.js")} loaded */
  function hold(loaded) {
    if (gone) return;
    touch = loaded;
    release = touch.takeGestures(element, board, options.say);
  }

  function rebuild() {
    const focused = document.activeElement === element;
    release();
    board.destroy();
    board = build();
    if (touch) hold(touch);
    board.set(state);
    if (focused) board.focus();
  }
}
