/**
 * "Why?": what a computer player sees in a position, in its own numbers. A panel beside a board, and what is
 * to be seen on the board itself. It belongs to no page: whoever has a board loads it when it is wanted.
 *
 *     const why = createWhy(panel, { context, onDraw: (overlay) => board.set({ ...state, ...overlay }) });
 *     why.set({ position, player: "shapes:o5", board: { width: 15, height: 15 } });
 *     why.hover([7, 7]); // the pointer is there: its parts are shown
 *     why.destroy();
 *
 * `onDraw` gets a part of a board's state (heat, marks, lines). Where a line is played through it holds
 * `stones` too: all of them, those of the position and the numbered ones after them.
 *
 * @import { State } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 * @import { ExplainedMove } from "../shared/schemas.js"
 * @import { Context, Position } from "../shared/types.js"
 *
 * @typedef {object} Given
 * @property {Position} position
 * @property {string} player whose eyes to look through, unless the reader has chosen others
 * @property {string | null} [played] the move that was played in it
 * @property {{ width: number, height: number, signs?: boolean }} board
 *
 * @typedef {object} Options
 * @property {Context} context
 * @property {(overlay: Partial<State>) => void} onDraw
 * @property {(spec: string) => void} [onPlayer] the reader looks through other eyes, or has turned a number
 * @property {boolean} [choice] whether others' eyes and what is shown may be chosen; true if left out
 * @property {string} [heatmap] name of the heatmap that is shown at first; the moves if left out
 *
 * @typedef {object} Why
 * @property {(given: Given) => void} set
 * @property {(point: Point | null) => void} hover
 * @property {() => void} destroy
 *
 * @typedef {object} Look
 * @property {string} spec of the player
 * @property {string | null} pinned the point that was pressed
 * @property {string | null} hovered the point that is pointed at
 * @property {readonly string[]} line moves that are shown as played
 * @property {readonly string[]} row points that are looked at
 *
 * @typedef {Look & Omit<import("./why_view.js").State, "head" | "marked">} WhyState
 */

import { nothing, render } from "/static/vendor/lit-html/lit.js";
import { showsSigns } from "/assets/board.js";
import { pointName } from "/assets/notation.js";
import { createLineSteps } from "../shared/line_steps.js";
import { cataloguePath, parseSpec, rowOfRules, specOf } from "../shared/names.js";
import { boardState, described } from "../shared/position.js";
import { loadStyles } from "../shared/router.js";
import { createStore, soon } from "../shared/view.js";
import { createExplainRequests } from "./explain_requests.js";
import { heatmapOf } from "./heatmap_view.js";
import { overlayOf } from "./overlay.js";
import { createParameters, turnable } from "./parameters.js";
import { loadCatalogue, parametersOf } from "./player_choice.js";
import { createSearchTree } from "./search_tree.js";
import { whyView } from "./why_view.js";

const LATER = 2500; // milliseconds until a server that cannot answer yet is asked again

/**
 * @param {HTMLElement} element
 * @param {Options} options
 * @returns {Why}
 */
