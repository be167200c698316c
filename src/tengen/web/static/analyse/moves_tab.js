/**
 * The moves as a tree, with what can be done to the one that is shown: comment, promote, delete; and to take
 * back whatever changed the tree or put another one in its place.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 * @typedef {import("./study_tree.js").Node} Node
 */

import { h } from "../shared/dom.js";
import { tool } from "./analyse_keys.js";
import { cut, promote } from "./study_tree.js";
import { drawTree } from "./tree_view.js";

/**
 * @param {HTMLElement} element
 * @param {Desk} desk
 * @param {(node: Node) => {sign: string, text: string} | null} judged what the review says of a move
 */
export function createMoves(element, desk, judged) {
  const { say } = desk.context;
  /** How to take back what was done last. @type {(() => void)[]} */
  const undos = [];
  const tree = h("div", { class: "tree", role: "group", "aria-label": say("web.play.moves") });
  const comment = h("textarea", {
    rows: 1,
    class: "comment-box",
    "aria-label": say("web.analyse.comment"),
    placeholder: say("web.analyse.comment"),
    oninput: () => {
      desk.current.comment = comment.value;
      changed();
    },
  });
  const promoting = tool(say("web.analyse.promote"), "M10 16V5M5 9L10 4L15 9", raise);
  const removing = tool(say("web.analyse.delete"), "M4 6H16M8 6V4H12V6M6 6L7 16H13L14 6", remove);
  const undoing = tool(say("web.games.undo"), "M7 5L3 9L7 13M3 9H12A4 4 0 0 1 12 17H9", undo);
  undoing.disabled = true;
  element.append(tree, h("div", { class: "node-tools" }, comment, promoting, removing, undoing));

  return { draw, undo, undoWith };

  function draw() {
    const { current, root } = desk;
    drawTree(tree, root, current, { say, first: desk.first, onSelect: desk.go, judged });
    // Who is writing is not to be disturbed.
    if (document.activeElement !== comment) comment.value = current.comment;
    removing.disabled = promoting.disabled = current === root;
  }

  function changed() {
    draw();
    desk.keep();
  }

  function raise() {
    const back = promote(desk.current);
    changed();
    undoWith(() => {
      back();
      changed();
    });
  }

  function remove() {
    const { current } = desk;
    if (!current.parent) return;
    const restore = cut(current);
    undoWith(() => {
      restore();
      desk.go(current);
    });
    desk.go(current.parent);
  }

  /** @param {() => void} how */
  function undoWith(how) {
    undos.push(how);
    undoing.disabled = false;
  }

  function undo() {
    undos.pop()?.();
    undoing.disabled = !undos.length;
  }
}
