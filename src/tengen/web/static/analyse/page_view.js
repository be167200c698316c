/**
 * What stands beside the board of the analysis: Black's chances, facts, what is to be said of the position, and
 * the buttons that step through the moves.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {{black: number, mate: number | null} | null} Rating Black's chance from 0 to 1, and in how many plies
 *     Black mates, or is mated if below zero; null where nobody has judged
 *
 * @typedef {object} Actions what the buttons show
 * @property {boolean} atFirst whether there is no move before
 * @property {boolean} atLast whether there is none after
 * @property {boolean} numbers whether moves are numbered
 * @property {boolean} threats whether threats are drawn
 * @property {boolean} over whether the game is
 * @property {boolean} passing whether a move may be passed
 *
 * @typedef {object} Acts
 * @property {() => void} first
 * @property {() => void} back
 * @property {() => void} forward
 * @property {() => void} last
 * @property {() => void} toggleNumbers
 * @property {() => void} toggleThreats
 * @property {() => void} pass
 * @property {() => void} playFromHere
 * @property {() => void} help
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { stepView, stepsView } from "../shared/moves_view.js";
import { isOff } from "../shared/view.js";
import { ratingText } from "./position_drawing.js";

/**
 * @param {Rating} rating
 * @param {Say} say
 */
export function ratingView(rating, say) {
  const text = ratingText(say, rating) || say("web.analyse.unrated");
  const share = rating ? Math.round(100 * rating.black) : 50;
  return html`<div class="rate-place">
    <p class="rated ${rating ? "" : "soft"}">${text}</p>
    <div
      class="rate ${rating ? "" : "unknown"}"
      role="img"
      aria-label=${text}
      .style=${`--black-share: ${share}%`}
    ></div>
  </div>`;
}

/** @param {string} facts of the position */
export function factsView(facts) {
  return html`<p class="soft facts">${facts}</p>`;
}

/** @param {string} text of the position */
export function statusView(text) {
  return html`<div class="status-row"><p role="status">${text}</p></div>`;
}

/**
 * @param {Actions} state
 * @param {Context} context
 * @param {Acts} acts
 */
export function actionsView({ atFirst, atLast, numbers, threats, over, passing }, { say }, acts) {
  return html`<div class="panel">
    <div class="steps">
      ${stepsView(say, { atFirst, atLast }, acts)}
      ${stepView(say("replay.numbers"), "12", acts.toggleNumbers, { pressed: numbers })}
      ${stepView(say("web.analyse.threats"), "M3 17L17 3M3 10L10 3M10 17L17 10", acts.toggleThreats, {
        pressed: threats,
      })}
    </div>
    <div class="steps">
      ${
        isOff("games")
          ? nothing
          : html`<button class="step wide" type="button" ?disabled=${over} @click=${acts.playFromHere}>
              ${say("web.analyse.play_on")}
            </button>`
      }
      ${passing ? stepView(say("replay.pass"), say("replay.pass"), acts.pass) : nothing}
      ${stepView(say("web.play.keys"), "?", acts.help)}
    </div>
  </div>`;
}
