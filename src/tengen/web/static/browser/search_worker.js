/**
 * A worker in which players, the engine and the solver search: Python, and the kernels beside it.
 *
 * Messages:
 * - `{ kind: "load", base, hurried, helpers }`: load everything below the address of the site's root; `hurried` is shared
 *   memory with the number of the newest task that is to end early, or null; `helpers` workers help in an analysis where
 *   the memory can be shared. Answer: `loaded`, also where it has failed.
 * - `{ kind: "run", number, packed, reporting, hurried }`: run a pickled task. Answers: each `report`, if they are
 *   wanted, and the `answer`, both pickled. If it cannot be run at all: `lost`, with a reason.
 */

import { Kernels } from "../engine/kernels.js";
import { PythonKernels } from "./python_kernels.js";
import { loadPython } from "./python.js";

/** @typedef {{ kernels: PythonKernels, run: (packed: any, hurried: boolean, send: any) => any }} Searcher */

/** @type {Promise<Searcher> | undefined} what runs tasks, once it is there */
let starting;

onmessage = async ({ data }) => {
  if (data.kind === "load") {
    starting = start(data);
    await starting.catch(() => {}); // who asks for a search hears of it
    postMessage({ kind: "loaded" });
    return;
  }
  const { number, packed, hurried, reporting } = data;
  try {
    const { kernels, run } = /** @type {Searcher} */ (await starting);
    kernels.task = number;
    const send = (/** @type {any} */ report) => post("report", number, report.toJs());
    const answer = run(packed, hurried, reporting ? send : undefined);
    post("answer", number, answer.toJs());
    answer.destroy();
  } catch (error) {
    console.error(error);
    post("lost", number, new TextEncoder().encode(String(error)));
  }
};

/** @param {{ base: string, hurried: Int32Array | null, helpers: number }} request */
async function start({ base, hurried, helpers }) {
  const folder = new URL("engine/", base);
  const loading = loadKernels(folder, hurried, hurried ? helpers : 0);
  const python = await loadPython(base);
  const kernels = await loading;
  const parameters = (/** @type {string} */ family) =>
    readAtOnce(new URL(`parameters-${family}.bin`, folder));
  const { prepare } = python.pyimport("tengen.web.browser.search_worker");
  return { kernels, run: prepare(kernels, parameters, kernels.helpers.length) };
}

/** @param {URL} folder @param {Int32Array | null} hurried @param {number} helpers */
async function loadKernels(folder, hurried, helpers) {
  const read = async (/** @type {string} */ name) => (await fetch(new URL(name, folder))).arrayBuffer();
  const kernels = new PythonKernels(await Kernels.load(read, helpers > 0), hurried);
  if (helpers > 0) await kernels.startHelpers(helpers);
  return kernels;
}

/**
 * The content of a file, without a Promise: Python waits for it.
 *
 * @param {URL} address
 */
function readAtOnce(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status}`);
  return new Uint8Array(request.response);
}

/** @param {string} kind @param {number} number @param {Uint8Array<ArrayBuffer>} data */
function post(kind, number, data) {
  postMessage({ kind, number, data }, { transfer: [data.buffer] });
}
