/**
 * Python in a web worker: Pyodide with the packages of Tengen, as `tengen site` writes them.
 *
 * Most of the time until Python answers goes into its own start, unpacking, imports, and what libraries do at their first
 * use. So the browser keeps the memory after all that, and the unpacked packages, for the next visit. Pyodide has
 * `_makeSnapshot` and `_loadSnapshot` for the memory, and its version is fixed. What a compiled package has linked into the
 * program is not memory: so it is linked before Python begins, at the same addresses in every visit.
 */

import { loadArchives } from "./archives.js";
import { Downloads } from "./downloads.js";
import { filesOf } from "./tar.js";

/** Where packages are unpacked, and Python looks for them. */
const PLACE = "/lib/python3.14/site-packages";

/** Archives of packages: those of others, and Tengen's own. */
const ARCHIVES = ["packages.tar.xz", "tengen.tar.xz"];

/** The archive of what a database of an earlier version needs. */
const MIGRATING = "migrating.tar.xz";

const RUNTIME = "pyodide.asm.wasm";

/** The files of whose content the browser keeps what has become of it: the memory, and the unpacked packages. */
const KEPT = [RUNTIME, ...ARCHIVES];

const LIBRARY = "standard_library.zip.gzip";

/** The compiled part of pydantic-core, and the file as which Python knows it; that one is empty. */
const [COMPILED, COMPILED_FILE] = [
  "pydantic_core.wasm",
  `${PLACE}/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so`,
];

const WASM_PAGE = 1 << 16;

/** What the browser keeps: see `addressOf`. */
const CACHE = "tengen python";

/** The shares of the work that files come, that Python starts, and that packages are unpacked. */
const [COMING, STARTING, UNPACKING] = [0.5, 0.2, 0.1];

/**
 * What a site says of its files, `files.json`.
 *
 * @typedef {{ files: Record<string, [size: number, digest: string]> }} List
 */

/**
 * Load Python.
 *
 * @param {string} base address of the root of the site
 * @param {object} [options]
 * @param {Promise<void>} [options.before] what comes before Python's files
 * @param {string[]} [options.imported] packages of others that are imported while Tengen's own modules come
 * @param {(done: number) => void} [options.progress] receives the share of what is done, from 0 to 1
 * @param {() => void} [options.came] called when everything has come that another worker would load, too
 * @returns {Promise<any>} Pyodide
 */
export async function loadPython(
  base,
  { before = Promise.resolve(), imported = [], progress = () => {}, came = () => {} } = {},
) {
  const list = await listOf(base);
  const kept = await keptOf(base, list);
  await before;
  const folder = folderOf(base);
  const first = [RUNTIME, LIBRARY, COMPILED];
  const all = kept.archives ? first : [...first, ...ARCHIVES];
  const size = all.reduce((sum, name) => sum + list.files[`python/${name}`][0], 0);
  let [read, rest] = [0, 0]; // bytes that have come, and the share of all else that is done
  const tell = () => progress(Math.min(read / size, 1) * COMING + rest);
  const count = (/** @type {number} */ bytes) => {
    read += bytes;
    tell();
  };
  const downloads = new Downloads(
    first.map((name) => folder + name),
    count,
  );
  // While Python starts, the packages come.
  const archives =
    kept.archives ??
    loadArchives(
      ARCHIVES.map((name) => folder + name),
      { after: downloads.read, progress: count },
    );
  Promise.all([downloads.read, ...archives]).then(came, () => {}); // heard by who unpacks them
  const python = await startPython(base, downloads.fetch, kept.memory);
  rest += STARTING;
  tell();
  const [others, own] = archives;
  unpack(python, await others);
  if (!kept.memory) for (const name of imported) python.runPython(`import ${name}`);
  unpack(python, await own);
  rest += UNPACKING;
  tell();
  return python;
}

/**
 * Load the packages for a database that an earlier version of the site has left.
 *
 * @param {any} python @param {string} base
 */
export async function loadMigrating(python, base) {
  const [archive] = loadArchives([folderOf(base) + MIGRATING]);
  unpack(python, await archive);
}

/**
 * Have the browser keep what the next visit can begin with, unless it does.
 *
 * @param {string} base address of the root of the site
 */
export async function keepForNextVisit(base) {
  const [cache, list] = await Promise.all([caches.open(CACHE), listOf(base)]);
  const addresses = KEPT.map((name) => addressOf(base, list, name));
  const present = (await cache.keys()).map(({ url }) => url);
  if (addresses.every((address) => present.includes(address))) return;
  const former = present.filter((url) => url.startsWith(folderOf(base)));
  await Promise.all(former.map((url) => cache.delete(url)));
  const archives = await Promise.all(loadArchives(ARCHIVES.map((name) => folderOf(base) + name)));
  const python = await loadPyodide(base, fetch, { _makeSnapshot: true });
  for (const archive of archives) unpack(python, archive);
  // Called from here, it would leave functions of JavaScript in the memory.
  await python.runPythonAsync("from tengen.web.browser.app_worker import rehearse; await rehearse()");
  python.runPython("import gc; gc.collect()");
  const memory = python.makeMemorySnapshot();
  // Not compressed: a browser reads them sooner than it decompresses them.
  const kept = [memory, ...archives].map((bytes, place) =>
    cache.put(addresses[place], new Response(bytes)),
  );
  await Promise.all(kept);
}

