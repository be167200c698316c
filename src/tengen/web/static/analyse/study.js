/**
 * What is studied: a game with its variations, the node of it that is shown, and what the server says of that
 * position. What is legal and what is to be seen of a position is the server's to say.
 *
 * @import { ApiError } from "../shared/api.js"
 * @import { Context } from "../shared/types.js"
 * @import { GameTree, Node } from "./game_tree.js"
 * @import { Shown } from "./position_drawing.js"
 *
 * @typedef {object} Beginning of another game
 * @property {any} rules their name, or all fields
 * @property {number[] | null} [size]
 * @property {string | null} [fouls]
 * @property {GameTree["setup"]} [setup]
 * @property {boolean} [keep] whether set-up and moves stay
 *
 * @typedef {object} Former a game that was replaced, and can be had back
 * @property {any} record as the server reads it
 * @property {string[]} at the moves to the node that was shown
 *
 * @typedef {object} Listeners
 * @property {() => void} onGo another node is asked for: nothing of the former one holds
 * @property {() => void} onShown the server has described the node that is shown
 * @property {() => void} onChanged the tree has changed
 * @property {() => void} onReplaced there is another game
 * @property {() => void} onRefused a move or a position was not taken
 *
 * @typedef {ReturnType<typeof createStudy>} Study
 */

import { other } from "../shared/position.js";
import { createPromiseCache } from "../shared/promise_cache.js";
import {
  add,
  cut,
  lineThrough,
  movesTo,
  newTree,
  nodeAt,
  path,
  positionAt,
  promote,
  readRecord,
  writeRecord,
} from "./game_tree.js";

/**
 * @param {Context} context
 * @param {Listeners} listeners
 */
