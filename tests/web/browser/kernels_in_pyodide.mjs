/** Runs Python in Pyodide on the kernels, set up as a worker does it, and prints what `main` of it returns.
 *
 *     node kernels_in_pyodide.mjs PYODIDE PACKAGE FOLDER SHARED SCRIPT
 */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Worker as Thread } from "node:worker_threads";

const [pyodide, packageFolder, folder, shared, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { Kernels } = await import(`${packageFolder}/web/static/engine/kernels.js`);
const { PythonKernels } = await import(`${packageFolder}/web/static/browser/python_kernels.js`);

/** What a browser calls a worker, as far as it is used. */
globalThis.Worker = class {
  constructor(url) {
    const code = `const { parentPort } = require("node:worker_threads");
      globalThis.self = { postMessage: (message) => parentPort.postMessage(message) };
      const loaded = import(${JSON.stringify(String(url))});
      parentPort.on("message", (data) => loaded.then(() => self.onmessage({ data })));`;
    this.thread = new Thread(code, { eval: true });
    this.thread.on("message", (data) => this.onmessage({ data }));
    this.thread.on("error", (error) => this.onerror(error));
  }
  postMessage(message) {
    this.thread.postMessage(message);
  }
};

const read = async (name) => {
  const { buffer, byteOffset, byteLength } = await readFile(`${folder}/${name}`);
  return buffer.slice(byteOffset, byteOffset + byteLength);
};
const parameters = (name) => new Uint8Array(readFileSync(`${folder}/parameters-${name}.bin`));

const kernels = await Kernels.load(read, shared === "shared");
const python = await loadPyodide({ env: { HOME: "/", PYTHONDONTWRITEBYTECODE: "1" } });
python.mountNodeFS("/lib/python3.14/site-packages/tengen", packageFolder);
const flag = new Int32Array(new SharedArrayBuffer(4));
/** Have another thread raise the flag. */
const raise_later = (milliseconds) => {
  const code = `const { workerData: { flag, milliseconds } } = require("node:worker_threads");
    setTimeout(() => Atomics.store(flag, 0, 1), milliseconds);`;
  new Thread(code, { eval: true, workerData: { flag, milliseconds } });
};
const pythonKernels = new PythonKernels(kernels, flag);
if (shared === "shared") await pythonKernels.startHelpers(1);
python.registerJsModule("tengen_kernels", {
  kernels: pythonKernels,
  parameters,
  raise_later,
});
try {
  python.runPython(readFileSync(script, "utf8"));
  console.log(`\n${python.globals.get("main")()}`);
} catch (error) {
  console.error(String(error.message).slice(-3000));
  process.exit(1);
}
process.exit(0);
