/** The errors of a player below full strength, by the kernels that `tengen.engine.handicap` calls. */

import { MemoryRecord } from "./kernels.js";

/** @typedef {import("./kernels.js").Kernels} Kernels */
/**
 * A playing strength below full, as `tengen.web.site.engine_levels` resolves it.
 * @typedef {object} Handicap
 * @property {number} nodes of the search, at most
 * @property {number} depth plies of the search, at most
 * @property {number} oversight the probability that a row of two is overlooked
 * @property {number} distortion the largest relative error in the worth of a pattern
 * @property {number} without techniques of the search that are left out, a bit each
 * @property {string} seed of the errors, a whole number
 */

/** The errors that follow from a seed. */
export class Errors {
  /** @param {Kernels} kernels */
  constructor(kernels) {
    this.kernels = kernels;
    this.record = kernels.record("handicap");
    this.random = new MemoryRecord(
      kernels,
      kernels.layouts.records.random,
      this.record.addressOf("random"),
    );
  }

  /** Multiply the worth of each pattern by a random factor.
   * @param {MemoryRecord} weights @param {Handicap} handicap
   */
  distort(weights, { distortion, seed }) {
    this.#begin(`${seed} taste`);
    this.record.set("distortion", distortion);
    this.kernels.call("distort_worths", weights, this.record);
  }

  /** Remove the rows from a position that the side to move overlooks.
   * @param {MemoryRecord} state of the position @param {MemoryRecord} tables of its rules
   * @param {Handicap} handicap
   * @param {{ ply: number, points: string }} position the number of its moves, and its points in hexadecimal digits
   */
  overlook(state, tables, { oversight, seed }, { ply, points }) {
    this.#begin(`${seed} ${state.get("turn") + 1} ${ply} ${points}`);
    this.record.assign({ oversight, recent: Math.min(ply, 2) });
    this.kernels.call("overlook_rows", state, tables, this.record);
  }

  /** Write the seed of the random numbers, as text.
   * @param {string} text
   */
  #begin(text) {
    this.record.clear();
    const bytes = new TextEncoder().encode(text);
    this.kernels.bytes.set(bytes, this.random.addressOf("text"));
    this.random.set("length", bytes.length);
  }
}
