/**
 * The line that says what is going on: whose turn, what an opening rule or the opponent asks, how it ended,
 * why a point was refused; with the buttons that answer it. A thin bar above it moves while a computer thinks. What changes is
 * announced by sound and to screen readers, too.
 *
 * @import { GameState, ParticipantNumber } from "../shared/schemas.js"
 * @import { Game } from "./types.js"
 *
 * @typedef {object} Status
 * @property {string} words
 * @property {"turn" | "over" | "ask" | "note" | "lost"} [kind]
 * @property {{label: string, act: () => void, main?: boolean}[]} [buttons]
 */

import { html, nothing, repeat } from "/static/vendor/lit-html/lit.js";
import { isRemote } from "../shared/connection.js";
import { factsOf, offeredIn, resultText, sentence } from "../shared/names.js";
import { buttonView } from "../shared/view.js";
import { colourOfMove, computerSeats, ownSeats, seatName } from "./game_state.js";
import { PATIENCE, isLeftAlone } from "./seats_view.js";

/** @param {Game} game */
export function statusView(game) {
  const { state, linked } = game;
  const { words, kind = "", buttons = [] } = statusOf(game);
  const busy = linked && ((state.thinking && !state.paused) || state.preparing);
  return {
    kind,
    content: html`<div class="thinking-bar ${busy ? "busy" : ""}" aria-hidden="true"></div>
      <div class="status-row">
        <p role="status">${words}</p>
        ${answersView(buttons)} ${factsView(game)}
      </div>`,
  };
}

/**
 * The buttons that answer. One that says something else is another one: who presses twice answers one question only.
 *
 * @param {NonNullable<Status["buttons"]>} buttons
 */
export function answersView(buttons) {
  const answers = repeat(
    buttons,
    ({ label }) => label,
    ({ label, act, main }) => buttonView(label, act, { kind: main ? "main" : "" }),
  );
  return html`<div class="answers">${answers}</div>`;
}

/**
 * All that is in force in the game, as long as it lasts and after.
 *
 * @param {Game} game
 */
function factsView({ state, you, context: { say } }) {
  // An invitation says it already.
  if (!you.length && state.seats.some(({ open }) => open)) return nothing;
  const watched = computerSeats(state).length === 2;
  const facts = factsOf(say, offeredIn(state)).filter(({ kind }) => !watched || kind !== "take_backs");
  if (state.rated) facts.push({ kind: "rules", text: say("web.lobby.rated") });
  return html`<div class="game-facts" role="note" aria-label=${say("web.start.in_force")}>
    ${facts.map(({ kind, text }) => html`<span class="fact" data-kind=${kind}>${text}</span>`)}
  </div>`;
}

/**
 * What is said now. A note, which answers what was just done, goes before the state; it belongs to the state that
 * it was said in.
 *
 * @param {Game} game
 * @returns {Status}
 */
function statusOf(game) {
  const { state, linked, shown, explained, note, acts } = game;
  const { say } = game.context;
  if (!linked && isRemote) return { words: say("web.play.lost"), kind: "lost" };
  const standing = standingOf(game);
  if (note) return { words: note, kind: "note", buttons: standing.buttons };
  const button = { label: say("web.play.to_now"), act: acts.resume };
  if (explained !== null) return { words: beforeText(game, explained), kind: "note", buttons: [button] };
  if (shown < state.ply) {
    const words = say("web.play.browsing", { ply: shown, total: state.ply });
    return { words, kind: "note", buttons: [button] };
  }
  return standing;
}

/**
 * The position before a move of the game.
 *
 * @param {Game} game
 * @param {number} index of the move
 */
export function beforeText({ state, context: { say } }, index) {
  return say("web.play.before_move", { colour: say(colourOfMove(state, index)), number: index + 1 });
}

/**
 * How the game stands: for one who plays, two at one device, or one who watches.
 *
 * @param {Game} game
 * @returns {Status}
 */
export function standingOf(game) {
  const standing = stateOf(game);
  const { state, mayDecide, acts, context } = game;
  if (!state.undoable || !mayDecide) return standing;
  const undo = {
    label: context.say("web.play.undo_seats"),
    act: () => void acts.send("undo_seats"),
  };
  return { ...standing, buttons: [...(standing.buttons ?? []), undo] };
}

/**
 * The same, without what may be taken back.
 *
 * @param {Game} game
 * @returns {Status}
 */
function stateOf(game) {
  const { state, you, thinking } = game;
  const { say, lookupKey } = game.context;
  const request = requested(game) ?? rematch(game);
  if (request) return request;
  if (state.outcome) return { words: resultText(say, state.outcome), kind: "over" };
  // The game rests until the seat is taken, but nobody has paused it.
  if (state.seats.some(({ open }) => open)) {
    return { words: you.length ? say("web.play.waiting_friend") : say("web.play.invited_text") };
  }
  // The engine is not ready: whose turn it is could not move.
  if (thinking?.message) return { words: lookupKey(thinking.message) };
  if (state.preparing) return { words: say("web.play.preparing") };
  if (state.paused) return { words: say("web.play.paused"), kind: "note" };
  return leftAlone(game) ?? decided(game) ?? turn(game);
}

/**
 * Whose turn it is, and what is played when it is one's own.
 *
 * @param {Game} game
 * @returns {Status}
 */
function turn(game) {
  const { state, you } = game;
  const { say } = game.context;
  const seat = state.seats.find(({ participant }) => participant === state.actor);
  if (!seat) return { words: "" };
  const colour = say(seat.colour);
  if (seat.occupant !== "human") {
    return premoved(game, say("web.play.is_thinking", { who: seatName(game, seat) }));
  }
  if (!you.length) return { words: say("web.play.watching_turn", { colour }) };
  if (!you.includes(seat.participant)) return premoved(game, say("web.play.waiting_opponent"));
  const both = you.length === 2 && state.seats.every(({ occupant }) => occupant === "human");
  const words = both
    ? say("web.play.colour_to_move", { colour })
    : say("web.play.your_turn_long", { colour });
  return { words, kind: "turn" };
}

