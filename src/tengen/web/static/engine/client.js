/** The engine for whoever asks: a page, or another worker. It starts the engine's worker, and stops it.
 *
 *     const engine = new Engine(new URL("/engine/", location.href).href, { threads: 2 });
 *     for await (const info of engine.search(position, { seconds: 1 })) show(info);
 *
 * One request runs at a time; further ones wait. Where the page is isolated from other origins, memory is
 * shared: any number of threads search, and a search ends at once when it is stopped. Elsewhere one thread
 * searches; a search that does not hear between two results that it has been stopped is ended with its
 * worker, and the next request starts another one.
 */

/** @typedef {import("./service.js").Answer} Answer */
/** @typedef {import("./service.js").Request} Request */
/** @typedef {import("./handicap.js").Handicap} Handicap */
/** @typedef {import("./search.js").Info} Info */
/** @typedef {import("./search.js").Limit} Limit */
/** @typedef {import("./search.js").Position} Position */
/** @typedef {import("./search.js").Situation} Situation */
/** @typedef {{ worker: Worker, ready: Promise<void>, flag: Int32Array | null, flagIndex: number }} Running */

/** Whether workers can share memory: in an isolated page, and not in every browser even there (WebKitGTK 2.50). */
export const SHARES_MEMORY = globalThis.crossOriginIsolated && typeof SharedArrayBuffer === "function";

/** Milliseconds that a worker may take to hear that it has been stopped. */
const PATIENCE = 50;

/** The engine could not do what it was asked for. */
export class EngineError extends Error {}

/** The engine in a page. */
export class Engine {
  /** @param {string} base the address of the folder of its files
   * @param {{ threads?: number, megabytes?: number }} [options] threads, if memory can be shared; megabytes of the
   *   table of positions
   */
  constructor(base, { threads = 1, megabytes } = {}) {
    this.base = base;
    this.megabytes = megabytes;
    /** The number of threads; 0 where memory cannot be shared. */
    this.threads = SHARES_MEMORY ? threads : 0;
    this.#running = this.#start();
    // Whoever asks first hears of it.
    this.#running.ready.catch(() => {});
  }

  /** @type {Running} */
  #running;
  #last = 0;
  /** What waits for the answers to the request under way.
   * @type {((answer: Answer) => void) | null}
   */
  #listener = null;
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();

  /** Resolves when the worker has loaded the kernels, and what `prepare` was called for by then. */
  get ready() {
    return this.#running.ready;
  }

  /** Have the parameters of a family of rules come with the kernels.
   * @param {string} family
   */
  prepare(family) {
    this.#running.worker.postMessage({ kind: "prepare", family });
  }

  /** @returns {Running} */
  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    /** @type {Running} */
    const running = { worker, ready: Promise.resolve(), flag: null, flagIndex: 0 };
    running.ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        const answer = /** @type {Answer} */ (data);
        if (answer.kind === "ready") {
          if (answer.memory) running.flag = new Int32Array(answer.memory.buffer);
          running.flagIndex = answer.stop >> 2;
          resolve();
        } else if (answer.kind === "error" && answer.id === 0) reject(new EngineError(answer.text));
        else this.#listener?.(answer);
      };
      worker.onerror = (event) => {
        const text = event.message ?? "the worker could not be loaded";
        reject(new EngineError(text));
        this.#listener?.({ kind: "error", id: this.#last, text });
      };
    });
    worker.postMessage({ kind: "load", base: this.base, threads: this.threads });
    return running;
  }

  /** End the worker, and with an error what it is asked for. */
  close() {
    this.#running.worker.terminate();
    this.#listener?.({ kind: "error", id: this.#last, text: "closed" });
  }

  /** Wait until no other request runs; returns what ends this one's turn. */
  async #turn() {
    const before = this.#queue;
    /** @type {(value?: unknown) => void} */
    let end = () => {};
    this.#queue = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    try {
      await this.#running.ready;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /** Tell the fouls of a position, and whether its last move has won.
   * @param {Position} position
   * @returns {Promise<Situation>}
   */
  async situation(position) {
    const end = await this.#turn();
    const id = ++this.#last;
    try {
      return await new Promise((resolve, reject) => {
        this.#listener = (answer) => {
          if (answer.kind === "situation") resolve(answer.situation);
          else if (answer.kind === "error") reject(new EngineError(answer.text));
        };
        this.#running.worker.postMessage({ kind: "situation", id, position });
      });
    } finally {
      end();
    }
  }

  /** Search a position; yield results as they come. Leaving the loop, or the signal, stops the search.
   * @param {Position} position @param {Limit} [limit]
   * @param {{ lines?: number, handicap?: Handicap, signal?: AbortSignal }} [options] a handicap for a strength below
   *   full
   * @returns {AsyncGenerator<Info, void>}
   */
  async *search(position, limit = {}, { lines = 1, handicap, signal } = {}) {
    const end = await this.#turn();
    const id = ++this.#last;
    const running = this.#running;
    /** @type {Answer[]} */
    const answers = [];
    let heard = () => {};
    this.#listener = (answer) => {
      answers.push(answer);
      heard();
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let later;
    const stop = () => {
      running.worker.postMessage({ kind: "stop", id });
      if (running.flag) Atomics.store(running.flag, running.flagIndex, 1);
      else later = setTimeout(() => this.#replace(running, id), PATIENCE);
    };
    signal?.addEventListener("abort", stop);
    const { megabytes } = this;
    running.worker.postMessage({ kind: "search", id, position, limit, lines, megabytes, handicap });
    if (signal?.aborted) stop();
    let over = false;
    try {
      while (!over) {
        const answer = answers.shift();
        if (answer === undefined) await new Promise((resolve) => (heard = () => resolve(null)));
        else if (answer.kind === "info") yield answer.info;
        else {
          over = true;
          if (answer.kind === "error") throw new EngineError(answer.text);
        }
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      if (!over) {
        stop();
        await this.#ended(answers, (hear) => (heard = hear));
      }
      clearTimeout(later);
      end();
    }
  }

  /** Wait until a search that nobody listens to has ended.
   * @param {Answer[]} answers @param {(hear: () => void) => void} listen
   */
  async #ended(answers, listen) {
    while (!answers.some(({ kind }) => kind === "done" || kind === "error")) {
      await new Promise((resolve) => listen(() => resolve(null)));
    }
  }

  /** Replace a worker that does not hear.
   * @param {Running} running @param {number} id of its search
   */
  #replace(running, id) {
    running.worker.terminate();
    this.#running = this.#start();
    this.#running.ready.catch(() => {});
    this.#listener?.({ kind: "done", id });
  }
}
