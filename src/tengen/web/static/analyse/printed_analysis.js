/**
 * The analysis on paper: the position that is shown, and below it all moves with their variations and comments.
 *
 * @typedef {import("./study.js").Study} Study
 */

import { html } from "/static/vendor/lit-html/lit-html.js";

import { printedHeadView } from "../shared/printed_view.js";
import { movesTreeView } from "./moves_tree_view.js";

/**
 * @param {Study} study
 * @param {import("../shared/context.js").Context["say"]} say
 * @param {object} told
 * @param {string} told.facts of the position
 * @param {string} told.status
 * @param {import("./moves_tree_view.js").Look["judged"]} told.judged
 * @param {import("./moves_tree_view.js").Look["named"]} told.named
 * @returns {import("../shared/printed_view.js").Printed}
 */
export function printedAnalysis({ tree, root, current, mover, go }, say, { facts, status, judged, named }) {
  const { headers = {} } = tree;
  const title = headers.event || say("web.nav.analyse");
  const look = { say, first: mover(root), named, onSelect: go, judged };
  return {
    head: printedHeadView(say, { title, names: headers, facts: [facts, status].filter(Boolean) }),
    moves: html`<div class="printed-tree">${movesTreeView(root, current, look)}</div>`,
  };
}
