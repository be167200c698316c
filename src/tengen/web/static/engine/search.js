/** Searches of positions by the kernels, result by result, in one worker and its helpers. */

import { Errors } from "./handicap.js";
import { Kernels, MemoryRecord } from "./kernels.js";

/** The file of the parameters of a family of rules. @param {string} family */
export const parametersName = (family) => `parameters-${family}.bin`;

/** @typedef {import("./kernels.js").Block} Block */
/** @typedef {import("./handicap.js").Handicap} Handicap */

/**
 * Stones that are set up before the first move.
 * @typedef {object} Setup
 * @property {number[]} black
 * @property {number[]} white
 * @property {0 | 1} turn the side to move: 0 Black, 1 White
 */
/**
 * A position. Points are numbers, `y * size + x` from the lower left corner; moves begin with Black, or the side of
 * the set-up, and take turns, null is a pass.
 * @typedef {object} Position
 * @property {string} family of rules: freestyle, standard, renju or caro
 * @property {number} size of the board
 * @property {Setup} [setup]
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
/** @typedef {"overline" | "double-four" | "double-three"} FoulKind */
/**
 * A position as its rules see it.
 * @typedef {object} Situation
 * @property {0 | 1} turn 0 Black, 1 White
 * @property {boolean} won whether the last move has made a five
 * @property {boolean} full whether no move is left
 * @property {number[]} forbidden the points where Black would make a foul
 * @property {FoulKind[]} kinds of these fouls
 */
/**
 * The memory of one thread of a search.
 * @typedef {{ state: MemoryRecord, scratch: MemoryRecord }} Thread
 */
/**
 * Starts the other threads of a search.
 * @typedef {(state: MemoryRecord, table: Block) => { nodes: () => number, end: () => Promise<void> }} Help
 */

/** The kinds of fouls, by the numbers that the kernel gives them.
 * @type {FoulKind[]}
 */
