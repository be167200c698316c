/** What a site without a server uses of gifenc; `make vendor` makes gifenc.js of it. */

export { GIFEncoder, applyPalette, quantize } from "gifenc/dist/gifenc.esm.js";
