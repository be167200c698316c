/**
 * The waiting room of a game by link: the address to give to a friend, and the seat for whoever comes by it.
 *
 * @typedef {import("./game_state.js").Game} Game
 *
 * @typedef {object} Room
 * @property {import("../shared/public_origin.js").PublicOrigin} place by which others reach the server
 * @property {boolean} copied
 * @property {boolean} joining
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { loadModule } from "../shared/load_module.js";
import { publicOrigin } from "../shared/public_origin.js";
import { isOff } from "../shared/switches.js";

/**
 * @param {Game} game
 * @param {() => void} draw
 */
export function createRoom(game, draw) {
  const { api } = game.context;
  /** @type {Room} */
  const room = { place: { origin: location.origin, reachable: true }, copied: false, joining: false };
  let asked = false;
  return { view: () => roomView(game, room, { copy, join, name }), set };

  /** Find out by which address the friend gets here. */
  function set() {
    if (asked || !waits(game)) return;
    asked = true;
    void publicOrigin(api).then((place) => {
      room.place = place;
      draw();
    });
  }

  async function name() {
    const dialog = await loadModule(game.context, import("../shared/name_dialog.js"));
    await dialog?.openName(game.context);
  }

  async function join() {
    room.joining = true;
    draw();
    await game.acts.join();
    room.joining = false;
    draw();
  }

  /** @param {Event} event of the button beside the field */
  async function copy({ currentTarget }) {
    const field = /** @type {Element} */ (currentTarget).parentElement?.querySelector("input");
    field?.select();
    await navigator.clipboard?.writeText(field?.value ?? "").catch(() => document.execCommand("copy"));
    room.copied = true;
    draw();
  }
}

/** Whether one waits for a friend. @param {Game} game */
function waits({ state, you }) {
  return !state.outcome && you.length > 0 && state.seats.some(({ open }) => open);
}

/**
 * @param {Game} game
 * @param {Room} room
 * @param {{copy: (event: Event) => void, join: () => void, name: () => void}} acts
 */
function roomView(game, room, acts) {
  const { state, context } = game;
  const { say } = context;
  const open = state.outcome ? undefined : state.seats.find((seat) => seat.open);
  if (!open) return nothing;
  return html`<section class="room panel" aria-label=${say("web.play.friend_link")}>
    ${waits(game) ? waitView(say, room, state.id, acts.copy) : inviteView()}
    ${
      isOff("names")
        ? nothing
        : html`<button class="button" type="button" @click=${acts.name}>${say("web.name.open")}</button>`
    }
  </section>`;

  function inviteView() {
    const label = say("web.play.join", { colour: say(open?.colour ?? "white") });
    return html`<h2>${say("web.play.invited")}</h2>
      <p>${say("web.play.invited_text")}</p>
      <button class="button main" type="button" ?disabled=${room.joining} @click=${acts.join}>
        ${label}
      </button>`;
  }
}

/**
 * @param {import("../shared/context.js").Context["say"]} say
 * @param {Room} room
 * @param {string} id of the game
 * @param {(event: Event) => void} onCopy
 */
function waitView(say, { place: { origin, reachable }, copied }, id, onCopy) {
  const address = `${origin}/g/${id}`;
  const select = (/** @type {Event} */ { currentTarget }) =>
    /** @type {HTMLInputElement} */ (currentTarget).select();
  return html`<h2>${say("web.play.waiting_friend")}</h2>
    <p class="soft">${say("web.play.link_text")}</p>
    ${
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
