/**
 * The moves as a tree, with what can be done to the one that is shown: comment, promote, delete; and to take
 * back whatever changed the tree or put another one in its place.
 *
 * @import { Context } from "../shared/context.js"
 * @import { Analysis } from "./analyse.js"
 * @import { Node } from "./game_tree.js"
 * @import { Study } from "./study.js"
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { live } from "/static/vendor/lit-html/directives/live.js";

import { valueOf } from "../shared/fields.js";
import { movesTreeView, pointNames } from "./moves_tree_view.js";
import { stepView } from "./page_view.js";

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
  const [outer, inner] = [tree.getBoundingClientRect(), move.getBoundingClientRect()];
  if (inner.top < outer.top) tree.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) tree.scrollTop += inner.bottom - outer.bottom;
}

/**
 * @param {Study} study
 * @param {Context} context
 * @param {(node: Node) => {sign: string, text: string} | null} judged
 */
function movesView(study, { say, settings }, judged) {
  const { root, current, undoable } = study;
  const named = pointNames(study, settings);
  const look = { say, first: study.mover(root), named, onSelect: study.go, judged };
  const write = (/** @type {Event} */ event) => study.comment(valueOf(event));
  const [raise, cut] = [say("web.analyse.promote"), say("web.analyse.delete")];
  const still = { disabled: current === root };
  return html`<div class="tree" role="group" aria-label=${say("web.play.moves")}>
      ${movesTreeView(root, current, look)}
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
      ${stepView(cut, "M4 6H16M8 6V4H12V6M6 6L7 16H13L14 6", study.remove, still)}
      ${stepView(say("web.games.undo"), "M7 5L3 9L7 13M3 9H12A4 4 0 0 1 12 17H9", study.undo, {
        disabled: !undoable,
      })}
    </div>`;
}
