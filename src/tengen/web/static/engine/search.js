/** Searches of positions by the kernels, result by result, in one worker and its helpers. */

import { Kernels } from "./kernels.js";

/** @typedef {import("./kernels.js").MemoryRecord} MemoryRecord */
/** @typedef {import("./kernels.js").Block} Block */

/**
 * A position. Points are numbers, `y * size + x` from the lower left corner; moves begin with Black and take
 * turns, null is a pass.
 * @typedef {object} Position
 * @property {string} family of rules: freestyle, standard, renju or caro
 * @property {number} size of the board
 * @property {(number | null)[]} moves
 * @property {Record<string, number>} [numbers] of the rules, where they differ from the family's
 */
/**
 * What limits a search; with nothing at all it ends when it is stopped.
 * @typedef {object} Limit
 * @property {number} [nodes] stones put down
 * @property {number} [depth] plies
 * @property {number} [seconds]
 */
/**
 * The result of an iteration for one of the lines.
 * @typedef {object} Info
 * @property {number} number of the line, from 0
 * @property {number} point the best move
 * @property {number} score in centi-units, for the side to move; near `win` it is a win in so many plies
 * @property {number} depth plies searched
 * @property {number} nodes stones put down so far
 * @property {number} seconds since the beginning
 * @property {number[]} line the principal variation
 * @property {boolean} complete false if the iteration was broken off
 */
/**
 * A position as its rules see it.
 * @typedef {object} Situation
 * @property {0 | 1} turn 0 Black, 1 White
 * @property {boolean} won whether the last move has made a five
 * @property {number[]} forbidden the points where the side to move would make a foul
 */
/**
 * The memory of one thread of a search.
 * @typedef {{ state: MemoryRecord, scratch: MemoryRecord }} Thread
 */
/**
 * Starts the other threads of a search.
 * @typedef {(state: MemoryRecord, table: Block) => { nodes: () => number, end: () => Promise<void> }} Help
 */

/** Nodes a second of a slow device: what is known of the speed before so many nodes have been searched. */
const SLOWEST = 100_000;
const MEASURED = 4000;

/** A search in a time may take so many more nodes than fit into it at the speed so far, where its caller
 * stops it at the end, too. */
const MARGIN = 1.5;

/** A position that cannot be searched. */
export class PositionError extends Error {}

/** A position, its rules and all records to search it with. */
export class Searcher {
  /** @param {Kernels} kernels @param {(name: string) => Promise<ArrayBuffer>} read reads a file of their folder */
  constructor(kernels, read) {
    this.kernels = kernels;
    this.read = read;
    this.parameters = kernels.record("parameters");
    this.tables = kernels.record("tables");
    this.networks = kernels.record("networks");
    this.lineScratch = kernels.record("line_scratch");
    /** The empty board. */
    this.empty = kernels.record("state");
    /** The position. */
    this.position = kernels.record("state");
    /** Its copy in which the first thread searches. */
    this.state = kernels.record("state");
    this.scratch = kernels.record("scratch");
    this.deepening = kernels.record("deepening");
    this.cells = { address: kernels.place(8 * 1024), length: 1024 };
    this.afterRecords = kernels.top;
    this.rules = "";
    /** @type {Map<string, Uint8Array>} */
    this.files = new Map();
    /** @type {{ megabytes: number, rules: string, table: Block, pnTable: Block } | null} */
    this.tablesOfMoves = null;
    this.size = 0;
    this.moves = 0;
    this.won = false;
    this.stopped = false;
    /** Whether whoever asks for a search sets the stop flag in the memory. */
    this.stoppedFromOutside = false;
    this.now = () => performance.now() / 1000;
  }

  /** Load the parameters of a family of rules, and fill everything from them.
   * @param {Position} position
   */
  async setRules({ family, size, numbers = {} }) {
    const rules = JSON.stringify([family, size, numbers]);
    if (rules === this.rules) return;
    if (!this.files.has(family)) {
      this.files.set(family, new Uint8Array(await this.read(`parameters-${family}.bin`)));
    }
    this.rules = "";
    const { kernels, parameters, empty, tables, networks, lineScratch } = this;
    for (const record of [parameters, empty, tables, networks, lineScratch]) record.clear();
    kernels.bytes.set(/** @type {Uint8Array} */ (this.files.get(family)), parameters.address);
    parameters.assign(numbers);
    if (!kernels.call("set_up", parameters, size, empty, tables, networks, lineScratch)) {
      throw new PositionError(`parameters-${family}.bin: not the parameters of these kernels`);
    }
    kernels.call("look_up", empty, tables);
    this.rules = rules;
    this.size = size;
  }

  /** Set up a position.
   * @param {Position} given
   */
  async setPosition(given) {
    await this.setRules(given);
    const { kernels, position, tables, empty } = this;
    position.copy(empty);
    this.moves = 0;
    this.won = false;
    for (const point of given.moves) {
      const turn = position.get("turn");
      if (point === null) {
        position.set("turn", 1 - turn);
        continue;
      }
      const cell = this.cellOf(point);
      if (position.get("cells", cell) !== 0) throw new PositionError(`occupied or no point: ${point}`);
      this.won =
        position.get("kinds", turn * (position.layout.fields.kinds.shape[1] ?? 0) + cell) ===
        kernels.constants.five;
      kernels.call("make", position, tables, cell);
      this.moves += 1;
    }
    position.set("changed", 0);
  }

