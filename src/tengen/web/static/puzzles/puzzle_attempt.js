/**
 * An attempt at a puzzle. Every move is judged by the puzzle's own tree, at once; the server is asked only for what is
 * drawn besides, foul points and the row that wins, and for why a point is refused.
 *
 * @import { Judged } from "../learn/lesson_board.js"
 * @import { LineSteps } from "../shared/line_steps.js"
 * @import { PuzzleReply, PuzzleTurn } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Done } from "./puzzle_choice.js"
 * @import { Puzzle } from "./puzzle_tree.js"
 * @import { Feedback } from "./puzzle_words.js"
 *
 * @typedef {object} AttemptState
 * @property {readonly string[]} shown moves on the board beside those of the position
 * @property {Feedback} feedback
 * @property {string | null} crossed a wrong point
 * @property {string | null} hinted a right one
 * @property {string | null} foul a forbidden point whose rows are drawn
 * @property {boolean} over whether it is solved, or the solution is shown
 * @property {LineSteps | null} steps through the solution, where it has several moves
 * @property {Judged | null} judged what the server says of the position that is shown
 *
 * @typedef {object} Attempt
 * @property {Readonly<AttemptState>} state
 * @property {(point: string) => void} choose
 * @property {() => void} hint
 * @property {() => void} showSolution
 * @property {() => void} startOver
 * @property {(by: number) => void} step through the solution
 * @property {() => void} destroy
 */

import { createLineSteps } from "../shared/line_steps.js";
import { namesOf } from "../shared/position.js";
import { createPromiseCache } from "../shared/promise_cache.js";
import { createStore } from "../shared/view.js";
import { isThreat } from "./puzzle_board.js";
import { enemyOf, shortestLine, solverOf } from "./puzzle_tree.js";
import * as words from "./puzzle_words.js";

const ANSWER = 350; // milliseconds until the other side answers
const STEP = 450; // between two moves that are played through
const CROSS = 3000; // that a wrong point is marked
const PATIENCE = 1000; // that the server has to say why a point is refused

/**
 * @param {object} given
 * @param {Context} given.context
 * @param {Puzzle} given.puzzle
 * @param {boolean} given.helped whether there has been help with it before
 * @param {() => void} given.onHelped
 * @param {() => void} given.onRefused a point is not taken
 * @param {(done: Done) => void} given.onDone
 * @param {() => void} given.onChange
 * @returns {Attempt}
 */
