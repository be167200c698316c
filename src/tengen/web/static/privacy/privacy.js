/**
 * What is kept of those who come, where and for how long, and how to have it forgotten.
 *
 * @import { Mount } from "../shared/router.js"
 * @import { Context } from "../shared/types.js"
 * @import { Content } from "../shared/view.js"
 *
 * @typedef {object} State
 * @property {number | null} days without a change after which a game is deleted, 0 for never; null until that is known
 * @property {boolean} busy whether the server is forgetting
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { isRemote } from "../shared/connection.js";
import { forgetKept } from "../shared/settings.js";
import { buttonView, createStore } from "../shared/view.js";
import { createDataPanel } from "./data_panel.js";

/** In the address after everything has been forgotten, when the page has come up anew. */
const DONE = "#forgotten";

/** Parts of the text, where games are kept by a server. */
const SECTIONS = ["games", "self", "cookie", "log", "browser"];

/** @type {Mount} */
export function mount(root, context) {
  const { api, say } = context;
  /** @type {State} */
  const beginning = { days: null, busy: false };
  const { state, update: change } = createStore(beginning, draw);
  const data = isRemote ? null : createDataPanel(context, draw);
  let isLeft = false;
  draw();
  if (location.hash === DONE) context.announce(say("web.privacy.forgotten"));
  if (isRemote) {
    void api.get("/api/server").then(
      ({ days_kept: days }) => change({ days }),
      () => {},
    );
  }
  return () => void (isLeft = true);

  function draw() {
    if (isLeft) return;
    render(
      privacyView(state, context, data?.view() ?? nothing, () => void forget()),
      root,
    );
  }

  async function forget() {
    const sure = await context.openDialog({
      title: say("web.privacy.sure"),
      content: html`<p>${say("web.privacy.sure_text")}</p>`,
      buttons: [{ value: "forget", label: say("web.privacy.forget"), kind: "warn" }],
    });
    if (sure !== "forget") return;
    change({ busy: true });
    try {
      await api.del("/api/visitor");
    } catch (error) {
      change({ busy: false });
      context.toastError(error);
      context.sound.refuse();
      return;
    }
    // What is kept in the browser goes too; the page comes up as it does for somebody new.
    forgetKept();
    location.assign(link(`/privacy${DONE}`));
    location.reload();
  }
}

/**
 * @param {State} state
 * @param {Context} context
 * @param {Content} data what a site says of what it keeps
 * @param {() => void} onForget
 */
function privacyView({ days, busy }, { say }, data, onForget) {
  const kept =
    days === null ? nothing : days ? say("web.privacy.days", { days }) : say("web.privacy.no_days");
  return html`<article class="privacy">
    <h1>${say("web.privacy.title")}</h1>
    <p class="soft">${isRemote ? say("web.privacy.lead") : say("web.privacy.lead_here")}</p>
    ${(isRemote ? SECTIONS : []).map(
      (name) =>
        html`<section>
          <h2>${say(`web.privacy.${name}.title`)}</h2>
          <p>${say(`web.privacy.${name}.text`)}</p>
          ${name === "games" ? html`<p>${kept}</p>` : nothing}
        </section>`,
    )}
    ${data}
    <section class="panel privacy-forget">
      <h2>${say("web.privacy.forget")}</h2>
      <p>${isRemote ? say("web.privacy.forget_text") : say("web.privacy.forget_here")}</p>
      ${
        location.hash === DONE
          ? html`<p class="privacy-done">${say("web.privacy.forgotten")}</p>`
          : buttonView(say("web.privacy.forget"), onForget, { disabled: busy })
      }
    </section>
  </article>`;
}
