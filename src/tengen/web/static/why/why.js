/**
 * "Why?": what a computer player sees in a position, in its own numbers. A panel beside a board, and what is
 * to be seen on the board itself.
 *
 *     const why = createWhy(panel, { context, onDraw: (overlay) => board.set({ ...state, ...overlay }) });
 *     why.set({ position, player: "shapes:o5", board: { width: 15, height: 15 } });
 *     why.hover([7, 7]); // the pointer is there: its parts are shown
 *     why.destroy();
 *
 * `onDraw` gets a part of a board's state (heat, marks, lines). Where a line is played through it holds
 * `stones` too: all of them, those of the position and the numbered ones after them.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("/assets/board.js").State} State
 * @typedef {import("./why_types.js").Answer} Answer
 * @typedef {import("./why_types.js").Position} Position
 * @typedef {import("./why_types.js").Scene} Scene
 *
 * @typedef {object} Given
 * @property {Position} position
 * @property {string} player whose eyes to look through, unless the reader has chosen others
 * @property {{ width: number, height: number, signs?: boolean }} board
 *
 * @typedef {object} Options
 * @property {Context} context
 * @property {(overlay: Partial<State>) => void} onDraw
 * @property {(spec: string) => void} [onPlayer] the reader looks through other eyes, or has turned a number
 * @property {(answer: Answer) => void} [onAnswer]
 * @property {boolean} [choice] whether others' eyes may be chosen; true if left out
 *
 * @typedef {object} Why
 * @property {(given: Given) => void} set
 * @property {(point: import("/assets/notation.js").Point | null) => void} hover
 * @property {() => void} destroy
 */

import { showsSigns } from "/assets/board.js";
import { pointName } from "/assets/notation.js";

import { h } from "../shared/dom.js";
import { createAsker } from "./questions.js";
import { countersTable } from "./line_counters.js";
import { catalogueOf, createEyes, headOf, parametersOf, settingsOf } from "./player_choice.js";
import { overlayOf } from "./overlay.js";
import { createParameters, turnable } from "./parameters.js";
import { createSteps } from "./steps.js";
import { createTree } from "./search_tree.js";
import { heaviest, partsTable, pointsTable } from "./weights.js";
import { rowOfRules, stonesOf } from "./why_types.js";
import { loadStyles } from "../shared/styles.js";

const LATER = 2500; // milliseconds until a server that cannot answer yet is asked again

/**
 * @param {HTMLElement} element
 * @param {Options} options
 * @returns {Why}
 */
