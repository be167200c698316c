/**
 * What is said over the connection: JSON over HTTP, with errors that can be said, and sockets, which are opened again when
 * they are lost, ask for signs of life, and keep requests until they are answered.
 *
 * @import { Connection, Socket, SocketOptions, Waiting } from "./types.js"
 *
 * @typedef {{key: string, values?: Record<string, unknown>}} Message
 *
 * @typedef {object} RequestOptions
 * @property {string} [token] of a seat
 * @property {AbortSignal} [signal]
 */

import { connect, isRemote, send } from "./connection.js";

const PATIENCE = 60_000; // milliseconds for an answer; more than any that the server thinks about takes

/** What the server refused, or that it could not be reached or did not answer (status 0). */
export class ApiError {
  /**
   * @param {Message} message a sentence of the catalogue
   * @param {number} status of HTTP
   * @param {string} [text] the same in English
   */
  constructor(message, status, text = "") {
    this.message = message;
    this.status = status;
    this.text = text;
  }

  toString() {
    return `${this.status} ${this.text || this.message.key}`;
  }
}

export const api = {
  /**
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  get: (path, options) => request("GET", path, undefined, options),

  /**
   * @param {string} path
   * @param {unknown} [body] JSON, or a form that is sent as it is
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  post: (path, body = {}, options) => request("POST", path, body, options),

  /**
   * @param {string} path
   * @returns {Promise<any>}
   */
  del: (path) => request("DELETE", path),

  /**
   * A file: of a GET without a body, else of a POST.
   *
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<Blob>}
   */
  file: async (path, body) => (await api.download(path, body)).file,

  /**
   * A file as `file` gets it, and what its format does not keep of the game.
   *
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<{ file: Blob, notKept: any }>}
   */
  download: (path, body) =>
    request(body === undefined ? "GET" : "POST", path, body, {}, async (answer) => ({
      file: await answer.blob(),
      notKept: JSON.parse(answer.headers.get("Tengen-Not-Kept") ?? "null"),
    })),
};

/** @typedef {typeof api} Api */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {RequestOptions} [options]
 * @param {(answer: Response) => Promise<any>} [read] what is answered
 * @returns {Promise<any>}
 */
async function request(method, path, body, { token, signal } = {}, read = json) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? undefined : form ? body : JSON.stringify(body);
  const limits = signal ? [signal] : [];
  // A form may be a large file on a slow line; what is in the page answers.
  if (isRemote && !form) limits.push(AbortSignal.timeout(PATIENCE));
  let answer;
  try {
    answer = await send(path, { method, headers, signal: AbortSignal.any(limits), body: sent });
    if (answer.ok) return await read(answer);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ key: "web.error.offline" }, 0);
  }
  const { error, text } = await json(answer).catch(() => ({}));
  const fallback = { key: "web.error.server", values: { status: answer.status } };
  throw new ApiError(error?.key ? error : fallback, answer.status, text);
}

/** @param {Response} answer */
async function json(answer) {
  return answer.status === 204 ? null : answer.json();
}

const PULSE = 15_000; // milliseconds between two signs of life
const SILENCE = 6_000; // milliseconds without an answer to a ping
const RETRIES = [150, 400, 1000, 2000, 4000, 8000]; // milliseconds
const NOT_FOUND = 4004; // the code of a connection to something that does not exist

/**
 * @param {string} path
 * @param {SocketOptions} options
 * @returns {Socket}
 */
export function createSocket(path, { onMessage, onLink = () => {}, hello, lasting = true }) {
  /** @type {Connection | null} */
  let socket = null;
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  /** What waits until the connection is open. @type {string[]} */
  const unsent = [];
  let count = 0;
  let failures = 0;
  /** Whether the server has said something since the connection was opened. */
  let ready = false;
  let closed = false;
  let retry = 0;
  let pulse = 0;
  const listening = new AbortController();
  const { signal } = listening;
  const losable = lasting && isRemote;
  if (losable) {
    addEventListener("online", open, { signal });
    addEventListener("offline", () => socket && drop(socket), { signal });
    document.addEventListener("visibilitychange", () => !document.hidden && check(), { signal });
  }
  if (lasting) open();
  return { send: post, request, close };

  function open() {
    if (closed || socket) return;
    clearTimeout(retry);
    const mine = connect(path);
    socket = mine;
    mine.onopen = () => {
      if (hello) post(hello());
      for (const text of unsent.splice(0)) mine.send(text);
    };
    mine.onmessage = ({ data }) => mine === socket && receive(JSON.parse(data));
    mine.onclose = ({ code }) => drop(mine, code === NOT_FOUND);
  }

  /**
   * Give up a connection that is lost, and open another one.
   *
   * @param {Connection} lost
   * @param {boolean} [forever]
   */
  function drop(lost, forever = false) {
    if (closed || lost !== socket) return;
    lost.onclose = null;
    lost.close();
    socket = null;
    ready = false;
    unsent.length = 0;
    clearTimeout(pulse);
    for (const [number, { again, failed }] of waiting) {
      if (again) continue;
      waiting.delete(number);
      failed(offline());
    }
    onLink(false);
    if (!lasting || forever || (isRemote && !navigator.onLine)) return; // "online" will be heard
    const pause = RETRIES[Math.min(failures++, RETRIES.length - 1)];
    retry = window.setTimeout(open, pause * (0.8 + 0.4 * Math.random()));
  }

  /** @param {any} message */
  function receive(message) {
    const mine = socket;
    if (losable) {
      clearTimeout(pulse);
      pulse = window.setTimeout(check, PULSE);
    }
    const request = waiting.get(message.id);
    if (request) {
      waiting.delete(message.id);
      if (message.type === "refused") request.failed(new ApiError(message.error, 409, message.text));
      else request.done(message);
      return;
    }
    onMessage(message);
    if (ready || mine !== socket || message.type === "refused") return;
    ready = true;
    failures = 0;
    onLink(true);
    for (const { message } of waiting.values()) post(message);
  }

  /** Ask for a sign of life. */
  function check() {
    const mine = socket;
    if (!mine || !ready) {
      open();
      return;
    }
    post({ type: "ping" });
    clearTimeout(pulse);
    pulse = window.setTimeout(() => drop(mine), SILENCE);
  }

  /** @type {Socket["send"]} */
  function post(message) {
    open();
    const mine = socket;
    if (!mine) return;
    const text = JSON.stringify(message);
    if (mine.readyState === WebSocket.OPEN) mine.send(text);
    else unsent.push(text);
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
    if (ready) post(numbered);
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
