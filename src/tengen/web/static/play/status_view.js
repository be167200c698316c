/**
 * The line that says what is going on: whose turn, what an opening rule or the opponent asks, how it ended,
 * why a point was refused; with the buttons that answer it. A thin bar above it moves while a computer thinks.
 *
 * @typedef {import("./game_state.js").Game} Game
 *
 * @typedef {object} Status
 * @property {string} words
 * @property {"turn" | "over" | "ask" | "note" | "lost"} [kind]
 * @property {{label: string, act: () => void, main?: boolean}[]} [buttons]
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { repeat } from "/static/vendor/lit-html/directives/repeat.js";
import { resultText, sentence } from "../shared/names.js";
import { seatName } from "./game_state.js";

/** @param {Game} game */
export function statusView(game) {
  const { state, linked } = game;
  const { words, kind = "", buttons = [] } = statusOf(game);
  const busy = linked && state.thinking && !state.paused;
  // A button that says something else is another one: who presses twice answers one question only.
  const answers = repeat(
    buttons,
    ({ label }) => label,
    ({ label, act, main }) =>
      html`<button class="button ${main ? "main" : ""}" type="button" @click=${act}>${label}</button>`,
  );
  return {
    kind,
    content: html`<div class="thinking-bar ${busy ? "busy" : ""}" aria-hidden="true"></div>
      <div class="status-row">
        <p role="status">${words}</p>
        <div class="answers">${answers}</div>
      </div>`,
  };
}

/**
 * @param {Game} game
 * @returns {Status}
 */
function statusOf(game) {
  const { state, linked, shown, note, acts } = game;
  const { say } = game.context;
  if (!linked) return { words: say("web.play.lost"), kind: "lost" };
  const asked = requested(game) ?? decided(game);
  if (note) return { words: note, kind: "note", buttons: asked?.buttons };
  if (shown < state.ply) {
    const words = say("web.play.browsing", { ply: shown, total: state.ply });
    const button = { label: say("web.play.to_now"), act: () => acts.show(state.ply) };
    return { words, kind: "note", buttons: [button] };
  }
  if (state.outcome) return { words: resultText(say, state.outcome), kind: "over" };
  return asked ?? turn(game);
}

/**
 * Whose turn it is.
 *
 * @param {Game} game
 * @returns {Status}
 */
function turn(game) {
  const { state, you, between } = game;
  const { say } = game.context;
  if (state.paused) return { words: say("web.play.paused"), kind: "note" };
  const seat = state.seats.find(({ participant }) => participant === state.actor);
  if (!seat) return { words: "" };
  if (state.seats.some(({ open }) => open)) return { words: say("web.play.waiting_friend") };
  const who = seatName(game, seat);
  if (seat.occupant !== "human") return { words: say("web.play.is_thinking", { who }) };
  if (!you.includes(seat.participant)) {
    return { words: between ? say("web.play.waiting_opponent") : say("web.play.waiting_for", { who }) };
  }
  const colour = say(seat.colour);
  const both = you.length === 2 && state.seats.every(({ occupant }) => occupant === "human");
  const words = both
    ? say("web.play.colour_to_move", { colour })
    : say("web.play.your_turn_long", { colour });
  return { words, kind: "turn" };
}

/**
 * What the opponent asks, or is asked.
 *
 * @param {Game} game
 * @returns {Status | null}
 */
function requested({ state, you, acts, context: { say } }) {
  if (!state.request) return null;
  const { kind, by } = state.request;
  const draw = kind === "draw";
  const other = you.find((participant) => participant !== by);
  if (other === undefined) {
    if (!you.includes(by)) return null;
    return { words: draw ? say("web.play.draw_asked") : say("web.play.back_asked") };
  }
  const answer = (/** @type {boolean} */ accept) => () => void acts.send("answer", { accept, by: other });
  return {
    words: draw ? say("web.play.draw_offered") : say("web.play.back_wanted"),
    kind: "ask",
    buttons: [
      { label: say("web.play.accept"), act: answer(true), main: true },
      { label: say("web.play.decline"), act: answer(false) },
    ],
  };
}

/**
 * What an opening rule asks.
 *
 * @param {Game} game
 * @returns {Status | null}
 */
function decided(game) {
  const { state, you, acts } = game;
  const { say, lookupKey } = game.context;
  const asked = state.outcome ? null : state.opening?.decision;
  const seat = asked && state.seats.find(({ participant }) => participant === asked.by);
  if (!asked || !seat) return null;
  const question = lookupKey(asked.message);
  if (!you.includes(asked.by) || seat.occupant !== "human") {
    return { words: say("web.play.other_chooses", { who: seatName(game, seat), question }) };
  }
  const buttons = asked.options.map(({ value, message }) => ({
    label: isNumber(value) ? value : sentence(lookupKey(message)),
    act: () => void acts.choose(value),
  }));
  const choice = buttons.length && !isNumber(asked.options[0].value);
  return { words: choice ? say("web.play.choose") : sentence(question), kind: "ask", buttons };
}

/** @param {string} value of an option */
function isNumber(value) {
  return /^\d+$/.test(value);
}
