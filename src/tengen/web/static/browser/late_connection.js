/**
 * A connection whose other end is not known yet.
 *
 * @import { Connection } from "../shared/types.js"
 */

const [CONNECTING, CLOSED] = [0, 3]; // the states of a WebSocket

/** @implements {Connection} */
export class LateConnection {
  /**
   * @param {Promise<void>} known when the other end is known
   * @param {() => Connection} connect
   */
  constructor(known, connect) {
    // It may open at the next turn, and must be heard.
    void known.then(() => this.#join(connect()));
  }

  /** @type {Connection | null} */
  #connection = null;
  #isClosed = false;
  /** @type {Connection["onopen"]} */
  onopen = null;
  /** @type {Connection["onmessage"]} */
  onmessage = null;
  /** @type {Connection["onclose"]} */
  onclose = null;

  get readyState() {
    return this.#isClosed ? CLOSED : (this.#connection?.readyState ?? CONNECTING);
  }

  /** @param {Connection} connection */
  #join(connection) {
    this.#connection = connection;
    connection.onopen = (event) => this.onopen?.(event);
    connection.onmessage = (event) => this.onmessage?.(event);
    connection.onclose = (event) => this.onclose?.(event);
    if (this.#isClosed) connection.close();
  }

  /** @param {string} text */
  send(text) {
    this.#connection?.send(text);
  }

  close() {
    this.#isClosed = true;
    this.#connection?.close();
  }
}
