/**
 * A worker in which players, the engine and the solver search: Python, and the kernels beside it.
 *
 * Messages:
 * - `{ kind: "load", base, hurried }`: load everything below the address of the site's root; `hurried` is shared memory
 *   with the number of the newest task that is to end early, or null.
 * - `{ kind: "run", number, packed, reporting, hurried }`: run a pickled task. Answers: each `report`, if they are
 *   wanted, and the `answer`, both pickled. If it cannot be run at all: `lost`, with a reason.
 */

import { loadPython } from "./python.js";

/** @type {Promise<any> | undefined} what runs tasks, once it is there */
let starting;

onmessage = async ({ data }) => {
  if (data.kind === "load") {
    starting = start(data);
    starting.catch(() => {});
    return;
  }
  try {
    const run = await starting;
    const send = (/** @type {any} */ report) => post("report", data.number, report.toJs());
    const answer = run(data.number, data.packed, data.hurried, data.reporting ? send : undefined);
    post("answer", data.number, answer.toJs());
    answer.destroy();
  } catch (error) {
    console.error(error);
    post("lost", data.number, new TextEncoder().encode(String(error)));
  }
};

/** @param {{ base: string, hurried: Int32Array | null }} request */
async function start({ base, hurried }) {
  const python = await loadPython(base, () => {});
  const signal = hurried ? () => Atomics.load(hurried, 0) : undefined;
  return python.pyimport("tengen.web.browser.search_worker").prepare(signal);
}

/** @param {string} kind @param {number} number @param {Uint8Array<ArrayBuffer>} data */
function post(kind, number, data) {
  postMessage({ kind, number, data }, { transfer: [data.buffer] });
}