  /** The position as its rules see it.
   * @returns {Situation}
   */
  situation() {
    const { kernels, position, tables, cells } = this;
    const count = kernels.call("forbidden_cells", position, tables, cells);
    const found = new BigInt64Array(kernels.memory.buffer, cells.address, count);
    const turn = position.get("turn") ? 1 : 0;
    return { turn, won: this.won, forbidden: Array.from(found, (cell) => this.pointOf(Number(cell))) };
  }

  /** @param {number} point */
  cellOf(point) {
    const { frame, row } = this.kernels.constants;
    const inside = Number.isInteger(point) && point >= 0 && point < this.size ** 2;
    if (!inside) throw new PositionError(`no point of the board: ${point}`);
    return (Math.floor(point / this.size) + frame) * row + (point % this.size) + frame;
  }

  /** @param {number} cell */
  pointOf(cell) {
    const { frame, row } = this.kernels.constants;
    return (Math.floor(cell / row) - frame) * this.size + (cell % row) - frame;
  }

  /** The tables to search with: empty ones, or within a time those of former moves.
   * @param {Limit} limit @param {number} most megabytes
   */
  #tablesFor(limit, most) {
    const { kernels, rules } = this;
    const { entries_per_node: entries, entry_bytes: bytes, pn_table_divisor: divisor } = kernels.constants;
    const kept = this.tablesOfMoves;
    if (limit.seconds !== undefined && kept?.megabytes === most && kept.rules === rules) return kept;
    const needed = Math.floor(((limit.nodes ?? Infinity) * entries * bytes) / 2 ** 20);
    const megabytes = limit.seconds === undefined ? Math.min(Math.max(needed, 1), most) : most;
    kernels.top = this.afterRecords;
    const table = kernels.table(megabytes);
    const pnTable = kernels.table(Math.max(Math.floor(megabytes / divisor), 1));
    this.tablesOfMoves = { megabytes: limit.seconds === undefined ? 0 : most, rules, table, pnTable };
    return this.tablesOfMoves;
  }

  /** Search the position; yield the result of each iteration, line by line.
   *
   * Whoever iterates may let time pass between two results, and hear whether to stop.
   * @param {Limit} limit
   * @param {{ lines?: number, megabytes?: number, help?: Help, threads?: number }} [options]
   * @returns {AsyncGenerator<Info, void>}
   */
  async *search(limit, { lines = 1, megabytes, help, threads = 1 } = {}) {
    const { kernels, position, state, tables, networks, scratch, deepening } = this;
    const { unbounded, memory_mb: usual } = kernels.constants;
    const began = this.now();
    const most = Math.floor((limit.nodes ?? unbounded) / threads);
    const { table, pnTable } = this.#tablesFor(limit, megabytes ?? usual);
    this.#begin(limit, lines);
    const others = help?.(state, table);
    const nodes = () => state.get("nodes") + (others?.nodes() ?? 0);
    const records = [state, tables, networks, scratch, table, pnTable, deepening];
    try {
      while (!this.stopped) {
        state.set("most_nodes", Math.min(most, this.#nodesIn(limit, this.now() - began)));
        if (this.moves === 0 || !kernels.call("next_result", ...records)) break;
        kernels.call("correct_result", position, tables, deepening);
        yield this.#info(nodes(), this.now() - began);
        deepening.set("seconds", this.now() - began);
      }
      if (deepening.get("length") === 0) {
        kernels.call("fall_back", position, tables, deepening);
        yield this.#info(nodes(), this.now() - began);
      }
    } finally {
      await others?.end();
    }
  }

  /** Fill the records of a search.
   * @param {Limit} limit @param {number} lines
   */
  #begin(limit, lines) {
    const { position, state, scratch, deepening, kernels } = this;
    const { unbounded, threat_nodes: threatNodes, threat_seconds: threatSeconds } = kernels.constants;
    this.stopped = false;
    state.copy(position);
    state.assign({ nodes: 0, stop: 0, ended: 0 });
    scratch.clear();
    deepening.clear();
    deepening.copy(position, "line_state");
    deepening.assign({
      lines: Math.max(Math.min(lines, this.size ** 2 - this.moves), 1),
      most_depth: limit.depth ?? unbounded,
      threat_nodes: Math.floor(
        threatNodes * (limit.seconds === undefined ? 1 : Math.min(limit.seconds, threatSeconds)),
      ),
      soft_seconds: limit.seconds ?? Infinity,
    });
  }

  /** The nodes at which a search in a time has to end, at the speed so far.
   * @param {Limit} limit @param {number} seconds since the beginning
   */
  #nodesIn({ seconds: allowed }, seconds) {
    if (allowed === undefined) return this.kernels.constants.unbounded;
    const nodes = this.state.get("nodes");
    const speed = nodes > MEASURED && seconds > 0 ? nodes / seconds : SLOWEST;
    const margin = this.stoppedFromOutside ? MARGIN : 1;
    return nodes + Math.ceil(Math.max(allowed - seconds, 0) * speed * margin);
  }

  /** @param {number} nodes @param {number} seconds
   * @returns {Info}
   */
  #info(nodes, seconds) {
    const { deepening } = this;
    const [number, cell, score, depth, complete, length] = [
      "number",
      "cell",
      "score",
      "depth",
      "complete",
      "length",
    ].map((field) => deepening.get(field));
    const line = deepening.list("line", length).map((one) => this.pointOf(one));
    return {
      number,
      point: this.pointOf(cell),
      score,
      depth,
      nodes,
      seconds,
      line,
      complete: complete === 1,
    };
  }
}
