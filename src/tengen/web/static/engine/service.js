/** The requests of the engine's worker, answered one after the other; see `client.js`.
 *
 * Requests:
 * - `{ kind: "load", base, threads }`: load the files below an address, for so many threads. Answer: `ready`.
 * - `{ kind: "search", id, position, limit, lines, megabytes, handicap }`: search, below full strength with a
 *   `handicap`. Answers: an `info` for each result, then `done`.
 * - `{ kind: "situation", id, position }`: tell a position's fouls. Answer: `situation`.
 * - `{ kind: "prepare", family }`: after `load`, have the parameters of a family of rules come with the kernels; `ready` is then
 *   answered when both have come.
 * - `{ kind: "stop", id }`: end that search. Where the memory is shared, its sender sets the flag there, too;
 *   else it is heard between two results only.
 *
 * Answers:
 * - `{ kind: "ready", module, memory, stop }`: `memory` if it is shared, else null; `stop` is the address of
 *   the stop flag, an int32 to be set to 1.
 * - `{ kind: "info", id, info }`, `{ kind: "done", id }`, `{ kind: "situation", id, situation }`.
 * - `{ kind: "error", id, text }`: nothing more comes for this request.
 */

import { Kernels } from "./kernels.js";
import { parametersName, Searcher } from "./search.js";

/** @typedef {import("./handicap.js").Handicap} Handicap */
/** @typedef {import("./search.js").Limit} Limit */
/** @typedef {import("./search.js").Position} Position */
/** @typedef {import("./search.js").Info} Info */
/** @typedef {import("./search.js").Situation} Situation */
/** @typedef {import("./search.js").Help} Help */
/**
 * @typedef {{ kind: "load", base: string, threads: number }} Load
 * @typedef {{ kind: "search", id: number, position: Position, limit: Limit, lines?: number, megabytes?: number, handicap?: Handicap }} Search
 * @typedef {{ kind: "situation", id: number, position: Position }} AskSituation
 * @typedef {{ kind: "prepare", family: string }} Prepare
 * @typedef {{ kind: "stop", id: number }} Stop
 * @typedef {Load | Search | AskSituation | Prepare | Stop} Request
 */
/**
 * @typedef {{ kind: "ready", module: WebAssembly.Module, memory: WebAssembly.Memory | null, stop: number }} Ready
 * @typedef {{ kind: "info", id: number, info: Info }} SearchInfo
 * @typedef {{ kind: "done", id: number }} Done
 * @typedef {{ kind: "situation", id: number, situation: Situation }} ToldSituation
 * @typedef {{ kind: "error", id: number, text: string }} Failed
 * @typedef {Ready | SearchInfo | Done | ToldSituation | Failed} Answer
 */

/** The worker's end of the channel: its own scope, or that of a test.
 * @typedef {{ postMessage: (message: Answer) => void, onmessage: ((event: { data: any }) => void) | null }} Scope
 */

/** Let waiting messages be heard. */
const pause = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(null);
    };
    port2.postMessage(null);
  });

/** Fetch a file.
 * @param {string} base @param {string} name
 */
async function fetched(base, name) {
  const response = await fetch(new URL(name, base));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

/** Answer the requests of a channel.
 * @param {Scope} scope
 * @param {(base: string, name: string) => Promise<ArrayBuffer>} [read] reads a file
 */
export function serve(scope, read = fetched) {
  /** @type {Searcher | null} */
  let searcher = null;
  /** @type {Helpers | null} */
  let helpers = null;
  let running = 0;
  let before = Promise.resolve();
  let base = "";
  /** Files that have been asked for before they are needed. @type {Map<string, Promise<ArrayBuffer>>} */
  const coming = new Map();

  /** @param {string} name */
  const readBelow = (name) => coming.get(name) ?? read(base, name);

  /** @param {string} family */
  function prepare(family) {
    const name = parametersName(family);
    const file = read(base, name);
    // Whoever needs it hears of it, or tries again.
    file.catch(() => coming.delete(name));
    coming.set(name, file);
  }

  /** @param {Load} request */
  async function load({ threads }) {
    const shared = threads > 0;
    const kernels = await Kernels.load(readBelow, shared);
    helpers = threads > 1 ? new Helpers(kernels, threads - 1) : null;
    searcher = new Searcher(kernels, readBelow);
    const stop = searcher.state.addressOf("stop");
    await Promise.allSettled(coming.values());
    scope.postMessage({
      kind: "ready",
      module: kernels.module,
      memory: shared ? kernels.memory : null,
      stop,
    });
  }

  /** @param {Searcher} engine @param {Search} request */
  async function search(engine, { id, position, limit, lines, megabytes, handicap }) {
    running = id;
    await engine.setPosition(position, handicap);
    // One thread alone gives a weaker player the same answer to the same question.
    const others = handicap === undefined ? helpers : null;
    const threads = 1 + (others?.count ?? 0);
    /** @type {Help | undefined} */
    const help = others ? (state, table) => others.start(engine, state, table) : undefined;
    for await (const info of engine.search(limit, { lines, megabytes, handicap, help, threads })) {
      scope.postMessage({ kind: "info", id, info });
      await pause();
    }
    running = 0;
    scope.postMessage({ kind: "done", id });
  }

  /** @param {Exclude<Request, Prepare | Stop>} request */
  async function answer(request) {
    if (request.kind === "load") return load(request);
    if (searcher === null) throw new Error("nothing has been loaded");
    if (request.kind === "search") return search(searcher, request);
    await searcher.setPosition(request.position);
    scope.postMessage({ kind: "situation", id: request.id, situation: searcher.situation() });
  }

  scope.onmessage = ({ data }) => {
    const request = /** @type {Request} */ (data);
    if (request.kind === "stop") {
      if (searcher && request.id === running) searcher.stopped = true;
      return;
    }
    if (request.kind === "prepare") return prepare(request.family);
    if (request.kind === "load") base = request.base;
    before = before
      .then(() => answer(request))
      .catch((error) => {
        const id = "id" in request ? request.id : 0;
        scope.postMessage({
          kind: "error",
          id,
          text: error instanceof Error ? error.message : String(error),
        });
      });
  };
}

/** The workers of the further threads: each fills the shared table (`helper.js`). */
class Helpers {
  /** @param {Kernels} kernels @param {number} count */
  constructor(kernels, count) {
    this.count = count;
    this.threads = Array.from({ length: count }, () => {
      const worker = new Worker(new URL("./helper.js", import.meta.url), { type: "module" });
      worker.postMessage({ shared: kernels.shared, stack: kernels.placeStack() });
      return { worker, state: kernels.record("state"), scratch: kernels.record("scratch") };
    });
  }

  /** Start all of them on a position.
   * @param {Searcher} searcher
   * @param {import("./kernels.js").MemoryRecord} state of the first thread
   * @param {import("./kernels.js").Block} table
   */
  start({ tables, networks }, state, table) {
    const most = state.get("most_nodes");
    const ended = this.threads.map((thread, index) => {
      thread.state.copy(state);
      thread.state.set("most_nodes", most);
      thread.scratch.clear();
      const records = [thread.state, tables, networks, thread.scratch].map(({ address }) => address);
      thread.worker.postMessage({ records, table, firstDepth: 1 + ((index + 1) % 2) });
      return new Promise((resolve) => {
        thread.worker.onmessage = resolve;
      });
    });
    return {
      nodes: () => this.threads.reduce((sum, thread) => sum + thread.state.get("nodes"), 0),
      end: async () => {
        for (const thread of this.threads) thread.state.set("stop", 1);
        await Promise.all(ended);
      },
    };
  }
}
