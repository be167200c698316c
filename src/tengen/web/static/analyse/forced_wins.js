/**
 * Wins by fours or by threats: looked for on request, and played through; and what stops them.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { LineSteps } from "../shared/line_steps.js"
 * @import { Context } from "../shared/types.js"
 * @import { Analysis } from "./analyse.js"
 *
 * @typedef {"vcf" | "vct"} Kind by fours alone, or by threats
 *
 * @typedef {object} Answer
 * @property {string} text what is said; "" where a line says it
 * @property {LineSteps | null} steps of the win
 * @property {number} length moves of the win
 * @property {readonly string[] | null} line that may be added to the variations
 * @property {readonly string[]} stops points that stop a win
 *
 * @typedef {object} State
 * @property {Kind} kind
 * @property {string} progress of the search that is under way; "" where there is none
 * @property {Answer | null} answer
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { createLineSteps } from "../shared/line_steps.js";
import { other } from "../shared/position.js";
import { buttonView, createStore, disc, selectView } from "../shared/view.js";

const SECONDS = 60;

/** @param {Pick<Analysis, "context" | "study" | "requests" | "preview" | "draw">} analysis */
export function createForcedWins({ context, study, requests, preview, draw }) {
  const { say, lookupKey } = context;
  /** @type {State} */
  const beginning = { kind: "vcf", progress: "", answer: null };
  const { state, update } = createStore(beginning, draw);

  return {
    view: () => {
      const turn = study.shown?.turn ?? null;
      const acts = { choose, search, defend, rest, add: study.playLine };
      return forcedWinsView({ ...state, turn }, context, acts);
    },
    rest,
    /** The points that stop a win, to be drawn on the board. */
    get stops() {
      return state.answer?.stops ?? [];
    },
  };

  /** Nothing of another position is shown or looked for. */
  function rest() {
    requests.stop("vcf");
    requests.stop("vct");
    requests.stop("defences");
    if (state.answer?.steps) preview(null);
    update({ progress: "", answer: null });
  }

  /** @param {Kind} kind */
  function choose(kind) {
    update({ kind });
    rest();
  }

  /** @param {Colour} colour */
  function search(colour) {
    const { kind } = state;
    const request = { ...study.position(), colour, seconds: SECONDS };
    update({ progress: say("web.analyse.vcf_looking", { seconds: 0 }) });
    requests.ask(kind, kind === "vcf" ? { ...request, shortest: true } : request, (news) => {
      if (news.done) {
        rest();
        const answer = answered(news, kind, colour);
        update({ answer });
        // On the board at once; the steps lead back from its end.
        answer.steps?.go(answer.length);
        reveal();
      } else {
        const seconds = Math.round(news.seconds ?? 0);
        update({
          progress: news.waiting ? lookupKey(news.waiting) : say("web.analyse.vcf_looking", { seconds }),
        });
      }
    });
  }

  /** @param {Colour} colour who is to be stopped */
  function defend(colour) {
    const threats = state.kind === "vcf" ? "fours" : "threes";
    update({ progress: say("web.analyse.vcf_looking", { seconds: 0 }) });
    requests.ask("defences", { ...study.position(), colour, threats, seconds: SECONDS }, (news) => {
      if (news.done) {
        rest();
        const text = news.error ? lookupKey(news.error) : defencesText(news, colour, say);
        update({ answer: { text, steps: null, length: 0, line: null, stops: news.stops ?? [] } });
        reveal();
      } else if (news.waiting) {
        update({ progress: lookupKey(news.waiting) });
      } else {
        const { seconds, settled, points } = { seconds: 0, settled: 0, points: 0, ...news };
        const values = { seconds: Math.round(seconds), settled, points };
        update({
          progress: say(points ? "web.analyse.defences_looking" : "web.analyse.vcf_looking", values),
        });
      }
    });
  }

  /**
   * @param {any} news
   * @param {Kind} kind
   * @param {Colour} colour
   * @returns {Answer}
   */
  function answered({ error, winner, proven, line, fours, length }, kind, colour) {
    const values = { colour: say(colour) };
    if (error) return { text: lookupKey(error), steps: null, length: 0, line: null, stops: [] };
    if (!winner) {
      const none = kind === "vct" ? "web.analyse.vct_none" : "web.analyse.vcf_none";
      const unknown = kind === "vct" ? "web.analyse.vct_unknown" : "web.analyse.vcf_unknown";
      return {
        text: say(proven ? none : unknown, values),
        steps: null,
        length: 0,
        line: null,
        stops: [],
      };
    }
    const title =
      kind === "vcf"
        ? say("web.analyse.vcf_found", { ...values, fours })
        : say("web.analyse.vct_found", { ...values, moves: Math.ceil(length / 2) });
    const onStep = (/** @type {readonly string[]} */ played) =>
      preview(played.length ? played : null, null, colour);
    const steps = createLineSteps(context, { line, turn: colour, title, onStep });
    const added = study.shown?.turn === colour ? line : null;
    return { text: "", steps, length: line.length, line: added, stops: [] };
  }
}