export function createAttempt({ context, puzzle, helped, onHelped, onRefused, onDone, onChange }) {
  const { say, sound } = context;
  const moves = namesOf(puzzle.moves);
  /** @type {(position: object) => Promise<Judged>} */
  const described = createPromiseCache((position) => context.api.post("/api/position", position));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const { state, update } = createStore(beginning(), onChange);
  /** @type {PuzzleTurn} */
  let turn = puzzle.turn;
  /** The moves that have been found and answered. @type {readonly string[]} */
  let played = [];
  /** A right move that waits for its answer. @type {{ point: string, reply: PuzzleReply } | null} */
  let waiting = null;
  /** How many hints there were in this turn. */
  let hints = 0;
  let gone = false;
  let timer = 0;
  let crossing = 0;
  judgeShown();
  return { state, choose, hint, showSolution, startOver, step, destroy };

  /** @returns {AttemptState} */
  function beginning() {
    const feedback = words.initialFeedback(say, puzzle);
    return {
      shown: [],
      feedback,
      crossed: null,
      hinted: null,
      foul: null,
      over: false,
      steps: null,
      judged: null,
    };
  }

  /** @param {string} point */
  function choose(point) {
    // Who is faster than the answer need not wait for it.
    answer();
    if (state.over) return;
    clear();
    const reply = Object.hasOwn(turn.right, point) ? turn.right[point] : null;
    if (moves.includes(point) || played.includes(point)) refuse(words.occupiedFeedback(say, point));
    else if (reply) find(point, reply);
    else void reject(point);
  }

  /**
   * @param {string} point
   * @param {PuzzleReply} reply
   */
  function find(point, reply) {
    sound.stone();
    if (!reply.turn) {
      solve(point, reply);
      return;
    }
    waiting = { point, reply };
    update({ shown: [...played, point], feedback: words.rightFeedback(say, puzzle, point), judged: null });
    if (still) answer();
    else timer = window.setTimeout(answer, ANSWER);
  }

  /** The other side answers, if it is to. */
  function answer() {
    if (!waiting?.reply.turn) return;
    const { point, reply } = waiting;
    turn = waiting.reply.turn;
    clearTimeout(timer);
    waiting = null;
    played = [...played, point, ...namesOf(reply.moves)];
    hints = 0;
    update({ shown: played, feedback: words.rightFeedback(say, puzzle, point, played[played.length - 1]) });
    if (!still) sound.stone();
    judgeShown();
  }

  /**
   * The puzzle is solved, and the rest played out.
   *
   * @param {string} point
   * @param {PuzzleReply} reply
   */
  function solve(point, reply) {
    update({ feedback: words.solvedFeedback(say, puzzle, turn, point, helped) });
    sound.end();
    onDone(helped ? "helped" : "solved");
    playThrough([...played, point, ...namesOf(reply.moves)], played.length + 1);
  }

  /**
   * A point that does not solve it, or on which nothing can be put.
   *
   * @param {string} point
   */
  async function reject(point) {
    const asked = played;
    const known = namesOf(turn.wrong).includes(point);
    const found = known ? state.judged : await Promise.race([judged(asked), nothingAfter(PATIENCE)]);
    if (gone || asked !== played || state.over || waiting) return;
    if (found && point in found.fouls) {
      update({ foul: point });
      refuse(words.foulFeedback(say, point, found.fouls[point]));
      return;
    }
    help();
    update({ crossed: point });
    crossing = window.setTimeout(() => update({ crossed: null }), CROSS);
    refuse(words.wrongFeedback(say, puzzle, turn, point, found));
  }

  function help() {
    helped = true;
    onHelped();
  }

  /** @param {Feedback} feedback */
  function refuse(feedback) {
    onRefused();
    update({ feedback });
  }

  function hint() {
    answer();
    if (state.over) return;
    clear();
    help();
    hints++;
    const hinted = hints > 1 ? shortestLine(turn)[0] : null;
    update({ hinted, feedback: words.hintFeedback(say, puzzle, turn, hinted) });
  }

  function showSolution() {
    answer();
    if (state.over) return;
    clear();
    help();
    update({ feedback: words.solutionFeedback(say, puzzle) });
    onDone("helped");
    playThrough([...played, ...shortestLine(turn)], played.length);
  }

  function startOver() {
    stop();
    turn = puzzle.turn;
    played = [];
    waiting = null;
    hints = 0;
    update(beginning());
    judgeShown();
  }

  /** Nothing is marked any more. */
  function clear() {
    clearTimeout(crossing);
    update({ crossed: null, hinted: null, foul: null });
  }

  /**
   * Play the solution move by move, until its reader steps through it.
   *
   * @param {string[]} line from the position of the puzzle
   * @param {number} from how many moves of it stand on the board
   */
  function playThrough(line, from) {
    if (line.length === 1) {
      update({ over: true, shown: line, steps: threatSteps(line) });
      judgeShown();
      return;
    }
    let alone = true;
    const title = say("web.puzzles.solution");
    const steps = createLineSteps(context, { line, turn: solverOf(puzzle), title, onStep });
    update({ over: true, steps, shown: line.slice(0, from), judged: null });
    steps.go(from);
    if (still) steps.go(line.length);
    else if (from < line.length) timer = window.setTimeout(go, STEP);
    else judgeShown();
    alone = false;

    /** @param {readonly string[]} stepped */
    function onStep(stepped) {
      if (!alone) clearTimeout(timer);
      update({ shown: stepped, judged: null });
      // Of all these positions only the last one has something to be drawn besides.
      if (stepped.length === line.length) judgeShown();
    }

    function go() {
      alone = true;
      sound.stone();
      steps.go(state.shown.length + 1);
      alone = false;
      if (state.shown.length < line.length) timer = window.setTimeout(go, STEP);
    }
  }

  /**
   * Steps through what a defence has stopped: how the other side would have won.
   *
   * @param {readonly string[]} defence
   */
  function threatSteps(defence) {
    const line = namesOf(puzzle.threat ?? "");
    if (!line.length) return null;
    const turn = enemyOf(puzzle);
    const title = say("web.puzzles.threat", { colour: say(turn) });
    return createLineSteps(context, {
      line,
      turn,
      title,
      onStep(stepped) {
        // As if nothing had been played instead of the defence.
        update({ shown: stepped.length ? ["--", ...stepped] : defence, judged: null });
        if (!stepped.length) judgeShown();
      },
    });
  }

  /** @param {number} by */
  function step(by) {
    const { shown } = state;
    const played = puzzle.kind !== "defence" ? shown.length : isThreat(shown) ? shown.length - 1 : 0;
    state.steps?.go(played + by);
  }

  /** Have the position that is shown judged. */
  function judgeShown() {
    const { shown } = state;
    update({ judged: null });
    void judged(shown).then((found) => !gone && state.shown === shown && update({ judged: found }));
  }

  /**
   * What the server says of the position after some moves; null where it cannot be known, for a puzzle can be
   * solved without it.
   *
   * @param {readonly string[]} after
   * @returns {Promise<Judged | null>}
   */
  function judged(after) {
    const { rules, size } = puzzle;
    return described({ rules, size, moves: [...moves, ...after] }).catch(() => null);
  }

  function stop() {
    clearTimeout(timer);
    clearTimeout(crossing);
  }

  function destroy() {
    gone = true;
    stop();
  }
}

/**
 * @param {number} milliseconds
 * @returns {Promise<null>}
 */
function nothingAfter(milliseconds) {
  return new Promise((done) => {
    setTimeout(() => done(null), milliseconds);
  });
}
