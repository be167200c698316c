/**
 * A game that people still play is not analysed here, by nobody: in its place stands why, and the way to the game.
 *
 * @import { Context } from "../shared/types.js"
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { sorryView } from "../shared/view.js";

/**
 * Show the analysis of a game, or that there is none before it is over.
 *
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {string} game its id
 * @param {(root: HTMLElement, context: Context) => () => void} mountAnalysis
 * @returns {() => void} how to take the page down
 */
export function mountUnlessClosed(root, context, game, mountAnalysis) {
  let gone = false;
  let unmount = () => {};
  void context.api.get(`/api/games/${encodeURIComponent(game)}`).then(
    (state) => show(state.unaided),
    () => show(false), // the analysis says what is wrong with the address
  );
  return () => {
    gone = true;
    unmount();
  };

  /** @param {boolean} closed */
  function show(closed) {
    if (gone) return;
    if (closed) render(closedView(context, game), root);
    else unmount = mountAnalysis(root, context);
  }
}

/**
 * @param {Context} context
 * @param {string} game
 */
function closedView({ say }, game) {
  return sorryView(
    say("web.analyse.closed"),
    html`<p>${say("web.analyse.closed_text")}</p>
      <a class="button main" href=${link(`/g/${game}`)}>${say("web.analyse.to_game")}</a>`,
  );
}
