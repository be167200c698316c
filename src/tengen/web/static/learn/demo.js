/**
 * The two boards of a chapter with a player's numbers on them: the worked example, on which one may play on,
 * and the task, in which a point is to be found.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./chapters.js").Chapter} Chapter
 */

import { h } from "../shared/dom.js";
import { boardPlace, createStudy, sizeOf } from "./lesson_board.js";
import { playerName } from "../shared/names.js";
import { createWhy } from "../why/why.js";
import { pointOf, stonesOf } from "../why/why_types.js";

const TRIES = 2; // wrong answers after which the right one is offered

/**
 * The example: a tap looks at a point, or puts a stone there.
 *
 * @param {Context} context
 * @param {Chapter} chapter
 */
export function createExample(context, { example: { position, player } }) {
  const { say } = context;
  const place = boardPlace(position);
  const panel = h("div", { class: "learn-panel panel" });
  const putting = h(
    "button",
    { class: "button", type: "button", "aria-pressed": "false", onclick: toggle },
    say("web.learn.put"),
  );
  const back = h(
    "button",
    { class: "button", type: "button", onclick: undo, disabled: true },
    say("web.learn.back"),
  );
  const tools = h("div", { class: "learn-tools" }, putting, back);
  const side = h("div", {});
  panel.append(tools, side);
  let puts = false;

  const study = createStudy(place, {
    context,
    position,
    onPoint: (point) => why.hover(point),
    onSelect: (name) => (puts ? study.play(name) : why.hover(pointOf(name))),
    onJudged: () => ask(),
  });
  /** @type {Partial<import("/assets/board.js").State>} */
  let seen = {};
  const why = createWhy(side, {
    context,
    onDraw(overlay) {
      seen = overlay;
      draw();
    },
  });
  ask();
  return {
    element: h("div", { class: "learn-demo" }, place, panel),
    destroy() {
      why.destroy();
      study.destroy();
    },
  };

  function ask() {
    why.set({ position: study.position(), player, board: sizeOf(position) });
    back.disabled = study.position().moves?.length === position.moves?.length;
  }

  function draw() {
    // Where nothing is put no stone follows the pointer.
    study.overlay(puts ? seen : { ...seen, turn: null });
  }

  function toggle() {
    puts = !puts;
    draw();
    putting.setAttribute("aria-pressed", String(puts));
  }

  function undo() {
    study.set({ ...position, moves: study.position().moves?.slice(0, -1) });
    ask();
  }
}

/**
 * @param {Context} context
 * @param {Chapter} chapter
 * @param {() => void} onSolved
 */
export function createTask(context, { name, task }, onSolved) {
  const { say } = context;
  const { position, answers } = task;
  const place = boardPlace(position);
  const told = h("p", { class: "learn-told", role: "status" });
  const way = h("div", { class: "learn-tools" });
  const side = h("div", {});
  const panel = h("div", { class: "learn-panel panel" }, told, way, side);
  /** @type {string[]} */
  const wrong = [];
  let solved = false;
  /** @type {import("/assets/board.js").Mark[]} */
  let marks = [];
  /** @type {Partial<import("/assets/board.js").State>} */
  let seen = {};

  const study = createStudy(place, {
    context,
    position,
    onPoint: (point) => why?.hover(point),
    onSelect: answer,
    onJudged: draw,
  });
  let why = task.open ? look(task.player) : null;
  told.textContent = task.open
    ? say("web.learn.task.find", { player: playerName(say, task.player) })
    : say("web.learn.task.answer");
  return {
    element: h("div", { class: "learn-demo" }, place, panel),
    destroy() {
      why?.destroy();
      study.destroy();
    },
  };

  /** @param {string} player */
  function look(player) {
    const made = createWhy(side, {
      context,
      choice: false,
      onDraw(overlay) {
        seen = overlay;
        draw();
      },
    });
    made.set({ position, player, board: sizeOf(position) });
    return made;
  }

  function draw() {
    const stepping = Boolean(seen.stones);
    study.overlay({ ...seen, marks: stepping ? [] : [...(seen.marks ?? []), ...marks] });
  }

  /** @param {string} point */
  function answer(point) {
    const { stones } = stonesOf(position);
    const at = pointOf(point);
    if (solved || stones.some((stone) => stone.point[0] === at?.[0] && stone.point[1] === at[1])) return;
    if (answers.includes(point)) {
      reveal(say(`web.learn.${name}.right`, { point }), point);
      context.sound.end();
      onSolved();
      return;
    }
    context.sound.refuse();
    if (at && !wrong.includes(point)) marks = [...marks, { point: at, kind: "cross" }];
    wrong.push(point);
    told.textContent = say("web.learn.task.wrong", { point });
    panel.classList.add("wrong");
    draw();
    if (wrong.length === TRIES) {
      const show = () => reveal(say(`web.learn.${name}.right`, { point: answers[0] }), answers[0]);
      way.append(
        h("button", { class: "button", type: "button", onclick: show }, say("web.learn.task.show")),
      );
    }
  }

  /**
   * @param {string} text
   * @param {string} point
   */
  function reveal(text, point) {
    solved = true;
    told.textContent = text;
    way.replaceChildren();
    panel.classList.remove("wrong");
    panel.classList.add("right");
    const at = pointOf(point);
    marks = at ? [{ point: at, kind: "triangle" }] : [];
    why?.destroy();
    why = look(task.reveal);
    draw();
  }
}
