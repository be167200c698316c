/**
 * A game as it is played: a connection that heals, the newest state, and messages that are sent once.
 *
 * @import { GameState, Participant, Thinking } from "./game_types.js"
 *
 * @typedef {object} Heard what is told of the game
 * @property {(state: GameState, you: Participant[], made: boolean) => void} onState
 * @property {(thinking: Thinking) => void} onThinking
 * @property {(connected: Participant[], watchers: number, away: Record<Participant, number>) => void} onPresence away:
 *     seconds for which nobody of a seat has been there
 * @property {(by: Participant, phrase: string) => void} [onPhrase] somebody says something
 * @property {(connected: boolean) => void} onLink the connection was lost, or is back
 *
 * @typedef {object} GameSocket
 * @property {(message: Record<string, unknown>) => Promise<any>} send the server's answer; throws ApiError
 * @property {() => void} close
 */

import { ApiError } from "./api.js";
import { tokensOf } from "./seats.js";

const PATIENCE = 6000; // milliseconds without an answer to a ping
const PULSE = 15000;
const NO_GAME = 4004; // how the server closes where there is no such game
const RETRIES = [150, 400, 1000, 2000, 4000, 8000]; // milliseconds

/**
 * @param {string} id of the game
 * @param {Heard} heard
 * @returns {GameSocket}
 */
export function createGameSocket(id, heard) {
  /** @type {WebSocket} */
  let socket;
  /** @type {Map<number, {message: any, done: (answer: any) => void, failed: (error: ApiError) => void}>} */
  const waiting = new Map();
  /** @type {Participant[]} */
  let you = [];
  let made = false;
  let version = -1;
  let count = 0;
  let failures = 0;
  let ready = false;
  let closed = false;
  /** @type {number | undefined} */
  let retry;
  /** @type {number | undefined} */
  let pulse;
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("online", connect, { signal });
  addEventListener("offline", () => drop(socket), { signal });
  document.addEventListener("visibilitychange", () => !document.hidden && check(), { signal });
  connect();

  return { send, close };

  function connect() {
    if (closed || (socket && socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(retry);
    const mine = new WebSocket(`${location.origin.replace("http", "ws")}/api/games/${id}/live`);
    socket = mine;
    mine.onopen = () => mine.send(JSON.stringify({ type: "hello", tokens: tokensOf(id) }));
    mine.onmessage = ({ data }) => mine === socket && hear(JSON.parse(data));
    mine.onclose = ({ code }) => drop(mine, code === NO_GAME);
  }

  /**
   * The connection is gone: say so, and try again.
   *
   * @param {WebSocket} gone
   * @param {boolean} [ever] whether there is nothing to come back to
   */
  function drop(gone, ever = false) {
    if (closed || gone !== socket) return;
    gone.onclose = null;
    gone.close();
    socket = /** @type {any} */ (null);
    ready = false;
    clearTimeout(pulse);
    heard.onLink(false);
    // Moves are sent again, since a doubled one does no harm; what else was asked may be asked anew.
    for (const [number, { message, failed }] of waiting) {
      if (message.type === "move" || message.type === "choose") continue;
      waiting.delete(number);
      failed(new ApiError({ key: "web.error.offline" }, 0));
    }
    if (ever || !navigator.onLine) return; // "online" will be heard
    retry = setTimeout(
      connect,
      RETRIES[Math.min(failures++, RETRIES.length - 1)] * (0.8 + 0.4 * Math.random()),
    );
  }

  /** @param {any} told */
  function hear(told) {
    clearTimeout(pulse);
    pulse = setTimeout(check, PULSE);
    if (told.type === "state") {
      const first = told.you !== undefined;
      you = told.you ?? you;
      made = told.made ?? made;
      if (first || told.state.version > version) {
        version = told.state.version;
        heard.onState(told.state, you, made);
      }
      if (!ready) welcome();
    } else if (told.type === "thinking") heard.onThinking(told);
    else if (told.type === "presence") heard.onPresence(told.connected, told.watchers, told.away);
    else if (told.type === "phrase") heard.onPhrase?.(told.by, told.phrase);
    else if (told.type === "done") answered(told.id)?.done(told);
    else if (told.type === "refused") answered(told.id)?.failed(new ApiError(told.error, 409, told.text));
  }

  function welcome() {
    ready = true;
    failures = 0;
    heard.onLink(true);
    for (const { message } of waiting.values()) socket.send(JSON.stringify(message));
  }

  /** Ask for a sign of life. */
  function check() {
    if (!ready) {
      connect();
      return;
    }
    const mine = socket;
    mine.send(JSON.stringify({ type: "ping" }));
    clearTimeout(pulse);
    pulse = setTimeout(() => drop(mine), PATIENCE);
  }

  /** @param {number} number */
  function answered(number) {
    const found = waiting.get(number);
    waiting.delete(number);
    return found;
  }

  /** @type {GameSocket["send"]} */
  function send(message) {
    const number = ++count;
    const whole = { ...message, id: number };
    return new Promise((done, failed) => {
      // What is asked while a page connects for the first time waits for that; later the connection is known to be lost.
      const lost = !ready && (!socket || failures > 0);
      if (lost && message.type !== "move" && message.type !== "choose") {
        failed(new ApiError({ key: "web.error.offline" }, 0));
        return;
      }
      waiting.set(number, { message: whole, done, failed });
      if (ready) socket.send(JSON.stringify(whole));
    });
  }

  function close() {
    closed = true;
    listening.abort();
    clearTimeout(retry);
    clearTimeout(pulse);
    socket?.close();
  }
}
