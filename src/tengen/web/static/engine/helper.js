/** The worker of a further thread of a search: fills the table that all threads share.
 *
 * It receives `{ shared, stack }` once, and then for each search `{ records, table, firstDepth }`, the
 * addresses of the records that the kernel `fill_table` takes; it sends null when that has ended. A sender that
 * hears nothing meanwhile gives an address `done` besides, of an int32 that is 1 then. One that has to know
 * when the worker is ready gives `answer: true` at first, and is sent null.
 */

import { Kernels } from "./kernels.js";

/** @type {Promise<Kernels> | null} */
let joined = null;

self.onmessage = async ({ data }) => {
  if (data.shared) {
    joined = Kernels.join(data.shared, data.stack);
    await joined;
    if (data.answer) self.postMessage(null);
    return;
  }
  const { exports, memory } = await /** @type {Promise<Kernels>} */ (joined);
  const { address, length } = data.table;
  try {
    exports.tengen_fill_table(...data.records, address, BigInt(length), BigInt(data.firstDepth));
  } finally {
    if (data.done === undefined) self.postMessage(null);
    else {
      const numbers = new Int32Array(memory.buffer);
      Atomics.store(numbers, data.done >> 2, 1);
      Atomics.notify(numbers, data.done >> 2);
    }
  }
};
