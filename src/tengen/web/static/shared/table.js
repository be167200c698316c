/**
 * The table: the board, and the places for all that stands beside or below it. Start page, game and analysis
 * lay it.
 *
 * @import { Options, State } from "/assets/board.js"
 * @import { Context } from "./context.js"
 * @import { Printed } from "./printed_view.js"
 * @import { ReaderBoard } from "./reader_board.js"
 * @import { Content } from "./view.js"
 *
 * @typedef {{onSelect?: Options["onSelect"], onPoint?: Options["onPoint"]}} Listeners
 *
 * @typedef {object} Parts what there is to see beside the board
 * @property {string} name of the page, as a class: "start", "game"
 * @property {Content} [heading] of the page, where no part holds one
 * @property {{content: Content, acting?: boolean}} [top] the seat of the opponent
 * @property {{content: Content, acting?: boolean}} [bottom] one's own
 * @property {{content: Content, kind?: string, hidden?: boolean}} [status]
 * @property {Content} [side] tabs, or what there is to choose
 * @property {boolean} [raised] whether the side is pulled up on small screens
 * @property {Content} [actions]
 * @property {Content} [card] what covers the side
 * @property {Printed | null} [printed] what only paper has
 *
 * @typedef {object} Table
 * @property {HTMLElement} board
 * @property {(parts: Parts) => void} show
 * @property {(shape: {width: number, height: number, k: number}) => void} shape
 * @property {(state: State) => void} draw what stands on the board, once it has a shape
 * @property {(listeners: Listeners) => void} listen
 * @property {() => void} refuse a gentle cue that a point was not taken
 * @property {() => void} focus
 * @property {() => void} destroy
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit-html.js";
import { showsSigns } from "/assets/board.js";

import { createReaderBoard } from "./reader_board.js";

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
