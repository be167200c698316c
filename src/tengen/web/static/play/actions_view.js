/**
 * The buttons of a game: a grid, and a menu for what is rare; where two computers play, a slider for their pace.
 *
 * @import { Action } from "./actions.js"
 * @import { Game } from "./game_state.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { live } from "/static/vendor/lit-html/directives/live.js";
import { repeat } from "/static/vendor/lit-html/directives/repeat.js";
import { valueOf } from "../shared/fields.js";
import { icon } from "../shared/view.js";
import { mainActions, rareActions } from "./actions.js";
import { computerSeats } from "./game_state.js";

const DOTS = "M4.5 10h.01M10 10h.01M15.5 10h.01";
const PACES = [5, 3, 2, 1, 0.5, 0.2, 0]; // seconds a move, slow to fast

/**
 * @param {Game} game
 * @param {(action: Action) => void} onRun
 */
export function actionsView(game, onRun) {
  const main = mainActions(game);
  const speech = game.speech?.maySpeak(game) ? game.speech : null;
  const more = game.context.say("web.play.more");
  const buttons = (/** @type {Action[]} */ all) =>
    repeat(
      all,
      ({ name }) => name,
      (action) => buttonView(game, action, onRun),
    );
  return html`${paceView(game)}
    <div class="action-grid panel" data-count=${main.length + (speech ? 2 : 1)}>
      ${buttons(main)}
      ${
        speech
          ? html`<button id="act-say" class="action" type="button" popovertarget="phrases">
              ${game.context.say("web.play.say")}
            </button>`
          : nothing
      }
      <button
        id="act-more"
        class="action"
        type="button"
        popovertarget="more"
        aria-label=${more}
        title=${more}
      >
        ${icon(DOTS)}
      </button>
    </div>
    <div id="more" class="popover" popover="auto">${buttons(rareActions(game))}</div>
    ${speech?.phrasesView(game)}`;
}

/**
 * @param {Game} game
 * @param {Action} action
 * @param {(action: Action) => void} onRun
 */
function buttonView({ unsure, context: { say } }, action, onRun) {
  const { name, label, able = true, count, kind = "", sure } = action;
  const asking = sure && unsure === name;
  return html`<button
    id="act-${name}"
    class="action ${kind} ${asking ? "sure" : ""}"
    type="button"
    ?disabled=${!able}
    @click=${() => onRun(action)}
  >
    ${asking ? say("web.play.sure", { action: label }) : label}${count === undefined ? nothing : html`<small>${count}</small>`}
  </button>`;
}

/**
 * How fast two computers play.
 *
 * @param {Game} game
 */
function paceView({ state, mine, pace, acts, context: { say } }) {
  if (state.outcome || computerSeats(state).length < 2) return nothing;
  const seconds = pace ?? state.pace;
  const told = seconds ? say("web.play.pace_seconds", { seconds }) : say("web.play.pace_full");
  const away = PACES.map((one) => Math.abs(one - seconds));
  const chosen = (/** @type {Event} */ event) => PACES[Number(valueOf(event))];
  const settle = async (/** @type {number} */ wanted) => {
    await acts.send("pace", { seconds: wanted });
    acts.change({ pace: null });
  };
  return html`<label class="pace panel"
    >${say("web.play.pace")}
    <input
      type="range"
      min="0"
      max=${PACES.length - 1}
      step="1"
      aria-label=${say("web.play.pace")}
      aria-valuetext=${told}
      ?disabled=${!mine}
      .value=${live(String(away.indexOf(Math.min(...away))))}
      @input=${(/** @type {Event} */ event) => acts.change({ pace: chosen(event) })}
      @change=${(/** @type {Event} */ event) => void settle(chosen(event))}
    />
    <span class="soft">${told}</span>
  </label>`;
}
