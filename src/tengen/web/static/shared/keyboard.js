/** Single keys that a page takes, and the list of them for its readers. The board has keys of its own, see board.js. */

import { html } from "/static/vendor/lit-html/lit-html.js";

/**
 * @param {Record<string, () => void>} keys what each does
 * @returns {() => void} how to stop listening
 */
export function listenToKeys(keys) {
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || typing(event)) return;
    if (document.querySelector("dialog[open]") || !Object.hasOwn(keys, key)) return;
    const sliding = target instanceof HTMLInputElement && target.type === "range";
    if (sliding && key.startsWith("Arrow")) return;
    event.preventDefault();
    keys[key]();
  }
}

/**
 * Whether a key or a paste belongs to something that is typed into.
 *
 * @param {Event} event
 */
export function typing(event) {
  return (
    event.target instanceof Element &&
    event.target.matches("input:not([type=range], [type=checkbox], [type=radio]), textarea, select")
  );
}

/**
 * A dialog with the keys of a page.
 *
 * @param {import("./context.js").Context} context
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
