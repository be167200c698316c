/**
 * Puzzles: a position, and the moves that win or that stop a win are to be found.
 *
 * @import { ApiError } from "../shared/api.js"
 * @import { Context } from "../shared/types.js"
 * @import { Attempt } from "./puzzle_attempt.js"
 * @import { Choice } from "./puzzle_choice.js"
 * @import { Entry, Puzzle } from "./puzzle_tree.js"
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { pointName } from "/assets/notation.js";
import { link } from "../shared/addresses.js";
import { showKeys } from "../shared/dialog.js";
import { rowOfRules } from "../shared/names.js";
import { createPromiseCache } from "../shared/promise_cache.js";
import { createTable } from "../shared/table.js";
import { listenToKeys } from "../shared/tabs_view.js";
import { createStore, reloadView, sorryView } from "../shared/view.js";
import { createAttempt } from "./puzzle_attempt.js";
import { analysisOf, boardOf } from "./puzzle_board.js";
import {
  addProgress,
  chosenPuzzles,
  countDone,
  fits,
  hasChosen,
  keepProgress,
  nextPuzzle,
  readProgress,
  wanted,
} from "./puzzle_choice.js";
import { questionOf } from "./puzzle_words.js";
import { actionsView, choiceView, printedPuzzle, questionView } from "./puzzles_view.js";

/** The puzzles with which there has been help, also if another language is chosen meanwhile. @type {Set<string>} */
const helped = new Set();

/** Of most puzzles: there is room for the board before there is one. */
const USUAL = { width: 15, height: 15, k: 5 };

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Record<string, string>} params `name` of a puzzle
 */
