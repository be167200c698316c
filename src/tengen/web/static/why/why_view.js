/**
 * The panel "Why?": whose eyes, what it says, its weights, its lines and its tree.
 *
 * @import { LineSteps } from "../shared/line_steps.js"
 * @import { Catalogue, ExplainedMove, Heatmap } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Scene } from "./stone_rows.js"
 *
 * @typedef {object} State
 * @property {Catalogue | null} catalogue
 * @property {string} head of the spec of the player that is asked
 * @property {boolean} choice whether another player may be chosen
 * @property {boolean} busy whether the player is thinking
 * @property {boolean} stopped whether the reader has stopped it
 * @property {string} summary
 * @property {Scene | null} scene
 * @property {string | null} played the move that was played in the position
 * @property {ExplainedMove | null} answer
 * @property {readonly Pick<Heatmap, "name" | "title">[]} heatmaps that may be shown
 * @property {string} shown name of the heatmap that is shown; "" for the moves
 * @property {string | null} marked the point that is looked at
 * @property {boolean} all whether all points are listed
 * @property {LineSteps[]} steps the lines of the answer
 * @property {HTMLElement | null} tree
 * @property {ReturnType<typeof import("./parameters.js").createParameters>} parameters
 *
 * @typedef {object} Acts
 * @property {(head: string) => void} choose
 * @property {(name: string) => void} showHeatmap
 * @property {() => void} ask
 * @property {() => void} halt
 * @property {(point: string | null) => void} touch
 * @property {(point: string) => void} pin
 * @property {() => void} showAll
 * @property {(points: readonly string[]) => void} highlight
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { buttonView } from "../shared/view.js";
import { countersView } from "./counters_view.js";
import { heatmapChoiceView, heatmapOf, heatmapView } from "./heatmap_view.js";
import { playerChoiceView } from "./player_choice.js";
import { heaviest, partsView, pointsView } from "./weights_view.js";

/**
 * @param {State} state
 * @param {Context} context
 * @param {Acts} acts
 */
export function whyView(state, context, acts) {
  const { catalogue, head, choice, busy, stopped, summary, parameters, answer, heatmaps, shown } = state;
  const { say, lookupKey } = context;
  const heatmap = heatmapOf(answer, shown);
  return html`<div class="why" aria-busy=${busy}>
    ${choice ? playerChoiceView(catalogue, head, context, acts.choose) : nothing}
    ${choice && heatmaps.length ? heatmapChoiceView(heatmaps, shown, context, acts.showHeatmap) : nothing}
    <p class="why-summary" aria-live="polite">${heatmap ? lookupKey(heatmap.summary) : summary}</p>
    <div class="why-busy" ?hidden=${!busy}>
      <progress aria-label=${say("web.why.busy")}></progress>
      ${buttonView(say("web.why.stop"), acts.halt)}
    </div>
    ${stopped ? html`<div>${buttonView(say("web.why.again"), acts.ask)}</div>` : nothing}
    <div class="why-body">${answerView(state, context, acts)}</div>
    <details class="why-numbers" ?hidden=${parameters.none}>
      <summary>${say("web.why.numbers")}</summary>
      ${parameters.element}
    </details>
  </div>`;
}

/**
 * @param {State} state
 * @param {Context} context
 * @param {Acts} acts
 */
function answerView({ scene, played, answer, shown, marked, all, steps, tree }, context, acts) {
  if (!scene || !answer) return nothing;
  const heatmap = heatmapOf(answer, shown);
  if (heatmap) return heatmapView(heatmap, { scene, played, marked, all }, context, acts);
  const weighed = heaviest(answer).length > 1;
  const point = marked ?? answer.point ?? "";
  const explained = point in answer.weights && (marked !== null || answer.parts[point]?.length > 0);
  // What changes under the pointer stands below what it points at: nothing moves away from it.
  const weights = html`<div class="why-body">
    ${weighed ? pointsView(answer, { played, marked, all }, context, acts) : nothing}
    ${explained ? html`<div>${partsView(answer, point, scene, context)}</div>` : nothing}
    ${weighed ? legendView(answer, context) : nothing}
  </div>`;
  const { counters } = answer;
  const sequences = html`${counters?.length ? countersView(scene, counters, context, acts.highlight) : nothing}
  ${steps.map(({ element }) => element)} ${tree ?? nothing}`;
  const first = Object.values(answer.parts).some((parts) => parts.length);
  return first ? [weights, sequences] : [sequences, weights];
}

/**
 * @param {ExplainedMove} answer
 * @param {Context} context
 */
function legendView({ weights }, { say }) {
  const below = Object.values(weights).some((weight) => weight < 0);
  return html`<p class="why-legend">
    <span class="why-dot"></span>${say("web.why.legend")}
    ${below ? html`<span class="why-bar below"></span>${say("web.why.legend.below")}` : nothing}
  </p>`;
}
