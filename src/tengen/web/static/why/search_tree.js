/**
 * What a player searched, as a tree that opens and closes: values, cut-offs, visits, and the chosen line.
 * One stop of the Tab key; the arrow keys, Home and End move in it as in any tree.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Branch } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {object} Item
 * @property {Branch} branch
 * @property {string[]} path the moves from the root to here
 * @property {Item | null} parent
 * @property {Item[]} children in the order in which they are shown
 *
 * @typedef {object} Given
 * @property {Branch} tree
 * @property {Colour} turn who has the first move
 * @property {readonly string[]} best the line that was chosen
 * @property {(path: readonly string[]) => void} onPath the moves of the branch looked at; none when it is left
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { figure } from "/assets/board_layout.js";
import { other } from "../shared/position.js";
import { disc, icon } from "../shared/view.js";

const CUT = "M5 6l10 8M5 14 15 6";
const PROVEN = 20_000; // values from here on are wins and losses, which the notes tell

/**
 * @param {Context} context
 * @param {Given} given
 * @returns {HTMLElement}
 */
export function createSearchTree(context, { tree, turn, best, onPath }) {
  const visits = tree.children.flatMap(({ note }) => note?.values.visits ?? []);
  const counted = visits.length > 0;
  const most = Math.max(...visits, 1);
  const items = itemsOf(tree, null);
  /** @type {Set<Item>} */
  const open = new Set(items.filter(({ path, children }) => path[0] === best[0] && children.length));
  /** Where the Tab key stops. */
  let stop = items[0];
  const element = document.createElement("section");
  draw();
  return element;

  /**
   * Branches in the order they were tried; visited ones, which are tried again and again, by visits.
   *
   * @param {Branch} branch
   * @param {Item | null} parent
   * @returns {Item[]}
   */
  function itemsOf({ children }, parent) {
    const count = (/** @type {Branch} */ { note }) => note?.values.visits ?? 0;
    const sorted = counted ? [...children].sort((a, b) => count(b) - count(a)) : children;
    return sorted.map((branch) => {
      /** @type {Item} */
      const item = { branch, path: [...(parent?.path ?? []), branch.point], parent, children: [] };
      item.children = itemsOf(branch, item);
      return item;
    });
  }

  function draw() {
    const state = { items, open, stop, counted, most, turn, best };
    const acts = { look: onPath, leave: () => onPath([]), enter, press, choose };
    render(searchTreeView(state, context, acts), element);
  }

  /** The focus is there. @param {Item} item */
  function enter(item) {
    stop = item;
    draw();
    onPath(item.path);
  }

  /** @param {Item} item */
  function choose(item) {
    toggle(item, !open.has(item));
    focus(item);
  }

  /**
   * @param {Item} item
   * @param {boolean} wanted
   */
  function toggle(item, wanted) {
    if (wanted && item.children.length) open.add(item);
    else open.delete(item);
    draw();
  }

  /** @param {Item | null | undefined} item */
  function focus(item) {
    if (!item) return;
    stop = item;
    draw();
    const entry = element.querySelector("[tabindex='0']");
    if (entry instanceof HTMLElement) entry.focus();
  }

  /** @param {readonly Item[]} among @returns {Item[]} */
  function visible(among) {
    return among.flatMap((item) => [item, ...(open.has(item) ? visible(item.children) : [])]);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const item = stop;
    const seen = visible(items);
    const at = seen.indexOf(item);
    const opened = open.has(item);
    const closed = !opened && item.children.length > 0;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => focus(seen[at + 1]),
      ArrowUp: () => focus(seen[at - 1]),
      Home: () => focus(seen[0]),
      End: () => focus(seen.at(-1)),
      ArrowRight: () => (closed ? toggle(item, true) : opened && focus(seen[at + 1])),
      ArrowLeft: () => (opened ? toggle(item, false) : focus(item.parent)),
      Enter: () => toggle(item, closed),
      " ": () => toggle(item, closed),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}

/**
 * @param {object} state
 * @param {readonly Item[]} state.items
 * @param {ReadonlySet<Item>} state.open
 * @param {Item | undefined} state.stop where the Tab key stops
 * @param {boolean} state.counted whether the values are visits
 * @param {number} state.most visits of a branch
 * @param {Colour} state.turn
 * @param {readonly string[]} state.best
 * @param {Context} context
 * @param {object} acts
 * @param {(path: readonly string[]) => void} acts.look
 * @param {() => void} acts.leave
 * @param {(item: Item) => void} acts.enter
 * @param {(item: Item) => void} acts.choose
 * @param {(event: KeyboardEvent) => void} acts.press
 */
function searchTreeView({ items, open, stop, counted, most, turn, best }, { say }, acts) {
  return html`<h3>${say("web.why.tree")}</h3>
    <p class="why-soft">${counted ? say("web.why.tree.visits") : say("web.why.tree.values")}</p>
    <ul
      class="why-tree"
      role="tree"
      aria-label=${say("web.why.tree")}
      @keydown=${acts.press}
      @pointerleave=${acts.leave}
      @focusout=${acts.leave}
    >
      ${items.map(itemView)}
    </ul>`;

  /** @param {Item} item @returns {unknown} */
  function itemView(item) {
    const { path, children } = item;
    return html`<li
      role="treeitem"
      tabindex=${item === stop ? 0 : -1}
      aria-level=${path.length}
      aria-expanded=${children.length ? open.has(item) : nothing}
      @focus=${() => acts.enter(item)}
    >
      ${branchView(item)}${
        open.has(item)
          ? html`<ul role="group">
              ${children.map(itemView)}
            </ul>`
          : nothing
      }
    </li>`;
  }

  /** @param {Item} item */
  function branchView(item) {
    const { branch, path } = item;
    const { point, note } = branch;
    const onBest = path.every((move, i) => best[i] === move);
    const cut = note?.key === "explain.minimax.cut_off";
    const visits = note?.values.visits;
    return html`<div
      class="why-branch${onBest ? " best" : ""}${cut ? " cut" : ""}"
      @pointerenter=${() => acts.look(path)}
      @click=${() => acts.choose(item)}
    >
      <span class="why-twist" aria-hidden="true"></span>${disc(path.length % 2 ? turn : other(turn))}
      <b>${point.toUpperCase()}</b>
      ${
        visits === undefined
          ? nothing
          : html`<span class="why-bar" aria-hidden="true" .style=${`--share: ${visits / most}`}></span>`
      }
      <span class="why-figure">${worth(branch)}</span>
      ${note ? html`<span class="why-label">${say(note.key, note.values)}</span>` : nothing}
      ${cut ? html`<span class="why-cut" aria-hidden="true">${icon(CUT)}</span>` : nothing}
      ${onBest ? html`<span class="why-chosen">${say("web.why.best")}</span>` : nothing}
    </div>`;
  }

  /** @param {Branch} branch */
  function worth({ value, note }) {
    if (note?.values.visits !== undefined) {
      return say("web.why.percent", { percent: Math.round(100 * value) });
    }
    return Math.abs(value) > PROVEN ? "" : figure(value);
  }
}
