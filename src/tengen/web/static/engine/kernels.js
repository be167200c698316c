/** The compiled kernels of the engine, their memory, and the records in it.
 *
 * Three files belong together, as `python -m tengen.solver.build_kernels FOLDER web` writes them:
 * `kernels.wasm`, `kernels-threads.wasm` for memory that several workers share, and `kernels.json`, which
 * describes functions and records (`tengen.engine.kernels.layouts`).
 */

/** @typedef {{ offset: number, type: string, shape: number[] }} Field */
/** @typedef {{ size: number, fields: Record<string, Field> }} Layout */
/** @typedef {{ kind: "number" | "record" | "array", type?: string, record?: string }} Argument */
/** @typedef {{ arguments: Argument[], result: { kind: string, type: string } | null }} Signature */
/**
 * @typedef {{ exports: Record<string, Signature>, records: Record<string, Layout>, constants: Record<string, number> }} Layouts
 */
/** @typedef {{ address: number, length: number }} Block An array: its address, and the length of its first dimension */
/** @typedef {{ module: WebAssembly.Module, memory: WebAssembly.Memory, layouts: Layouts }} Shared */

const PAGE = 1 << 16;

const STACK_BYTES = 1 << 20;

/** The pages of the memory at the beginning, and at most: a gigabyte. */
const FIRST_PAGES = 1024;
const MOST_PAGES = 16_384;

/** How each type of number is read and written: its bytes, and the names of DataView's methods. */
const TYPES = /** @type {const} */ ({
  int64: [8, "getBigInt64", "setBigInt64"],
  int32: [4, "getInt32", "setInt32"],
  uint32: [4, "getUint32", "setUint32"],
  int16: [2, "getInt16", "setInt16"],
  uint16: [2, "getUint16", "setUint16"],
  uint8: [1, "getUint8", "setUint8"],
  float64: [8, "getFloat64", "setFloat64"],
  float32: [4, "getFloat32", "setFloat32"],
});

/** An instance of the kernels. */
export class Kernels {
  /** @param {WebAssembly.Exports} exports @param {Shared} shared */
  constructor(exports, { module, memory, layouts }) {
    this.exports = /** @type {Record<string, any>} */ (exports);
    this.module = module;
    this.memory = memory;
    this.layouts = layouts;
    this.constants = layouts.constants;
    /** The address where nothing has been placed yet. */
    this.top = Number(this.exports.__heap_base.value);
    this.view = new DataView(memory.buffer);
    /** Is called by a search about once a millisecond. */
    this.poll = () => {};
  }

