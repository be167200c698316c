/**
 * The worked example of a chapter: a player's numbers on a board on which one may play on.
 *
 * @import { State } from "/assets/board_types.js"
 * @import { Context, Position } from "../shared/types.js"
 * @import { Chapter } from "./chapters.js"
 *
 * @typedef {Partial<State>} Overlay
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { pointOf } from "../shared/position.js";
import { buttonView } from "../shared/view.js";
import { createWhy } from "../why/why.js";
import { createLessonBoard, sizeOf } from "./lesson_board.js";

/**
 * A tap looks at a point, or puts a stone there.
 *
 * @param {Context} context
 * @param {Chapter} chapter
 */
export function createExample(context, { example: { position, other, player, heatmap } }) {
  const boards = other ? [position, other] : [position];
  let first = position;
  const element = document.createElement("div");
  element.className = "learn-demo";
  const side = document.createElement("div");
  let puts = false;
  /** @type {Overlay} */
  let seen = {};
  const board = createLessonBoard({
    context,
    position: first,
    onPoint: (point) => why.hover(point),
    onSelect: (name) => (puts ? board.play(name) : why.hover(pointOf(name))),
    onJudged: ask,
  });
  const why = createWhy(side, {
    context,
    heatmap,
    onDraw(overlay) {
      seen = overlay;
      draw();
    },
  });
  ask();
  return {
    element,
    destroy() {
      why.destroy();
      board.destroy();
    },
  };

  function ask() {
    why.set({ position: board.position, player, board: sizeOf(first) });
    draw();
  }

  function draw() {
    // Where nothing is put no stone follows the pointer.
    board.overlay(puts ? seen : { ...seen, turn: null });
    const played = board.position.moves?.length !== first.moves?.length;
    const state = { board: board.element, side, puts, played, boards, first };
    render(exampleView(state, context, { toggle, undo, choose }), element);
  }

  /** @param {Position} next */
  function choose(next) {
    first = next;
    board.set(next);
    ask();
  }

  function toggle() {
    puts = !puts;
    draw();
  }

  function undo() {
    board.set({ ...first, moves: board.position.moves?.slice(0, -1) });
    ask();
  }
}

/**
 * @param {object} state
 * @param {HTMLElement} state.board
 * @param {HTMLElement} state.side what the player says
 * @param {boolean} state.puts whether a tap puts a stone
 * @param {boolean} state.played whether stones were put
 * @param {readonly Position[]} state.boards to choose from
 * @param {Position} state.first the one that was chosen
 * @param {Context} context
 * @param {{ toggle: () => void, undo: () => void, choose: (position: Position) => void }} acts
 */
function exampleView({ board, side, puts, played, boards, first }, { say }, { toggle, undo, choose }) {
  return html`${board}
    <div class="learn-panel panel">
      ${
        boards.length > 1
          ? html`<div class="learn-tools" role="group" aria-label=${say("web.learn.boards")}>
              ${boards.map((position, i) =>
                buttonView(say("web.learn.board", { letter: "AB"[i] }), () => choose(position), {
                  pressed: position === first,
                }),
              )}
            </div>`
          : nothing
      }
      <div class="learn-tools">
        ${buttonView(say("web.learn.put"), toggle, { pressed: puts })}
        ${buttonView(say("web.learn.back"), undo, { disabled: !played })}
      </div>
      ${side}
    </div>`;
}
