/**
 * Single keys for the analysis, and the list of them.
 *
 * @typedef {import("../shared/context.js").Context} Context
 */

import { html } from "/static/vendor/lit-html/lit-html.js";

import { typing } from "../shared/typing.js";

/**
 * @param {Record<string, () => void>} keys what each key does
 * @returns {() => void} how to stop listening
 */
export function listenToKeys(keys) {
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);

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

/** @param {Context} context */
export function showKeys({ say, openDialog }) {
  /** @type {[string, string][]} */
  const keys = [
    ["← →", say("web.keys.browse")],
    ["Home End", say("web.analyse.keys.ends")],
    ["u / d", say("web.analyse.keys.sideways")],
    ["b", say("web.keys.board")],
    ["↑ ↓ ← →", say("web.keys.cursor")],
    ["Enter", say("web.keys.play")],
    ["e", say("web.analyse.keys.engine")],
    ["t", say("web.analyse.threats")],
    ["n", say("replay.numbers")],
    [", / .", say("web.analyse.keys.mistakes")],
    ["z", say("web.games.undo")],
  ];
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
