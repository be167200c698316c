/** What pages use of lit-html; `make vendor` makes lit.js of it. */

export { html, noChange, nothing, render, svg } from "lit-html";
export { live } from "lit-html/directives/live.js";
export { repeat } from "lit-html/directives/repeat.js";
