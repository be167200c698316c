/** Files that a worker loads ahead of who asks for them, so that it is known how much of them has come. */

const usual = globalThis.fetch.bind(globalThis);

/** Loads files at once, and counts what comes. */
export class Downloads {
  /**
   * @param {string[]} addresses
   * @param {(read: number) => void} progress receives the number of bytes that have come since it was last called
   */
  constructor(addresses, progress) {
    this.#progress = progress;
    const read = addresses.map((address) => this.#begin(new URL(address, location.href).href));
    /** When all have been read, or cannot be. @type {Promise<void>} */
    this.read = Promise.all(read).then(() => {});
  }

  #progress;
  /** @type {Map<string, Promise<Response>>} */
  #files = new Map();

  /**
   * The answer to a request: what has been loaded ahead, once; else what is loaded now.
   *
   * @type {typeof fetch}
   */
  fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : new URL(input, location.href).href;
    const coming = this.#files.get(address);
    this.#files.delete(address);
    return coming ?? usual(input, init);
  };

  /**
   * Have a file come.
   *
   * @param {string} address
   * @returns {Promise<void>} when it has been read, or cannot be
   */
  #begin(address) {
    return new Promise((read) => {
      const coming = this.#load(address, read);
      coming.catch(() => read()); // heard by who asks for it
      this.#files.set(address, coming);
    });
  }

  /** @param {string} address @param {() => void} read called at its end */
  async #load(address, read) {
    const answer = await usual(address);
    if (!answer.ok || !answer.body) {
      read();
      return answer;
    }
    // Compiled while it comes, it has to have its type, which some hosts do not tell.
    const type = address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    const body = answer.body.pipeThrough(counted(this.#progress, read));
    return new Response(body, { headers: { "Content-Type": type } });
  }
}

/**
 * A stream that passes bytes on, and counts them.
 *
 * @param {(read: number) => void} progress receives the number of bytes that have come since it was last called
 * @param {() => void} [read] called at the end
 * @returns {TransformStream<Uint8Array, Uint8Array>}
 */
export function counted(progress, read = () => {}) {
  return new TransformStream({
    transform: (chunk, out) => {
      progress(chunk.length);
      out.enqueue(chunk);
    },
    flush: read,
  });
}