export function createStudy(context, { onGo, onShown, onChanged, onReplaced, onRefused }) {
  /** @type {(position: object) => Promise<Shown>} */
  const described = createPromiseCache((position) => context.api.post("/api/position", position));
  let tree = newTree({});
  let current = tree.root;
  /** @type {Shown | null} */
  let shown = null;
  /** How to take back what was done last. @type {(() => void)[]} */
  const undos = [];
  /** The games that undos would put back, the last one last. @type {Former[]} */
  let formers = [];
  /** How many games were asked for, and which of them is studied: an older answer may come after a newer one. */
  let requested = 0;
  let begun = 0;
  let gone = false;

  return {
    get tree() {
      return tree;
    },
    get root() {
      return tree.root;
    },
    /** The node that is shown. */
    get current() {
      return current;
    },
    /** What the server has answered for it; null before its first answer. */
    get shown() {
      return shown;
    },
    get undoable() {
      return undos.length > 0;
    },
    /** What was studied before, to be remembered when the page is left. */
    get formers() {
      return formers;
    },
    /** Who moves at a node. @param {Node} node */
    mover(node = current) {
      const first = tree.setup?.turn ?? "black";
      return path(node).length % 2 ? other(first) : first;
    },
    /** The position that is shown, as the server wants it. */
    position: () => positionAt(tree, current),
    go: (/** @type {Node} */ node) => void go(node),
    back: () => void (current.parent && go(current.parent)),
    forward: () => void (current.children[0] && go(current.children[0])),
    first: () => void go(tree.root),
    last: () => void go(lineThrough(current).at(-1) ?? tree.root),
    sideways,
    play,
    playLine,
    start,
    open,
    restore,
    remember,
    comment,
    raise,
    remove,
    undo,
    destroy: () => void (gone = true),
  };

  /** Show a node. @param {Node} node */
  async function go(node) {
    current = node;
    onGo();
    try {
      const answer = await described(positionAt(tree, node));
      if (gone || current !== node) return;
      shown = answer;
      Object.assign(tree, {
        rules: answer.rules,
        rulesName: answer.rules_name,
        hasFouls: answer.has_fouls,
      });
    } catch (error) {
      if (gone || current !== node) return;
      context.toastError(error);
      if (/** @type {ApiError} */ (error).status === 0) return;
      if (node.parent) await go(node.parent);
      else if (!shown) await start({ rules: "freestyle" });
      return;
    }
    onShown();
  }

  /** To the next or former of the moves that were tried here. @param {number} way */
  function sideways(way) {
    const siblings = current.parent?.children ?? [];
    const sibling = siblings[siblings.indexOf(current) + way];
    if (sibling) void go(sibling);
  }

  /** Play a point in the position that is shown, if the server says that it may be. @param {string} name */
  async function play(name) {
    const node = current;
    const there = node.children.find(({ move }) => move === name);
    if (!there) {
      try {
        await described({ ...positionAt(tree, node), moves: [...movesTo(node), name] });
      } catch (error) {
        onRefused();
        context.toastError(error);
        return;
      }
      if (gone || current !== node) return;
    }
    context.sound.stone();
    await go(there ?? add(node, name));
  }

  /**
   * @param {readonly string[]} moves
   * @param {Node} [from] where they begin; the node that is shown if left out
   */
  async function playLine(moves, from = current) {
    let node = from;
    for (const move of moves) node = add(node, move);
    await go(node);
  }

  /** Another game, or other rules. @param {Beginning} beginning */
  async function start({ rules, size = null, fouls = null, setup = null, keep = false }) {
    const [former, node] = [tree, current];
    const mine = ++requested;
    try {
      const stones = keep ? former.setup : setup;
      const answer = await described({ rules, size, fouls, setup: stones, moves: [] });
      if (gone || mine < begun) return;
      begun = mine;
      const next = newTree({ ...answer.rules }, answer.setup);
      replace(keep ? { ...next, root: former.root, headers: former.headers } : next);
      await go(keep ? node : tree.root);
    } catch (error) {
      onRefused();
      context.toastError(error);
    }
  }

  /**
   * Another game, from its end or from a place in its main line.
   *
   * @param {any} record of the server
   * @param {number} ply moves before that place
   */
  async function open(record, ply = Infinity) {
    const next = readRecord(record);
    begun = ++requested;
    replace(next);
    await go(lineThrough(next.root).slice(0, ply).at(-1) ?? next.root);
  }

  /** What was studied before, without showing it. @param {Former} former */
  function restore({ record, at }) {
    tree = readRecord(record);
    current = nodeAt(tree.root, at) ?? tree.root;
  }

  /** The game before can be had back. @param {GameTree} next */
  function replace(next) {
    const [former, node] = [tree, current];
    tree = next;
    current = next.root;
    if (former.root.children.length || former.setup) {
      formers = [...formers, { record: writeRecord(former), at: movesTo(node) }];
      undos.push(() => putBack(former, node));
    }
    onReplaced();
  }

  /** Games that were replaced when the page was open before can be had back, too. @param {Former[]} before */
  function remember(before) {
    formers = before;
    for (const { record, at } of before)
      undos.push(() => {
        const former = readRecord(record);
        putBack(former, nodeAt(former.root, at) ?? former.root);
      });
  }

  /**
   * @param {GameTree} former
   * @param {Node} node
   */
  function putBack(former, node) {
    tree = former;
    formers = formers.slice(0, -1);
    onReplaced();
    void go(node);
  }

  // -- what is done to the node that is shown

  /** @param {string} text */
  function comment(text) {
    current.comment = text;
    onChanged();
  }

  /** Make the line of this node the main line. */
  function raise() {
    const back = promote(current);
    undos.push(() => {
      back();
      onChanged();
    });
    onChanged();
  }

  /** Delete this node and what follows. */
  function remove() {
    const node = current;
    if (!node.parent) return;
    const back = cut(node);
    undos.push(() => {
      back();
      void go(node);
    });
    void go(node.parent);
  }

  function undo() {
    undos.pop()?.();
  }
}
