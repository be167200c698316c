/** What a site without a server uses of xz-decompress; `make vendor` makes xz-decompress.js of it. */

export { XzReadableStream } from "xz-decompress";
