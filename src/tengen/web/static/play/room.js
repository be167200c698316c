/**
 * The waiting room of a game by link: the address to give to a friend, and the seat for whoever comes by it.
 *
 * @typedef {import("./game_state.js").Game} Game
 *
 * @typedef {object} Room
 * @property {() => import("../shared/view.js").Content} view
 * @property {() => void} set the server has told another state
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { createAddress } from "../shared/address.js";
import { loadModule } from "../shared/load_module.js";
import { isOff } from "../shared/switches.js";

/**
 * @param {Game} game
 * @param {() => void} draw
 * @returns {Room}
 */
export function createRoom(game, draw) {
  const address = createAddress(game.context, draw);
  let joining = false;
  return { view: () => roomView(game, joining, { join, name }, address), set };

  /** Find out by which address the friend gets here. */
  function set() {
    if (waits(game)) address.find();
  }

  async function name() {
    const dialog = await loadModule(game.context, import("../shared/name_dialog.js"));
    await dialog?.openName(game.context);
  }

  async function join() {
    joining = true;
    draw();
    await game.acts.join();
    joining = false;
    draw();
  }
}

/** Whether one waits for a friend. @param {Game} game */
function waits({ state, you }) {
  return !state.outcome && you.length > 0 && state.seats.some(({ open }) => open);
}

/**
 * @param {Game} game
 * @param {boolean} joining
 * @param {{join: () => void, name: () => void}} acts
 * @param {import("../shared/address.js").Address} address
 */
function roomView(game, joining, acts, address) {
  const { state, context } = game;
  const { say } = context;
  const open = state.outcome ? undefined : state.seats.find((seat) => seat.open);
  if (!open) return nothing;
  return html`<section class="room panel" aria-label=${say("web.play.friend_link")}>
    ${waits(game) ? waitView() : inviteView()}
    ${
      isOff("names")
        ? nothing
        : html`<button class="button" type="button" @click=${acts.name}>${say("web.name.open")}</button>`
    }
  </section>`;

  function waitView() {
    return html`<h2>${say("web.play.waiting_friend")}</h2>
      <p class="soft">${say("web.play.link_text")}</p>
      ${address.view(`/g/${state.id}`)}`;
  }

  function inviteView() {
    const label = say("web.play.join", { colour: say(open?.colour ?? "white") });
    return html`<h2>${say("web.play.invited")}</h2>
      <p>${say("web.play.invited_text")}</p>
      <button class="button main" type="button" ?disabled=${joining} @click=${acts.join}>${label}</button>`;
  }
}
