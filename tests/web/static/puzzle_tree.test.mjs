import assert from "node:assert/strict";
import { test } from "node:test";
import { boardOf, isThreat, analysisOf } from "/static/puzzles/puzzle_board.js";
import { enemyOf, movesLeft, shortestLine, solverOf } from "/static/puzzles/puzzle_tree.js";
import { namesOf } from "/static/shared/position.js";

const solved = { moves: "c3", turn: null };
const turn = {
  wrong: "",
  right: {
    a1: {
      moves: "a2",
      turn: { wrong: "", right: { b1: { moves: "b2", turn: { wrong: "", right: { e5: solved } } } } },
    },
    d4: { moves: "d5", turn: { wrong: "", right: { e6: solved } } },
  },
};
const puzzle = { name: "x", rules: "freestyle", kind: "vcf", level: 1, length: 2, moves: "h8i9", turn };
const attempt = {
  shown: [],
  over: false,
  steps: null,
  crossed: null,
  hinted: null,
  foul: null,
  judged: null,
};

test("who is to move solves", () => {
  assert.deepEqual([solverOf(puzzle), enemyOf(puzzle)], ["black", "white"]);
  assert.equal(solverOf({ ...puzzle, moves: "h8" }), "white");
});

test("the shortest way is taken", () => {
  assert.equal(movesLeft(turn), 2);
  assert.deepEqual(shortestLine(turn), ["d4", "d5", "e6", "c3"]);
  assert.deepEqual(namesOf("h8--"), ["h8", "--"]);
});

test("a solution has its moves numbered, and a threat that is shown begins with 1", () => {
  const numbers = (shown, kind = "vcf") =>
    boardOf({ ...puzzle, kind }, { ...attempt, shown, steps: {}, over: true }).stones.map(
      (one) => one.number,
    );
  assert.deepEqual(numbers(["d4", "d5"]), [undefined, undefined, 1, 2]);
  assert.deepEqual(numbers(["--", "d5"], "defence"), [undefined, undefined, 1]);
  assert.deepEqual(numbers(["d4"], "defence"), [undefined, undefined, undefined]);
});

test("the solver plays until it is over", () => {
  assert.equal(boardOf(puzzle, attempt).turn, "black");
  assert.equal(boardOf(puzzle, { ...attempt, over: true }).turn, null);
});

test("the analysis begins where the puzzle is, without a threat that nobody played", () => {
  assert.equal(analysisOf(puzzle, ["d4"]), "/analyse?rules=freestyle&moves=h8i9d4#ply=3");
  assert.ok(isThreat(["--", "d5"]));
  assert.equal(
    analysisOf({ ...puzzle, size: [15, 15] }, ["--", "d5"]),
    "/analyse?rules=freestyle&size=15&moves=h8i9#ply=2",
  );
});
