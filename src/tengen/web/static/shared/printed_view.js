/**
 * What stands above and below a board on paper: who played what, how it ended, and the moves.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Content } from "./view.js"
 *
 * @typedef {"black" | "white"} Colour
 *
 * @typedef {object} Printed
 * @property {Content} head above the board
 * @property {Content} moves below it
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { disc } from "./view.js";

/**
 * @param {Say} say
 * @param {object} state
 * @param {string} state.title
 * @param {Partial<Record<Colour, string>>} state.names of the players, where they are known
 * @param {readonly string[]} state.facts sentences
 */
export function printedHeadView(say, { title, names, facts }) {
  const colours = /** @type {const} */ (["black", "white"]).filter((colour) => names[colour]);
  return html`<div class="printed-head">
    <h1>${title}</h1>
    ${
      colours.length
        ? html`<p class="printed-players">
            ${colours.map((colour) => html`<span>${disc(colour)} ${playerText(colour, names[colour])}</span>`)}
          </p>`
        : nothing
    }
    ${facts.map((fact) => html`<p>${fact}</p>`)}
  </div>`;

  /**
   * @param {Colour} colour
   * @param {string} [name] says the colour itself where there is no other
   */
  function playerText(colour, name = "") {
    const nameless = name === say("web.play.player", { colour: say(colour) });
    return nameless ? name : say("web.print.player", { colour: say(colour), name });
  }
}

/**
 * @param {readonly {point: string, colour: Colour}[]} moves
 * @param {(point: string) => string} named a point as the list has it
 */
export function printedMovesView(moves, named) {
  return html`<ol class="printed-moves">
    ${moves.map(
      ({ point, colour }, index) =>
        html`<li><span class="number">${index + 1}</span>${disc(colour)}${named(point)}</li>`,
    )}
  </ol>`;
}
