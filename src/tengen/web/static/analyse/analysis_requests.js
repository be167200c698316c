/**
 * Requests to the server's analysis, one of a kind at a time, each answered by messages until one is the last.
 *
 * @typedef {"analyse" | "vcf" | "vct" | "defences" | "review"} Kind
 * @typedef {(message: any) => void} Receive
 * @typedef {ReturnType<typeof createAnalysisRequests>} AnalysisRequests
 */

import { createSocket } from "../shared/api.js";

/** @param {() => void} onLost called when the connection is lost, and with it all that was requested */
export function createAnalysisRequests(onLost) {
  /** @type {Map<Kind, {id: number, receive: Receive}>} */
  const pending = new Map();
  let count = 0;
  const socket = createSocket("/api/analysis", { onMessage, onLink, lasting: false });
  return { ask, stop, destroy: socket.close };

  /**
   * @param {Kind} kind replaces the former request of this kind
   * @param {object} fields
   * @param {Receive} receive
   */
  function ask(kind, fields, receive) {
    const id = ++count;
    pending.set(kind, { id, receive });
    socket.send({ id, do: kind, ...fields });
  }

  /** @param {Kind} kind */
  function stop(kind) {
    const found = pending.get(kind);
    pending.delete(kind);
    if (found) socket.send({ id: found.id, do: "stop" });
  }

  /** @param {any} message */
  function onMessage(message) {
    for (const [kind, { id, receive }] of pending) {
      if (id !== message.id) continue;
      if (message.done) pending.delete(kind);
      receive(message);
    }
  }

  /** @param {boolean} connected */
  function onLink(connected) {
    if (connected || !pending.size) return;
    pending.clear();
    onLost();
  }
}