/** Forget what the browser has kept: a start with it has failed. */
export async function forgetKept() {
  try {
    await caches.delete(CACHE);
  } catch {
    // there is none without HTTPS
  }
}

/**
 * What the browser has kept.
 *
 * @param {string} base @param {List} list
 * @returns {Promise<{ memory?: ArrayBuffer, archives?: Uint8Array[] }>} nothing, unless all is there
 */
async function keptOf(base, list) {
  try {
    const cache = await caches.open(CACHE);
    const answers = await Promise.all(KEPT.map((name) => cache.match(addressOf(base, list, name))));
    const present = answers.filter((answer) => answer !== undefined);
    if (present.length < KEPT.length) return {};
    const [memory, ...archives] = await Promise.all(present.map((answer) => answer.arrayBuffer()));
    return { memory, archives: archives.map((archive) => new Uint8Array(archive)) };
  } catch {
    return {}; // there is no cache without HTTPS, and none in some private windows
  }
}

/**
 * Start Python, from memory that has been kept if there is any.
 *
 * @param {string} base
 * @param {typeof fetch} fetch
 * @param {ArrayBuffer} [memory]
 */
async function startPython(base, fetch, memory) {
  if (!memory) return loadPyodide(base, fetch);
  try {
    const python = await loadPyodide(base, fetch, { _loadSnapshot: memory }, memory.byteLength);
    // Else it would go on as in every visit.
    python.runPython("import random; random.seed()");
    return python;
  } catch (error) {
    console.warn(error);
    await forgetKept();
    return loadPyodide(base, fetch);
  }
}

/**
 * Load Pyodide.
 *
 * @param {string} base
 * @param {typeof fetch} fetch loads its files
 * @param {object} [options] of Pyodide
 * @param {number} [size] of what its memory has to hold from the beginning, and less than a page more
 */
async function loadPyodide(base, fetch, options = {}, size = 0) {
  const folder = folderOf(base);
  const { loadPyodide: load } = await import(`${folder}pyodide.mjs`);
  const createPyodideModule = async (/** @type {any} */ settings) => {
    const { default: create } = await import(`${folder}pyodide.asm.mjs`);
    const { instantiateWasm, locateFile } = settings;
    settings.dynamicLibraries = [COMPILED_FILE];
    settings.locateFile = (/** @type {string} */ name) =>
      name === COMPILED_FILE ? folder + COMPILED : locateFile(name);
    settings.instantiateWasm = (/** @type {any} */ imports, /** @type {any} */ receive) =>
      instantiateWasm(imports, (/** @type {any} */ instance, /** @type {any} */ module) => {
        const { memory } = instance.exports;
        // Pyodide does not see to that.
        const missing = Math.floor((size - memory.buffer.byteLength) / WASM_PAGE);
        if (missing > 0) memory.grow(missing);
        return receive(instance, module);
      });
    return create(settings);
  };
  const library = folder + LIBRARY;
  const usual = globalThis.fetch;
  // Pyodide cannot be given files.
  globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (String(input) !== library || !answer.body) return answer;
    return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")));
  };
  try {
    return await load({
      ...{ indexURL: folder, packageBaseUrl: folder, stdLibURL: library },
      ...{ checkAPIVersion: false, createPyodideModule, ...options },
    });
  } finally {
    globalThis.fetch = usual;
  }
}

/** @param {any} python @param {Uint8Array} archive */
function unpack(python, archive) {
  const folders = new Set();
  for (const { name, data } of filesOf(archive)) {
    const path = `${PLACE}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(path, data);
  }
  python.runPython("import importlib; importlib.invalidate_caches()");
}

/** @param {string} base @returns {Promise<List>} */
async function listOf(base) {
  return (await fetch(new URL("files.json", base))).json();
}

/**
 * The address by which the browser keeps what a file has become.
 *
 * @param {string} base @param {List} list @param {string} name of the file
 */
function addressOf(base, list, name) {
  const files = [RUNTIME, LIBRARY, COMPILED, ...ARCHIVES];
  const digests = files.map((each) => list.files[`python/${each}`][1].slice(0, 16));
  return `${folderOf(base)}${name}?kept=${digests.join("-")}`;
}

/** @param {string} base */
function folderOf(base) {
  return new URL("python/", base).href;
}
