import assert from "node:assert/strict";
import { test } from "node:test";
import {
  add,
  cut,
  isLarger,
  lineThrough,
  movesTo,
  newTree,
  nodeAt,
  positionAt,
  promote,
  readRecord,
  writeRecord,
} from "/static/analyse/game_tree.js";

/** A tree of these lines from the root. */
function treeOf(...lines) {
  const tree = newTree({ name: "freestyle", width: 15, height: 15 });
  for (const line of lines) line.reduce(add, tree.root);
  return tree;
}

const movesOf = (nodes) => nodes.map(({ move }) => move);

test("a move that is there already is not added again", () => {
  const { root } = treeOf(["h8", "i9"], ["h8", "g7"]);
  assert.deepEqual(movesOf(root.children), ["h8"]);
  assert.deepEqual(movesOf(root.children[0].children), ["i9", "g7"]);
});

test("a line goes through a node to the end of its main continuation", () => {
  const { root } = treeOf(["h8", "i9", "j10"], ["h8", "g7", "f6"], ["h8", "g7", "e5"]);
  const node = nodeAt(root, ["h8", "g7"]);
  assert.deepEqual(movesOf(lineThrough(node)), ["h8", "g7", "f6"]);
  assert.deepEqual(movesTo(node), ["h8", "g7"]);
  assert.equal(nodeAt(root, ["h8", "a1"]), null);
});

test("a branch that is cut off can be put back in its place, once", () => {
  const { root } = treeOf(["a1"], ["b2"], ["c3"]);
  const undo = cut(root.children[1]);
  assert.deepEqual(movesOf(root.children), ["a1", "c3"]);
  add(root, "b2"); // played anew meanwhile
  undo();
  assert.deepEqual(movesOf(root.children), ["a1", "b2", "c3"]);
});

test("a variation becomes the main line on every level, and a variation again", () => {
  const { root } = treeOf(["a1"], ["b2", "c3"], ["b2", "d4"]);
  const undo = promote(nodeAt(root, ["b2", "d4"]));
  assert.deepEqual(movesOf(lineThrough(root)), ["b2", "d4"]);
  undo();
  assert.deepEqual(movesOf(root.children), ["a1", "b2"]);
  assert.deepEqual(movesOf(nodeAt(root, ["b2"]).children), ["c3", "d4"]);
});

test("a record that is read is written as it was, variations and comments too", () => {
  const record = {
    rules: { width: 15, height: 15 },
    headers: { event: "final" },
    nodes: [
      { comment: "begin" },
      { move: "h8", marks: ["a1"] },
      { move: "i9" },
      { move: "g7", parent: 1, comment: "or this" },
    ],
  };
  assert.deepEqual(writeRecord(readRecord(record)), record);
});

test("a tree is larger than so many moves, not than as many as it has", () => {
  const { root } = treeOf(["a1", "b2"], ["c3"]);
  assert.equal(isLarger(root, 2), true);
  assert.equal(isLarger(root, 3), false);
});

test("a position is the moves to a node upon what was set up", () => {
  const setup = { black: ["a1"], white: [], turn: "white" };
  const tree = newTree({ name: "freestyle" }, setup);
  const node = add(add(tree.root, "h8"), "i9");
  assert.deepEqual(positionAt(tree, node), { rules: tree.rules, setup, moves: ["h8", "i9"] });
});
