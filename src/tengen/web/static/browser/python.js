/**
 * Python in a web worker: Pyodide with the packages of Tengen, as `tengen site` writes them.
 *
 * Most of the time until Python runs goes into its own start. So the memory after that is kept by the browser, and taken
 * from there at the next visit, which takes a fifth of the time (`_makeSnapshot` and `_loadSnapshot` of Pyodide, whose
 * version is fixed). Packages are not in it: memory with compiled ones cannot be taken up again.
 */

/** Where packages are unpacked, and Python looks for them. */
const PLACE = "/lib/python3.14/site-packages";

/** Archives of packages: for every visit, and for a database of an earlier version. */
const [PACKAGES, MIGRATING] = ["packages.tar.xz", "migrating.tar.xz"];

const CACHE = "tengen python";
const SNAPSHOT = "python/snapshot";

/**
 * Load Python.
 *
 * @param {string} base address of the root of the site
 * @param {(done: number) => void} [progress] receives the share of what is done, from 0 to 1
 * @returns {Promise<any>} Pyodide
 */
export async function loadPython(base, progress = () => {}) {
  const packages = fetchArchive(base, PACKAGES);
  const python = await startPython(base);
  progress(0.6);
  unpack(python, await packages);
  progress(0.75);
  return python;
}

/**
 * Load the packages for a database that an earlier version of the site has left.
 *
 * @param {any} python @param {string} base
 */
export async function loadMigrating(python, base) {
  unpack(python, await fetchArchive(base, MIGRATING));
}

/** @param {any} python @param {ArrayBuffer} archive */
function unpack(python, archive) {
  python.unpackArchive(archive, "xztar", { extractDir: PLACE });
}

/**
 * Have the browser keep the memory of Python after its start, unless it does.
 *
 * @param {string} base address of the root of the site
 */
export async function keepSnapshot(base) {
  const cache = await caches.open(CACHE);
  const { version, loadPyodide } = await import(`${folderOf(base)}pyodide.mjs`);
  const address = addressOf(base, version);
  if (await cache.match(address)) return;
  for (const { url } of await cache.keys()) {
    if (url.startsWith(new URL(SNAPSHOT, base).href)) await cache.delete(url);
  }
  const python = await loadPyodide({ ...options(base), _makeSnapshot: true });
  const memory = new Blob([python.makeMemorySnapshot()]);
  await cache.put(address, new Response(memory.stream().pipeThrough(new CompressionStream("gzip"))));
}

/**
 * Start Python from the memory that is kept, else from the beginning.
 *
 * @param {string} base
 */
async function startPython(base) {
  const { version, loadPyodide } = await import(`${folderOf(base)}pyodide.mjs`);
  const address = addressOf(base, version);
  try {
    const kept = await (await caches.open(CACHE)).match(address);
    if (kept?.body) {
      const memory = new Response(kept.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
      return await loadPyodide({ ...options(base), _loadSnapshot: memory });
    }
  } catch (error) {
    console.warn(error);
    await caches.open(CACHE).then(
      (cache) => cache.delete(address),
      () => {},
    );
  }
  return await loadPyodide(options(base));
}

/** @param {string} base @param {string} version of Pyodide */
function addressOf(base, version) {
  return new URL(`${SNAPSHOT}?${version}`, base).href;
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

/** @param {string} base @param {string} name @returns {Promise<ArrayBuffer>} */
async function fetchArchive(base, name) {
  const address = folderOf(base) + name;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}