  /** Load the kernels.
   * @param {(name: string) => Promise<ArrayBuffer>} read reads a file of their folder
   * @param {boolean} threads whether several workers share the memory
   */
  static async load(read, threads) {
    const [code, text] = await Promise.all([
      read(threads ? "kernels-threads.wasm" : "kernels.wasm"),
      read("kernels.json"),
    ]);
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: threads });
    const layouts = /** @type {Layouts} */ (JSON.parse(new TextDecoder().decode(text)));
    return Kernels.join({ module: await WebAssembly.compile(code), memory, layouts });
  }

  /** Make a further instance on a memory, which needs a stack of its own there.
   * @param {Shared} shared @param {number} [stack] the end of its stack
   */
  static async join(shared, stack) {
    /** @type {Kernels | null} */
    let made = null;
    const env = { memory: shared.memory, tengen_poll: () => made?.poll() };
    const { exports } = await WebAssembly.instantiate(shared.module, { env });
    const kernels = (made = new Kernels(exports, shared));
    if (stack !== undefined) kernels.exports.__stack_pointer.value = stack;
    return kernels;
  }

  /** What another worker needs in order to join.
   * @returns {Shared}
   */
  get shared() {
    return { module: this.module, memory: this.memory, layouts: this.layouts };
  }

  /** The memory as it is now: after it has grown, an unshared one has a new buffer. */
  get current() {
    if (this.view.buffer !== this.memory.buffer) this.view = new DataView(this.memory.buffer);
    return this.view;
  }

  /** The bytes of the memory, as long as it does not grow.
   * @returns {Uint8Array}
   */
  get bytes() {
    return new Uint8Array(this.memory.buffer);
  }

  /** Take memory, all zeros, aligned to a cache line.
   * @param {number} size in bytes
   * @returns {number} its address
   */
  place(size) {
    const { cache_line: line } = this.constants;
    const address = Math.ceil(this.top / line) * line;
    this.top = address + size;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.bytes.fill(0, address, this.top);
    return address;
  }

  /** Take memory for the stack of a further instance; returns its end. */
  placeStack() {
    return this.place(STACK_BYTES) + STACK_BYTES;
  }

  /** Take memory for a record.
   * @param {string} name of its type
   */
  record(name) {
    return new MemoryRecord(this, this.layouts.records[name], this.place(this.layouts.records[name].size));
  }

  /** Take memory for a table of two numbers an entry: the largest power of two that fits.
   * @param {number} megabytes
   * @returns {Block}
   */
  table(megabytes) {
    const { entry_bytes: bytes } = this.constants;
    const length = 2 ** Math.floor(Math.log2((megabytes * 2 ** 20) / bytes));
    return { address: this.place(length * bytes), length };
  }

  /** Call a kernel.
   * @param {string} name
   * @param {(number | MemoryRecord | Block)[]} given
   * @returns {number} what it returns: 1 for true; 0 if it returns nothing
   */
  call(name, ...given) {
    const values = given.flatMap((one) => {
      if (typeof one === "number") return [BigInt(one)];
      return one instanceof MemoryRecord ? [one.address] : [one.address, BigInt(one.length)];
    });
    return Number(this.exports[`tengen_${name}`](...values) ?? 0);
  }
}

/** A record in the memory. */
export class MemoryRecord {
  /** @param {Kernels} kernels @param {Layout} layout @param {number} address */
  constructor(kernels, layout, address) {
    this.kernels = kernels;
    this.layout = layout;
    this.address = address;
  }

  /** The address of a number of a field.
   * @param {string} field @param {number} [index] in C's order
   */
  addressOf(field, index = 0) {
    return this.address + this.layout.fields[field].offset + index * this.#type(field)[0];
  }

  /** @param {string} field */
  #type(field) {
    return TYPES[/** @type {keyof typeof TYPES} */ (this.layout.fields[field].type)] ?? [0, "", ""];
  }

  /** Read a number.
   * @param {string} field @param {number} [index] in C's order
   */
  get(field, index = 0) {
    const read = this.#type(field)[1];
    return Number(/** @type {any} */ (this.kernels.current)[read](this.addressOf(field, index), true));
  }

  /** Write a number.
   * @param {string} field @param {number} value @param {number} [index] in C's order
   */
  set(field, value, index = 0) {
    const [, , write] = this.#type(field);
    const number = write === "setBigInt64" ? BigInt(value) : value;
    /** @type {any} */ (this.kernels.current)[write](this.addressOf(field, index), number, true);
  }

  /** Set several fields.
   * @param {Record<string, number>} values
   */
  assign(values) {
    for (const [field, value] of Object.entries(values)) this.set(field, value);
  }

  /** Read the first numbers of a field.
   * @param {string} field @param {number} count
   */
  list(field, count) {
    return Array.from({ length: count }, (_, index) => this.get(field, index));
  }

  /** Set all bytes to zero. */
  clear() {
    this.kernels.bytes.fill(0, this.address, this.address + this.layout.size);
  }

  /** Copy another record of the same type to here, or into the field that is such a record.
   * @param {MemoryRecord} source @param {string} [field]
   */
  copy(source, field) {
    const target = field === undefined ? this.address : this.addressOf(field);
    this.kernels.bytes.copyWithin(target, source.address, source.address + source.layout.size);
  }
}
