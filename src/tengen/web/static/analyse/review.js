/**
 * Review of a game: every position is looked into, and the moves that gave something away are marked.
 *
 * @import { LineSteps } from "../shared/line_steps.js"
 * @import { Analysis } from "./analyse.js"
 * @import { Node } from "./game_tree.js"
 * @import { Rating } from "./page_view.js"
 * @import { Verdict } from "./review_view.js"
 *
 * @typedef {object} ReviewState
 * @property {readonly Node[]} line the moves that were looked into
 * @property {ReadonlyMap<number, Verdict>} verdicts by plies
 * @property {boolean} running
 * @property {boolean} complete whether every position was looked into
 * @property {string} message
 *
 * @typedef {{moves: string[], verdicts: Verdict[]} | null} Kept what a browser remembers of a review
 * @typedef {ReturnType<typeof createReview>} Review
 */

import { createLineSteps } from "../shared/line_steps.js";
import { pointOf } from "../shared/position.js";
import { createStore } from "../shared/view.js";
import { lineThrough, movesTo, nodeAt } from "./game_tree.js";
import { SIGNS, reviewView } from "./review_view.js";

/** @param {Analysis} analysis */
export function createReview({ context, study, requests, preview, keep, draw }) {
  const { say, lookupKey } = context;
  const { state, update } = createStore(beginning(), draw);
  /** The mistake that is explained, as text: what is played through stays as it is while that does. */
  let explained = "";
  /** What would have been better than it. @type {LineSteps | null} */
  let better = null;

  return {
    view,
    set,
    clear,
    stop,
    judged,
    begin,
    drawing,
    step,
    known,
    restore,
    /** @returns {Rating} of the position that is shown */
    get rating() {
      const verdict = verdictHere();
      return verdict ? { black: verdict.win_rate, mate: verdict.mate } : null;
    },
  };

  /** @returns {ReviewState} */
  function beginning() {
    return {
      line: [],
      verdicts: new Map(),
      running: false,
      complete: false,
      message: say("web.analyse.review_lead"),
    };
  }

  /** What is drawn of the mistake that is shown: its sign, and the better move as a stone that is only thought of. */
  function drawing() {
    const verdict = verdictHere();
    const node = state.line[plyHere() - 1];
    if (!verdict?.judgement || !node) return {};
    const [at, best] = [pointOf(node.move), pointOf(state.verdicts.get(verdict.ply - 1)?.best ?? null)];
    const sign = { kind: /** @type {const} */ ("label"), label: SIGNS[verdict.judgement] };
    return {
      marks: at ? [{ point: at, ...sign }] : [],
      last: null, // the sign takes the place of the ring
      ghost: best ? { point: best, colour: study.mover(node.parent ?? study.root) } : null,
      chosen: best,
    };
  }

  function view() {
    const verdict = verdictHere();
    const { line, verdicts, running, complete, message } = state;
    const seen = {
      running,
      complete,
      message,
      length: line.length,
      current: plyHere() ?? 0,
      verdicts: [...verdicts.values()].sort((a, b) => a.ply - b.ply),
      first: study.mover(study.root),
      mistake: verdict?.judgement ? verdict : null,
      move: line[plyHere() - 1]?.move ?? "",
      better,
      before: mistakeFrom(-1) !== null,
      after: mistakeFrom(1) !== null,
    };
    return reviewView(seen, context, { toggle, go, step, add });
  }

  function toggle() {
    if (state.running) stop();
    else start();
  }

  /** Review the game that is shown, unless what was found of it is there already. */
  function begin() {
    const end = lineThrough(study.current).at(-1);
    if (!state.running && !(state.complete && end && end === state.line.at(-1))) start();
  }

  function start() {
    clear();
    const line = lineThrough(study.current);
    if (!line.length) {
      update({ message: say("web.analyse.no_moves") });
      return;
    }
    update({ line, running: true, message: "" });
    const { rules, setup } = study.tree;
    requests.ask("review", { rules, setup, moves: movesTo(line[line.length - 1]) }, receive);
    set();
  }

  function stop() {
    requests.stop("review");
    update({ running: false });
  }

  /** Another game is shown. */
  function clear() {
    stop();
    update(beginning());
    explained = "";
    better = null;
  }

  /** What is known, to be kept. @returns {Kept} */
  function known() {
    const { line, verdicts } = state;
    if (!verdicts.size || !line.length) return null;
    return { moves: movesTo(line[line.length - 1]), verdicts: [...verdicts.values()] };
  }

  /** @param {Kept} kept */
  function restore(kept) {
    const end = kept && nodeAt(study.root, kept.moves);
    if (!end) return;
    const line = lineThrough(end).slice(0, kept.moves.length);
    const verdicts = new Map(kept.verdicts.map((verdict) => [verdict.ply, verdict]));
    update({ line, verdicts, complete: verdicts.size > line.length, message: "" });
    set();
  }

  /** @param {any} news */
  function receive(news) {
    if (news.waiting) update({ message: lookupKey(news.waiting) });
    if (news.error) {
      stop();
      update({ message: lookupKey(news.error) });
      return;
    }
    if (typeof news.ply === "number") {
      update({ message: "", verdicts: new Map(state.verdicts).set(news.ply, news) });
    }
    if (news.done) {
      update({ complete: state.verdicts.size > 0 });
      stop();
      keep();
    }
    set();
  }

  /** Explain the position that is shown, if it is a mistake. */
  function set() {
    const verdict = verdictHere();
    const earlier = verdict && state.verdicts.get(verdict.ply - 1);
    const text = JSON.stringify(verdict?.judgement ? [verdict, Boolean(earlier)] : null);
    if (text !== explained) {
      better = verdict?.judgement && earlier?.best ? stepsOf(earlier, state.line[verdict.ply - 1]) : null;
    }
    explained = text;
    draw();
  }

  /**
   * @param {Verdict} earlier of the position before
   * @param {Node} node the mistake
   */
  function stepsOf({ best, line: moves }, { parent }) {
    return createLineSteps(context, {
      line: moves,
      turn: study.mover(parent ?? study.root),
      title: say("review.better", { move: best }),
      onStep: (played) => preview(played.length ? played : null, parent),
    });
  }

  /** Keep what would have been better as a variation. */
  function add() {
    const ply = plyHere();
    const earlier = state.verdicts.get(ply - 1);
    if (earlier) void study.playLine(earlier.line, state.line[ply - 1].parent ?? undefined);
  }

  /** How many moves of the line are played; -1 beside it. */
  function plyHere() {
    if (study.current === study.root) return 0;
    const at = state.line.indexOf(study.current);
    return at < 0 ? -1 : at + 1;
  }

  function verdictHere() {
    return state.verdicts.get(plyHere());
  }

  /** @param {number} ply of the line */
  function go(ply) {
    study.go(state.line[ply - 1] ?? study.root);
  }

  /** The next or former mistake from here. @param {number} way 1 or -1 */
  function mistakeFrom(way) {
    for (let ply = Math.max(plyHere(), 0) + way; ply > 0 && ply <= state.line.length; ply += way) {
      if (state.verdicts.get(ply)?.judgement) return state.line[ply - 1];
    }
    return null;
  }

  /** To the next or former mistake. @param {number} way */
  function step(way) {
    const node = mistakeFrom(way);
    if (node) study.go(node);
  }

  /** What a move of the game is marked with. @param {Node} node */
  function judged(node) {
    const ply = state.line.indexOf(node) + 1;
    const kind = ply > 0 && state.verdicts.get(ply)?.judgement;
    if (!kind) return null;
    return {
      sign: SIGNS[kind],
      text: say(`review.${kind}`),
    };
  }
}
