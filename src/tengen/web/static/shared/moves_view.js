/**
 * What stands beside a board for the moves of a game: how they are written, and the buttons that step through them.
 *
 * @import { Context } from "./types.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { pointText } from "/assets/notation.js";
import { icon } from "./view.js";

/**
 * How a list of moves writes points: in the style of the board's coordinates; a pass is said.
 *
 * @param {Pick<Context, "say" | "settings">} context
 * @param {number} height of the board
 */
export function moveNames({ say, settings }, height) {
  const style = settings.get("coordinateStyle");
  return (/** @type {string} */ point) =>
    point === "--" ? say("replay.pass") : pointText(point, height, style);
}

/**
 * Buttons to the first, former, next and last position of a game.
 *
 * @param {Context["say"]} say
 * @param {{atFirst: boolean, atLast: boolean}} state
 * @param {Record<"first" | "back" | "forward" | "last", () => void>} acts
 */
export function stepsView(say, { atFirst, atLast }, { first, back, forward, last }) {
  return [
    stepView(say("replay.first"), "M5 4V16M15 4L8 10L15 16", first, { disabled: atFirst }),
    stepView(say("replay.back"), "M13 4L6 10L13 16", back, { disabled: atFirst }),
    stepView(say("replay.forward"), "M7 4L14 10L7 16", forward, { disabled: atLast }),
    stepView(say("replay.last"), "M15 4V16M5 4L12 10L5 16", last, { disabled: atLast }),
  ];
}

/**
 * A button of a row, as wide as its neighbours.
 *
 * @param {string} label
 * @param {string} face a text, or the path of an icon
 * @param {() => void} act
 * @param {{disabled?: boolean, pressed?: boolean}} [state]
 */
export function stepView(label, face, act, { disabled = false, pressed } = {}) {
  const drawn = face.startsWith("M");
  return html`<button
    class="step"
    type="button"
    title=${label}
    aria-label=${drawn ? label : `${face}: ${label}`}
    aria-pressed=${pressed ?? nothing}
    ?disabled=${disabled}
    @click=${act}
  >
    ${drawn ? icon(face) : face}
  </button>`;
}
