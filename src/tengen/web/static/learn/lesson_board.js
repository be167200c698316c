/**
 * A board to look at and to put stones on, judged by the server after every stone.
 *
 * @import { State } from "/assets/board.js"
 * @import { Point } from "/assets/notation.js"
 * @import { Context } from "../shared/context.js"
 * @import { Position } from "../shared/position.js"
 *
 * @typedef {object} Judged what the server says of a position
 * @property {[string, "black" | "white"][]} stones
 * @property {"black" | "white" | null} turn
 * @property {string | null} last
 * @property {{ winner: string | null, reason: string, line: string[], foul: any } | null} outcome
 * @property {Record<string, { kind: string, lines: string[][] }>} fouls
 * @property {Record<"black" | "white", { kind: string, points: string[], gains: string[] }[]>} threats
 *
 * @typedef {object} LessonBoard
 * @property {HTMLElement} element
 * @property {Position} position
 * @property {(position: Position) => void} set
 * @property {(point: string) => void} play put a stone there, if the server allows it
 * @property {(overlay: Partial<State>) => void} overlay what is drawn besides
 * @property {() => void} destroy
 */

import { showsSigns } from "/assets/board.js";
import { pointName } from "/assets/notation.js";

import { createReaderBoard } from "../shared/reader_board.js";
import { pointOf, pointsOf, rowOfRules, stonesOf } from "../shared/position.js";

/**
 * Columns, rows, and whether X and O are drawn.
 *
 * @param {Position} position
 */
export function sizeOf({ rules, size }) {
  const [width, height] = Array.isArray(size) ? size : [size ?? 15, size ?? 15];
  return { width, height, signs: showsSigns(width, height, rowOfRules(rules)) };
}

/**
 * The element of a board, no larger than the board needs.
 *
 * @param {Position} position
 */
export function boardPlace(position) {
  const place = document.createElement("div");
  place.className = "learn-board";
  place.style.setProperty("--most", `${180 + 60 * sizeOf(position).width}px`);
  return place;
}

/**
 * @param {object} given
 * @param {Context} given.context
 * @param {Position} given.position
 * @param {(point: string) => void} given.onSelect
 * @param {(point: Point | null) => void} [given.onPoint]
 * @param {(judged: Judged) => void} [given.onJudged]
 * @returns {LessonBoard}
 */
export function createLessonBoard({ context, position: first, onSelect, onPoint, onJudged }) {
  const { say, api, settings, sound } = context;
  let position = first;
  /** @type {State} */
  let state = {};
  /** @type {Partial<State>} */
  let over = {};
  let asking = new AbortController();
  const element = boardPlace(first);
  const board = createReaderBoard(element, settings, {
    ...sizeOf(first),
    say,
    confirm: "never",
    onSelect: (point) => onSelect(pointName(point)),
    onPoint,
  });
  set(first);
  return {
    element,
    get position() {
      return position;
    },
    set,
    play,
    overlay,
    destroy,
  };

  /** @param {Position} next */
  function set(next) {
    position = next;
    const { stones, turn } = stonesOf(next);
    state = { stones, turn, last: pointOf(next.moves?.at(-1) ?? null) };
    over = {};
    draw();
    void judge(next, null);
  }

  /**
   * Ask what the server says; where it refuses, the former position stays.
   *
   * @param {Position} asked
   * @param {Position | null} former
   */
  async function judge(asked, former) {
    asking.abort();
    const mine = (asking = new AbortController());
    try {
      const told = /** @type {Judged} */ (await api.post("/api/position", asked, { signal: mine.signal }));
      if (mine.signal.aborted) return;
      position = asked;
      state = stateOf(told);
      if (former) {
        over = {};
        sound.stone();
      }
      draw();
      onJudged?.(told);
    } catch (/** @type {any} */ error) {
      if (mine.signal.aborted) return;
      if (former) sound.refuse();
      context.toast(error.message, { kind: "error" });
    }
  }

  /** @param {string} point */
  function play(point) {
    const next = { ...position, moves: [...(position.moves ?? []), point] };
    void judge(next, position);
  }

  /** @param {Partial<State>} next */
  function overlay(next) {
    over = next;
    draw();
  }

  function draw() {
    board.set({ ...state, ...over, lines: [...(state.lines ?? []), ...(over.lines ?? [])] });
  }

  function destroy() {
    asking.abort();
    board.destroy();
  }
}

/**
 * What is drawn of a position.
 *
 * @param {Judged} judged
 * @returns {State}
 */
function stateOf({ stones, turn, last, outcome, fouls }) {
  const lost = outcome?.foul?.lines ?? [];
  return {
    stones: stones.flatMap(([name, colour]) => {
      const point = pointOf(name);
      return point ? [{ point, colour }] : [];
    }),
    turn: outcome ? null : turn,
    last: pointOf(last),
    fouls: pointsOf(Object.keys(fouls)),
    lines: [
      ...(outcome?.line.length
        ? [{ points: pointsOf(outcome.line), kind: /** @type {const} */ ("win") }]
        : []),
      ...lost.map((/** @type {string[]} */ line) => ({
        points: pointsOf(line),
        kind: /** @type {const} */ ("foul"),
      })),
    ],
  };
}
