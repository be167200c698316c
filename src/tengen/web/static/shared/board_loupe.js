/**
 * A part of a board enlarged, beside the finger that covers it.
 *
 * @import { Board } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 */

import { pointName } from "/assets/notation.js";

const SIDE = 152; // pixels, as in board_touch.css
const CELLS = 3.2; // across it, likewise
const GAP = 44; // pixels from the finger
const EDGE = 6; // pixels from the edge of the window

/**
 * @param {Board} board
 * @param {string} theme of it
 */
export function createLoupe(board, theme) {
  const element = document.createElement("div");
  element.className = "tengen-board loupe";
  element.dataset.board = theme;
  element.setAttribute("aria-hidden", "true");
  const name = document.createElement("b");
  let shown = "";
  document.body.append(element);
  return { show, remove: () => element.remove() };

  /**
   * @param {Point | null} point in the middle; null for nothing
   * @param {{clientX: number, clientY: number}} finger
   */
  function show(point, finger) {
    element.hidden = !point;
    if (!point) return;
    place(finger);
    if (shown === pointName(point)) return;
    shown = pointName(point);
    name.textContent = shown;
    element.replaceChildren(board.around(point, CELLS), name);
  }

  /** Above the finger, or beside it where the window ends. @param {{clientX: number, clientY: number}} finger */
  function place({ clientX: x, clientY: y }) {
    const above = y - GAP - SIDE >= EDGE;
    const aside = x > innerWidth / 2 ? x - GAP - SIDE : x + GAP;
    const left = above ? x - SIDE / 2 : aside;
    const top = above ? y - GAP - SIDE : y - SIDE / 2;
    element.style.left = `${within(left, innerWidth)}px`;
    element.style.top = `${within(top, innerHeight)}px`;
  }
}

/**
 * @param {number} start
 * @param {number} room
 */
function within(start, room) {
  return Math.max(Math.min(start, room - SIDE - EDGE), EDGE);
}