/** Scroll to the answer, which may lie below the fold, once it is drawn. */
function reveal() {
  requestAnimationFrame(() => document.querySelector(".vcf-answer")?.scrollIntoView({ block: "nearest" }));
}

/**
 * What was found out about the replies to a win.
 *
 * @param {any} news
 * @param {Colour} attacker
 * @param {Context["say"]} say
 */
function defencesText({ winner, proven, stops, loses, open }, attacker, say) {
  const colour = say(attacker);
  if (!winner)
    return say(proven ? "web.analyse.defences_needless" : "web.analyse.defences_unknown", { colour });
  const points = stops.join(" ");
  if (open.length) {
    const settled = stops.length + loses.length;
    const count = settled + open.length;
    const values = { colour, settled, count, stops: stops.length, points: points || "–" };
    return say("web.analyse.defences_open", values);
  }
  if (!stops.length) return say("web.analyse.defences_none", { colour });
  return say("web.analyse.defences_some", { colour, count: stops.length, points });
}

/**
 * @param {State & {turn: Colour | null}} state
 * @param {Context} context
 * @param {object} acts
 * @param {(kind: Kind) => void} acts.choose
 * @param {(colour: Colour) => void} acts.search
 * @param {(colour: Colour) => void} acts.defend
 * @param {() => void} acts.rest
 * @param {(line: readonly string[]) => void} acts.add
 */
function forcedWinsView({ kind, progress, answer, turn }, { say }, { choose, search, defend, rest, add }) {
  /** @type {[Kind, string][]} */
  const kinds = [
    ["vcf", say("web.analyse.vcf_fours")],
    ["vct", say("web.analyse.vcf_threats")],
  ];
  return html`<h2>${say("web.analyse.vcf")}</h2>
    <p>
      ${selectView(kinds, kind, (next) => choose(/** @type {Kind} */ (next)), { label: say("web.analyse.vcf_lead") })}
    </p>
    <div class="fours">
      ${
        progress
          ? html`<p role="status">${progress}</p>
              ${buttonView(say("web.play.engine_stop"), rest)}`
          : /** @type {const} */ (["black", "white"]).map((colour) =>
              buttonView(
                html`${disc(colour)}
                ${say(turn === colour ? "web.analyse.vcf_for" : "web.analyse.vcf_if", { colour: say(colour) })}`,
                () => search(colour),
              ),
            )
      }
      ${progress || !turn ? nothing : defendView(other(turn))} ${answer ? answerView(answer) : nothing}
    </div>`;

  /** @param {Colour} colour */
  function defendView(colour) {
    return buttonView(
      html`${disc(other(colour))} ${say("web.analyse.defences_for", { colour: say(colour) })}`,
      () => defend(colour),
    );
  }

  /** @param {Answer} found */
  function answerView({ text, steps, line }) {
    return html`<div class="vcf-answer" role="status">
      ${text ? html`<p>${text}</p>` : nothing}${steps?.element ?? nothing}
      ${line ? buttonView(say("web.analyse.add_line"), () => add(line)) : nothing}
    </div>`;
  }
}
