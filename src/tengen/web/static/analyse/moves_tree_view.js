/**
 * A game with its variations: the main line in a row of text, variations indented below the move that they
 * replace, comments as text. Every move is a button that goes there. Of a tree that is too large to be seen at
 * once, such as a library of openings, the line that is shown is drawn, and of the others the first moves.
 *
 * @import { Colour } from "/assets/board.js"
 * @import { Say } from "/assets/words.js"
 * @import { Context } from "../shared/context.js"
 * @import { GameTree, Node } from "./game_tree.js"
 *
 * @typedef {object} Look
 * @property {Say} say
 * @property {Colour} first who has the first move
 * @property {(point: string) => string} named a point as the list has it
 * @property {(node: Node) => void} onSelect
 * @property {(node: Node) => {sign: string, text: string} | null} judged a sign beside a move, and what it means
 */

import { pointText } from "/assets/coordinates.js";
import { html, nothing } from "/static/vendor/lit-html/lit-html.js";

import { other } from "../shared/position.js";
import { isLarger, lineThrough } from "./game_tree.js";

const LARGEST = 1000; // moves that are drawn with all variations

/**
 * How points are written in the list of a game: in the style of the board's coordinates.
 *
 * @param {{ tree: GameTree }} study
 * @param {Context["settings"]} settings
 */
export function pointNames({ tree }, settings) {
  const [height, style] = [Number(tree.rules.height), settings.get("coordinateStyle")];
  return (/** @type {string} */ point) => pointText(point, height, style);
}

/**
 * @param {Node} root
 * @param {Node} current
 * @param {Look} look
 */
export function movesTreeView(root, current, { say, first, named, onSelect, judged }) {
  const large = isLarger(root, LARGEST);
  const ours = large ? new Set(lineThrough(current)) : null;
  return html`${commentView(root)}${lineView(root, 0)}
  ${root.children.length ? nothing : html`<p class="soft">${say("web.analyse.no_moves")}</p>`}`;

  /**
   * The moves after a node in rows of text, with the variations in lists between.
   *
   * @param {Node} from
   * @param {number} ply of that node
   * @param {unknown[]} [row] what the first row begins with
   * @returns {unknown[]}
   */
  function lineView(from, ply, row = []) {
    const parts = [];
    for (let node = from; node.children.length;) {
      const main = node.children.find((child) => ours?.has(child)) ?? node.children[0];
      const others = node.children.filter((child) => child !== main);
      ply += 1;
      row.push(moveView(main, ply));
      if (main.comment || others.length) {
        parts.push(rowView(row), commentView(main));
        row = [];
      }
      if (others.length) {
        parts.push(
          html`<ul class="variations">
            ${others.map((variation) => html`<li>${variationView(variation, ply)}</li>`)}
          </ul>`,
        );
      }
      node = main;
    }
    if (row.length) parts.push(rowView(row));
    return parts;
  }

  /**
   * @param {Node} node its first move
   * @param {number} ply
   */
  function variationView(node, ply) {
    const row = [moveView(node, ply)];
    if (large) return rowView(row);
    return node.comment ? [rowView(row), commentView(node), lineView(node, ply)] : lineView(node, ply, row);
  }

  /** @param {unknown[]} moves */
  function rowView(moves) {
    return html`<p class="tree-line">${moves}</p>`;
  }

  /** @param {Node} node */
  function commentView({ comment }) {
    return comment ? html`<p class="comment">${comment}</p>` : nothing;
  }

  /**
   * @param {Node} node
   * @param {number} ply
   */
  function moveView(node, ply) {
    const colour = ply % 2 ? first : other(first);
    const judgement = judged(node);
    const name = node.move === "--" ? say("replay.pass") : named(node.move ?? "");
    return html`<button
      class="move ${judgement ? "judged" : ""} ${ply % 2 ? "" : "second"}"
      type="button"
      aria-current=${node === current ? "true" : nothing}
      title=${judgement?.text ?? nothing}
      @click=${() => onSelect(node)}
    >
      <span class="number">${ply}</span
      ><span class="disc ${colour}" role="img" aria-label=${say(colour)}></span
      >${name}${judgement ? judgementView(judgement) : nothing}
    </button>`;
  }

  /** @param {{sign: string, text: string}} judgement */
  function judgementView({ sign, text }) {
    return html`<b class="judgement">${sign}<span class="unseen">${text}</span></b>`;
  }
}
