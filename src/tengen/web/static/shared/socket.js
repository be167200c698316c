/**
 * A WebSocket connection to the server. It is opened again when it is lost, asks for signs of life, and keeps
 * requests until they are answered.
 *
 * @typedef {object} SocketOptions
 * @property {(message: any) => void} onMessage called with each message that does not answer a request
 * @property {(connected: boolean) => void} [onLink] called when the connection is lost, and when it is back
 * @property {() => object} [hello] the first message of each connection
 * @property {boolean} [lasting] true if left out; false: opened by the first `send`, and again by the first one after a
 *     loss, without signs of life
 *
 * @typedef {object} Socket
 * @property {(message: object) => void} send
 * @property {(message: Record<string, unknown>, again?: boolean) => Promise<any>} request send a message and return
 *     what the server answers; `again`: it does no harm twice, and so outlasts a lost connection. Throws ApiError
 * @property {() => void} close
 *
 * @typedef {object} Waiting a request that is not answered
 * @property {object} message
 * @property {boolean} again
 * @property {(answer: any) => void} done
 * @property {(error: ApiError) => void} failed
 */

import { ApiError } from "./api.js";

const PULSE = 15_000; // milliseconds between two signs of life
const PATIENCE = 6_000; // milliseconds without an answer to a ping
const RETRIES = [150, 400, 1000, 2000, 4000, 8000]; // milliseconds
const NOT_FOUND = 4004; // the code of a connection to something that does not exist

/**
 * @param {string} path
 * @param {SocketOptions} options
 * @returns {Socket}
 */
export function createSocket(path, { onMessage, onLink = () => {}, hello, lasting = true }) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let count = 0;
  let failures = 0;
  /** Whether the server has said something since the connection was opened. */
  let ready = false;
  let closed = false;
  let retry = 0;
  let pulse = 0;
  const listening = new AbortController();
  const { signal } = listening;
  if (lasting) {
    addEventListener("online", connect, { signal });
    addEventListener("offline", () => socket && drop(socket), { signal });
    document.addEventListener("visibilitychange", () => !document.hidden && check(), { signal });
    connect();
  }
  return { send, request, close };

  function connect() {
    if (closed || socket) return;
    clearTimeout(retry);
    const mine = new WebSocket(location.origin.replace("http", "ws") + path);
    socket = mine;
    mine.onopen = () => hello && send(hello());
    mine.onmessage = ({ data }) => mine === socket && receive(JSON.parse(data));
    mine.onclose = ({ code }) => drop(mine, code === NOT_FOUND);
  }

  /**
   * Give up a connection that is lost, and open another one.
   *
   * @param {WebSocket} lost
   * @param {boolean} [forever]
   */
  function drop(lost, forever = false) {
    if (closed || lost !== socket) return;
    lost.onclose = null;
    lost.close();
    socket = null;
    ready = false;
    clearTimeout(pulse);
    for (const [number, { again, failed }] of waiting) {
      if (again) continue;
      waiting.delete(number);
      failed(offline());
    }
    onLink(false);
    if (!lasting || forever || !navigator.onLine) return; // "online" will be heard
    const pause = RETRIES[Math.min(failures++, RETRIES.length - 1)];
    retry = window.setTimeout(connect, pause * (0.8 + 0.4 * Math.random()));
  }

  /** @param {any} message */
  function receive(message) {
    const mine = socket;
    if (lasting) {
      clearTimeout(pulse);
      pulse = window.setTimeout(check, PULSE);
    }
    const asked = waiting.get(message.id);
    if (asked) {
      waiting.delete(message.id);
      if (message.type === "refused") asked.failed(new ApiError(message.error, 409, message.text));
      else asked.done(message);
      return;
    }
    onMessage(message);
    if (ready || mine !== socket || message.type === "refused") return;
    ready = true;
    failures = 0;
    onLink(true);
    for (const { message } of waiting.values()) send(message);
  }

  /** Ask for a sign of life. */
  function check() {
    const mine = socket;
    if (!mine || !ready) {
      connect();
      return;
    }
    send({ type: "ping" });
    clearTimeout(pulse);
    pulse = window.setTimeout(() => drop(mine), PATIENCE);
  }

  /** @type {Socket["send"]} */
  function send(message) {
    connect();
    const mine = socket;
    if (!mine) return;
    const text = JSON.stringify(message);
    if (mine.readyState === WebSocket.OPEN) mine.send(text);
    else mine.addEventListener("open", () => mine.send(text), { once: true });
  }

  /** @type {Socket["request"]} */
  async function request(message, again = false) {
    // What is asked while a page connects for the first time waits for that; later the connection is known to be lost.
    if (!ready && (!socket || failures > 0) && !again) throw offline();
    const id = ++count;
    const numbered = { ...message, id };
    const answer = new Promise((done, failed) =>
      waiting.set(id, { message: numbered, again, done, failed }),
    );
    if (ready) send(numbered);
    return answer;
  }

  function close() {
    closed = true;
    listening.abort();
    clearTimeout(retry);
    clearTimeout(pulse);
    socket?.close();
    socket = null;
  }
}

function offline() {
  return new ApiError({ key: "web.error.offline" }, 0);
}
