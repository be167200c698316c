/**
 * The socket of a game that has begun before Python was there. Once Python has taken the game over, it is one with
 * a socket of the app's.
 *
 * @import { Connection } from "../shared/types.js"
 */

/** The states of a WebSocket. */
const [OPEN, CLOSED] = [1, 3];

/** @implements {Connection} */
export class EarlySocket {
  /**
   * @param {(socket: EarlySocket, message: any) => void} receive what the page says
   */
  constructor(receive) {
    this.readyState = 0;
    /** @type {Connection["onopen"]} */
    this.onopen = null;
    /** @type {Connection["onmessage"]} */
    this.onmessage = null;
    /** @type {Connection["onclose"]} */
    this.onclose = null;
    this.#receive = receive;
    queueMicrotask(() => {
      if (this.readyState === CLOSED) return;
      this.readyState = OPEN;
      this.onopen?.({});
    });
  }

  #receive;
  /** The page's first message. */
  #hello = "";
  /** What Python has to answer. @type {string[]} */
  #unsent = [];
  /** @type {Connection | null} */
  #app = null;

  /** @param {string} text */
  send(text) {
    if (this.#app) {
      if (this.#app.readyState === OPEN) this.#app.send(text);
      else this.#unsent.push(text);
      return;
    }
    const message = JSON.parse(text);
    if (message.type === "hello") this.#hello = text;
    this.#receive(this, message);
  }

  close() {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#app?.close();
  }

  /**
   * Tell the page something.
   *
   * @param {object} message
   */
  tell(message) {
    if (this.readyState === OPEN) this.onmessage?.({ data: JSON.stringify(message) });
  }

  /**
   * Keep a message for Python.
   *
   * @param {object} message
   */
  keep(message) {
    this.#unsent.push(JSON.stringify(message));
  }

  /**
   * Become one with a socket of the app's.
   *
   * @param {Connection} app
   */
  join(app) {
    if (this.readyState === CLOSED) {
      app.close();
      return;
    }
    this.#app = app;
    app.onopen = () => {
      if (this.#hello) app.send(this.#hello);
      for (const text of this.#unsent.splice(0)) app.send(text);
    };
    app.onmessage = (event) => this.onmessage?.(event);
    app.onclose = (event) => {
      this.readyState = CLOSED;
      this.onclose?.(event);
    };
  }
}
