/**
 * The waiting room of a game by link: the address to give to a friend, and the seat for whoever comes by it.
 *
 * @typedef {import("./game_state.js").Game} Game
 *
 * @typedef {object} Room
 * @property {string} base the address by which others reach the server
 * @property {boolean} copied
 * @property {boolean} joining
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";

/**
 * @param {Game} game
 * @param {() => void} draw
 */
export function createRoom(game, draw) {
  const { api } = game.context;
  /** @type {Room} */
  const room = { base: location.origin, copied: false, joining: false };
  let asked = false;
  return { view: () => roomView(game, room, { copy, join }), set };

  /** The server knows by which address others in the network reach it. */
  function set() {
    const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    if (asked || !local || !waits(game)) return;
    asked = true;
    void api.get("/api/server").then(
      ({ addresses: [first] }) => {
        if (!first) return;
        room.base = first.replace(/\/$/, "");
        draw();
      },
      () => {},
    );
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
 * @param {{copy: (event: Event) => void, join: () => void}} acts
 */
function roomView(game, room, acts) {
  const { state, context } = game;
  const { say } = context;
  const open = state.outcome ? undefined : state.seats.find((seat) => seat.open);
  if (!open) return nothing;
  return html`<section class="room panel" aria-label=${say("web.play.friend_link")}>
    ${waits(game) ? waitView(say, `${room.base}/g/${state.id}`, room.copied, acts.copy) : inviteView()}
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
 * @param {string} address
 * @param {boolean} copied
 * @param {(event: Event) => void} onCopy
 */
function waitView(say, address, copied, onCopy) {
  const select = (/** @type {Event} */ { currentTarget }) =>
    /** @type {HTMLInputElement} */ (currentTarget).select();
  return html`<h2>${say("web.play.waiting_friend")}</h2>
    <p class="soft">${say("web.play.link_text")}</p>
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
    <img
      class="qr"
      alt=${say("web.play.qr")}
      width="168"
      height="168"
      src="/api/qr?${new URLSearchParams({ text: address })}"
    />`;
}
