/**
 * The analysis on paper: the position that is shown, and below it all moves with their variations and comments.
 *
 * @import { Printed } from "../shared/printed_view.js"
 * @import { Context } from "../shared/types.js"
 * @import { TreeOptions } from "./moves_panel.js"
 * @import { Study } from "./study.js"
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { printedHeadView } from "../shared/printed_view.js";
import { movesTreeView } from "./moves_panel.js";

/**
 * @param {Study} study
 * @param {Context["say"]} say
 * @param {object} texts
 * @param {string} texts.facts of the position
 * @param {string} texts.status
 * @param {TreeOptions["judged"]} texts.judged
 * @param {TreeOptions["named"]} texts.named
 * @returns {Printed}
 */
export function printedAnalysis({ tree, root, current, mover, go }, say, { facts, status, judged, named }) {
  const { headers = {} } = tree;
  const title = headers.event || say("web.nav.analyse");
  const options = { say, first: mover(root), named, onSelect: go, judged };
  return {
    head: printedHeadView(say, { title, names: headers, facts: [facts, status].filter(Boolean) }),
    moves: html`<div class="printed-tree">${movesTreeView(root, current, options)}</div>`,
  };
}
