/** Files that a worker loads ahead of who asks for them, so that it is known how much of them has come. */

const usual = globalThis.fetch.bind(globalThis);

/** Counts what comes of several files, of which some are needed before others. */
export class Downloads {
  /**
   * @param {Record<string, number>[]} sizes of the files in bytes, by address: those that are needed first, and those that
   *   come once the first have been read
   * @param {(done: number) => void} progress receives the share that has come, from 0 to 1
   */
  constructor(sizes, progress) {
    this.#total = sizes.flatMap(Object.values).reduce((sum, size) => sum + size, 0);
    this.#progress = progress;
    let before = Promise.resolve();
    for (const group of sizes) {
      const read = Object.keys(group).map((address) => this.#begin(address, before));
      before = Promise.all(read).then(() => {});
    }
  }

  #total;
  #progress;
  #done = 0;
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
   * @param {Promise<void>} before what it waits for
   * @returns {Promise<void>} when it has been read, or cannot be
   */
  #begin(address, before) {
    return new Promise((read) => {
      const coming = before.then(() => this.#load(address, read));
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
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const counted = new TransformStream({
      transform: (chunk, out) => {
        this.#done += chunk.length;
        this.#progress(Math.min(this.#done / this.#total, 1));
        out.enqueue(chunk);
      },
      flush: read,
    });
    // Compiled while it comes, it has to have its type, which some hosts do not tell.
    const type = address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(answer.body.pipeThrough(counted), { headers: { "Content-Type": type } });
  }
}