const FOUL_KINDS = ["overline", "double-four", "double-three"];

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
    this.errors = new Errors(kernels);
    this.weights = new MemoryRecord(
      kernels,
      kernels.layouts.records.weights,
      this.parameters.addressOf("weights"),
    );
    this.afterRecords = kernels.top;
    this.rules = "";
    /** The errors of evaluation in the tables. */
    this.evaluation = "";
    /** @type {Map<string, Uint8Array>} */
    this.files = new Map();
    /** @type {{ megabytes: number, rules: string, table: Block, pnTable: Block } | null} */
    this.tablesOfMoves = null;
    this.size = 0;
    /** Moves of the position. */
    this.ply = 0;
    /** Its stones. */
    this.stones = 0;
    this.won = false;
    this.stopped = false;
    this.now = () => performance.now() / 1000;
  }

  /** Load the parameters of a family of rules, and fill everything from them.
   * @param {Position} position
   */
  async setRules({ family, size, numbers = {} }) {
    const rules = JSON.stringify([family, size, numbers]);
    if (rules === this.rules) return;
    if (!this.files.has(family)) {
      this.files.set(family, new Uint8Array(await this.read(parametersName(family))));
    }
    this.rules = this.evaluation = "";
    const { kernels, parameters, empty, tables, networks, lineScratch } = this;
    for (const record of [parameters, empty, tables, networks, lineScratch]) record.clear();
    kernels.bytes.set(/** @type {Uint8Array} */ (this.files.get(family)), parameters.address);
    parameters.assign(numbers);
    if (!kernels.call("set_up", parameters, size, empty, tables, networks, lineScratch)) {
      throw new PositionError(`${parametersName(family)}: not the parameters of these kernels`);
    }
    this.rules = rules;
    this.size = size;
  }

  /** Put into the tables by what numbers a player evaluates.
   * @param {string} family of rules @param {Handicap | undefined} handicap of the player
   */
  #setEvaluation(family, handicap) {
    const { kernels, weights, tables, empty } = this;
    const { distortion = 0, without = 0, seed = "" } = handicap ?? {};
    const wanted = JSON.stringify([distortion, without, distortion ? seed : ""]);
    if (wanted === this.evaluation) return;
    const file = /** @type {Uint8Array} */ (this.files.get(family));
    const { offset } = this.parameters.layout.fields.weights;
    kernels.bytes.set(file.subarray(offset, offset + weights.layout.size), weights.address);
    if (handicap && distortion) this.errors.distort(weights, handicap);
    kernels.call("put_weights", weights, tables);
    tables.set("without", without);
    kernels.call("look_up", empty, tables);
    this.evaluation = wanted;
  }

  /** Set up a position.
   * @param {Position} given @param {Handicap} [handicap] of the player that is to move
   */
  async setPosition(given, handicap) {
    await this.setRules(given);
    this.#setEvaluation(given.family, handicap);
    const { position, empty } = this;
    const { black = [], white = [], turn = 0 } = given.setup ?? {};
    position.copy(empty);
    this.stones = 0;
    for (const [colour, points] of [black, white].entries()) {
      for (const point of [...points].sort((a, b) => a - b)) {
        position.set("turn", colour);
        this.#make(point);
      }
    }
    position.set("turn", turn);
    this.won = false;
    for (const point of given.moves) {
      if (point === null) position.set("turn", 1 - position.get("turn"));
      else this.#make(point);
    }
    this.ply = given.moves.length;
    position.set("changed", 0);
  }

  /** Put a stone of the side to move.
   * @param {number} point
   */
  #make(point) {
    const { kernels, position, tables } = this;
    const turn = position.get("turn");
    const cell = this.cellOf(point);
    if (position.get("cells", cell) !== 0) throw new PositionError(`occupied or no point: ${point}`);
    this.won =
      position.get("kinds", turn * (position.layout.fields.kinds.shape[1] ?? 0) + cell) ===
      kernels.constants.five;
    kernels.call("make", position, tables, cell);
    this.stones += 1;
  }

  /** The position as its rules see it.
   * @returns {Situation}
   */
  situation() {
    const { kernels, position, tables, cells } = this;
    const count = kernels.call("forbidden_cells", position, tables, cells);
    const found = Array.from(new BigInt64Array(kernels.memory.buffer, cells.address, count), Number);
    const turn = position.get("turn") ? 1 : 0;
    const closed = turn === 0 && tables.get("barred") ? count : 0;
    return {
      turn,
      won: this.won,
      full: this.stones + closed === this.size ** 2,
      forbidden: found.map((cell) => this.pointOf(cell)),
      kinds: found.map((cell) => FOUL_KINDS[kernels.call("foul_kind", position, tables, cell)]),
    };
  }

  /** The content of every point, in order, as two hexadecimal digits each. */
  #points() {
    return Array.from({ length: this.size ** 2 }, (_, point) =>
      this.position.get("cells", this.cellOf(point)).toString(16).padStart(2, "0"),
    ).join("");
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
   * @param {Limit} limit @param {number} most megabytes @param {boolean} repeats whether the answer has to repeat
   */
  #tablesFor(limit, most, repeats) {
    const { kernels, rules } = this;
    const { entries_per_node: entries, entry_bytes: bytes, pn_table_divisor: divisor } = kernels.constants;
    const kept = this.tablesOfMoves;
    if (!repeats && kept?.megabytes === most && kept.rules === rules) return kept;
    const needed = Math.floor(((limit.nodes ?? Infinity) * entries * bytes) / 2 ** 20);
    const megabytes = repeats ? Math.min(Math.max(needed, 1), most) : most;
    kernels.top = this.afterRecords;
    const table = kernels.table(megabytes);
    const pnTable = kernels.table(Math.max(Math.floor(megabytes / divisor), 1));
    this.tablesOfMoves = { megabytes: repeats ? 0 : most, rules, table, pnTable };
    return this.tablesOfMoves;
  }

  /** Search the position; yield the result of each iteration, line by line.
   *
   * Whoever iterates may let time pass between two results, and hear whether to stop. Below full strength the position
   * was set for the same `handicap`; its limits tighten those of the search.
   * @param {Limit} limit
   * @param {{ lines?: number, megabytes?: number, handicap?: Handicap, help?: Help, threads?: number }} [options]
   * @returns {AsyncGenerator<Info, void>}
   */
  async *search(limit, { lines = 1, megabytes, handicap, help, threads = 1 } = {}) {
    const { kernels, position, state, tables, networks, scratch, deepening } = this;
    if (handicap) limit = tightened(limit, handicap);
    const { unbounded, memory_mb: usual } = kernels.constants;
    const began = this.now();
    const most = Math.floor((limit.nodes ?? unbounded) / threads);
    const repeats = limit.seconds === undefined || handicap !== undefined;
    const { table, pnTable } = this.#tablesFor(limit, megabytes ?? usual, repeats);
    this.#begin(limit, lines, handicap);
    state.set("most_nodes", most);
    const others = help?.(state, table);
    const end = began + (limit.seconds ?? Infinity);
    kernels.poll = () => {
      if (this.now() >= end) state.set("stop", 1);
    };
    const nodes = () => state.get("nodes") + (others?.nodes() ?? 0);
    const records = [state, tables, networks, scratch, table, pnTable, deepening];
    try {
      while (!this.stopped) {
        if (this.stones === 0 || !kernels.call("next_result", ...records)) break;
        kernels.call("correct_result", position, tables, deepening);
        yield this.#info(nodes(), this.now() - began);
        deepening.set("seconds", this.now() - began);
      }
      if (deepening.get("length") === 0) {
        kernels.call("fall_back", position, tables, deepening);
        yield this.#info(nodes(), this.now() - began);
      }
    } finally {
      kernels.poll = () => {};
      await others?.end();
    }
  }

  /** Fill the records of a search.
   * @param {Limit} limit @param {number} lines @param {Handicap | undefined} handicap
   */
  #begin(limit, lines, handicap) {
    const { position, state, tables, scratch, deepening, kernels } = this;
    const { unbounded, threat_nodes: threatNodes, threat_seconds: threatSeconds } = kernels.constants;
    this.stopped = false;
    state.copy(position);
    if (handicap?.oversight) {
      const { ply } = this;
      this.errors.overlook(state, tables, handicap, { ply, points: this.#points() });
    }
    state.assign({ nodes: 0, stop: 0, ended: 0 });
    scratch.clear();
    deepening.clear();
    deepening.copy(state, "line_state");
    deepening.assign({
      lines: Math.max(Math.min(lines, this.size ** 2 - this.stones), 1),
      most_depth: limit.depth ?? unbounded,
      threat_nodes: Math.floor(
        threatNodes * (limit.seconds === undefined ? 1 : Math.min(limit.seconds, threatSeconds)),
      ),
      soft_seconds: limit.seconds ?? Infinity,
    });
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

/** A limit of the search with that of a strength.
 * @param {Limit} limit @param {Handicap} handicap
 * @returns {Limit}
 */
function tightened(limit, { nodes, depth }) {
  return {
    ...limit,
    nodes: Math.min(limit.nodes ?? nodes, nodes),
    depth: Math.min(limit.depth ?? depth, depth),
  };
}
