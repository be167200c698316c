/**
 * What whoever runs the server has switched off: the document says it, and pages show nothing of it.
 *
 * @import { Context } from "./context.js"
 *
 * @typedef {"games" | "lobby" | "names" | "phrases"} Part new games, the lobby, names of visitors, phrases
 */

import { html } from "/static/vendor/lit-html/lit-html.js";

const off = (document.documentElement.dataset.off ?? "").split(" ");

/** @param {Part} part */
export function isOff(part) {
  return off.includes(part);
}

/**
 * Instead of what makes or enters a tournament.
 *
 * @param {Context["say"]} say
 */
export function noTournamentsView(say) {
  const told = isOff("games") ? say("web.off.games") : say("web.off.tournaments");
  return html`<p class="lead" role="note">${told}</p>`;
}

/** Whether tournaments are made and entered: those who take part need names. */
export function hasTournaments() {
  return !isOff("games") && !isOff("names");
}

/**
 * Instead of the choices for a new game, where none are begun.
 *
 * @param {Context["say"]} say
 */
export function closedView(say) {
  return html`<p class="lead" role="note">${say("web.off.games")}</p>
    <p>
      <a class="button" href="/analyse">${say("web.nav.analyse")}</a>
      <a class="button" href="/learn">${say("web.nav.learn")}</a>
    </p>`;
}
