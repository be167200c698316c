/**
 * Review of a game: every position is looked into, and the moves that gave something away are marked.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 * @typedef {import("./study_tree.js").Node} Node
 * @typedef {{ply: number, win_rate: number, mate: number | null, best: string | null, line: string[], loss: number | null,
 *     judgement: "mistake" | "blunder" | null, missed_win?: boolean, total: number}} Verdict
 */

import { createGraph } from "./graph.js";
import { disc, h, replace } from "../shared/dom.js";
import { lineThrough, movesTo, nodeAt } from "./study_tree.js";
import { createLineSteps } from "../shared/line_steps.js";

const SIGNS = { mistake: "?", blunder: "??" };

/**
 * @param {HTMLElement} element
 * @param {Desk} desk
 */
export function createReview(element, desk) {
  const { context } = desk;
  const { say, lookupKey } = context;
  /** @type {Node[]} the moves that were looked into */
  let line = [];
  /** @type {Map<number, Verdict>} */
  const verdicts = new Map();
  let running = false;
  let explained = "";

  const button = h(
    "button",
    { class: "button main", type: "button", onclick: toggle },
    say("web.analyse.review_start"),
  );
  const progress = h("progress", {
    max: 1,
    value: 0,
    "aria-label": say("web.analyse.review"),
    hidden: true,
  });
  const told = h("p", { class: "soft", role: "status" }, say("web.analyse.review_lead"));
  const place = h("div", null);
  const before = step(say("web.analyse.mistake_before"), -1);
  const next = step(say("web.analyse.mistake_next"), 1);
  const about = h("div", { class: "review-about", "aria-live": "polite" });
  const sum = h("div", { class: "review-sum" });
  element.append(
    h("h2", { class: "unseen" }, say("web.analyse.review")),
    h("div", { class: "engine-head" }, button, progress),
    told,
    place,
    h("div", { class: "review-steps" }, before, next),
    about,
    sum,
  );
  const graph = createGraph(place, {
    context,
    onSelect: (ply) => desk.go(ply === 0 ? desk.root : (line[ply - 1] ?? desk.root)),
  });
  place.hidden = before.hidden = next.hidden = true;

  return { set, clear, judged, stop, step: go, known, restore, destroy: graph.destroy };

  function toggle() {
    if (running) {
      stop();
      return;
    }
    clear();
    line = lineThrough(desk.current);
    if (!line.length) {
      told.textContent = say("web.analyse.no_moves");
      return;
    }
    running = true;
    progress.hidden = place.hidden = before.hidden = next.hidden = false;
    progress.value = 0;
    button.textContent = say("web.play.engine_stop");
    told.textContent = "";
    const { rules, setup } = desk.study;
    desk.asking.ask("review", { rules, setup, moves: movesTo(line[line.length - 1]) }, hear);
    set();
  }

  function stop() {
    running = false;
    desk.asking.stop("review");
    progress.hidden = true;
    button.textContent = say("web.analyse.review_start");
  }

  /** Another game is shown. */
  function clear() {
    stop();
    line = [];
    verdicts.clear();
    place.hidden = before.hidden = next.hidden = true;
    told.textContent = say("web.analyse.review_lead");
    about.replaceChildren();
    explained = "";
    sum.replaceChildren();
  }

  /** What is known, to be kept. */
  function known() {
    if (!verdicts.size || !line.length) return null;
    return { moves: movesTo(line[line.length - 1]), verdicts: [...verdicts.values()] };
  }

  /** @param {ReturnType<typeof known>} kept */
  function restore(kept) {
    const end = kept && nodeAt(desk.root, kept.moves);
    if (!end) return;
    line = lineThrough(end).slice(0, kept.moves.length);
    for (const verdict of kept.verdicts) verdicts.set(verdict.ply, verdict);
    told.textContent = "";
    place.hidden = before.hidden = next.hidden = false;
    if (verdicts.size > line.length) summarise();
    desk.drawMoves();
    set();
  }

  /** @param {any} news */
  function hear(news) {
    if (news.waiting) told.textContent = lookupKey(news.waiting);
    if (news.error) {
      stop();
      told.textContent = lookupKey(news.error);
      return;
    }
    if (typeof news.ply === "number") {
      told.textContent = "";
      verdicts.set(news.ply, news);
      progress.max = line.length + 1;
      progress.value = verdicts.size;
    }
    if (news.done) {
      stop();
      if (verdicts.size) summarise();
      desk.keep();
    }
    desk.drawMoves();
    set();
  }

  /** Show what is known of the position that is looked at. */
  function set() {
    const ply = desk.current === desk.root ? 0 : line.indexOf(desk.current) + 1;
    const points = [...verdicts.values()].map(({ ply: at, win_rate, judgement }) => ({
      ply: at,
      black: win_rate,
      ...(judgement ? { mark: judgement } : {}),
    }));
    graph.set(points, ply, line.length);
    const inside = ply > 0 || desk.current === desk.root;
    const verdict = inside ? verdicts.get(ply) : undefined;
    // While the review goes on, what is being played through stays as it is.
    const text = JSON.stringify(verdict?.judgement ? [verdict, verdicts.has(ply - 1)] : null);
    if (text !== explained) replace(about, verdict?.judgement ? judgement(verdict) : []);
    explained = text;
    if (verdict && !desk.live()) desk.rate({ black: verdict.win_rate, mate: verdict.mate });
    before.disabled = !mistake(-1);
    next.disabled = !mistake(1);
  }

  /** @param {Verdict} verdict */
  function judgement({ ply, judgement: kind, loss, missed_win }) {
    const earlier = verdicts.get(ply - 1);
    const node = line[ply - 1];
    const text = say(kind === "blunder" ? "web.analyse.blunder_at" : "web.analyse.mistake_at", {
      move: node.move,
      percent: Math.round(100 * (loss ?? 0)),
    });
    return [
      h("p", null, h("b", null, SIGNS[kind ?? "mistake"], " "), text),
      missed_win ? h("p", null, say("web.analyse.missed_win")) : null,
      earlier?.best ? better(earlier, node) : null,
    ];
  }

  /**
   * What would have been better, to be played through and to be kept as a variation.
   *
   * @param {Verdict} earlier of the position before
   * @param {Node} node the mistake
   */
  function better({ best, line: moves }, node) {
    const steps = createLineSteps(context, {
      line: moves,
      turn: mover(node),
      title: say("web.analyse.better", { move: best }),
      onStep: (played) => desk.preview(played.length ? [...played] : null, node.parent),
    });
    const adding = h(
      "button",
      { class: "button", type: "button", onclick: () => desk.playLine(moves, node.parent) },
      say("web.analyse.add_line"),
    );
    return h("div", null, steps.element, adding);
  }

  /** Who made a move of the line. @param {Node} node */
  function mover(node) {
    const first = desk.study.setup?.turn ?? "black";
    if (line.indexOf(node) % 2 === 0) return first;
    return first === "black" ? "white" : "black";
  }

  function summarise() {
    const first = desk.study.setup?.turn ?? "black";
    const cells = /** @type {const} */ (["black", "white"]).map((colour) => {
      const own = [...verdicts.values()].filter(
        ({ ply }) => ply > 0 && (ply % 2 === 1) === (colour === first),
      );
      const count = (/** @type {string} */ kind) =>
        own.filter(({ judgement: found }) => found === kind).length;
      return h(
        "p",
        null,
        disc(colour),
        " ",
        say("web.analyse.sum", {
          colour: say(colour),
          mistakes: count("mistake"),
          blunders: count("blunder"),
        }),
      );
    });
    replace(sum, cells);
  }

  /** The next or former mistake from here. @param {number} way 1 or -1 */
  function mistake(way) {
    const ply = desk.current === desk.root ? 0 : line.indexOf(desk.current) + 1;
    for (let at = ply + way; at > 0 && at <= line.length; at += way) {
      if (verdicts.get(at)?.judgement) return line[at - 1];
    }
    return null;
  }

  /** @param {number} way */
  function go(way) {
    const node = mistake(way);
    if (node) desk.go(node);
  }

  /**
   * @param {string} label
   * @param {number} way
   */
  function step(label, way) {
    return h("button", { class: "button", type: "button", onclick: () => go(way) }, label);
  }

  /** What a move of the game is marked with. @param {Node} node */
  function judged(node) {
    const kind = verdicts.get(line.indexOf(node) + 1)?.judgement;
    if (!kind || !line.includes(node)) return null;
    return {
      sign: SIGNS[kind],
      text: say(kind === "blunder" ? "web.analyse.blunder" : "web.analyse.mistake"),
    };
  }
}
