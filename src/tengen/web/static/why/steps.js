/**
 * A line played through step by step: numbered stones on the board, buttons, and the moves as a list.
 *
 * @typedef {import("../shared/context.js").Context} Context
 */

import { h, icon } from "../shared/dom.js";
import { other } from "./why_types.js";

/** @type {[string, string, string][]} what a button does, its key, its picture */
const BUTTONS = [
  ["first", "Home", "M5 4v12M15 5l-7 5 7 5z"],
  ["back", "ArrowLeft", "M13 4l-7 6 7 6z"],
  ["forward", "ArrowRight", "M7 4l7 6-7 6z"],
  ["last", "End", "M15 4v12M5 5l7 5-7 5z"],
];

/**
 * @param {Context} context
 * @param {object} given
 * @param {readonly string[]} given.line
 * @param {import("./why_types.js").Colour} given.turn who has the first move
 * @param {string} given.title
 * @param {(played: readonly string[]) => void} given.onStep the moves that are to be seen; none is the position
 * @returns {{ element: HTMLElement, go: (ply: number) => void }}
 */
export function createSteps(context, { line, turn, title, onStep }) {
  const { say } = context;
  let ply = 0;
  /** @type {Record<string, () => number>} */
  const goals = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => line.length };
  const buttons = BUTTONS.map(([name, , path]) =>
    h(
      "button",
      {
        class: "button",
        type: "button",
        title: say(`web.why.step.${name}`),
        "aria-label": say(`web.why.step.${name}`),
        onclick: () => go(goals[name]()),
      },
      icon(path),
    ),
  );
  const moves = line.map((point, i) =>
    h(
      "button",
      { type: "button", class: "why-move", onclick: () => go(i + 1) },
      h("i", {}, String(i + 1)),
      h("span", { class: `disc ${(i % 2 === 0) === (turn === "black") ? "black" : ""}` }),
      point,
    ),
  );
  const element = h(
    "section",
    { class: "why-steps", onkeydown: press },
    h("h3", {}, title),
    h("div", { class: "why-buttons", role: "group", "aria-label": title }, ...buttons),
    h("div", { class: "why-moves" }, ...moves),
  );
  show();
  return { element, go };

  /** @param {number} to */
  function go(to) {
    const next = Math.min(Math.max(to, 0), line.length);
    if (next === ply) return;
    ply = next;
    show();
    onStep(line.slice(0, ply));
    const mover = ply % 2 === 1 ? turn : other(turn);
    const colour = mover === "black" ? say("black") : say("white");
    context.announce(
      ply
        ? say("web.why.step.at", { number: ply, colour, point: line[ply - 1] })
        : say("web.why.step.start"),
    );
  }

  function show() {
    moves.forEach((move, i) => {
      move.setAttribute("aria-current", i + 1 === ply ? "step" : "false");
      move.classList.toggle("ahead", i >= ply);
    });
    for (const [i, still] of [ply > 0, ply > 0, ply < line.length, ply < line.length].entries()) {
      // A disabled button would lose the focus at either end.
      buttons[i].setAttribute("aria-disabled", String(!still));
    }
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const button = BUTTONS.find(([, key]) => key === event.key);
    if (!button || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(goals[button[0]]());
  }
}
