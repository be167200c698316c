/**
 * What views of many pages share: icons, fields, and what stands in place of a part that is switched off. docs/web.md says how
 * pages are drawn.
 *
 * @import { Context } from "./types.js"
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { link } from "./addresses.js";

/**
 * What a place in a template takes: a template, a text (never read as HTML), an element, a list of these, `nothing`.
 *
 * @typedef {unknown} Content
 */

/**
 * Draw after what is being done now, once, however often it is asked for.
 *
 * @param {() => void} draw
 */
export function soon(draw) {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      draw();
    });
  };
}

/**
 * The state of a page, or of a part of one. It changes by `update` alone, which draws what has changed: nobody assigns
 * to a state that is read elsewhere.
 *
 * @template {object} State
 * @param {State} state
 * @param {() => void} draw
 * @returns {{state: Readonly<State>, update: (change: Partial<State>) => void}}
 */
export function createStore(state, draw) {
  return {
    state,
    update(change) {
      Object.assign(state, change);
      draw();
    },
  };
}

/** The icons of settings, and of what is deleted. */
export const SETTINGS =
  "M3 6H9M13 6H17M9 6A2 2 0 1 0 13 6A2 2 0 1 0 9 6M3 14H5M9 14H17M5 14A2 2 0 1 0 9 14A2 2 0 1 0 5 14";
export const BIN = "M4 6H16M8 6V4H12V6M6 6L7 16H13L14 6";

/**
 * A picture of 20 by 20 units drawn with the pen of the text's colour.
 *
 * @param {string} path the `d` of an SVG path
 */
export function icon(path) {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d=${path} /></svg>`;
}

/**
 * A small stone in a line of text.
 *
 * @param {"black" | "white"} colour
 */
export function disc(colour) {
  return html`<span class="disc ${colour}" aria-hidden="true"></span>`;
}

/**
 * @param {Content} label
 * @param {() => void} act
 * @param {{kind?: string, disabled?: boolean, pressed?: boolean}} [state] kind: further classes
 */
export function buttonView(label, act, { kind = "", disabled = false, pressed } = {}) {
  return html`<button
    class="button ${kind}"
    type="button"
    aria-pressed=${pressed ?? nothing}
    ?disabled=${disabled}
    @click=${() => act()}
  >
    ${label}
  </button>`;
}

/**
 * Instead of a page that cannot be shown.
 *
 * @param {string} text
 * @param {Content} way out
 */
export function sorryView(text, way) {
  return html`<section class="sorry" role="alert">
    <h1>${text}</h1>
    ${way}
  </section>`;
}

/**
 * The way out of a page that could not be loaded.
 *
 * @param {Context["say"]} say
 */
export function reloadView(say) {
  return buttonView(say("web.error.reload"), () => location.reload(), { kind: "main" });
}

/**
 * @typedef {"games" | "links" | "lobby" | "names" | "phrases" | "tournaments"} Part new games, addresses of games for others, the
 *     lobby, names of visitors, phrases, tournaments
 */

/** The computer that newcomers play. */
export const FIRST_OPPONENT = document.documentElement.dataset.opponent ?? "level:3";

const off = (document.documentElement.dataset.off ?? "").split(" ");

/** @param {Part} part */
export function isOff(part) {
  return off.includes(part);
}

/** Whether tournaments are made and entered: those who take part need names. */
export function hasTournaments() {
  return !isOff("games") && !isOff("names") && !isOff("tournaments");
}

/**
 * Instead of the choices for a new game, where none are begun.
 *
 * @param {Context["say"]} say
 */
export function closedView(say) {
  return html`<p class="lead" role="note">${say("web.off.games")}</p>
    <p>
      <a class="button" href=${link("/analyse")}>${say("web.nav.analyse")}</a>
      <a class="button" href=${link("/learn")}>${say("web.nav.learn")}</a>
    </p>`;
}

/**
 * What a field holds, or the option that is chosen in it.
 *
 * @param {Event} event of the field
 */
export function valueOf({ target }) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (target).value;
}

/**
 * The options of a select.
 *
 * @param {readonly (readonly [value: string, label: string])[]} all
 * @param {string} chosen value
 */
export function optionsView(all, chosen) {
  return all.map(
    ([value, label]) => html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`,
  );
}

/**
 * @param {readonly (readonly [value: string, label: string])[]} all
 * @param {string} chosen value
 * @param {(value: string) => void} onChoose
 * @param {{id?: string, label?: string, disabled?: boolean, kind?: string}} [state] label: for screen readers; kind: a class
 */
export function selectView(all, chosen, onChoose, { id, label, disabled = false, kind } = {}) {
  return html`<select
    id=${id ?? nothing}
    class=${kind ?? nothing}
    aria-label=${label ?? nothing}
    ?disabled=${disabled}
    @change=${(/** @type {Event} */ event) => onChoose(valueOf(event))}
  >
    ${optionsView(all, chosen)}
  </select>`;
}

/**
 * @param {boolean} checked
 * @param {(checked: boolean) => void} onChange
 * @param {boolean} [disabled]
 */
export function checkboxView(checked, onChange, disabled = false) {
  const change = (/** @type {Event} */ { target }) =>
    onChange(/** @type {HTMLInputElement} */ (target).checked);
  return html`<input type="checkbox" .checked=${live(checked)} ?disabled=${disabled} @change=${change} />`;
}

/**
 * Close a pop-over, if it is there.
 *
 * @param {string} id
 */
export function closePopover(id) {
  document.getElementById(id)?.hidePopover?.();
}

/**
 * Scroll a list, and nothing but the list, so that one of its entries is seen.
 *
 * @param {Element} list
 * @param {Element} entry
 */
export function reveal(list, entry) {
  const [outer, inner] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/**
 * A row of labels of which one is chosen.
 *
 * @template {string} Value
 * @param {object} asked
 * @param {string} asked.name on the page
 * @param {string} asked.label what is chosen
 * @param {readonly (readonly [value: Value, label: Content])[]} asked.all
 * @param {Value} asked.chosen
 * @param {string} [asked.kind] a further class
 * @param {(value: Value) => void} onChoose
 */
export function segmentsView({ name, label, all, chosen, kind = "" }, onChoose) {
  return html`<div class="segments ${kind}" role="radiogroup" aria-label=${label}>
    ${all.map(
      ([value, text]) =>
        html`<label>
          <input
            type="radio"
            name=${name}
            value=${value}
            .checked=${live(value === chosen)}
            @change=${() => onChoose(value)}
          />
          <span>${text}</span>
        </label>`,
    )}
  </div>`;
}
