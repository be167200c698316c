/**
 * A worker that loads archives by tar and xz, one after the other, and decompresses them while they come. In the worker of
 * Python, which is busy meanwhile, they would come late.
 *
 * Messages: the addresses of archives, once. Answers: `{ read }`, bytes that have come, and for each archive in turn
 * `{ archive }`, decompressed. If one cannot be loaded, `{ failed }`, with a reason, is the last one.
 */

import { XzReadableStream } from "/static/vendor/xz-decompress/xz-decompress.js";
import { counted } from "./downloads.js";

onmessage = async ({ data: addresses }) => {
  try {
    for (const address of addresses) {
      const archive = await load(address);
      postMessage({ archive }, { transfer: [archive] });
    }
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};

/** @param {string} address */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  const packed = answer.body.pipeThrough(counted((read) => postMessage({ read })));
  return new Response(new XzReadableStream(packed)).arrayBuffer();
}
