/**
 * The worker in which the application answers the page: the server's Python, without a server.
 *
 * Messages of the page:
 * - `{ kind: "load", base }`: load everything below the address of the site's root. Answers: `progress`, with the
 *   share that is `done`, then `ready` or `failed`.
 * - `{ kind: "download" }`: the line is free for the files of Python.
 * - `{ kind: "request", id, method, path, headers, body }`: answered by `response`, with status, headers and body.
 * - `{ kind: "abort", id }`: the answer is not wanted any more.
 * - `{ kind: "open", id, path }`: open a socket: answered by `opened`, each `message`, and `closed` with a code.
 * - `{ kind: "send", id, text }`, `{ kind: "close", id }`: through a socket.
 *
 * Besides, `{ kind: "unsaved" }` tells the page that the browser does not keep what changes.
 */

import { DatabaseFile } from "./database_file.js";
import { forgetKept, loadMigrating, loadPython } from "./python.js";
import { SearchWorker } from "./search_client.js";

/** The file of the database, as Python knows it. */
const FILE = "/tengen/games.sqlite";

/** What the application imports of the packages of others, which is half of its imports. */
const IMPORTED = ["pydantic", "sqlalchemy", "fastapi"];

/** The number of processors from which there is a worker for analysis alone: it takes memory, too. */
const MANY = 4;

/** The most workers that help another one. */
const MOST_HELPERS = 7;

/** Milliseconds after which a worker prepares the next visit: by then this one has everything. */
const QUIET = 10_000;

/** @type {Promise<{ app: any, players: Promise<void> }> | undefined} the application, and when its players are there */
let starting;

/** What waits for the players, by the number of the request or socket. @type {Map<number, Promise<void>>} */
const opening = new Map();

/** @type {() => void} */
let free = () => {};
/** When the line is free. @type {Promise<void>} */
const isFree = new Promise((resolve) => (free = resolve));

onmessage = async ({ data }) => {
  if (data.kind === "download") return free();
  if (data.kind === "load") {
    starting = start(data.base);
    starting.then(
      () => {
        postMessage({ kind: "ready" });
        setTimeout(prepareNextVisit, QUIET, data.base);
      },
      async (error) => {
        console.error(error);
        await forgetKept();
        postMessage({ kind: "failed", message: { key: "web.site.failed" }, text: String(error) });
      },
    );
    return;
  }
  const started = await starting?.catch(() => undefined);
  if (started === undefined) return;
  const { app, players } = started;
  // What comes through a socket follows its opening.
  if (isAboutGame(data)) opening.set(data.id, players);
  await opening.get(data.id);
  opening.delete(data.id);
  // Without a body it is undefined, Python's None, which null is not.
  if (data.kind === "request")
    app.request(data.id, data.method, data.path, data.headers, data.body ?? undefined);
  else if (data.kind === "abort") app.abort(data.id);
  else if (data.kind === "open") app.open(data.id, data.path);
  else if (data.kind === "send") app.message(data.id, data.text);
  else if (data.kind === "close") app.close(data.id);
};

/**
 * Whether a message may have a computer think about a game: its clock must not run while its worker is loading.
 *
 * @param {{ kind: string, path?: string, method?: string }} message
 */
function isAboutGame({ kind, path = "", method = "GET" }) {
  const begins = kind === "open" || (kind === "request" && method !== "GET");
  return begins && /^\/api\/games\b/.test(path);
}

/** @param {string} base */
async function start(base) {
  const progress = (/** @type {number} */ done) => postMessage({ kind: "progress", done });
  const file = DatabaseFile.open(base);
  /** @type {SearchWorker | null} begun before Python asks for it, once it need not load anything twice */
  let first = null;
  /** @type {Promise<void> | undefined} when the first one is there */
  let loaded;
  const python = await loadPython(base, {
    before: isFree,
    imported: IMPORTED,
    progress,
    came: () => (first = new SearchWorker(base, helpersOf(false))),
  });
  const database = await file;
  database.unpack(python.FS, FILE);
  const host = {
    post: (/** @type {any} */ message) => post(message.toJs({ dict_converter: Object.fromEntries })),
    keep: async () => {
      if (!(await database.keep(python.FS, FILE))) postMessage({ kind: "unsaved" });
    },
    loadMigrating: () => loadMigrating(python, base),
    startWorker: (/** @type {boolean} */ analyses, /** @type {any} */ tell) => {
      const worker = (analyses ? null : first) ?? new SearchWorker(base, helpersOf(analyses));
      if (worker === first) first = null;
      loaded ??= worker.loaded;
      worker.tell = tell.copy();
      return worker;
    },
    analysts: MANY <= navigator.hardwareConcurrency,
  };
  const { start_app: startApp } = python.pyimport("tengen.web.browser.app_worker");
  const app = await startApp(host, FILE);
  progress(1);
  return { app, players: loaded ?? Promise.resolve() };
}

/**
 * The number of workers that help another one: in an analysis, for which there is a worker of its own where there are many
 * processors.
 *
 * @param {boolean} analyses whether it is that one
 */
function helpersOf(analyses) {
  const processors = navigator.hardwareConcurrency;
  if (analyses) return Math.min(processors - 2, MOST_HELPERS);
  return processors < MANY ? processors - 1 : 0;
}

/** @param {{ kind: string, body?: Uint8Array<ArrayBuffer> }} message */
function post(message) {
  if (message.body) postMessage(message, { transfer: [message.body.buffer] });
  else postMessage(message);
}

/** @param {string} base */
function prepareNextVisit(base) {
  const worker = new Worker(new URL("./next_visit_worker.js", import.meta.url), { type: "module" });
  worker.onmessage = () => worker.terminate();
  worker.postMessage({ base });
}
