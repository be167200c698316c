/**
 * A heatmap of a position: what its whole number is made of, its points with their parts, and how the numbers come
 * about.
 *
 * @import { ExplainedMove, Heatmap } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Scene } from "./stone_rows.js"
 * @import { Weighed } from "./weights_view.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { figure } from "/assets/board_layout.js";
import { other } from "../shared/position.js";
import { selectView } from "../shared/view.js";
import { heaviest, pointsView, sumView } from "./weights_view.js";

/**
 * The heatmap of a name; null where an answer has none such.
 *
 * @param {ExplainedMove | null} answer
 * @param {string} name
 */
export function heatmapOf(answer, name) {
  return answer?.heatmaps.find((heatmap) => heatmap.name === name) ?? null;
}

/**
 * The point that is outlined: where it moves to; of the chances of moves, the likeliest.
 *
 * @param {ExplainedMove} answer
 * @param {Heatmap} heatmap
 */
export function movedTo(answer, heatmap) {
  if (isSigned(heatmap)) return answer.point;
  return heaviest({ ...heatmap, point: null })[0]?.[0] ?? null;
}

/**
 * What may be shown: the moves that are weighed, or one of the heatmaps.
 *
 * @param {readonly Pick<Heatmap, "name" | "title">[]} heatmaps
 * @param {string} shown name of a heatmap; "" for the moves
 * @param {Context} context
 * @param {(name: string) => void} onShow
 */
export function heatmapChoiceView(heatmaps, shown, { say, lookupKey }, onShow) {
  const options = heatmaps.map(
    ({ name, title }) => /** @type {[string, string]} */ ([name, lookupKey(title)]),
  );
  return html`<label class="why-player">
    <span>${say("web.why.show")}</span>
    ${selectView([["", say("web.why.show.moves")], ...options], shown, onShow)}
  </label>`;
}

/**
 * @param {Heatmap} heatmap
 * @param {object} shown
 * @param {Scene} shown.scene
 * @param {string | null} shown.played the move that was played
 * @param {string | null} shown.marked the point that is looked at
 * @param {boolean} shown.all whether all points are listed
 * @param {Context} context
 * @param {Parameters<typeof pointsView>[3]} acts
 */
export function heatmapView(heatmap, { scene, played, marked, all }, context, acts) {
  const { say, lookupKey } = context;
  const { weights, parts, total } = heatmap;
  const signed = isSigned(heatmap);
  /** @type {Weighed} */
  const weighed = { weights, parts, signed, point: null };
  const whole = total.reduce((sum, part) => sum + part.value, 0);
  const point = marked ?? heaviest(weighed)[0]?.[0];
  return html`<div class="why-body">
    ${total.length ? sumView(say("web.why.whole"), total, whole, "", scene, say) : nothing}
    ${pointsView(weighed, { played, marked, all }, context, acts)}
    ${
      parts[point]?.length
        ? html`<div>${sumView(headingOf(point), parts[point], weights[point], point, scene, say)}</div>`
        : nothing
    }
    ${signed ? signedLegendView(scene, say) : html`<p class="why-legend">${say("web.why.legend.likely")}</p>`}
    <p class="why-soft">${lookupKey(heatmap.note)}</p>
  </div>`;

  /** @param {string} name */
  function headingOf(name) {
    return say("web.why.weighs", { point: name, weight: figure(weights[name]) });
  }
}

/**
 * Which discs are whose.
 *
 * @param {Scene} scene
 * @param {Context["say"]} say
 */
function signedLegendView({ turn }, say) {
  return html`<ul class="why-legend" role="list">
    <li><span class="why-dot"></span>${say("web.why.legend.for", { colour: say(turn) })}</li>
    <li>
      <span class="why-dot ring"></span>${say("web.why.legend.against", { colour: say(other(turn)) })}
    </li>
    <li>${say("web.why.legend.signed")}</li>
  </ul>`;
}

/** @param {Heatmap} heatmap */
function isSigned({ weights }) {
  return Object.values(weights).some((weight) => weight < 0);
}
