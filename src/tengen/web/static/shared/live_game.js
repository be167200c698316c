/**
 * A game as it is played: its newest state, and messages to it.
 *
 * @import { GameState, ParticipantNumber } from "./schemas.js"
 * @import { GameListener, LiveGame } from "./types.js"
 *
 * @typedef {object} StateChange what has changed in a state, as the server tells it
 * @property {number} since the version that has changed
 * @property {{keep: number, add: string[]}} [moves] the first `keep` moves stay, and `add` follows; left out if they
 *     are the same
 * @property {Partial<GameState> & {version: number}} state the fields, except moves and stones, that have new values
 */

import { createSocket } from "./api.js";
import { described } from "./position.js";
import { tokensOf } from "./settings.js";

/** Messages that name the position they belong to: the server applies them once. */
const ONCE = ["move", "choose"];

/**
 * @param {string} id of the game
 * @param {GameListener} listener
 * @returns {LiveGame}
 */
export function followGame(id, { onState, onLink, onThinking, onPresence, onPhrase }) {
  /** @type {ParticipantNumber[]} */
  let you = [];
  let made = false;
  /** @type {GameState | null} */
  let state = null;
  const { request, close } = createSocket(`/api/games/${id}/live`, {
    onMessage,
    onLink,
    hello: () => ({ type: "hello", tokens: tokensOf(id) }),
  });
  return { send: (message) => request(message, ONCE.includes(message.type)), close };

  /** @param {any} message */
  function onMessage(message) {
    if (message.type === "state") take(message.state, message);
    else if (message.type === "change") {
      if (state && state.version === message.since) take(changedState(state, message), message);
      else if (!state || state.version < message.state.version) ask(message);
    } else if (message.type === "thinking") onThinking?.(message);
    else if (message.type === "presence") {
      if (!state) return;
      state = present(state, message);
      onPresence?.(state, message.away);
    } else if (message.type === "phrase") onPhrase?.(message.by, message.phrase);
  }

  /**
   * @param {GameState} next
   * @param {{you?: ParticipantNumber[], made?: boolean}} message
   */
  function take(next, message) {
    const first = message.made !== undefined; // the state that answers "hello"
    you = message.you ?? you;
    made = message.made ?? made;
    if (!first && state && next.version <= state.version) return;
    state = next;
    onState(next, you, made);
  }

  /**
   * A change has been missed: ask for the whole state.
   *
   * @param {{you?: ParticipantNumber[]}} message
   */
  async function ask(message) {
    try {
      take((await request({ type: "state" })).state, message);
    } catch {
      // The connection is lost, and the next one begins with the whole state.
    }
  }
}

/**
 * A state after a change.
 *
 * @param {GameState} state
 * @param {StateChange} change
 * @returns {GameState}
 */
export function changedState(state, change) {
  const next = { ...state, ...change.state };
  if (!change.moves) return next;
  const moves = [...state.moves.slice(0, change.moves.keep), ...change.moves.add];
  return { ...next, moves, stones: described({ rules: next.rules_name, setup: next.setup, moves }).stones };
}

/**
 * A state with other people present.
 *
 * @param {GameState} state
 * @param {{connected: ParticipantNumber[], watchers: number}} presence
 * @returns {GameState}
 */
function present(state, { connected, watchers }) {
  const [first, second] = state.seats.map((seat) => ({
    ...seat,
    connected: connected.includes(seat.participant),
  }));
  return { ...state, seats: [first, second], watchers };
}
