/** A worker in which players, the engine and the solver search, as Python knows it (`WebWorker`). */

import { SHARES_MEMORY } from "../engine/client.js";

/** @typedef {(kind: string, number: number, data: Uint8Array) => void} Tell */

export class SearchWorker {
  /**
   * @param {string} base address of the site's root
   * @param {number} helpers the workers that help it in an analysis, where the memory can be shared
   */
  constructor(base, helpers) {
    /** Receives what it says. @type {Tell} */
    this.tell = () => {};
    /** The number of the newest task that is to end early, where the memory can be shared. */
    this.hurried = SHARES_MEMORY ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.worker = new Worker(new URL("./search_worker.js", import.meta.url), { type: "module" });
    /** Resolved when it can search, or never will. @type {Promise<void>} */
    this.loaded = new Promise((resolve) => {
      this.worker.onmessage = ({ data: { kind, number, data } }) => {
        if (kind === "loaded") resolve();
        else this.tell(kind, number, data);
      };
      this.worker.onerror = (event) => {
        const reason = event instanceof ErrorEvent ? event.message : "";
        this.tell("lost", 0, new TextEncoder().encode(reason));
        resolve();
      };
    });
    this.worker.postMessage({ kind: "load", base, hurried: this.hurried, helpers });
  }

  /** @param {number} number @param {any} packed bytes of Python's @param {boolean} reporting @param {boolean} hurried */
  run(number, packed, reporting, hurried) {
    const bytes = packed.toJs();
    if (hurried && this.hurried) Atomics.store(this.hurried, 0, number);
    this.worker.postMessage({ kind: "run", number, packed: bytes, reporting, hurried }, [bytes.buffer]);
  }

  /** @param {number} number @returns {boolean} */
  hurry(number) {
    if (this.hurried) Atomics.store(this.hurried, 0, number);
    return this.hurried !== null;
  }

  end() {
    this.worker.terminate();
  }
}
