/**
 * What a reader is told of a site's app: how far it has loaded, that it could not be started, that another tab has it, that
 * the browser keeps no games, that there is a new version.
 *
 * @import { Context } from "../shared/types.js"
 * @import { Content } from "../shared/view.js"
 * @import { AppClient, State } from "./app_client.js"
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { loadAhead, loadStyles } from "../shared/router.js";
import { buttonView } from "../shared/view.js";
import { Updates } from "./updates.js";

/** @type {Updates | undefined} */
let updates;
let stop = () => {};
/** Whether it was read that the browser keeps nothing. */
let isWarned = false;

/**
 * @param {Context} context
 * @param {AppClient} app
 * @param {string} base address of the root of the site
 */
export async function showNotices(context, app, base) {
  await Promise.all([loadStyles("browser/site.css"), context.learn("site")]);
  const { say } = context;
  const place = document.getElementById("site") ?? document.createElement("div");
  place.id = "site";
  document.getElementById("header")?.after(place);
  updates ??= new Updates(base);
  let told = "";
  /** @type {State | undefined} */
  let state;
  const draw = () => {
    if (!state || !updates) return;
    const unsaved = state.unsaved && !isWarned ? unsavedView(context, heed) : nothing;
    render(noticesView(state, updates, app, context, unsaved), place);
  };
  const heed = () => {
    isWarned = true;
    draw();
  };
  updates.onChange = draw;
  stop();
  stop = app.listen((next) => {
    state = next;
    draw();
    tell(next);
  });
  loadAhead(async () => app.start());

  /** Let it be heard, once; what does not change is not said again. @param {State} state */
  function tell({ name }) {
    if (name === told) return;
    told = name;
    if (name === "loading") context.announce(say("web.site.loading"));
    // What is kept for the next visit must not delay this one.
    if (name === "ready" || name === "elsewhere") void updates?.follow();
  }
}

/**
 * @param {State} state
 * @param {Updates} updates
 * @param {AppClient} app
 * @param {Context} context
 * @param {Content} unsaved
 */
function noticesView({ name, done, message }, updates, app, { say, lookupKey }, unsaved) {
  const retry = buttonView(say("web.site.retry"), () => app.retry(), { kind: "main" });
  const take = buttonView(say("web.site.use_here"), () => app.take(), { kind: "main" });
  return html`${name === "loading" ? progressView(done, say("web.site.loading")) : nothing}
  ${name === "failed" && message ? noticeView(lookupKey(message), retry) : nothing}
  ${name === "elsewhere" ? noticeView(say("web.site.elsewhere"), take) : nothing} ${unsaved}
  ${updates.isReady ? noticeView(say("web.site.update"), updateView(updates, say)) : nothing}`;
}

/**
 * @param {number} done
 * @param {string} text
 */
function progressView(done, text) {
  const percent = Math.round(100 * done);
  return html`<div class="site-loading">
    <div
      class="site-bar"
      role="progressbar"
      aria-label=${text}
      aria-valuenow=${percent}
      aria-valuemin="0"
      aria-valuemax="100"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width=${percent} height="1" />
      </svg>
    </div>
    <p>${text}</p>
  </div>`;
}

/**
 * @param {string} text
 * @param {Content} buttons
 */
function noticeView(text, buttons) {
  return html`<p class="site-notice" role="status"><span>${text}</span> ${buttons}</p>`;
}

/**
 * @param {Context} context
 * @param {() => void} onHeed
 */
function unsavedView({ say, go }, onHeed) {
  const save = () => {
    onHeed();
    go("/privacy");
  };
  const buttons = html`${buttonView(say("web.site.save"), save, { kind: "main" })}
  ${buttonView(say("web.site.later"), onHeed)}`;
  return noticeView(say("web.site.unsaved"), buttons);
}

/**
 * @param {Updates} updates
 * @param {Context["say"]} say
 */
function updateView(updates, say) {
  return html`${buttonView(say("web.site.reload"), () => updates.reload(), { kind: "main" })}
  ${buttonView(say("web.site.later"), () => updates.postpone())}`;
}
