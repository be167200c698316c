/** @import { Context } from "./context.js" */

import { html } from "/static/vendor/lit-html/lit-html.js";

/**
 * A dialog with the keys of a page.
 *
 * @param {Context} context
 * @param {readonly (readonly [string, string])[]} keys what is written on them, and what they do
 */
export function showKeys({ say, openDialog }, keys) {
  const content = html`<dl class="keys">
    ${keys.map(
      ([key, does]) =>
        html`<div>
          <dt><kbd>${key}</kbd></dt>
          <dd>${does}</dd>
        </div>`,
    )}
  </dl>`;
  void openDialog({ title: say("web.play.keys"), content, buttons: [] });
}
