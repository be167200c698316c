/**
 * An address to give to others: to be copied, read by a phone's camera, or shared by the device. On the machine of the server
 * it is not the address of the window, which would lead others to their own machine.
 *
 * @import { Game } from "../play/types.js"
 * @import { Api } from "./api.js"
 * @import { Context } from "./types.js"
 * @import { Content } from "./view.js"
 *
 * @typedef {object} Address
 * @property {() => void} find find out by which address others reach the server; once
 * @property {(path: string) => Content} view of the address of a page
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { link } from "./addresses.js";
import { isRemote } from "./connection.js";

/**
 * @param {Context} context
 * @param {() => void} draw
 * @returns {Address}
 */
export function createAddress({ api, say }, draw) {
  /** @type {PublicOrigin} */
  let place = { origin: location.origin, reachable: true };
  let copied = false;
  let requested = false;
  return { find, view: (path) => addressView(say, place, path, copied, copy) };

  function find() {
    if (requested) return;
    requested = true;
    void publicOrigin(api).then((found) => {
      place = found;
      draw();
    });
  }

  /** @param {Event} event of the button beside the field */
  async function copy({ currentTarget }) {
    const field = /** @type {Element} */ (currentTarget).parentElement?.querySelector("input");
    field?.select();
    await navigator.clipboard?.writeText(field?.value ?? "").catch(() => document.execCommand("copy"));
    copied = true;
    draw();
  }
}

/**
 * @param {Context["say"]} say
 * @param {PublicOrigin} place
 * @param {string} path
 * @param {boolean} copied
 * @param {(event: Event) => void} onCopy
 */
function addressView(say, { origin, reachable }, path, copied, onCopy) {
  const address = origin + link(path);
  const select = (/** @type {Event} */ { currentTarget }) =>
    /** @type {HTMLInputElement} */ (currentTarget).select();
  return html`${
      reachable
        ? nothing
        : html`<div class="unreachable" role="note">
            <p>${say("web.play.this_machine")}</p>
            <p>${say("web.play.over_network")}</p>
            <p><code>make play ARGS=--lan</code></p>
            <p><code>tengen serve --lan</code></p>
          </div>`
    }
    <div class="copy">
      <input
        type="text"
        readonly
        aria-label=${say("web.play.address")}
        .value=${address}
        @focus=${select}
      />
      <button class="button main" type="button" @click=${onCopy}>
        ${copied ? say("web.play.copied_short") : say("web.play.copy")}
      </button>
    </div>
    ${
      reachable
        ? html`<img
            class="qr"
            alt=${say("web.play.qr")}
            width="168"
            height="168"
            src="/api/qr?${new URLSearchParams({ text: address })}"
          />`
        : nothing
    }`;
}

/**
 * @typedef {object} PublicOrigin
 * @property {string} origin such as `http://192.168.0.5:8000`
 * @property {boolean} reachable whether anybody but this machine gets in
 */

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * @param {Api} api
 * @returns {Promise<PublicOrigin>}
 */
export async function publicOrigin(api) {
  const { hostname, origin } = location;
  if (!isRemote || !LOCAL.includes(hostname)) return { origin, reachable: true };
  const { addresses } = await api.get("/api/server").catch(() => ({ addresses: [] }));
  const [first] = addresses;
  return first ? { origin: first.replace(/\/$/, ""), reachable: true } : { origin, reachable: false };
}

/**
 * The address of a game, given to others: by what the device offers for it, else by the clipboard.
 *
 * @param {Game} game
 */
export async function shareGame({ state, acts, context: { api, say } }) {
  const { origin, reachable } = await publicOrigin(api);
  const url = origin + link(`/g/${state.id}`);
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url });
    else {
      await navigator.clipboard.writeText(url);
      acts.note(say(reachable ? "web.play.copied" : "web.play.copied_here"));
    }
  } catch {
    acts.note(url);
  }
}
