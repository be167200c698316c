/** The worker of a further thread of a search: fills the table that all threads share.
 *
 * It receives `{ shared, stack }` once, and then for each search `{ records, table, firstDepth }`, the
 * addresses of the records that the kernel `fill_table` takes; it sends null when that has ended.
 */

import { Kernels } from "./kernels.js";

/** @type {Promise<Kernels> | null} */
let joined = null;

self.onmessage = async ({ data }) => {
  if (data.shared) {
    joined = Kernels.join(data.shared, data.stack);
    return;
  }
  const { exports } = await /** @type {Promise<Kernels>} */ (joined);
  const { address, length } = data.table;
  exports.tengen_fill_table(...data.records, address, BigInt(length), BigInt(data.firstDepth));
  self.postMessage(null);
};