export function createWhy(element, { context, onDraw, onPlayer, choice = true, heatmap = "" }) {
  const { say } = context;
  /** @type {Given | null} */
  let given = null;
  /** @type {Map<string, number>} */
  const changes = new Map();
  let later = 0;
  /** How often it was asked which players and numbers there are: an older answer may come after a newer one. */
  let equipped = 0;
  let dead = false;
  /** Whether what is to be seen on the board has changed. */
  let boardDue = false;
  const draw = soon(drawNow);
  const parameters = createParameters(context, changes, () => {
    ask();
    onPlayer?.(specAsked());
  });
  /** @type {WhyState} */
  const beginning = {
    spec: "",
    pinned: null,
    hovered: null,
    line: [],
    row: [],
    catalogue: null,
    choice,
    busy: false,
    stopped: false,
    summary: "",
    scene: null,
    played: null,
    answer: null,
    heatmaps: [],
    shown: heatmap,
    all: false,
    steps: [],
    tree: null,
    parameters,
  };
  const { state, update } = createStore(beginning, draw);
  const requests = createExplainRequests(context, {
    onAnswer: showAnswer,
    onError: refuse,
    onBusy: (busy) => update({ busy }),
  });
  void loadStyles("why/why.css");
  draw();

  return { set, hover, destroy };

  /** @param {Given} next */
  function set(next) {
    const moved = JSON.stringify(next.position) !== JSON.stringify(given?.position);
    const player = next.player !== given?.player;
    const ruled =
      next.position.rules !== given?.position.rules ||
      String(next.position.size) !== String(given?.position.size);
    if (!moved && !player) {
      show(); // the board may have shown something else meanwhile
      return;
    }
    given = next;
    const { width, height } = next.board;
    const signs = showsSigns(width, height, rowOfRules(next.position.rules));
    const position = described(next.position);
    const { turn } = position;
    const { stones } = boardState(position);
    const scene = { stones, turn, signs, width, height };
    update({ scene, played: next.played ?? null, spec: player ? next.player : state.spec });
    if (player) changes.clear();
    if (moved) forget();
    if (player || ruled) void equip();
    ask();
  }

  /** The player as it is asked, with what has been turned. */
  function specAsked() {
    const { head, settings } = parseSpec(state.spec);
    return specOf(head, { ...settings, ...Object.fromEntries(changes) });
  }

  function ask() {
    clearTimeout(later);
    if (given) requests.ask({ ...given.position, player: specAsked() });
  }

  /** Nothing of another position stays on the board. */
  function forget() {
    show({ answer: null, pinned: null, hovered: null, line: [], row: [] });
  }

  /** @param {string} head */
  function choose(head) {
    changes.clear();
    update({ spec: head, heatmaps: [] });
    forget();
    void equip();
    ask();
    onPlayer?.(specAsked());
  }

  /** Offer the players and the numbers that there are. */
  async function equip() {
    const mine = ++equipped;
    if (!given) return;
    const { rules, size } = given.position;
    const catalogue = await loadCatalogue(cataloguePath(rules, size)).catch(() => null);
    if (dead || mine !== equipped || !state.scene) return;
    const { spec, scene } = state;
    const all = catalogue ? parametersOf(catalogue, spec) : [];
    parameters.set(turnable(all, parseSpec(spec).name === "level"), scene.turn);
    update(catalogue ? { catalogue } : {});
  }

  function halt() {
    clearTimeout(later);
    requests.stop();
    update({ stopped: true });
    showText(say("web.why.stopped"));
  }

  /** @param {any} error */
  function refuse(error) {
    update({ stopped: false });
    showText(context.lookupKey(error.message));
    // The engine gets ready, or the server has much to do: it is worth waiting.
    if (error.status === 503 || error.status === 429) later = window.setTimeout(ask, LATER);
  }

  /** A sentence instead of an answer. @param {string} text */
  function showText(text) {
    update({ summary: text });
    forget();
  }

  /** @param {ExplainedMove} answer */
  function showAnswer(answer) {
    if (dead || !state.scene) return;
    const { turn } = state.scene;
    const { lines, tree, summary } = answer;
    const title = (/** @type {number} */ i) =>
      lines.length > 1 ? say("web.why.line.number", { number: i + 1 }) : say("web.why.line");
    const { pinned } = state;
    show({
      line: [],
      row: [],
      pinned: pinned !== null && pinned in weightsOf(answer) ? pinned : null,
      answer,
      heatmaps: answer.heatmaps,
      stopped: false,
      summary: context.lookupKey(summary),
      all: false,
      steps: lines.map((line, i) =>
        createLineSteps(context, { line, turn, title: title(i), onStep: play }),
      ),
      tree: tree?.children.length
        ? createSearchTree(context, { tree, turn, best: lines[0] ?? [], onPath: play })
        : null,
    });
  }

  /** The weights that are shown. @param {ExplainedMove} answer */
  function weightsOf(answer) {
    return (heatmapOf(answer, state.shown) ?? answer).weights;
  }

  /** @param {string} name of a heatmap; "" for the moves */
  function showHeatmap(name) {
    show({ shown: name, all: false, pinned: null, hovered: null, line: [], row: [] });
  }

  // -- looking at a point, a row, a sequence

  /** @param {readonly string[]} moves */
  function play(moves) {
    show({ line: moves });
  }

  /** @param {readonly string[]} points */
  function highlight(points) {
    show({ row: points });
  }

  /** @param {string | null} point */
  function touch(point) {
    if (point !== state.hovered) show(point ? { hovered: point, line: [] } : { hovered: point });
  }

  /** @param {string} point */
  function pin(point) {
    show({ pinned: state.pinned === point ? null : point });
  }

  function showAll() {
    update({ all: true });
  }

  /** @type {Why["hover"]} */
  function hover(point) {
    const name = point && pointName(point);
    touch(name && state.answer && name in weightsOf(state.answer) ? name : null);
  }

  /** Draw the panel, and what of it is to be seen on the board. @param {Partial<WhyState>} [change] */
  function show(change = {}) {
    boardDue = true;
    update(change);
  }

  function drawNow() {
    if (dead) return;
    const point = state.hovered ?? state.pinned;
    const acts = { choose, showHeatmap, ask, halt, touch, pin, showAll, highlight };
    render(whyView({ ...state, head: parseSpec(state.spec).head, marked: point }, context, acts), element);
    if (!boardDue) return;
    boardDue = false;
    const { answer, scene, line, row } = state;
    const seen = { point, played: line, line: row, heatmap: heatmapOf(answer, state.shown) };
    onDraw(answer && scene ? overlayOf(scene, answer, seen) : {});
  }

  function destroy() {
    dead = true;
    clearTimeout(later);
    requests.stop();
    render(nothing, element);
  }
}
