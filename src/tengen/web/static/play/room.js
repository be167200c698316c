/**
 * The waiting room of a game by link: the address to give to a friend, and the seat for whoever comes by it.
 *
 * @typedef {import("./game_view.js").Game} Game
 */

import { h } from "../shared/dom.js";

/**
 * @param {HTMLElement} table
 * @param {Game} game
 * @param {() => Promise<void>} join
 */
export function createRoom(table, game, join) {
  const { say, api } = game.context;
  const element = h("section", { class: "room panel", "aria-label": say("web.play.friend_link") });
  /** "wait", "join" or nothing */
  let shown = "";

  return { set, destroy: () => element.remove() };

  function set() {
    const { state, you } = game;
    const open = state.outcome ? undefined : state.seats.find((seat) => seat.open);
    const next = open ? (you.length ? "wait" : "join") : "";
    if (next === shown) return;
    shown = next;
    table.classList.toggle("has-room", next !== "");
    if (!open) {
      element.remove();
      return;
    }
    if (next === "wait") wait();
    else invite(open.colour);
    table.append(element);
  }

  /** @param {import("../shared/types.js").Colour} colour */
  function invite(colour) {
    const button = h("button", { class: "button main", type: "button", onclick: take });
    button.append(say("web.play.join", { colour: say(colour) }));
    element.replaceChildren(
      h("h2", null, say("web.play.invited")),
      h("p", null, say("web.play.invited_text")),
      button,
    );

    async function take() {
      button.disabled = true;
      await join();
      button.disabled = false;
    }
  }

  function wait() {
    const field = h("input", {
      type: "text",
      readonly: true,
      "aria-label": say("web.play.address"),
      onfocus: () => field.select(),
    });
    const button = h(
      "button",
      { class: "button main", type: "button", onclick: copy },
      say("web.play.copy"),
    );
    const picture = h("img", { class: "qr", alt: say("web.play.qr"), width: 168, height: 168 });
    element.replaceChildren(
      h("h2", null, say("web.play.waiting_friend")),
      h("p", { class: "soft" }, say("web.play.link_text")),
      h("div", { class: "copy" }, field, button),
      picture,
    );
    address(location.origin);
    // The server knows by which address others in the network reach it.
    if (["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) {
      void api.get("/api/server").then(
        ({ addresses: [first] }) => first && address(first.replace(/\/$/, "")),
        () => {},
      );
    }

    /** @param {string} base */
    function address(base) {
      field.value = `${base}/g/${game.state.id}`;
      picture.src = `/api/qr?${new URLSearchParams({ text: field.value })}`;
    }

    async function copy() {
      field.select();
      await navigator.clipboard?.writeText(field.value).catch(() => document.execCommand("copy"));
      button.textContent = say("web.play.copied_short");
    }
  }
}