export function createWhy(element, { context, onDraw, onPlayer, onAnswer, choice = true }) {
  const { say } = context;
  /** @type {Given | null} */
  let given = null;
  /** @type {Scene | null} */
  let scene = null;
  /** @type {Answer | null} */
  let answer = null;
  let spec = "";
  /** @type {Map<string, number>} */
  const changes = new Map();
  /** @type {string | null} */
  let pinned = null;
  /** @type {string | null} */
  let hovered = null;
  /** @type {readonly string[]} */
  let played = [];
  /** @type {readonly string[]} */
  let line = [];
  /** @type {((point: string | null) => void) | null} */
  let mark = null;
  let later = 0;
  let dead = false;

  const asker = createAsker(context, { onAnswer: show, onError: refuse, onBusy: busy });
  const eyes = createEyes(context, choose);
  const stop = h("button", { class: "button", type: "button", onclick: halt }, say("web.why.stop"));
  const progress = h(
    "div",
    { class: "why-busy", hidden: true },
    h("progress", { "aria-label": say("web.why.busy") }),
    stop,
  );
  const summary = h("p", { class: "why-summary", "aria-live": "polite" });
  const way = h("div", { class: "why-detail" });
  const detail = h("div", { class: "why-detail" });
  const body = h("div", { class: "why-body" });
  const numbers = h("details", { class: "why-numbers", hidden: true });
  void loadStyles("why/why.css");
  element.classList.add("why");
  element.append(...(choice ? [eyes.element] : []), summary, progress, way, body, numbers);

  return { set, hover, destroy };

  /** @param {Given} next */
  function set(next) {
    const moved = JSON.stringify(next.position) !== JSON.stringify(given?.position);
    const other = next.player !== given?.player;
    const ruled =
      next.position.rules !== given?.position.rules ||
      String(next.position.size) !== String(given?.position.size);
    if (!moved && !other) return;
    given = next;
    const { width, height } = next.board;
    const signs = showsSigns(width, height, rowOfRules(next.position.rules));
    scene = { ...stonesOf(next.position), signs, width, height };
    if (other) {
      spec = next.player;
      changes.clear();
    }
    if (moved) forget();
    if (other || ruled) void equip();
    ask();
  }

  /** The player as it is asked, with what has been turned. */
  function asking() {
    const settings = settingsOf(spec).filter((text) => !changes.has(text.split("=")[0]));
    return [headOf(spec), ...settings, ...Array.from(changes, ([name, value]) => `${name}=${value}`)].join(
      ",",
    );
  }

  function ask() {
    clearTimeout(later);
    if (given) asker.ask({ ...given.position, player: asking() });
  }

  /** Nothing of another position stays on the board. */
  function forget() {
    answer = null;
    pinned = hovered = null;
    played = line = [];
    draw();
  }

  /** @param {string} head */
  function choose(head) {
    spec = head;
    changes.clear();
    forget();
    void equip();
    ask();
    onPlayer?.(asking());
  }

  /** Offer the eyes and the numbers that there are. */
  async function equip() {
    const mine = given;
    if (!mine || !scene) return;
    const { turn } = scene;
    try {
      const catalogue = await catalogueOf(context, mine.position);
      if (dead || mine !== given) return;
      eyes.show(catalogue, headOf(spec));
      const parameters = turnable(parametersOf(catalogue, spec), spec.startsWith("level"));
      const opened = numbers.open;
      const onChange = () => {
        ask();
        onPlayer?.(asking());
      };
      numbers.replaceChildren(
        h("summary", {}, say("web.why.numbers")),
        createParameters(context, { parameters, turn, changes, onChange }),
      );
      numbers.open = opened;
      numbers.hidden = parameters.length === 0;
    } catch {
      numbers.hidden = true;
    }
  }

  /** @param {boolean} thinking */
  function busy(thinking) {
    progress.hidden = !thinking;
    element.setAttribute("aria-busy", String(thinking));
  }

  function halt() {
    clearTimeout(later);
    asker.stop();
    const again = h("button", { class: "button", type: "button", onclick: ask }, say("web.why.again"));
    clear(say("web.why.stopped"), again);
  }

  /** @param {any} error */
  function refuse(error) {
    clear(context.lookupKey(error.message), "");
    // The engine gets ready, or the server has much to do: it is worth waiting.
    if (error.status === 503 || error.status === 429) later = window.setTimeout(ask, LATER);
  }

  /**
   * @param {string} text
   * @param {HTMLElement | string} out
   */
  function clear(text, out) {
    forget();
    summary.textContent = text;
    way.replaceChildren(out);
    body.replaceChildren();
    mark = null;
  }

  /** @param {Answer} told */
  function show(told) {
    if (dead || !scene) return;
    const at = scene;
    answer = told;
    played = line = [];
    if (pinned !== null && !(pinned in told.weights)) pinned = null;
    summary.textContent = context.lookupKey(told.summary);
    way.replaceChildren();
    detail.replaceChildren();
    const weighed = heaviest(told).length > 1;
    const table = pointsTable(context, told, { onPoint: touch, onPin: pin });
    mark = weighed ? table.mark : null;
    // What changes under the pointer stands below what it points at: nothing moves away from it.
    const weights = h(
      "div",
      { class: "why-body" },
      weighed && table.element,
      detail,
      weighed && legend(told),
    );
    const first = Object.values(told.parts).some((parts) => parts.length);
    body.replaceChildren(
      ...(first ? [weights, ...sequences(at, told)] : [...sequences(at, told), weights]),
    );
    draw();
    detailed();
    onAnswer?.(told);
  }

  /**
   * Counters, lines and the tree.
   *
   * @param {Scene} at
   * @param {Answer} told
   * @returns {HTMLElement[]}
   */
  function sequences(at, { counters, lines, tree }) {
    const { turn } = at;
    const title = (/** @type {number} */ i) =>
      lines.length > 1 ? say("web.why.line.number", { number: i + 1 }) : say("web.why.line");
    return [
      ...(counters?.length ? [countersTable(context, at, counters, look)] : []),
      ...lines.map(
        (moves, i) => createSteps(context, { line: moves, turn, title: title(i), onStep: step }).element,
      ),
      ...(tree?.children.length
        ? [createTree(context, { tree, turn, best: lines[0] ?? [], onPath: step })]
        : []),
    ];
  }

  /** @param {Answer} told */
  function legend({ weights }) {
    const below = Object.values(weights).some((weight) => weight < 0);
    return h(
      "p",
      { class: "why-legend" },
      h("span", { class: "why-dot" }),
      say("web.why.legend"),
      ...(below ? [" ", h("span", { class: "why-bar below" }), say("web.why.legend.below")] : []),
    );
  }

  // -- looking at a point, a line, a sequence

  /** @param {readonly string[]} moves */
  function step(moves) {
    played = moves;
    draw();
  }

  /** @param {readonly string[]} points */
  function look(points) {
    line = points;
    draw();
  }

  /** @param {string | null} point */
  function touch(point) {
    if (point === hovered) return;
    hovered = point;
    if (point) played = [];
    draw();
    detailed();
  }

  /** @param {string} point */
  function pin(point) {
    pinned = pinned === point ? null : point;
    draw();
    detailed();
  }

  /** @type {Why["hover"]} */
  function hover(point) {
    const name = point && pointName(point);
    touch(name && answer && name in answer.weights ? name : null);
  }

  function detailed() {
    const point = hovered ?? pinned ?? answer?.point ?? null;
    mark?.(hovered ?? pinned);
    if (!answer || !scene || !point || !(point in answer.weights)) detail.replaceChildren();
    else if (!hovered && !pinned && !answer.parts[point]?.length) detail.replaceChildren();
    else detail.replaceChildren(partsTable(context, scene, answer, point));
  }

  function draw() {
    if (dead) return;
    onDraw(answer && scene ? overlayOf(scene, answer, { point: hovered ?? pinned, played, line }) : {});
  }

  function destroy() {
    clearTimeout(later);
    asker.stop();
    dead = true;
    element.replaceChildren();
    element.classList.remove("why");
  }
}
