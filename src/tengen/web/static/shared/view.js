/**
 * How pages are drawn: with templates of lit-html, from one state.
 *
 * - **A view is a pure function** `thingView(state, context)` that answers a template (`html`), or `nothing`. It
 *   reads nothing from the page, keeps nothing and waits for nothing; what a reader does calls functions that are
 *   given to it. Views that belong together share a module, `thing_view.js`.
 * - **Whoever keeps a state draws it in one place**: `createThing(…)` has one function `draw()` that calls
 *   `render(thingView(state), element)`, and every change of the state ends with it. `render` puts nothing else
 *   than what differs into the page, so it may be called at any time; focus, selection and scrolling stay, and a
 *   live region (`role="status"`) is heard only where its text has changed.
 * - **Nobody else changes what a template has drawn**: no `classList`, `textContent`, `hidden` or `append` on it.
 *   Attributes: `?disabled=${…}`, `class="action ${kind}"`, `aria-current=${current ? "page" : nothing}`.
 *   Fields: `.value=${live(…)}`, `.checked=${live(…)}`, for a reader changes them as well; of a select, each
 *   option's `.selected=${live(…)}`, for a select has no value before it has options. Listeners: `@click=${…}`.
 *   Lengths and colours: `.style=${`--share: ${share}%`}`; never `style="…"` nor lit's `styleMap`,
 *   which the Content-Security-Policy forbids. Lists whose entries come, go or change places, and that hold
 *   something to press: `repeat(items, key, entry)`.
 * - **What draws itself stands in a template as an element**: made once by its owner (the board, a part with a
 *   state of its own) and handed over as `${thing.element}`, where `render` leaves it alone.
 * - **What is left may ask to be drawn while it goes**: a browser says `blur`, `focusout` and `pointerleave` of an
 *   element in the middle of its removal. A state that such a listener changes is drawn with `soon(draw)`.
 * - What templates cannot say, such as `showModal`, `focus` or scrolling to an entry, is done after `render`.
 *
 * What a page draws into is given to it empty and thrown away with it: nothing has to be cleared.
 */

import { html } from "/static/vendor/lit-html/lit-html.js";

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
