/** Files that a worker loads ahead of who asks for them, so that it is known how much of them has come. */

const usual = globalThis.fetch.bind(globalThis);

/** Counts what comes of several files. */
export class Downloads {
  /**
   * @param {Record<string, number>} sizes of the files in bytes, by address
   * @param {(done: number) => void} progress receives the share that has come, from 0 to 1
   */
  constructor(sizes, progress) {
    this.#total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    this.#progress = progress;
    for (const address of Object.keys(sizes)) {
      const coming = this.#load(address);
      coming.catch(() => {}); // heard by who asks for it
      this.#files.set(address, coming);
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

  /** @param {string} address */
  async #load(address) {
    const answer = await usual(address);
    if (!answer.ok || !answer.body) return answer;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const counted = new TransformStream({
      transform: (chunk, out) => {
        this.#done += chunk.length;
        this.#progress(Math.min(this.#done / this.#total, 1));
        out.enqueue(chunk);
      },
    });
    // Compiled while it comes, it has to have its type, which some hosts do not tell.
    const type = address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(answer.body.pipeThrough(counted), { headers: { "Content-Type": type } });
  }
}
