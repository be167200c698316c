/** Python in a web worker: Pyodide with the packages of Tengen, as `tengen site` writes them. */

/**
 * What the folder of Python contains besides Pyodide, `python/packages.json`.
 *
 * @typedef {{ archives: string[] }} Packages
 */

/** Where packages are unpacked, and Python looks for them. */
const PLACE = "/lib/python3.14/site-packages";

/**
 * Load Python.
 *
 * @param {string} base address of the root of the site
 * @param {(done: number) => void} progress receives the share of what is done, from 0 to 1
 * @returns {Promise<any>} Pyodide
 */
export async function loadPython(base, progress) {
  const folder = new URL("python/", base).href;
  const archives = fetchArchives(folder);
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  progress(0.1);
  const python = await loadPyodide({ indexURL: folder, packageBaseUrl: folder, checkAPIVersion: false });
  progress(0.6);
  for (const archive of await archives) python.unpackArchive(archive, "zip", { extractDir: PLACE });
  progress(0.75);
  return python;
}

/** @param {string} folder @returns {Promise<ArrayBuffer[]>} */
async function fetchArchives(folder) {
  const { archives } = /** @type {Packages} */ (await (await fetched(`${folder}packages.json`)).json());
  return Promise.all(archives.map(async (name) => (await fetched(folder + name)).arrayBuffer()));
}

/** @param {string} address */
async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
