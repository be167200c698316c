/**
 * Python in a web worker: Pyodide with the packages of Tengen, as `tengen site` writes them.
 *
 * Most of the time until Python runs goes into its own start, into unpacking, and into imports. So the browser keeps the
 * memory after its start and some imports, and the unpacked packages, for the next visit. Pyodide has `_makeSnapshot` and
 * `_loadSnapshot` for the memory, and its version is fixed. Compiled packages cannot be in it: what they have linked into
 * the program is not memory.
 */

import { Downloads } from "./downloads.js";
import { filesOf } from "./tar.js";

/** Where packages are unpacked, and Python looks for them. */
const PLACE = "/lib/python3.14/site-packages";

/** Archives of packages: for every visit, and for a database of an earlier version. */
const [PACKAGES, MIGRATING] = ["packages.tar.xz", "migrating.tar.xz"];

const RUNTIME = "pyodide.asm.wasm";
const LIBRARY = "python_stdlib.zip";

/** Modules that need no compiled package. */
const PURE = [
  "sqlalchemy.dialects.sqlite",
  "starlette.applications",
  "starlette.websockets",
  "tengen.executors.running_search",
  "tengen.formats.files",
  "tengen.players.registry",
];

const WASM_PAGE = 1 << 16;

/** What the browser keeps: see `addressOf`. */
const CACHE = "tengen python";

/** The shares of the work when everything has come, when Python has started, and when the packages are there. */
const [CAME, STARTED, UNPACKED] = [0.5, 0.7, 0.8];

/**
 * What a site says of its files, `files.json`.
 *
 * @typedef {{ files: Record<string, [size: number, digest: string]> }} List
 */

/**
 * Load Python.
 *
 * @param {string} base address of the root of the site
 * @param {(done: number) => void} [progress] receives the share of what is done, from 0 to 1
 * @param {() => void} [came] called when everything has come that another worker would load, too
 * @returns {Promise<any>} Pyodide
 */
export async function loadPython(base, progress = () => {}, came = () => {}) {
  const list = await listOf(base);
  const kept = await keptOf(base, list);
  const wanted = [RUNTIME, LIBRARY, ...(kept.packages ? [] : [PACKAGES])];
  const sizes = Object.fromEntries(
    wanted.map((name) => [folderOf(base) + name, list.files[`python/${name}`][0]]),
  );
  const downloads = new Downloads(sizes, (done) => {
    progress(done * CAME);
    if (done === 1) came();
  });
  const python = await startPython(base, downloads, kept.memory);
  progress(STARTED);
  if (kept.packages) unpack(python, new Uint8Array(kept.packages));
  else unpack(python, await fetchArchive(python, folderOf(base) + PACKAGES, downloads.fetch));
  progress(UNPACKED);
  return python;
}

/**
 * Load the packages for a database that an earlier version of the site has left.
 *
 * @param {any} python @param {string} base
 */
export async function loadMigrating(python, base) {
  unpack(python, await fetchArchive(python, folderOf(base) + MIGRATING, fetch));
}

/**
 * Have the browser keep what the next visit can begin with, unless it does.
 *
 * @param {string} base address of the root of the site
 */
export async function keepForNextVisit(base) {
  const [cache, list] = await Promise.all([caches.open(CACHE), listOf(base)]);
  const addresses = [RUNTIME, PACKAGES].map((name) => addressOf(base, list, name));
  const present = (await cache.keys()).map(({ url }) => url);
  if (addresses.every((address) => present.includes(address))) return;
  const former = present.filter((url) => url.startsWith(folderOf(base)));
  await Promise.all(former.map((url) => cache.delete(url)));
  const { loadPyodide } = await import(`${folderOf(base)}pyodide.mjs`);
  // Another Python decompresses them: that takes memory which is not to be kept.
  const other = await loadPyodide(options(base));
  const packages = await fetchArchive(other, folderOf(base) + PACKAGES, fetch);
  const python = await loadPyodide({ ...options(base), _makeSnapshot: true });
  unpack(python, packages);
  python.pyimport("tengen.web.browser.without_threads").install();
  for (const name of PURE) python.runPython(`import ${name}`);
  python.runPython("import gc; gc.collect()");
  const memory = python.makeMemorySnapshot();
  await Promise.all(
    [memory, packages].map((bytes, place) => {
      const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
      return cache.put(addresses[place], new Response(packed));
    }),
  );
}

