/**
 * Tabs beside the board, or a sheet that is pulled up from below on small screens; and the single keys of a page. The arrow
 * keys go from tab to tab. Only the open panel is drawn; the others stay as they were when they were seen last.
 *
 * @import { Content } from "./view.js"
 *
 * @typedef {object} Tab
 * @property {string} name
 * @property {string} label
 * @property {string} [kind] a class of its panel
 * @property {boolean} [focusable] whether its panel is a stop of the Tab key: where it may hold nothing that is
 */

import { html, noChange, nothing } from "/static/vendor/lit-html/lit.js";

/**
 * @param {object} state
 * @param {string} state.label of all
 * @param {readonly Tab[]} state.tabs
 * @param {string} state.open name of the tab whose panel is shown
 * @param {Content} state.panel what it shows
 * @param {(name: string, by: "key" | "pointer") => void} onChoose
 */
export function tabsView({ label, tabs, open, panel }, onChoose) {
  return html`<div class="tab-list" role="tablist" aria-label=${label} @keydown=${turn}>
      ${tabs.map(
        ({ name, label: text }) =>
          html`<button
            id="tab-${name}"
            type="button"
            role="tab"
            aria-controls="panel-${name}"
            aria-selected=${name === open}
            tabindex=${name === open ? 0 : -1}
            @click=${(/** @type {MouseEvent} */ { detail }) => onChoose(name, detail ? "pointer" : "key")}
          >
            ${text}
          </button>`,
      )}
    </div>
    <div class="tab-body">
      ${tabs.map(
        ({ name, kind = "", focusable = false }) =>
          html`<div
            id="panel-${name}"
            class=${kind}
            role="tabpanel"
            aria-labelledby="tab-${name}"
            tabindex=${focusable ? 0 : nothing}
            ?hidden=${name !== open}
          >
            ${name === open ? panel : noChange}
          </div>`,
      )}
    </div>`;

  /** @param {KeyboardEvent} event */
  function turn(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex(({ name }) => name === open);
    const { name } = tabs[(at + step + tabs.length) % tabs.length];
    onChoose(name, "key");
    document.getElementById(`tab-${name}`)?.focus();
  }
}

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
