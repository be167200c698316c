/**
 * A board to look at and to put stones on, judged by the server after every stone.
 *
 * @import { State } from "/assets/board_types.js"
 * @import { Point } from "/assets/notation.js"
 * @import { Described } from "../shared/position.js"
 * @import { Outcome } from "../shared/schemas.js"
 * @import { Context, Position } from "../shared/types.js"
 *
 * @typedef {object} Judgement
 * @property {Outcome | null} outcome
 * @property {Record<"black" | "white", { kind: string, points: string[], gains: string[] }[]>} threats
 * @typedef {Described & Judgement} Judged what the server says of a position
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
import { rowOfRules } from "../shared/names.js";
import { boardState, described } from "../shared/position.js";
import { createReaderBoard } from "../shared/table.js";

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
    state = boardState(described(next));
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
      const judged = /** @type {Judged} */ (
        await api.post("/api/position", asked, { signal: mine.signal })
      );
      if (mine.signal.aborted) return;
      position = asked;
      state = boardState(judged);
      if (former) {
        over = {};
        sound.stone();
      }
      draw();
      onJudged?.(judged);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (former) sound.refuse();
      context.toastError(error);
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
