/**
 * What fingers do on a board beside tapping. Two of them zoom and move it within its frame, and the page stays as it is. One
 * that rests on it, where cells are smaller than a finger, shows the points beneath it enlarged; it may slide to another
 * one, and chooses by lifting, as a tap does; off the board it chooses nothing. A finger that moves at once scrolls the page.
 *
 * @import { Board, Part } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 * @import { Say } from "/assets/words.js"
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { createLoupe } from "./board_loupe.js";
import { loadStyles } from "./router.js";

const REST = 350; // milliseconds after which a finger rests
const SLIP = 10; // pixels that a finger may move while it rests
const COVERED = 50; // pixels of a cell up to which a finger covers it
const NEARLY = 1.08; // times that are not worth a zoom
const WHOLE = { scale: 1, left: 0, top: 0 };

/**
 * @param {HTMLElement} element that the board is in
 * @param {Board} board
 * @param {Say} say
 * @returns {() => void} leave it to the browser again
 */
export function takeGestures(element, board, say) {
  /** @type {Part} */
  let part = WHOLE;
  /**
   * How far apart two fingers began, and what was between them.
   *
   * @type {{apart: number, x: number, y: number, scale: number} | null}
   */
  let pinch = null;
  /** @type {ReturnType<typeof createLoupe> | null} */
  let loupe = null;
  /** The point that is chosen by lifting. @type {Point | null} */
  let aimed = null;
  /** @type {Touch | null} */
  let began = null;
  let timer = 0;
  const back = document.createElement("div");
  const listening = new AbortController();
  const { signal } = listening;

  void loadStyles("shared/board_touch.css");
  element.classList.add("by-hand");
  element.append(back);
  // The page may not scroll under a gesture, which can be said only where a listener is not passive.
  element.addEventListener("touchstart", start, { signal, passive: false });
  element.addEventListener("touchmove", move, { signal, passive: false });
  element.addEventListener("touchend", end, { signal, passive: false });
  element.addEventListener("touchcancel", stop, { signal });
  element.addEventListener("contextmenu", (event) => loupe && event.preventDefault(), { signal });

  return () => {
    listening.abort();
    stop();
    element.classList.remove("by-hand");
    back.remove();
  };

  /** @param {TouchEvent} event */
  function start(event) {
    if (back.contains(/** @type {Node} */ (event.target))) return;
    const { touches } = event;
    stop();
    if (touches.length === 1) {
      began = touches[0];
      timer = setTimeout(rest, REST);
    } else if (touches.length === 2) {
      event.preventDefault();
      const { apart, x, y } = between(touches);
      pinch = {
        apart,
        x: part.left + x / part.scale,
        y: part.top + y / part.scale,
        scale: part.scale,
      };
    }
  }

  /** @param {TouchEvent} event */
  function move(event) {
    const { touches } = event;
    if (pinch && touches.length === 2) {
      event.preventDefault();
      const { apart, x, y } = between(touches);
      const scale = (pinch.scale * apart) / pinch.apart;
      zoom(board.show({ scale, left: pinch.x - x / scale, top: pinch.y - y / scale }));
    } else if (loupe) {
      event.preventDefault();
      aim(touches[0]);
    } else if (began) {
      const { clientX, clientY } = touches[0];
      if (Math.hypot(clientX - began.clientX, clientY - began.clientY) > SLIP) stop();
    }
  }

  /** @param {TouchEvent} event */
  function end(event) {
    const chosen = aimed;
    // Else the browser makes a click of it.
    if (pinch || loupe) event.preventDefault();
    if (pinch && part.scale < NEARLY) zoom(board.show(WHOLE));
    stop();
    if (chosen) board.tap(chosen);
  }

  /** Whatever was begun is over. */
  function stop() {
    clearTimeout(timer);
    if (loupe) board.hover(null);
    loupe?.remove();
    began = pinch = loupe = aimed = null;
  }

  // -- one finger

  function rest() {
    if (!began || board.cell() > COVERED || !board.pointUnder(began)) return;
    loupe = createLoupe(board, element.dataset.board ?? "");
    aim(began);
  }

  /** @param {Touch} finger */
  function aim(finger) {
    aimed = board.pointUnder(finger);
    board.hover(aimed);
    loupe?.show(aimed, finger);
  }

  // -- two fingers

  /**
   * How far two fingers are apart in pixels, and the middle of them as a share of the frame.
   *
   * @param {TouchList} touches
   */
  function between([one, other]) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return {
      apart: Math.max(Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), 1),
      x: ((one.clientX + other.clientX) / 2 - left) / width,
      y: ((one.clientY + other.clientY) / 2 - top) / height,
    };
  }

  /** @param {Part} shown */
  function zoom(shown) {
    part = shown;
    render(part.scale > 1 ? wholeView() : nothing, back);
  }

  /** The way back, whose keys the board must not take for its own. */
  function wholeView() {
    return html`<button
      class="button whole-board"
      type="button"
      @click=${() => zoom(board.show(WHOLE))}
      @keydown=${(/** @type {Event} */ event) => event.stopPropagation()}
    >
      ${say("board.whole")}
    </button>`;
  }
}
