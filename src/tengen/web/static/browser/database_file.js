/**
 * A file of Python's that the browser keeps: its pages of a few kilobytes in IndexedDB, of which each change
 * writes those that differ, in one transaction.
 */

const PAGE = 4096;
const STORE = "pages";
const SIZE = "size";

export class DatabaseFile {
  /** @param {IDBDatabase | null} database null where the browser has none @param {Uint8Array} bytes as they are kept */
  constructor(database, bytes) {
    this.database = database;
    this.bytes = bytes;
    this.keeping = Promise.resolve(true);
  }

  /**
   * Open what is kept for a site.
   *
   * @param {string} base address of the site's root
   */
  static async open(base) {
    try {
      const database = await openDatabase(nameOf(base));
      const store = database.transaction(STORE).objectStore(STORE);
      const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
      const size = values[keys.indexOf(SIZE)] ?? 0;
      const bytes = new Uint8Array(size);
      keys.forEach((key, place) => {
        if (typeof key === "number" && key * PAGE < size) bytes.set(values[place], key * PAGE);
      });
      return new DatabaseFile(database, bytes);
    } catch (error) {
      console.warn(error);
      return new DatabaseFile(null, new Uint8Array(0));
    }
  }

  /**
   * Write what is kept to Python's file, if there is anything.
   *
   * @param {any} files Python's file system @param {string} path
   */
  unpack(files, path) {
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    if (this.bytes.length > 0) files.writeFile(path, this.bytes);
  }

  /**
   * Keep the file as it is now.
   *
   * @param {any} files Python's file system @param {string} path
   * @returns {Promise<boolean>} whether it is kept
   */
  keep(files, path) {
    // One after the other: what differs is known only when the last change has been kept.
    const keeping = this.keeping.then(() => this.#write(files.readFile(path)));
    this.keeping = keeping.catch(() => false);
    return keeping.catch((error) => {
      console.warn(error);
      return false;
    });
  }

  /** @param {Uint8Array} bytes */
  async #write(bytes) {
    if (this.database === null) return false;
    const pages = differing(this.bytes, bytes);
    if (pages.length === 0 && bytes.length === this.bytes.length) return true;
    const transaction = this.database.transaction(STORE, "readwrite");
    const store = transaction.objectStore(STORE);
    for (const page of pages) store.put(bytes.slice(page * PAGE, (page + 1) * PAGE), page);
    if (bytes.length !== this.bytes.length) store.put(bytes.length, SIZE);
    await new Promise((done, failed) => {
      transaction.oncomplete = done;
      transaction.onerror = transaction.onabort = () => failed(transaction.error);
    });
    this.bytes = bytes;
    return true;
  }
}

/**
 * The numbers of the pages that differ.
 *
 * @param {Uint8Array} before @param {Uint8Array} after
 */
export function differing(before, after) {
  const pages = [];
  for (let page = 0; page * PAGE < after.length; page++) {
    const [from, to] = [page * PAGE, Math.min((page + 1) * PAGE, after.length)];
    let place = to <= before.length ? from : to;
    while (place < to && before[place] === after[place]) place++;
    if (place < to || to > before.length) pages.push(page);
  }
  return pages;
}

/**
 * Delete what is kept for a site.
 *
 * @param {string} base address of the site's root
 * @param {() => void} onBlocked called if it waits until what has it open is closed
 */
export async function eraseDatabase(base, onBlocked) {
  const request = indexedDB.deleteDatabase(nameOf(base));
  request.onblocked = onBlocked;
  await result(request);
}

/** @param {string} base */
function nameOf(base) {
  return `tengen ${new URL(base).pathname}`;
}

/** @param {string} name @returns {Promise<IDBDatabase>} */
function openDatabase(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return result(request);
}

/**
 * @template Value
 * @param {IDBRequest<Value>} request
 * @returns {Promise<Value>}
 */
function result(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}
