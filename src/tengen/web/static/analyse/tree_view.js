/**
 * Draws a game with its variations: the main line two to a row, variations indented below the move that they
 * replace, comments as text. Every move is a button that goes there. Of a tree that is too large to be seen at
 * once, such as a library of openings, the line that is shown is drawn, and of the others the first moves.
 *
 * @typedef {import("./study_tree.js").Node} Node
 * @typedef {import("/assets/words.js").Say} Say
 *
 * @typedef {object} Look
 * @property {Say} say
 * @property {"black" | "white"} first who has the first move
 * @property {(node: Node) => void} onSelect
 * @property {(node: Node) => {sign: string, text: string} | null} judged a sign beside a move, and what it means
 */

import { h } from "../shared/dom.js";
import { lineThrough, size } from "./study_tree.js";

const LARGEST = 1000; // moves that are drawn with all variations

/**
 * @param {HTMLElement} element
 * @param {Node} root
 * @param {Node} current
 * @param {Look} look
 */
export function drawTree(element, root, current, look) {
  const { say } = look;
  const large = size(root) > LARGEST;
  const ours = large ? new Set(lineThrough(current)) : null;
  const shown = document.activeElement;
  const focused = shown instanceof HTMLElement && element.contains(shown);
  element.replaceChildren(
    ...(root.comment ? [h("p", { class: "comment" }, root.comment)] : []),
    ...line(root, 0),
  );
  if (!root.children.length) element.append(h("p", { class: "soft" }, say("web.analyse.no_moves")));
  const mark = element.querySelector("[aria-current]");
  if (!(mark instanceof HTMLElement)) return;
  if (focused) mark.focus({ preventScroll: true });
  const [outer, inner] = [element.getBoundingClientRect(), mark.getBoundingClientRect()];
  if (inner.top < outer.top) element.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) element.scrollTop += inner.bottom - outer.bottom;

  /**
   * The moves after a node in one row of text, with the variations in lists between.
   *
   * @param {Node} from
   * @param {number} ply of that node
   * @returns {HTMLElement[]}
   */
  function line(from, ply) {
    const parts = [];
    let row = h("p", { class: "tree-line" });
    for (let node = from; node.children.length;) {
      const main = node.children.find((child) => ours?.has(child)) ?? node.children[0];
      const others = node.children.filter((child) => child !== main);
      ply += 1;
      row.append(entry(main, ply));
      const breaks = main.comment || others.length;
      if (breaks) {
        parts.push(row);
        row = h("p", { class: "tree-line" });
      }
      if (main.comment) parts.push(h("p", { class: "comment" }, main.comment));
      if (others.length) {
        parts.push(
          h(
            "ul",
            { class: "variations" },
            others.map((other) => variation(other, ply)),
          ),
        );
      }
      node = main;
    }
    if (row.childNodes.length) parts.push(row);
    return parts;
  }

  /**
   * @param {Node} node its first move
   * @param {number} ply
   */
  function variation(node, ply) {
    if (large) return h("li", null, h("p", { class: "tree-line" }, entry(node, ply)));
    const [head, ...rest] = line(node, ply);
    const first = h("p", { class: "tree-line" }, entry(node, ply));
    const joined = !node.comment && node.children.length === 1 && head?.className === "tree-line";
    if (joined) first.append(...head.childNodes);
    const comment = node.comment ? [h("p", { class: "comment" }, node.comment)] : [];
    return h("li", null, first, comment, joined ? rest : [head, ...rest]);
  }

  /**
   * @param {Node} node
   * @param {number} ply
   */
  function entry(node, ply) {
    const black = (ply % 2 === 1) === (look.first === "black");
    const judged = look.judged(node);
    return h(
      "button",
      {
        type: "button",
        class: judged ? "move judged" : "move",
        "aria-current": node === current && "true",
        title: judged?.text,
        onclick: () => look.onSelect(node),
      },
      h("span", { class: "number" }, ply),
      h("span", {
        class: `disc ${black ? "black" : "white"}`,
        role: "img",
        "aria-label": say(black ? "black" : "white"),
      }),
      node.move === "--" ? say("replay.pass") : node.move,
      judged && h("b", { class: "judgement" }, judged.sign, h("span", { class: "unseen" }, judged.text)),
    );
  }
}
