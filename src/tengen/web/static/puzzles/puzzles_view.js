/**
 * What stands beside the board of a puzzle: what is asked, what is said of the moves, the buttons, the steps through
 * the solution, and which puzzles are wanted.
 *
 * @import { Printed } from "../shared/printed_view.js"
 * @import { Context } from "../shared/types.js"
 * @import { AttemptState } from "./puzzle_attempt.js"
 * @import { Choice } from "./puzzle_choice.js"
 * @import { Entry, Puzzle } from "./puzzle_tree.js"
 *
 * @typedef {object} Acts
 * @property {() => void} hint
 * @property {() => void} solution
 * @property {() => void} startOver
 * @property {() => void} next
 * @property {() => void} keys
 * @property {(change: Partial<Choice>) => void} choose
 * @property {() => void} again
 *
 * @typedef {{all: number, solved: number, helped: number}} Count
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { PRESETS, rulesChoice } from "../shared/names.js";
import { printedHeadView } from "../shared/printed_view.js";
import { buttonView, disc, selectView } from "../shared/view.js";
import { solverOf } from "./puzzle_tree.js";
import { questionOf } from "./puzzle_words.js";

const KINDS = ["vcf", "vct", "defence"];
const LEVELS = ["1", "2", "3", "4"];

/**
 * @param {Puzzle} puzzle
 * @param {AttemptState["feedback"]} feedback
 * @param {Context} context
 */
export function questionView(puzzle, { kind, head, text }, { say }) {
  return html`<div class="puzzle-question">
      <h1>${disc(solverOf(puzzle))} ${questionOf(say, puzzle)}</h1>
      <p class="soft">${factsOf(say, puzzle)}</p>
    </div>
    <p class="puzzle-told ${kind}" role="status">${head ? html`<b>${head}</b> ` : nothing}${text}</p>`;
}

/**
 * What paper has of a puzzle beside its board.
 *
 * @param {Puzzle} puzzle
 * @param {Context} context
 * @returns {Printed}
 */
export function printedPuzzle(puzzle, { say }) {
  const texts = { title: questionOf(say, puzzle), names: {}, facts: [factsOf(say, puzzle)] };
  return { head: printedHeadView(say, texts), moves: nothing };
}

/**
 * @param {Context["say"]} say
 * @param {Puzzle} puzzle
 */
function factsOf(say, { rules, size, level }) {
  const facts = [rulesChoice(say, rules), size?.join("×"), say(`puzzle.level.${level}`)];
  return facts.filter(Boolean).join(" · ");
}

/**
 * @param {object} state
 * @param {boolean} state.fresh whether nothing has been played or shown
 * @param {boolean} state.over whether it is solved, or the solution is shown
 * @param {boolean} state.last whether there is no other puzzle
 * @param {string} state.analysis path of the analysis
 * @param {Context} context
 * @param {Acts} acts
 */
export function actionsView({ fresh, over, last, analysis }, { say }, acts) {
  return html`<div class="panel puzzle-actions">
    ${actionView(say("web.puzzles.hint"), acts.hint, { off: over })}
    ${actionView(say("web.puzzles.show_solution"), acts.solution, { off: over })}
    ${actionView(say("web.puzzles.start_over"), acts.startOver, { off: fresh })}
    <a class="step" href=${link(analysis)}>${say("web.nav.analyse")}</a>
    <button class="step keys" type="button" aria-label=${`?: ${say("web.play.keys")}`} @click=${acts.keys}>
      ?
    </button>
    ${actionView(say("web.puzzles.next"), acts.next, { off: last, kind: over ? "main" : "wide" })}
  </div>`;
}

/**
 * A button that keeps the focus where it does nothing.
 *
 * @param {string} label
 * @param {() => void} act
 * @param {{off: boolean, kind?: string}} how
 */
function actionView(label, act, { off, kind = "" }) {
  return html`<button
    class="step ${kind}"
    type="button"
    aria-disabled=${off}
    @click=${() => {
      if (!off) act();
    }}
  >
    ${label}
  </button>`;
}

/**
 * @param {object} state
 * @param {Choice} state.choice
 * @param {boolean} state.asking whether it is still to be said which rules are wanted
 * @param {readonly Entry[]} state.entries all that there are
 * @param {Count} state.count of those that are wanted
 * @param {Context} context
 * @param {Acts} acts
 */
export function choiceView({ choice, asking, entries, count }, { say }, acts) {
  const presets = PRESETS.filter((rules) => entries.some((entry) => entry.rules === rules));
  const rules = presets.map((name) => option(name, rulesChoice(say, name)));
  const kinds = KINDS.map((kind) => option(kind, say(`web.puzzles.kind.${kind}`)));
  const levels = LEVELS.map((level) => option(level, say(`puzzle.level.${level}`)));
  const anyRules = option("", say("web.puzzles.any_rules"));
  return html`${asking ? askView([...rules, anyRules], say, acts) : nothing}
    <div class="puzzle-choice" role="group" aria-label=${say("web.puzzles.choice")}>
      ${selectView([anyRules, ...rules], choice.rules, (value) => acts.choose({ rules: value }), { label: say("web.setup.rules") })}
      ${selectView([["", say("web.puzzles.any_kind")], ...kinds], choice.kind, (value) => acts.choose({ kind: value }), { label: say("web.puzzles.kind") })}
      ${selectView([["", say("web.puzzles.any_level")], ...levels], choice.level ? String(choice.level) : "", (value) => acts.choose({ level: Number(value) }), { label: say("web.puzzles.level") })}
      ${progressView(count, say, acts)}
    </div>`;
}

/**
 * Which rules are wanted, asked once.
 *
 * @param {(readonly [string, string])[]} rules
 * @param {Context["say"]} say
 * @param {Acts} acts
 */
function askView(rules, say, { choose }) {
  return html`<div class="puzzle-ask" role="group" aria-labelledby="puzzle-ask">
    <p id="puzzle-ask">${say("web.puzzles.ask_rules")}</p>
    ${rules.map(([value, label]) => buttonView(label, () => choose({ rules: value })))}
  </div>`;
}

/**
 * @param {string} value
 * @param {string} label
 */
function option(value, label) {
  return /** @type {const} */ ([value, label]);
}

/**
 * @param {Count} count
 * @param {Context["say"]} say
 * @param {Acts} acts
 */
function progressView({ all, solved, helped }, say, { again }) {
  if (!all) return html`<p class="puzzle-progress">${say("web.puzzles.none")}</p>`;
  const key = helped ? "web.puzzles.progress_helped" : "web.puzzles.progress";
  const share = (/** @type {number} */ done) => `${(100 * done) / all}%`;
  return html`<div class="puzzle-progress">
    <p>${say(key, { all, solved, helped })}</p>
    <div class="puzzle-bar" .style=${`--solved: ${share(solved)}; --done: ${share(solved + helped)}`}></div>
    ${
      solved + helped === all
        ? buttonView(say(helped ? "web.puzzles.again_helped" : "web.puzzles.again"), again)
        : nothing
    }
  </div>`;
}