/**
 * That it is the opponent's turn, with the move that waits for one's own.
 *
 * @param {Game} game
 * @param {string} words whose turn it is
 * @returns {Status}
 */
function premoved({ premove, acts, context: { say } }, words) {
  if (!premove) return { words };
  const cancel = { label: say("web.play.premove_cancel"), act: () => acts.change({ premove: null }) };
  return { words: say("web.play.premove", { point: premove.point, turn: words }), buttons: [cancel] };
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
 * Another game that one side offers the other, as long as there is none.
 *
 * @param {Game} game
 * @returns {Status | null}
 */
function rematch({ state, you, acts, context: { say } }) {
  const { rematch: by, version } = state;
  if (!by || state.again || you.length !== 1) return null;
  const no = () => acts.send("answer", { accept: false, version });
  if (you.includes(by)) {
    const withdraw = async () => (await no()) && acts.note(say("web.play.rematch_withdrawn"));
    return {
      words: say("web.play.rematch_asked"),
      kind: "ask",
      buttons: [{ label: say("web.play.withdraw"), act: () => void withdraw() }],
    };
  }
  return {
    words: say("web.play.rematch_offered"),
    kind: "ask",
    buttons: [
      { label: say("web.play.accept"), act: () => void acts.again(), main: true },
      { label: say("web.play.decline"), act: () => void no() },
    ],
  };
}

/**
 * That the opponent has been away so long that one may end the game.
 *
 * @param {Game} game
 * @returns {Status | null}
 */
function leftAlone(game) {
  const { acts, context } = game;
  const { say } = context;
  if (!isLeftAlone(game)) return null;
  return {
    words: say("web.play.left", { minutes: PATIENCE / 60 }),
    kind: "ask",
    buttons: [
      { label: say("web.play.claim_draw"), act: () => void acts.send("claim_draw") },
      { label: say("web.play.abort"), act: () => void acts.send("abort") },
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
  const decision = state.opening?.decision;
  const seat = decision && state.seats.find(({ participant }) => participant === decision.by);
  if (!decision || !seat) return null;
  const question = lookupKey(decision.message);
  if (!you.includes(decision.by) || seat.occupant !== "human") {
    return { words: say("web.play.other_chooses", { who: seatName(game, seat), question }) };
  }
  const buttons = decision.options.map(({ value, message }) => ({
    label: isNumber(value) ? value : sentence(lookupKey(message)),
    act: () => void acts.choose(value),
  }));
  const choice = buttons.length && !isNumber(decision.options[0].value);
  return { words: choice ? say("web.play.choose") : sentence(question), kind: "ask", buttons };
}

/** @param {string} value of an option */
function isNumber(value) {
  return /^\d+$/.test(value);
}

/**
 * @param {Game} game as it is now
 * @param {GameState} before
 * @param {ParticipantNumber[]} were whom one played then
 */
export function announceChanges(game, before, were) {
  const { state, context } = game;
  if (state.ply > before.ply) announceMove(game);
  announceColour(game, colourOf(before, were), colourOf(state, game.you));
  announceAnswer(game, before);
  const offered = before.rematch && game.you.includes(before.rematch);
  if (offered && !state.rematch && !state.again && state.outcome)
    game.acts.note(context.say("web.play.rematch_declined"));
  if (state.notice && state.notice.key !== before.notice?.key)
    context.toast(state.notice, { kind: "error" });
}

/** What the window is called: who plays whom, and a dot before it where one is to move. @param {Game} game */
export function titleOf(game) {
  const { state, you } = game;
  const turn = !state.outcome && state.actor !== null && you.length === 1 && you.includes(state.actor);
  const names = state.seats.map((seat) => seatName(game, seat)).join(" – ");
  return `${turn ? "● " : ""}${names} · Tengen`;
}

/** A stone was put: let it be heard. @param {Game} game */
function announceMove({ state, you, context: { say, sound, announce } }) {
  sound.stone();
  const colour = state.stones.at(-1)?.[1];
  const point = state.last;
  if (!point || !colour) return;
  const turn = state.actor !== null && you.includes(state.actor) && you.length === 1;
  announce(say(turn ? "web.play.played_you" : "web.play.played", { colour: say(colour), point }));
}

/**
 * An opening rule, or a swap of sides, has given one the other colour.
 *
 * @param {Game} game
 * @param {string | undefined} was
 * @param {string | undefined} is
 */
function announceColour({ state, context: { say, toast } }, was, is) {
  if (was && is && was !== is && !state.outcome) toast(say("web.play.now_colour", { colour: say(is) }));
}

/**
 * What one has asked the opponent was declined: nothing else has changed.
 *
 * @param {Game} game
 * @param {GameState} before
 */
function announceAnswer({ state, you, acts, context: { say } }, { request, ...before }) {
  const own = request && you.length === 1 && you[0] === request.by;
  const face = (/** @type {typeof before} */ { moves, offered, opening, outcome }) =>
    JSON.stringify([moves, offered, opening, outcome]);
  if (!own || state.request || face(before) !== face(state)) return;
  acts.note(request.kind === "draw" ? say("web.play.draw_declined") : say("web.play.back_declined"));
}

/** The colour of the only seat that one plays. @type {(state: GameState, you: ParticipantNumber[]) => string | undefined} */
function colourOf(state, you) {
  const own = ownSeats({ state, you });
  return own.length === 1 ? own[0].colour : undefined;
}
