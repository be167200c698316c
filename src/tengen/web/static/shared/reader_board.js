/**
 * A board as its reader wants it: in the theme and with the coordinates that are chosen in the settings, and made
 * anew when another choice is made.
 *
 * @typedef {import("/assets/board.js").Board} Board
 * @typedef {import("/assets/board.js").Options} Options
 */

import { createBoard } from "/assets/board.js";

const CHOICES = ["boardTheme", "coordinates", "coordinateStyle", "confirm"];

/**
 * @param {HTMLElement} element as for `createBoard`
 * @param {import("./settings.js").Settings} settings
 * @param {Options} options `confirm` is the reader's choice if left out
 * @returns {Board}
 */
export function createReaderBoard(element, settings, options) {
  /** @type {import("/assets/board.js").State} */
  let state = {};
  let board = build();
  const off = CHOICES.map((name) => settings.on(name, rebuild));
  return {
    set(next) {
      state = next;
      board.set(state);
    },
    moveCursor: (point) => board.moveCursor(point),
    focus: () => board.focus(),
    destroy() {
      for (const stop of off) stop();
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

  function rebuild() {
    const focused = document.activeElement === element;
    board.destroy();
    board = build();
    board.set(state);
    if (focused) board.focus();
  }
}