export function mount(root, context, { name }) {
  const { say, api, settings } = context;
  const table = createTable(root, context);
  /** @type {{choice: Choice, entries: Entry[], puzzle: Puzzle | null, attempt: Attempt | null}} */
  const beginning = { choice: chosenPuzzles(settings), entries: [], puzzle: null, attempt: null };
  const { state: page, update } = createStore(beginning, draw);
  /** @type {(name: string) => Promise<Puzzle>} */
  const load = createPromiseCache((name) => api.get(`/api/puzzles/${encodeURIComponent(name)}`));
  let opening = 0;
  let gone = false;

  const acts = {
    hint: () => page.attempt?.hint(),
    solution: () => page.attempt?.showSolution(),
    startOver: () => page.attempt?.startOver(),
    next,
    keys,
    choose,
    again,
  };
  table.listen({ onSelect: (point) => page.attempt?.choose(pointName(point)) });
  const offPrinting = settings.on("printing", draw);
  const unlisten = listenToKeys({
    ArrowLeft: () => page.attempt?.step(-1),
    ArrowRight: () => page.attempt?.step(1),
    b: table.focus,
    h: acts.hint,
    s: acts.solution,
    r: acts.startOver,
    n: next,
    "?": keys,
  });
  table.shape(USUAL);
  draw();
  void begin();

  return () => {
    gone = true;
    unlisten();
    offPrinting();
    page.attempt?.destroy();
    table.destroy();
  };

  /** Show the puzzle of the address, or the next one. */
  async function begin() {
    try {
      const [listed, named] = await Promise.all([api.get("/api/puzzles"), name ? load(name) : null]);
      if (gone) return;
      update({ entries: listed.puzzles });
      const next = named ? null : nextPuzzle(wanted(page.entries, page.choice), readProgress());
      const found = named ?? (await load(next ?? page.entries[0].name));
      if (!gone) open(found, true);
    } catch (error) {
      const text = context.errorText(error);
      if (!gone) fail(text, /** @type {ApiError} */ (error).status);
    }
  }

  /**
   * There is nothing to be shown.
   *
   * @param {string} text
   * @param {number} status
   */
  function fail(text, status) {
    const way =
      status === 404
        ? html`<a class="button" href=${link("/puzzles")}>${say("web.puzzles.next")}</a>`
        : reloadView(say);
    table.destroy();
    gone = true;
    render(sorryView(text, way), root);
  }

  /**
   * @param {Puzzle} found
   * @param {boolean} replace whether its address takes the place of the present one
   */
  function open(found, replace) {
    page.attempt?.destroy();
    const attempt = createAttempt({
      context,
      puzzle: found,
      helped: helped.has(found.name),
      onHelped: () => helped.add(found.name),
      onRefused: table.refuse,
      onDone: (done) => addProgress(found.name, done),
      onChange: draw,
    });
    context.go(`/puzzles/${found.name}`, { replace, keep: true });
    const [width, height] = found.size ?? [USUAL.width, USUAL.height];
    table.shape({ width, height, k: rowOfRules(found.rules) });
    update({ puzzle: found, attempt });
    const ahead = following();
    // It is there when it is wanted; if not, that is said when it is.
    if (ahead) load(ahead).catch(() => {});
  }

  /** The name of the puzzle after this one. */
  function following() {
    return nextPuzzle(wanted(page.entries, page.choice), readProgress(), page.puzzle?.name);
  }

  function next() {
    const name = following();
    if (name) void show(name);
  }

  /** @param {string} name */
  async function show(name) {
    const mine = ++opening;
    try {
      const found = await load(name);
      if (gone || mine !== opening) return;
      open(found, false);
      context.announce(questionOf(say, found));
    } catch (error) {
      if (!gone) context.toastError(error);
    }
  }

  /** @param {Partial<Choice>} change */
  function choose(change) {
    const choice = { ...page.choice, ...change };
    settings.set("puzzles", choice);
    update({ choice });
    if (!page.puzzle || fits(page.puzzle, choice)) return;
    const name = nextPuzzle(wanted(page.entries, page.choice), readProgress());
    if (name) void show(name);
  }

  /** Those that took help, or else all that are wanted, are to be solved again. */
  function again() {
    const before = readProgress();
    const all = wanted(page.entries, page.choice);
    const withHelp = all.filter(({ name }) => before[name] === "helped");
    const gone = new Set((withHelp.length ? withHelp : all).map(({ name }) => name));
    for (const name of gone) helped.delete(name);
    keepProgress(Object.fromEntries(Object.entries(before).filter(([name]) => !gone.has(name))));
    const undo = () => {
      keepProgress({ ...readProgress(), ...before });
      draw();
    };
    context.toast(say("web.puzzles.forgotten", { count: gone.size }), {
      action: { label: say("web.games.undo"), act: undo },
    });
    const name = nextPuzzle(all, readProgress());
    if (name) void show(name);
    draw();
  }

  function keys() {
    showKeys(context, [
      ["h", say("web.puzzles.hint")],
      ["s", say("web.puzzles.show_solution")],
      ["r", say("web.puzzles.start_over")],
      ["n", say("web.puzzles.next")],
      ["← →", say("web.keys.browse")],
      ["b", say("web.keys.board")],
      ["↑ ↓ ← →", say("web.keys.cursor")],
      ["Enter", say("web.keys.play")],
    ]);
  }

  function draw() {
    if (gone) return;
    const { puzzle, attempt, choice } = page;
    if (!puzzle || !attempt) {
      table.show({
        name: "puzzles",
        heading: html`<h1 class="unseen">${say("web.nav.puzzles")}</h1>`,
        status: { content: html`<p class="soft" role="status">${say("web.puzzles.loading")}</p>` },
      });
      return;
    }
    const { state } = attempt;
    const all = wanted(page.entries, page.choice);
    const actions = {
      fresh: !state.shown.length && !state.over,
      over: state.over,
      last: following() === null,
      analysis: analysisOf(puzzle, state.shown),
    };
    const count = countDone(all, readProgress());
    table.show({
      name: "puzzles",
      status: { content: questionView(puzzle, state.feedback, context) },
      actions: actionsView(actions, context, acts),
      printed: settings.get("printing") ? printedPuzzle(puzzle, context) : null,
      side: html`${state.steps?.element ?? ""}${choiceView({ choice, asking: !hasChosen(settings), entries: page.entries, count }, context, acts)}`,
    });
    table.draw(boardOf(puzzle, state));
  }
}
