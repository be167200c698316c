/**
 * What a player searched, as a tree that opens and closes: values, cut-offs, visits, and the chosen line.
 * One stop of the Tab key; the arrow keys, Home and End move in it as in any tree.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./why_types.js").Branch} Branch
 *
 * @typedef {object} Item
 * @property {Branch} branch
 * @property {string[]} path the moves from the root to here
 * @property {HTMLElement} element
 * @property {HTMLElement | null} group
 * @property {Item | null} parent
 */

import { figure } from "/assets/board_layout.js";

import { h, icon } from "../shared/dom.js";
import { other } from "./why_types.js";

const CUT = "M5 6l10 8M5 14 15 6";
const PROVEN = 20_000; // values from here on are wins and losses, which the notes tell

/**
 * @param {Context} context
 * @param {object} given
 * @param {Branch} given.tree
 * @param {import("./why_types.js").Colour} given.turn who has the first move
 * @param {readonly string[]} given.best the line that was chosen
 * @param {(path: readonly string[]) => void} given.onPath the moves of the branch looked at; none when it is left
 * @returns {HTMLElement}
 */
export function createTree({ say }, { tree, turn, best, onPath }) {
  /** @type {Item[]} */
  const items = [];
  const counted = tree.children.some((child) => child.note?.values.visits !== undefined);
  const most = Math.max(...tree.children.map((child) => child.note?.values.visits ?? 0), 1);
  const list = h("ul", { class: "why-tree", role: "tree", "aria-label": say("web.why.tree") });
  list.append(...order(tree).map((branch) => made(branch, null)));
  items[0]?.element.setAttribute("tabindex", "0");
  const chosen = items.find(({ path }) => path.length === 1 && path[0] === best[0]);
  if (chosen?.group) open(chosen, true);
  list.addEventListener("keydown", press);
  list.addEventListener("pointerleave", () => onPath([]));
  list.addEventListener("focusout", () => onPath([]));
  return h(
    "section",
    {},
    h("h3", {}, say("web.why.tree")),
    h("p", { class: "why-soft" }, counted ? say("web.why.tree.visits") : say("web.why.tree.values")),
    list,
  );

  /**
   * Branches in the order they were tried; visited ones, which are tried again and again, by visits.
   *
   * @param {Branch} branch
   */
  function order({ children }) {
    if (!counted) return children;
    return [...children].sort((a, b) => (b.note?.values.visits ?? 0) - (a.note?.values.visits ?? 0));
  }

  /**
   * @param {Branch} branch
   * @param {Item | null} parent
   * @returns {HTMLElement}
   */
  function made(branch, parent) {
    const path = [...(parent?.path ?? []), branch.point];
    const onBest = path.every((point, i) => best[i] === point);
    const cut = branch.note?.key === "explain.minimax.cut_off";
    const visits = branch.note?.values.visits;
    const bar = h("span", { class: "why-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String((visits ?? 0) / most));
    const row = h(
      "div",
      { class: `why-branch${onBest ? " best" : ""}${cut ? " cut" : ""}` },
      h("span", { class: "why-twist", "aria-hidden": "true" }),
      h("span", { class: `disc ${path.length % 2 ? turn : other(turn)}`, "aria-hidden": "true" }),
      h("b", {}, branch.point.toUpperCase()),
      visits === undefined ? "" : bar,
      h("span", { class: "why-figure" }, worth(branch)),
      branch.note ? h("span", { class: "why-label" }, say(branch.note.key, branch.note.values)) : "",
      cut ? h("span", { class: "why-cut", "aria-hidden": "true" }, icon(CUT)) : "",
      onBest ? h("span", { class: "why-chosen" }, say("web.why.best")) : "",
    );
    const children = order(branch);
    const group = children.length ? h("ul", { role: "group" }) : null;
    const element = h(
      "li",
      { role: "treeitem", tabindex: "-1", "aria-level": String(path.length) },
      row,
      group ?? "",
    );
    /** @type {Item} */
    const item = { branch, path, element, group, parent };
    items.push(item);
    if (group) {
      open(item, false);
      group.append(...children.map((child) => made(child, item)));
    }
    row.addEventListener("pointerenter", () => onPath(path));
    row.addEventListener("click", () => {
      if (group) open(item, group.hidden);
      focus(item);
    });
    element.addEventListener("focus", () => onPath(path));
    return element;
  }

  /** @param {Branch} branch */
  function worth({ value, note }) {
    if (note?.values.visits !== undefined)
      return say("web.why.percent", { percent: Math.round(100 * value) });
    return Math.abs(value) > PROVEN ? "" : figure(value);
  }

  /**
   * @param {Item} item
   * @param {boolean} wanted
   */
  function open(item, wanted) {
    if (!item.group) return;
    item.group.hidden = !wanted;
    item.element.setAttribute("aria-expanded", String(wanted));
  }

  /** @param {Item | undefined} item */
  function focus(item) {
    if (!item) return;
    for (const { element } of items) element.tabIndex = element === item.element ? 0 : -1;
    item.element.focus();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const item = items.find(({ element }) => element === document.activeElement);
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const seen = items.filter(({ element }) => !element.parentElement?.closest("[hidden]"));
    const at = seen.indexOf(item);
    const closed = item.group?.hidden;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => focus(seen[at + 1]),
      ArrowUp: () => focus(seen[at - 1]),
      Home: () => focus(seen[0]),
      End: () => focus(seen.at(-1)),
      ArrowRight: () => (closed ? open(item, true) : item.group && focus(seen[at + 1])),
      ArrowLeft: () => (item.group && !closed ? open(item, false) : focus(item.parent ?? undefined)),
      Enter: () => open(item, Boolean(closed)),
      " ": () => open(item, Boolean(closed)),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}
