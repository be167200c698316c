/**
 * What a review has found: progress, the graph, the mistake that is shown, how many there are, and how accurate
 * each side was.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { LineSteps } from "../shared/line_steps.js"
 * @import { Review, ReviewedPosition } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {ReviewedPosition & Partial<Review>} Verdict the last one has the summary of the game
 *
 * @typedef {object} State
 * @property {boolean} running
 * @property {boolean} complete whether every position was looked into
 * @property {string} message
 * @property {number} length plies of the game; 0 before a review
 * @property {number} current ply that is shown; -1 beside the game
 * @property {readonly Verdict[]} verdicts in the order of play
 * @property {Colour} first who made the first move
 * @property {Verdict | null} mistake that is shown
 * @property {string} move that was it
 * @property {LineSteps | null} better what would have been
 * @property {boolean} before whether there is a mistake before
 * @property {boolean} after
 *
 * @typedef {object} Acts
 * @property {() => void} toggle
 * @property {(ply: number) => void} go
 * @property {(way: number) => void} step
 * @property {() => void} add
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { other } from "../shared/position.js";
import { buttonView, disc } from "../shared/view.js";
import { winRateGraphView } from "./win_rate_graph.js";

export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * @param {State} state
 * @param {Context} context
 * @param {Acts} acts
 */
export function reviewView(state, context, acts) {
  const { running, complete, message, length, current, verdicts, before, after } = state;
  const { say } = context;
  const points = verdicts.map(({ ply, win_rate, judgement }) => ({
    ply,
    black: win_rate,
    mark: judgement,
  }));
  const graph = { points, current: Math.max(current, 0), length };
  return html`<h2 class="unseen">${say("web.analyse.review")}</h2>
    <div class="engine-head">
      ${buttonView(running ? say("web.play.engine_stop") : say("web.analyse.review_start"), acts.toggle, { kind: "main" })}
      <progress
        max=${length + 1}
        value=${verdicts.length}
        aria-label=${say("web.analyse.review")}
        ?hidden=${!running}
      ></progress>
    </div>
    <p class="soft" role="status">${message}</p>
    ${length ? winRateGraphView(graph, context, acts.go) : nothing}
    <div class="review-steps" ?hidden=${!length}>
      ${buttonView(say("web.analyse.mistake_before"), () => acts.step(-1), { disabled: !before })}
      ${buttonView(say("web.analyse.mistake_next"), () => acts.step(1), { disabled: !after })}
    </div>
    <div class="review-about" aria-live="polite">${mistakeView(state, context, acts.add)}</div>
    <div class="review-sum">${complete ? sumView(state, context) : nothing}</div>`;
}

/**
 * @param {State} state
 * @param {Context} context
 * @param {() => void} onAdd
 */
function mistakeView({ mistake, move, better, first }, { say }, onAdd) {
  if (!mistake?.judgement) return nothing;
  const { judgement, loss, reason, ply } = mistake;
  const mover = ply % 2 ? first : other(first);
  const names = { colour: say(mover), other: say(other(mover)) };
  const percent = Math.round(100 * (loss ?? 0));
  return html`<p>
      <b>${SIGNS[judgement]} ${say("review.judged_at", { move, judgement: say(`review.${judgement}`) })}</b>
    </p>
    ${reason && reason !== "win_rate" ? html`<p>${say(`review.reason.${reason}`, names)}</p>` : nothing}
    ${percent ? html`<p>${say("review.lowers", { percent })}</p>` : nothing}
    ${
      better
        ? html`<div>${better.element} ${buttonView(say("web.analyse.add_line"), onAdd)}</div>`
        : nothing
    }`;
}

/**
 * @param {State} state
 * @param {Context} context
 */
function sumView({ verdicts, first }, { say }) {
  const accuracy = verdicts[0]?.accuracy;
  return /** @type {const} */ (["black", "white"]).map((colour) => {
    const own = verdicts.filter(({ ply }) => ply > 0 && (ply % 2 === 1) === (colour === first));
    const count = (/** @type {string} */ kind) => own.filter(({ judgement }) => judgement === kind).length;
    const counts = {
      colour: say(colour),
      inaccuracies: count("inaccuracy"),
      mistakes: count("mistake"),
      blunders: count("blunder"),
    };
    const percent = accuracy?.[colour];
    return html`<p>
      ${disc(colour)} ${say("review.sum", counts)}
      ${percent === undefined ? nothing : html`<br />${say("review.accuracy", { percent: Math.round(percent) })}`}
    </p>`;
  });
}
