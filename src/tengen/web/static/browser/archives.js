/** Archives of Python's modules, which a worker of their own loads: see `archives_worker.js`. */

/**
 * Load archives, one after the other.
 *
 * @param {string[]} addresses
 * @param {object} [options]
 * @param {Promise<void>} [options.after] what comes before them
 * @param {(read: number) => void} [options.progress] receives the number of bytes that have come since it was last called
 * @returns {Promise<Uint8Array>[]} each of them decompressed
 */
export function loadArchives(addresses, { after = Promise.resolve(), progress = () => {} } = {}) {
  const worker = new Worker(new URL("./archives_worker.js", import.meta.url), { type: "module" });
  /** @type {{ done: (archive: Uint8Array) => void, failed: (reason: Error) => void }[]} */
  const waiting = [];
  const archives = addresses.map(() => new Promise((done, failed) => void waiting.push({ done, failed })));
  for (const archive of archives) archive.catch(() => {}); // heard by who waits for it
  const fail = (/** @type {string} */ reason) => {
    for (const { failed } of waiting.splice(0)) failed(new Error(reason));
  };
  worker.onmessage = ({ data: { read, archive, failed } }) => {
    if (read) progress(read);
    if (archive) waiting.shift()?.done(new Uint8Array(archive));
    if (failed) fail(failed);
    if (waiting.length === 0) worker.terminate();
  };
  worker.onerror = (event) => fail(event.message);
  void after.then(() => worker.postMessage(addresses));
  return archives;
}
