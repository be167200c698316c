/**
 * The moves of the game, two to a line; each goes to its position. Below it, steps through the game.
 *
 * @import { Game } from "./game_state.js"
 */

import { pointText } from "/assets/coordinates.js";
import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { icon } from "../shared/view.js";
import { colourOfMove } from "./game_state.js";

/** @param {Game} game */
export function movesView(game) {
  const { state, shown, between, acts, context } = game;
  const { say, settings } = context;
  const numbers = Boolean(settings.get("numbers"));
  const atStart = shown === 0;
  const atEnd = shown === state.ply;
  return html`<p class="soft pad" ?hidden=${state.moves.length > 0}>${say("web.play.no_moves")}</p>
    <ol class="moves" aria-label=${say("web.play.moves")}>
      ${state.moves.map((point, index) => moveView(game, point, index))}
    </ol>
    <div class="steps">
      ${stepView(say("replay.first"), "M5 4V16M15 4L8 10L15 16", atStart, () => acts.show(0))}
      ${stepView(say("replay.back"), "M13 4L6 10L13 16", atStart, () => acts.show(shown - 1))}
      ${stepView(say("replay.forward"), "M7 4L14 10L7 16", atEnd, () => acts.show(shown + 1))}
      ${stepView(say("replay.last"), "M15 4V16M5 4L12 10L5 16", atEnd, () => acts.show(state.ply))}
      <button
        class="step"
        type="button"
        title=${say("replay.numbers")}
        aria-label="12: ${say("replay.numbers")}"
        aria-pressed=${numbers}
        @click=${() => settings.set("numbers", !numbers)}
      >
        12
      </button>
      <a class="step wide" href="/analyse?game=${state.id}#ply=${shown}" ?hidden=${between}>
        ${say("web.play.analyse")}
      </a>
    </div>`;
}

/**
 * @param {Game} game
 * @param {string} point
 * @param {number} index
 */
function moveView({ state, shown, acts, context: { say, settings } }, point, index) {
  const colour = colourOfMove(state, index);
  const stone = html`<span class="disc ${colour}" role="img" aria-label=${say(colour)}></span>`;
  const text =
    point === "--"
      ? say("replay.pass")
      : pointText(point, state.rules.height, settings.get("coordinateStyle"));
  const current = index + 1 === shown ? "true" : nothing;
  return html`<li>
    <button type="button" aria-current=${current} @click=${() => acts.show(index + 1)}>
      <span class="number">${index + 1}</span>${stone}<span>${text}</span>
    </button>
  </li>`;
}

/**
 * @param {string} label
 * @param {string} path of the icon
 * @param {boolean} disabled
 * @param {() => void} act
 */
function stepView(label, path, disabled, act) {
  return html`<button
    class="step"
    type="button"
    title=${label}
    aria-label=${label}
    ?disabled=${disabled}
    @click=${act}
  >
    ${icon(path)}
  </button>`;
}

/** Scroll the list on the page so that the move that is shown can be seen. */
export function scrollToShown() {
  const list = document.querySelector(".moves");
  const current = list?.querySelector("[aria-current]");
  if (!list || !current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
