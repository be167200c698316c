/**
 * The moves as a tree, with what can be done to the one that is shown: comment, promote, delete; and to take
 * back whatever changed the tree or put another one in its place.
 *
 * The main line is a row of text, variations are indented below the move that they replace, comments are text. Every move is a
 * button that goes there. Of a tree that is too large to be seen at once, such as a library of openings, only the line that is
 * shown is drawn, and of the others the first moves.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Say } from "/assets/words.js"
 * @import { Context } from "../shared/types.js"
 * @import { Analysis } from "./analyse.js"
 * @import { Node } from "./game_tree.js"
 * @import { Study } from "./study.js"
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { moveNames, stepView } from "../shared/moves_view.js";
import { other } from "../shared/position.js";
import { BIN, reveal, valueOf } from "../shared/view.js";
import { isLarger, lineThrough } from "./game_tree.js";

/**
 * @param {Analysis} analysis
 * @param {(node: Node) => {sign: string, text: string} | null} judged what the review says of a move
 */
export function createMovesPanel({ context, study }, judged) {
  /** Whether the move that is shown is to be brought into sight. */
  let revealing = false;

  return {
    view: () => movesView(study, context, judged),
    reveal: () => void (revealing = true),
    /** The page has been drawn. */
    drawn() {
      const tree = document.querySelector(".tree");
      if (!revealing || !(tree instanceof HTMLElement) || !tree.offsetParent) return;
      revealing = false;
      bringIntoSight(tree);
    },
  };
}

/**
 * The move that is shown, which also keeps the focus, if that is among the moves.
 *
 * @param {HTMLElement} tree
 */
function bringIntoSight(tree) {
  const move = tree.querySelector("[aria-current]");
  if (!(move instanceof HTMLElement)) return;
  if (tree.contains(document.activeElement)) move.focus({ preventScroll: true });
  reveal(tree, move);
}

/**
 * @param {Study} study
 * @param {Context} context
 * @param {(node: Node) => {sign: string, text: string} | null} judged
 */
function movesView(study, context, judged) {
  const { say } = context;
  const { root, current, undoable } = study;
  const named = moveNames(context, Number(study.tree.rules.height));
  const options = { say, first: study.mover(root), named, onSelect: study.go, judged };
  const write = (/** @type {Event} */ event) => study.comment(valueOf(event));
  const [raise, cut] = [say("web.analyse.promote"), say("web.analyse.delete")];
  const still = { disabled: current === root };
  return html`<div class="tree" role="group" aria-label=${say("web.play.moves")}>
      ${movesTreeView(root, current, options)}
    </div>
    <div class="node-tools">
      <textarea
        class="comment-box"
        rows="1"
        aria-label=${say("web.analyse.comment")}
        placeholder=${say("web.analyse.comment")}
        .value=${live(current.comment)}
        @input=${write}
      ></textarea>
      ${stepView(raise, "M10 16V5M5 9L10 4L15 9", study.raise, still)}
      ${stepView(cut, BIN, study.remove, still)}
      ${stepView(say("web.games.undo"), "M7 5L3 9L7 13M3 9H12A4 4 0 0 1 12 17H9", study.undo, {
        disabled: !undoable,
      })}
    </div>`;
}

/**
 * @typedef {object} TreeOptions
 * @property {Say} say
 * @property {Colour} first who has the first move
 * @property {(point: string) => string} named a point as the list has it
 * @property {(node: Node) => void} onSelect
 * @property {(node: Node) => {sign: string, text: string} | null} judged a sign beside a move, and what it means
 */

const LARGEST = 1000; // moves that are drawn with all variations

/**
 * @param {Node} root
 * @param {Node} current
 * @param {TreeOptions} options
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
    return html`<button
      class="move ${judgement ? "judged" : ""} ${ply % 2 ? "" : "second"}"
      type="button"
      aria-current=${node === current ? "true" : nothing}
      title=${judgement?.text ?? nothing}
      @click=${() => onSelect(node)}
    >
      <span class="number">${ply}</span
      ><span class="disc ${colour}" role="img" aria-label=${say(colour)}></span
      >${named(node.move ?? "")}${judgement ? judgementView(judgement) : nothing}
    </button>`;
  }

  /** @param {{sign: string, text: string}} judgement */
  function judgementView({ sign, text }) {
    return html`<b class="judgement">${sign}<span class="unseen">${text}</span></b>`;
  }
}