/**
 * What the browser has kept.
 *
 * @param {string} base @param {List} list
 * @returns {Promise<{ memory?: ArrayBuffer, packages?: ArrayBuffer }>}
 */
async function keptOf(base, list) {
  try {
    const cache = await caches.open(CACHE);
    const [memory, packages] = await Promise.all(
      [RUNTIME, PACKAGES].map(async (name) => {
        const kept = await cache.match(addressOf(base, list, name));
        const unpacked = kept?.body?.pipeThrough(new DecompressionStream("gzip"));
        return unpacked && new Response(unpacked).arrayBuffer();
      }),
    );
    return { memory, packages };
  } catch {
    return {}; // there is no cache without HTTPS, and none in some private windows
  }
}

/**
 * Start Python, from memory that has been kept if there is any.
 *
 * @param {string} base
 * @param {Downloads} downloads
 * @param {ArrayBuffer} [memory]
 */
async function startPython(base, downloads, memory) {
  const { loadPyodide } = await import(`${folderOf(base)}pyodide.mjs`);
  const usual = globalThis.fetch;
  globalThis.fetch = downloads.fetch; // Pyodide cannot be given files
  try {
    if (!memory) return await loadPyodide(options(base));
    const load = () => loadPyodide({ ...options(base), _loadSnapshot: memory });
    const python = await withMemory(memory.byteLength, load);
    // Else it would go on as in every visit.
    python.runPython("import random; random.seed()");
    return python;
  } catch (error) {
    if (!memory) throw error;
    console.warn(error);
    await caches.delete(CACHE);
    return await loadPyodide(options(base));
  } finally {
    globalThis.fetch = usual;
  }
}

/**
 * Do something with programs of WebAssembly whose memory is large enough from the beginning: Pyodide does not see to that.
 *
 * @template Result
 * @param {number} size of what the memory has to hold, and less than a page more
 * @param {() => Promise<Result>} act
 * @returns {Promise<Result>}
 */
async function withMemory(size, act) {
  const { instantiate, instantiateStreaming } = WebAssembly;
  const growing =
    (/** @type {Function} */ usual) =>
    async (/** @type {any[]} */ ...given) => {
      const result = await usual.apply(WebAssembly, given);
      const { memory } = (result.instance ?? result).exports;
      const missing = memory ? size - memory.buffer.byteLength : 0;
      if (missing >= WASM_PAGE) memory.grow(Math.floor(missing / WASM_PAGE));
      return result;
    };
  try {
    Object.assign(WebAssembly, {
      instantiate: growing(instantiate),
      instantiateStreaming: growing(instantiateStreaming),
    });
    return await act();
  } finally {
    Object.assign(WebAssembly, { instantiate, instantiateStreaming });
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

/**
 * Fetch an archive, and decompress it by Python.
 *
 * @param {any} python
 * @param {string} address
 * @param {typeof fetch} fetch
 * @returns {Promise<Uint8Array>}
 */
async function fetchArchive(python, address, fetch) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const { decompress } = python.pyimport("lzma");
  const packed = python.toPy(await response.arrayBuffer());
  const unpacked = decompress(packed);
  const bytes = unpacked.toJs();
  for (const each of [decompress, packed, unpacked]) each.destroy();
  return bytes;
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
  const digests = [RUNTIME, LIBRARY, PACKAGES].map((each) => list.files[`python/${each}`][1].slice(0, 16));
  return `${folderOf(base)}${name}?kept=${digests.join("-")}`;
}

/** @param {string} base */
function folderOf(base) {
  return new URL("python/", base).href;
}

/** @param {string} base */
function options(base) {
  const folder = folderOf(base);
  return { indexURL: folder, packageBaseUrl: folder, checkAPIVersion: false };
}
