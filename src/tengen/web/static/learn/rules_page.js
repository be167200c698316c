/**
 * The rules for those who begin: how to win, what a threat is, and the fouls of renju, on boards that the
 * server judges.
 *
 * @import { Context, Position } from "../shared/types.js"
 * @import { Judged } from "./lesson_board.js"
 *
 * @typedef {object} Found a foul or a threat of the position, that can be looked at
 * @property {string} points
 * @property {string} text
 * @property {() => void} show
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { pointOf, pointsOf } from "../shared/position.js";
import { buttonView } from "../shared/view.js";
import { RULES } from "./chapters.js";
import { createLessonBoard } from "./lesson_board.js";

/** @type {[string, number, keyof typeof RULES | null][]} a section, its paragraphs, its board */
const SECTIONS = [
  ["goal", 2, "goal"],
  ["threats", 3, "four"],
  ["games", 3, null],
  ["renju", 3, null],
  ["double-three", 1, "double-three"],
  ["double-four", 1, "double-four"],
  ["overline", 2, "overline"],
];

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @returns {() => void}
 */
export function mountRules(root, context) {
  const demos = SECTIONS.map(([, , position]) => (position ? createDemo(context, RULES[position]) : null));
  render(rulesView(demos, context), root);
  return () => demos.forEach((demo) => demo?.destroy());
}

/**
 * @param {readonly ({ element: HTMLElement } | null)[]} demos of the sections
 * @param {Context} context
 */
function rulesView(demos, { say }) {
  return html`<p class="learn-way"><a href=${link("/learn")}>${say("web.learn.title")}</a></p>
    <h1>${say("web.learn.rules.title")}</h1>
    ${SECTIONS.map(
      ([name, count], at) =>
        html`<section class="learn-section" id=${name}>
          <h2>${say(`web.learn.rules.${name}.title`)}</h2>
          <div class="learn-text">
            ${Array.from({ length: count }, (_, i) => html`<p>${say(`web.learn.rules.${name}.${i + 1}`)}</p>`)}
          </div>
          ${demos[at]?.element ?? nothing}
        </section>`,
    )}
    <nav class="learn-next">
      <a class="button main" href=${link("/learn/lookup")}>${say("web.learn.first")}</a>
    </nav>`;
}

/**
 * A board, and the fouls and threats on it.
 *
 * @param {Context} context
 * @param {Position} first
 */
function createDemo(context, first) {
  const { say } = context;
  const element = document.createElement("div");
  element.className = "learn-demo small";
  let message = say("web.learn.rules.tap");
  /** @type {Judged | null} */
  let judged = null;
  let puts = false;
  const board = createLessonBoard({
    context,
    position: first,
    onSelect: (point) => (puts && !judged?.fouls[point] ? board.play(point) : showFoul(point)),
    onJudged: receive,
  });
  draw();
  return { element, destroy: board.destroy };

  function draw() {
    const state = { board: board.element, message, found: found(), puts };
    render(demoView(state, context, { toggle, reset }), element);
  }

  function toggle() {
    puts = !puts;
    board.overlay(puts ? {} : { turn: null });
    draw();
  }

  function reset() {
    board.set(first);
    message = say("web.learn.rules.tap");
    draw();
  }

  /** @param {Judged} answer */
  function receive(answer) {
    judged = answer;
    board.overlay(puts ? {} : { turn: null });
    const [foul] = Object.keys(answer.fouls);
    if (answer.outcome) {
      const { winner } = answer.outcome;
      message = winner ? say("web.learn.rules.won", { winner: say(winner) }) : say("web.learn.rules.drawn");
    } else if (foul) showFoul(foul);
    else if (puts) message = "";
    draw();
  }

  /** @returns {Found[]} */
  function found() {
    if (!judged) return [];
    const { fouls, threats } = judged;
    const sides = /** @type {const} */ (["black", "white"]);
    return [
      ...Object.entries(fouls).map(([point, { kind }]) => ({
        points: point,
        text: say(`foul.${kind}`),
        show: () => showFoul(point),
      })),
      ...sides.flatMap((colour) =>
        (threats[colour] ?? []).map(({ kind, points, gains }) => ({
          points: points.join(" "),
          text: say("web.learn.threat_of", {
            colour: say(colour),
            threat: say(`web.learn.threat.${kind}`),
          }),
          show: () => showThreat(points, gains, kind),
        })),
      ),
    ];
  }

  /** @param {string} name */
  function showFoul(name) {
    const foul = judged?.fouls[name];
    if (!foul) return;
    message = say("web.learn.rules.foul", { point: name, kind: say(`foul.${foul.kind}`) });
    const point = pointOf(name);
    board.overlay({
      turn: null,
      ghost: point && { point, colour: "black" },
      lines: foul.lines.map((line) => ({ points: pointsOf(line), kind: "foul" })),
    });
    draw();
  }

  /**
   * @param {readonly string[]} points
   * @param {readonly string[]} gains
   * @param {string} kind
   */
  function showThreat(points, gains, kind) {
    message = say("web.learn.rules.threat", {
      kind: say(`web.learn.threat.${kind}`),
      points: gains.join(" "),
    });
    board.overlay({
      turn: null,
      lines: [{ points: pointsOf(points), kind: "threat" }],
      marks: pointsOf(gains).map((point) => ({ point, kind: "circle" })),
    });
    draw();
  }
}

/**
 * @param {object} state
 * @param {HTMLElement} state.board
 * @param {string} state.message
 * @param {readonly Found[]} state.found
 * @param {boolean} state.puts whether a tap puts a stone
 * @param {Context} context
 * @param {{ toggle: () => void, reset: () => void }} acts
 */
function demoView({ board, message, found, puts }, { say }, { toggle, reset }) {
  return html`${board}
    <div class="learn-panel panel">
      <p class="learn-told" role="status">${message}</p>
      <ul class="why-heaviest learn-found" role="list">
        ${found.map(
          ({ points, text, show }) =>
            html`<li>
              <button type="button" @click=${show} @pointerenter=${show} @focus=${show}>
                <b>${points.toUpperCase()}</b><span class="why-label">${text}</span>
              </button>
            </li>`,
        )}
      </ul>
      <div class="learn-tools">
        ${buttonView(say("web.learn.put"), toggle, { pressed: puts })}
        ${buttonView(say("web.learn.reset"), reset)}
      </div>
    </div>`;
}
