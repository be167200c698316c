/**
 * The waiting room of a game by link: the address to give to a friend, and the seat for whoever comes by it.
 *
 * @import { Address } from "../shared/address.js"
 * @import { FactKind } from "../shared/names.js"
 * @import { Seat } from "../shared/schemas.js"
 * @import { Content } from "../shared/view.js"
 * @import { Game } from "./types.js"
 *
 * @typedef {object} Room
 * @property {() => Content} view
 * @property {() => void} set the server has sent another state
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { createAddress } from "../shared/address.js";
import { factsOf, offeredIn, swapsColours } from "../shared/names.js";
import { loadModule } from "../shared/router.js";
import { buttonView, isOff } from "../shared/view.js";

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
 * @param {Address} address
 */
function roomView(game, joining, acts, address) {
  const { state, context } = game;
  const { say } = context;
  const open = state.outcome ? undefined : state.seats.find((seat) => seat.open);
  if (!open) return nothing;
  return html`<section class="room panel" aria-label=${say("web.play.friend_link")}>
    ${waits(game) ? waitView() : inviteView()}
    ${isOff("names") ? nothing : buttonView(say("web.name.open"), acts.name)}
  </section>`;

  function waitView() {
    return html`<h2>${say("web.play.waiting_friend")}</h2>
      <p class="soft">${say("web.play.link_text")}</p>
      ${address.view(`/g/${state.id}`)}`;
  }

  /** Who asks, for what game, and what happens by the button. */
  function inviteView() {
    if (!open) return nothing;
    const host = state.seats.find(({ participant }) => participant !== open.participant)?.name;
    const swaps = swapsColours(state.opening_rule);
    const label = swaps
      ? say("web.invite.join")
      : say("web.invite.join_colour", { colour: say(open.colour) });
    return html`<h2>${host ? say("web.invite.title", { host }) : say("web.invite.title_anonymous")}</h2>
      ${invitationView(game, open)}
      <p class="soft">${state.control ? say("web.invite.told_clock") : say("web.invite.told")}</p>
      ${buttonView(label, acts.join, { kind: "main join", disabled: joining })}`;
  }
}

/**
 * The game to which somebody is invited.
 *
 * @param {Game} game
 * @param {Seat} open the seat that waits
 */
function invitationView({ state, context: { say } }, { colour }) {
  const { opening_rule: opening, turn } = state;
  const facts = factsOf(say, offeredIn(state));
  const textOf = (/** @type {FactKind[]} */ ...kinds) =>
    facts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text }) => text)
      .join(" · ");
  const none = say("web.setup.no_clock");
  const first = turn === colour;
  const part = swapsColours(opening)
    ? say(first ? "web.invite.open_first" : "web.invite.open_second")
    : say(first ? "web.invite.first" : "web.invite.second", { colour: say(colour) });
  const takeBacks = textOf("take_backs");
  const agreed = state.take_backs_each === 0 ? takeBacks : say("web.invite.agreed", { text: takeBacks });
  const named = opening
    ? say("web.invite.opening", { name: say(`opening.${opening}`), told: say(`web.opening.${opening}`) })
    : "";
  const rows = [
    [say("web.setup.rules"), textOf("rules", "size", "passing", "fouls")],
    ...(named ? [[say("web.setup.opening"), named]] : []),
    [say("web.setup.clock"), state.control ? textOf("clock") : none],
    [say("web.setup.take_backs"), agreed],
    [say("web.setup.colour"), part],
  ];
  return html`<dl class="invitation">
    ${rows.map(
      ([name, text]) =>
        html`<dt>${name}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}
