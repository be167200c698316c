/** The engine's kernels for Python in the same worker: `tengen.web.browser.kernels` calls what is here.
 *
 * Python passes numbers only: addresses in the kernels' memory, lengths, and arguments.
 */

/** @typedef {import("../engine/kernels.js").Kernels} Kernels */
/** @typedef {(...numbers: (number | bigint)[]) => number | bigint | boolean | undefined} Call */
/** @typedef {{ worker: Worker, done: number, busy: boolean }} Helper `done`: the address of a number */

const HIGH = 2 ** 32;

/** A whole number as Python gets it most cheaply.
 * @param {bigint} number
 */
const short = (number) => {
  const value = Number(number);
  return Number.isSafeInteger(value) ? value : number;
};

/** What Python needs of an instance of the kernels. */
export class PythonKernels {
  /** @param {Kernels} kernels
   * @param {Int32Array | null} [flag] holds the number of the newest task that is to end early, where
   *   another worker can say so
   */
  constructor(kernels, flag = null) {
    this.kernels = kernels;
    this.flag = flag;
    /** The number of the task under way. */
    this.task = 1;
    /** When Python is to be called, by `performance.now`. */
    this.next = Infinity;
    this.due = () => {};
    /** @type {Helper[]} */
    this.helpers = [];
    kernels.poll = () => {
      if (performance.now() >= this.next) {
        this.next = Infinity;
        this.due();
      }
    };
  }

  /** Start workers that help in searches, in memory that workers share. The worker has to hear of them, so Python
   * may run once the promise is resolved.
   * @param {number} count
   */
  async startHelpers(count) {
    const started = Array.from({ length: count }, () => this.#startHelper());
    this.helpers.push(...(await Promise.all(started)));
  }

  /** @returns {Promise<Helper>} */
  #startHelper() {
    const { kernels } = this;
    const worker = new Worker(new URL("../engine/helper.js", import.meta.url), { type: "module" });
    const done = kernels.place(kernels.constants.cache_line);
    return new Promise((resolve, reject) => {
      worker.onmessage = () => resolve({ worker, done, busy: false });
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ shared: kernels.shared, stack: kernels.placeStack(), answer: true });
    });
  }

  /** The number of helpers that do nothing. */
  free() {
    return this.helpers.filter(({ busy }) => !busy).length;
  }

  /** Have a helper fill the table of a search.
   * @param {number} state @param {number} tables @param {number} networks @param {number} scratch addresses of records
   * @param {number} table its address @param {number} length @param {number} firstDepth
   * @returns {number} which helper it is
   */
  help(state, tables, networks, scratch, table, length, firstDepth) {
    const number = this.helpers.findIndex(({ busy }) => !busy);
    const helper = this.helpers[number];
    helper.busy = true;
    Atomics.store(new Int32Array(this.kernels.memory.buffer), helper.done >> 2, 0);
    const records = [state, tables, networks, scratch];
    helper.worker.postMessage({
      records,
      table: { address: table, length },
      firstDepth,
      done: helper.done,
    });
    return number;
  }

  /** Wait until a helper has ended.
   * @param {number} number
   */
  finish(number) {
    const helper = this.helpers[number];
    Atomics.wait(new Int32Array(this.kernels.memory.buffer), helper.done >> 2, 0);
    helper.busy = false;
  }

  /** Whether the work under way is to end. */
  raised() {
    return this.flag !== null && Atomics.load(this.flag, 0) >= this.task;
  }

  /** Call Python from within a kernel, once so much time has passed.
   * @param {number | undefined} seconds from now; undefined for never
   */
  wake(seconds) {
    this.next = seconds === undefined ? Infinity : performance.now() + 1000 * seconds;
  }

  /** The text that says what the kernels were made from. */
  manifest() {
    const { bytes, exports } = this.kernels;
    const start = exports.tengen_manifest.value;
    return new TextDecoder().decode(bytes.slice(start, bytes.indexOf(0, start)));
  }

  /** Take memory for good.
   * @param {number} size in bytes
   */
  place(size) {
    return this.kernels.place(size);
  }

  /** The bytes from an address on, as long as the memory does not grow.
   * @param {number} address @param {number} size
   */
  part(address, size) {
    return new Uint8Array(this.kernels.memory.buffer, address, size);
  }

  /** A copy of the bytes from an address on.
   * @param {number} address @param {number} size
   */
  read(address, size) {
    return this.part(address, size).slice();
  }

  /** @param {number} address @param {number} size */
  clear(address, size) {
    this.kernels.bytes.fill(0, address, address + size);
  }

  /** @param {number} to @param {number} source @param {number} size */
  copy(to, source, size) {
    this.kernels.bytes.copyWithin(to, source, source + size);
  }

  /** What reads and what writes a number of a type.
   * @param {string} type as NumPy calls it
   * @returns {[(address: number) => unknown, (address: number, value: any) => void]}
   */
  access(type) {
    const { kernels } = this;
    if (type === "bool") {
      return [
        (address) => kernels.current.getUint8(address) !== 0,
        (address, value) => kernels.current.setUint8(address, value ? 1 : 0),
      ];
    }
    if (type === "int64" || type === "uint64") {
      const read = type === "int64" ? "getBigInt64" : "getBigUint64";
      return [
        (address) => {
          const view = kernels.current;
          const high =
            type === "int64" ? view.getInt32(address + 4, true) : view.getUint32(address + 4, true);
          // Two small numbers make most of them, sooner than a BigInt does.
          if (high >= -0x200000 && high < 0x200000) return high * HIGH + view.getUint32(address, true);
          return view[read](address, true);
        },
        (address, value) => kernels.current.setBigInt64(address, BigInt(value), true),
      ];
    }
    const name = type[0].toUpperCase() + type.slice(1);
    const read = /** @type {"getInt32"} */ (`get${name}`);
    const write = /** @type {"setInt32"} */ (`set${name}`);
    return [
      (address) => kernels.current[read](address, true),
      (address, value) => kernels.current[write](address, value, true),
    ];
  }

  /** What calls a kernel.
   * @param {string} name of its function
   * @returns {Call | undefined} undefined if there is none; several results go to a last address
   */
  function(name) {
    const signature = this.kernels.layouts.exports[name];
    if (signature === undefined) return undefined;
    const exported = this.kernels.exports[name];
    const large = signature.arguments.flatMap(({ kind }) =>
      kind === "array" ? [false, true] : [kind === "number"],
    );
    if (signature.result?.kind === "numbers") large.push(false);
    const places = large.flatMap((is, place) => (is ? [place] : []));
    const isBool = signature.result?.type === "bool";
    return (...numbers) => {
      for (const place of places) numbers[place] = BigInt(numbers[place]);
      const result = exported(...numbers);
      if (result === undefined) return undefined;
      return isBool ? result !== 0n : short(result);
    };
  }
}
