/**
 * A line played through step by step: numbered stones on the board, buttons, and the moves as a list.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Context } from "./types.js"
 *
 * @typedef {object} Given
 * @property {readonly string[]} line
 * @property {Colour} turn who has the first move
 * @property {string} title
 * @property {(played: readonly string[]) => void} onStep the moves that are to be seen; none is the position
 *
 * @typedef {{ element: HTMLElement, go: (ply: number) => void }} LineSteps
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { other } from "./position.js";
import { loadStyles } from "./router.js";
import { disc, icon } from "./view.js";

/** @type {[string, string, string][]} what a button does, its key, its picture */
const BUTTONS = [
  ["first", "Home", "M5 4v12M15 5l-7 5 7 5z"],
  ["back", "ArrowLeft", "M13 4l-7 6 7 6z"],
  ["forward", "ArrowRight", "M7 4l7 6-7 6z"],
  ["last", "End", "M15 4v12M5 5l7 5-7 5z"],
];

/**
 * @param {Context} context
 * @param {Given} given
 * @returns {LineSteps}
 */
export function createLineSteps(context, given) {
  const { say } = context;
  const { line, turn, onStep } = given;
  let ply = 0;
  /** @type {Record<string, () => number>} */
  const goals = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => line.length };
  const element = document.createElement("section");
  element.className = "line-steps";
  element.addEventListener("keydown", press);
  void loadStyles("shared/line_steps.css");
  draw();
  return { element, go };

  /** @param {number} to */
  function go(to) {
    const next = Math.min(Math.max(to, 0), line.length);
    if (next === ply) return;
    ply = next;
    draw();
    onStep(line.slice(0, ply));
    const colour = say(ply % 2 === 1 ? turn : other(turn));
    context.announce(
      ply
        ? say("web.why.step.at", { number: ply, colour, point: line[ply - 1] })
        : say("web.why.step.start"),
    );
  }

  function draw() {
    render(lineStepsView(given, context, ply, { go, press: (name) => go(goals[name]()) }), element);
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

/**
 * @param {Given} given
 * @param {Context} context
 * @param {number} ply how many moves are seen
 * @param {{ go: (ply: number) => void, press: (button: string) => void }} acts
 */
function lineStepsView({ line, turn, title }, { say }, ply, { go, press }) {
  /** @param {string} name */
  const still = (name) => (name === "first" || name === "back" ? ply > 0 : ply < line.length);
  // A disabled button would lose the focus at either end.
  return html`<h3>${title}</h3>
    <div class="line-buttons" role="group" aria-label=${title}>
      ${BUTTONS.map(
        ([name, , path]) =>
          html`<button
            class="button"
            type="button"
            title=${say(`web.why.step.${name}`)}
            aria-label=${say(`web.why.step.${name}`)}
            aria-disabled=${!still(name)}
            @click=${() => press(name)}
          >
            ${icon(path)}
          </button>`,
      )}
    </div>
    <div class="line-moves">
      ${line.map(
        (point, i) =>
          html`<button
            class=${i >= ply ? "line-move ahead" : "line-move"}
            type="button"
            aria-current=${i + 1 === ply ? "step" : "false"}
            @click=${() => go(i + 1)}
          >
            <i>${i + 1}</i>${disc((i % 2 === 0) === (turn === "black") ? "black" : "white")}${point}
          </button>`,
      )}
    </div>`;
}
