/**
 * A game as it is played: its newest state, and messages to it.
 *
 * @import { GameState, Participant, Thinking } from "./game_types.js"
 *
 * @typedef {object} GameListener
 * @property {(state: GameState, you: Participant[], made: boolean) => void} onState called with every newer state, the
 *     seats that are one's own, and whether one has made the game
 * @property {(connected: boolean) => void} onLink
 * @property {(thinking: Thinking) => void} [onThinking]
 * @property {(connected: Participant[], watchers: number, away: Record<Participant, number>) => void} [onPresence] away:
 *     seconds for which nobody of a seat has been there
 * @property {(by: Participant, phrase: string) => void} [onPhrase]
 *
 * @typedef {object} LiveGame
 * @property {(message: {type: string} & Record<string, unknown>) => Promise<any>} send return the server's answer; throws
 *     ApiError
 * @property {() => void} close
 */

import { tokensOf } from "./seats.js";
import { createSocket } from "./socket.js";

/** Messages that name the position they belong to: the server applies them once. */
const ONCE = ["move", "choose"];

/**
 * @param {string} id of the game
 * @param {GameListener} listener
 * @returns {LiveGame}
 */
export function followGame(id, { onState, onLink, onThinking, onPresence, onPhrase }) {
  /** @type {Participant[]} */
  let you = [];
  let made = false;
  let version = -1;
  const { request, close } = createSocket(`/api/games/${id}/live`, {
    onMessage,
    onLink,
    hello: () => ({ type: "hello", tokens: tokensOf(id) }),
  });
  return { send: (message) => request(message, ONCE.includes(message.type)), close };

  /** @param {any} message */
  function onMessage(message) {
    if (message.type === "state") {
      const first = message.you !== undefined; // the state that answers "hello"
      you = message.you ?? you;
      made = message.made ?? made;
      if (!first && message.state.version <= version) return;
      version = message.state.version;
      onState(message.state, you, made);
    } else if (message.type === "thinking") onThinking?.(message);
    else if (message.type === "presence") onPresence?.(message.connected, message.watchers, message.away);
    else if (message.type === "phrase") onPhrase?.(message.by, message.phrase);
  }
}
