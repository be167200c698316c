/**
 * The task of a chapter: a point is to be found that its player overlooks.
 *
 * @import { Mark, State } from "/assets/board_types.js"
 * @import { Context } from "../shared/types.js"
 * @import { Why } from "../why/why.js"
 * @import { Chapter } from "./chapters.js"
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { playerName } from "../shared/names.js";
import { described, pointsOf } from "../shared/position.js";
import { buttonView } from "../shared/view.js";
import { createWhy } from "../why/why.js";
import { createLessonBoard, sizeOf } from "./lesson_board.js";

const TRIES = 2; // wrong answers after which the right one is offered

/**
 * @param {Context} context
 * @param {Chapter} chapter
 * @param {() => void} onSolved
 */
export function createTask(context, { name, task }, onSolved) {
  const { say } = context;
  const { position, answers } = task;
  const taken = described(position).stones.map(([name]) => name);
  const element = document.createElement("div");
  element.className = "learn-demo";
  const side = document.createElement("div");
  let message = question();
  /** @type {string[]} */
  let wrong = [];
  /** The answer, once it is found or shown. @type {string | null} */
  let revealed = null;
  /** @type {Partial<State>} */
  let seen = {};
  /** @type {Why | null} */
  let why = null;

  const board = createLessonBoard({
    context,
    position,
    onPoint: (point) => why?.hover(point),
    onSelect: answer,
    onJudged: draw,
  });
  if (task.open) explain(task.player, task.heatmap);
  draw();
  return {
    element,
    destroy() {
      why?.destroy();
      board.destroy();
    },
  };

  /** What is asked. */
  function question() {
    if (!task.open) return say("web.learn.task.answer");
    if (task.heatmap) return say("web.learn.task.glance");
    return say("web.learn.task.find", { player: playerName(say, task.player) });
  }

  /**
   * Show what a player sees.
   *
   * @param {string} player
   * @param {string} [heatmap] instead of the moves that it weighs
   */
  function explain(player, heatmap) {
    why?.destroy();
    why = createWhy(side, {
      context,
      choice: false,
      heatmap,
      onDraw(overlay) {
        seen = overlay;
        draw();
      },
    });
    why.set({ position, player, board: sizeOf(position) });
  }

  /** @param {string} point */
  function answer(point) {
    if (revealed !== null || taken.includes(point)) return;
    if (answers.includes(point)) {
      reveal(point);
      context.sound.end();
      onSolved();
      return;
    }
    context.sound.refuse();
    wrong = [...wrong, point];
    message = say("web.learn.task.wrong", { point });
    draw();
  }

  /** @param {string} point */
  function reveal(point) {
    revealed = point;
    message = say(`web.learn.${name}.right`, { point });
    explain(task.reveal);
    draw();
  }

  function draw() {
    // A line that is played through is shown without marks.
    board.overlay({ ...seen, marks: seen.stones ? [] : [...(seen.marks ?? []), ...marks()] });
    const state = {
      board: board.element,
      side,
      message,
      found: revealed !== null,
      wrong: wrong.length > 0,
      offered: wrong.length >= TRIES,
    };
    render(
      taskView(state, context, () => reveal(answers[0])),
      element,
    );
  }

  /** @returns {Mark[]} */
  function marks() {
    const [names, kind] =
      revealed === null
        ? /** @type {const} */ ([[...new Set(wrong)], "cross"])
        : /** @type {const} */ ([[revealed], "triangle"]);
    return pointsOf(names).map((point) => ({ point, kind }));
  }
}

/**
 * @param {object} state
 * @param {HTMLElement} state.board
 * @param {HTMLElement} state.side what a player says
 * @param {string} state.message
 * @param {boolean} state.found whether the answer is on the board
 * @param {boolean} state.wrong whether the last answer was wrong
 * @param {boolean} state.offered whether the answer may be asked for
 * @param {Context} context
 * @param {() => void} onShow
 */
function taskView({ board, side, message, found, wrong, offered }, { say }, onShow) {
  return html`${board}
    <div class="learn-panel panel ${found ? "right" : wrong ? "wrong" : ""}">
      <p class="learn-told" role="status">${message}</p>
      ${
        offered && !found
          ? html`<div class="learn-tools">${buttonView(say("web.learn.task.show"), onShow)}</div>`
          : nothing
      }
      ${side}
    </div>`;
}
