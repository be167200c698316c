/**
 * A game with its variations: the record that the server reads and writes, as a tree to walk in.
 *
 * @typedef {object} Node
 * @property {string | null} move null at the root
 * @property {Node | null} parent
 * @property {Node[]} children the main continuation first
 * @property {string} comment
 * @property {Record<string, unknown>} rest what else the record says of it: marks, score, seconds
 *
 * @typedef {object} GameTree
 * @property {Record<string, unknown>} rules all fields, as the server tells them
 * @property {string} rulesName empty before the server has answered
 * @property {boolean} hasFouls
 * @property {{black: string[], white: string[], turn: "black" | "white"} | null} setup
 * @property {Record<string, string>} headers
 * @property {Node} root
 */

/**
 * @param {GameTree["rules"]} rules
 * @param {GameTree["setup"]} [setup]
 * @returns {GameTree}
 */
export function newTree(rules, setup = null) {
  return { rules, rulesName: "", hasFouls: false, setup, headers: {}, root: newNode(null, null) };
}

/**
 * @param {string | null} move
 * @param {Node | null} parent
 * @returns {Node}
 */
function newNode(move, parent) {
  return { move, parent, children: [], comment: "", rest: {} };
}

/**
 * A record of the server, see `tengen.formats.jsonformat`.
 *
 * @param {any} record
 * @returns {GameTree}
 */
export function readRecord({ rules, setup = null, headers = {}, nodes = [] }) {
  const tree = newTree(rules, setup);
  /** @type {Node[]} */
  const read = [];
  for (const { move = null, parent, comment = "", ...rest } of nodes) {
    if (!read.length) {
      Object.assign(tree.root, { comment, rest });
      read.push(tree.root);
      continue;
    }
    const made = add(read[parent ?? read.length - 1], move);
    Object.assign(made, { comment, rest });
    read.push(made);
  }
  return { ...tree, headers };
}

/** @param {GameTree} tree */
export function writeRecord({ rules, setup, headers, root }) {
  /** @type {Map<Node, number>} in the order in which they are written */
  const places = new Map();
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    places.set(node, places.size);
    for (const child of [...node.children].reverse()) waiting.push(child);
  }
  const nodes = Array.from(places, ([node, place]) => {
    const before = (node.parent && places.get(node.parent)) ?? -1;
    return {
      ...(node.move === null ? {} : { move: node.move }),
      ...(before >= 0 && before !== place - 1 ? { parent: before } : {}),
      ...(node.comment ? { comment: node.comment } : {}),
      ...node.rest,
    };
  });
  return { rules, ...(setup ? { setup } : {}), headers, nodes };
}

/**
 * The continuation by a move, added behind the others if it is new.
 *
 * @param {Node} parent
 * @param {string} move
 */
export function add(parent, move) {
  const there = parent.children.find((child) => child.move === move);
  if (there) return there;
  const made = newNode(move, parent);
  parent.children.push(made);
  return made;
}

/**
 * Cut a node off with all that follows it.
 *
 * @param {Node} node not the root
 * @returns {() => void} puts it back
 */
export function cut(node) {
  const siblings = node.parent?.children ?? [];
  const place = siblings.indexOf(node);
  siblings.splice(place, 1);
  return () => {
    const again = siblings.findIndex(({ move }) => move === node.move);
    if (again >= 0) siblings.splice(again, 1);
    siblings.splice(place, 0, node);
  };
}

/**
 * Make the line through a node the main line.
 *
 * @param {Node} node
 * @returns {() => void} makes it a variation again
 */
export function promote(node) {
  /** @type {[Node, Node[]][]} */
  const before = [];
  for (let { parent } = node; parent; node = parent, { parent } = node) {
    before.push([parent, [...parent.children]]);
    parent.children.splice(parent.children.indexOf(node), 1);
    parent.children.unshift(node);
  }
  return () => {
    for (const [{ children }, order] of before) {
      const added = children.filter((child) => !order.includes(child));
      children.splice(0, children.length, ...order, ...added);
    }
  };
}

/**
 * The node that moves lead to, if it is there.
 *
 * @param {Node} root
 * @param {readonly string[]} moves
 * @returns {Node | null}
 */
export function nodeAt(root, moves) {
  /** @type {Node | undefined} */
  let node = root;
  for (const move of moves) node = node?.children.find((child) => child.move === move);
  return node ?? null;
}

/**
 * Whether there are more moves than so many.
 *
 * @param {Node} root
 * @param {number} most
 */
export function isLarger(root, most) {
  let count = -1;
  const waiting = [root];
  for (let node = waiting.pop(); node && count <= most; node = waiting.pop()) {
    count += 1;
    for (const child of node.children) waiting.push(child);
  }
  return count > most;
}

/**
 * The nodes from the first move to this one.
 *
 * @param {Node} node
 */
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

/**
 * The moves that lead to a node.
 *
 * @param {Node} node
 */
export function movesTo(node) {
  return path(node).map(({ move }) => /** @type {string} */ (move));
}

/**
 * The line through a node to its end: the node's own past, and the main continuation.
 *
 * @param {Node} node
 */
export function lineThrough(node) {
  const line = path(node);
  for (let at = node; at.children.length;) line.push((at = at.children[0]));
  return line;
}

/**
 * A position as the server wants it.
 *
 * @param {GameTree} tree
 * @param {Node} node
 */
export function positionAt({ rules, setup }, node) {
  return { rules, setup, moves: movesTo(node) };
}
