/**
 * A board as its reader wants it: in the theme and with the coordinates that are chosen in the settings, and made
 * anew when another choice is made. What fingers can do beyond tapping is loaded where there is a touch screen.
 *
 * @import { Board, Options, State } from "/assets/board.js"
 * @import { Settings } from "./settings.js"
 *
 * @typedef {Pick<Board, "set" | "moveCursor" | "focus" | "destroy">} ReaderBoard
 */

import { createBoard } from "/assets/board.js";

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
