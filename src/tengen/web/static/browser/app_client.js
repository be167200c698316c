/**
 * The app for the pages: it starts the app's worker once something is asked, in one tab at a time, and passes requests
 * and sockets to it. See `app_worker.js` for the messages.
 *
 * @import { Connection } from "../shared/types.js"
 *
 * @typedef {{ key: string, values?: Record<string, unknown> }} Message
 * @typedef {{ done: (answer: Response) => void, failed: (reason: unknown) => void }} Waiting
 *
 * @typedef {object} State
 * @property {"idle" | "elsewhere" | "loading" | "ready" | "failed"} name elsewhere: another tab has the app
 * @property {number} done share that has been loaded, from 0 to 1
 * @property {Message | null} message why it has failed
 * @property {boolean} unsaved whether the browser does not keep what changes
 */

import { eraseDatabase } from "./database_file.js";
import { Ownership } from "./ownership.js";

const UNAVAILABLE = 503;
const ABNORMAL = 1006; // the code of a connection that ends without a word
const EMPTY = [204, 205, 304]; // the statuses of answers without a body

export class AppClient {
  /** @param {string} base address of the root of the site */
  constructor(base) {
    this.#base = base;
    this.#ownership = new Ownership(`tengen ${new URL(base).pathname}`, {
      onOwn: () => this.#load(),
      onLose: () => this.#leave(),
    });
  }

  /** What comes before Python over a slow line. @type {Promise<unknown>} */
  before = Promise.resolve();
  #base;
  #ownership;
  #isAsked = false;
  /** Whether nothing is kept any more, until the page is loaded anew. */
  #isErased = false;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {State} */
  #state = { name: "idle", done: 0, message: null, unsaved: false };
  #last = 0;
  /** Messages that wait for the worker. @type {[object, Transferable[]][]} */
  #unsent = [];
  /** @type {Map<number, Waiting>} */
  #requests = new Map();
  /** @type {Map<number, AppConnection>} */
  #connections = new Map();
  /** @type {Set<(state: State) => void>} */
  #listeners = new Set();

  /**
   * @param {(state: State) => void} listener called at once, and with each later state
   * @returns {() => void} how to stop listening
   */
  listen(listener) {
    this.#listeners.add(listener);
    listener(this.#state);
    return () => void this.#listeners.delete(listener);
  }

  /** Start the app; where another tab has it, wait for that. */
  start() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#ownership.ask();
  }

  /** Take the app over from another tab. */
  take() {
    this.#ownership.take();
  }

  /** Start the app again, after it could not be started. */
  retry() {
    if (this.#state.name === "failed") this.#load();
  }

  /** Delete all that the browser keeps of the app; whoever calls it loads the page anew. */
  async erase() {
    const isOwner = this.#worker !== null;
    this.#isErased = true;
    this.#stop({ key: "web.site.failed" });
    try {
      // What has it open is the worker of another tab.
      await eraseDatabase(this.#base, () => isOwner || this.take());
    } catch (error) {
      console.warn(error); // a browser that keeps nothing
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Response>}
   */
  async send(path, { method = "GET", headers = {}, body = null, signal } = {}) {
    signal?.throwIfAborted();
    if (this.#state.name === "failed") return this.#refusal();
    // A form says by its type how its parts are separated.
    const given = new Response(body);
    const all = { ...Object.fromEntries(given.headers), ...Object.fromEntries(new Headers(headers)) };
    const data = body === null ? null : await given.arrayBuffer();
    signal?.throwIfAborted();
    const id = ++this.#last;
    return new Promise((done, failed) => {
      this.#requests.set(id, { done, failed });
      signal?.addEventListener("abort", () => {
        if (!this.#requests.delete(id)) return;
        this.#post({ kind: "abort", id });
        failed(signal.reason);
      });
      this.#post({ kind: "request", id, method, path, headers: all, body: data }, data ? [data] : []);
    });
  }

  /**
   * @param {string} path
   * @returns {Connection}
   */
  connect(path) {
    const id = ++this.#last;
    const connection = new AppConnection((message) => this.#post({ ...message, id }));
    if (this.#state.name === "failed") {
      queueMicrotask(() => connection.end(ABNORMAL));
      return connection;
    }
    this.#connections.set(id, connection);
    this.#post({ kind: "open", id, path });
    return connection;
  }

  /**
   * @param {object} message
   * @param {Transferable[]} [transfer]
   */
  #post(message, transfer = []) {
    if (this.#worker) this.#worker.postMessage(message, transfer);
    else this.#unsent.push([message, transfer]);
    this.start();
  }

  /** @param {Partial<State>} change */
  #change(change) {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Start the worker: this tab owns the app. */
  #load() {
    if (this.#isErased) return;
    const worker = new Worker(new URL("./app_worker.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      // An error of an app that runs is not its end.
      if (this.#state.name === "loading") this.#fail({ key: "web.site.failed" });
      console.error(event.message);
    };
    this.#change({ name: "loading", done: 0, message: null });
    worker.postMessage({ kind: "load", base: this.#base });
    void this.before.then(() => worker.postMessage({ kind: "download" }));
    for (const [message, transfer] of this.#unsent.splice(0)) worker.postMessage(message, transfer);
  }

  /** Give the app up: another tab owns it. */
  #leave() {
    this.#stop({ key: "web.site.elsewhere" });
    this.#change({ name: "elsewhere" });
  }

  /** @param {Message} message */
  #fail(message) {
    this.#stop(message);
    this.#change({ name: "failed", message });
  }

  /** End the worker, and all that was asked of it. @param {Message} message */
  #stop(message) {
    if (!this.#worker) return;
    this.#worker.terminate();
    this.#worker = null;
    this.#change({ message });
    const [requests, connections] = [[...this.#requests.values()], [...this.#connections.values()]];
    this.#requests.clear();
    this.#connections.clear();
    for (const { done } of requests) done(this.#refusal());
    for (const connection of connections) connection.end(ABNORMAL);
  }

  /** The answer where there is none. */
  #refusal() {
    return Response.json({ error: this.#state.message }, { status: UNAVAILABLE });
  }

  /** @param {any} message */
  #receive(message) {
    const { kind, id } = message;
    if (kind === "progress") this.#change({ done: message.done });
    else if (kind === "ready") this.#change({ name: "ready", done: 1 });
    else if (kind === "failed") this.#fail(message.message);
    else if (kind === "unsaved") this.#change({ unsaved: true });
    else if (kind === "response") {
      const { status, headers, body } = message;
      this.#requests.get(id)?.done(new Response(EMPTY.includes(status) ? null : body, { status, headers }));
      this.#requests.delete(id);
    } else if (kind === "opened") this.#connections.get(id)?.begin();
    else if (kind === "message") this.#connections.get(id)?.receive(message.text);
    else if (kind === "closed") {
      this.#connections.get(id)?.end(message.code);
      this.#connections.delete(id);
    }
  }
}

/** A connection to the app, used as a WebSocket is. @implements {Connection} */
class AppConnection {
  /** @param {(message: { kind: string, text?: string }) => void} post */
  constructor(post) {
    this.#post = post;
  }

  #post;
  /** @type {number} */
  readyState = WebSocket.CONNECTING;
  /** @type {((event: any) => void) | null} */
  onopen = null;
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onclose = null;

  begin() {
    this.readyState = WebSocket.OPEN;
    this.onopen?.({});
  }

  /** @param {string} data */
  receive(data) {
    if (this.readyState === WebSocket.OPEN) this.onmessage?.({ data });
  }

  /** @param {number} code */
  end(code) {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code });
  }

  /** @param {string} text */
  send(text) {
    if (this.readyState === WebSocket.OPEN) this.#post({ kind: "send", text });
  }

  close() {
    if (this.readyState >= WebSocket.CLOSING) return;
    this.readyState = WebSocket.CLOSING;
    this.#post({ kind: "close" });
  }
}
