import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMoves, pointName } from "/assets/notation.js";
import { boardState, described, lineState, other, pointOf, pointsOf } from "/static/shared/position.js";

const namesOf = (points) => points.map((point) => pointName(point));
const numbersOf = ({ stones }) =>
  Object.fromEntries(stones.map((one) => [pointName(one.point), one.number]));

test("points have names in both directions, beyond z too", () => {
  for (const name of ["a1", "h8", "z26", "aa1", "zz99"]) assert.equal(pointName(pointOf(name)), name);
  assert.deepEqual(pointOf("c2"), [2, 1]);
  assert.deepEqual(parseMoves("h8--i9"), [[7, 7], null, [8, 8]]);
});

test("a pass is no point", () => {
  assert.equal(pointOf("--"), null);
  assert.equal(pointOf(null), null);
  assert.deepEqual(pointsOf(["a1", "--"]), [[0, 0]]);
});

test("the colours take turns, through a pass too", () => {
  const { stones, turn } = described({ rules: "freestyle", moves: ["h8", "--", "i9"] });
  assert.deepEqual(stones, [
    ["h8", "black"],
    ["i9", "black"],
  ]);
  assert.equal(turn, "white");
  assert.equal(other(turn), "black");
});

test("who has fewer stones set up moves first, unless that is said", () => {
  const setup = { black: ["a1"], white: [] };
  assert.equal(described({ rules: "freestyle", setup }).turn, "white");
  assert.equal(described({ rules: "freestyle", setup: { ...setup, turn: "black" } }).turn, "black");
});

test("stones have the numbers of their moves: set-up ones none, and a pass counts", () => {
  const setup = { black: ["a1"], white: ["b2"] };
  const position = described({ rules: "freestyle", setup, moves: ["h8", "--", "i9"] });
  assert.deepEqual(numbersOf(boardState(position, { numbers: true })), {
    a1: undefined,
    b2: undefined,
    h8: 1,
    i9: 3,
  });
  assert.deepEqual(numbersOf(boardState(position, { numbers: true, from: 2 })).i9, 1);
  assert.ok(Object.values(numbersOf(boardState(position))).every((number) => number === undefined));
});

const WON = {
  ...described({ rules: "mnk:5,5,3", moves: ["a1", "b5", "a2", "c5", "a3"] }),
  outcome: { line: ["a1", "a2", "a3"], foul: null },
  fouls: {},
};

test("a row that has won is a line, and nobody is to move", () => {
  const { lines, turn, last } = boardState(WON);
  assert.deepEqual(
    lines.map(({ kind, points }) => [kind, ...namesOf(points)]),
    [["win", "a1", "a2", "a3"]],
  );
  assert.equal(turn, null);
  assert.equal(pointName(last), "a3");
});

test("an earlier position has its own stones and last move, and no lines", () => {
  const { stones, lines, last, turn } = boardState(WON, { ply: 2 });
  assert.equal(stones.length, 2);
  assert.equal(pointName(last), "b5");
  assert.deepEqual([lines, turn], [[], null]);
});

test("fouls are crossed out; the rows of one are lines when it is touched or has lost the game", () => {
  const foul = {
    kind: "double-three",
    lines: [
      ["a1", "b2"],
      ["a1", "a2"],
    ],
  };
  const position = { ...described({ rules: "renju", moves: [] }), fouls: { c3: foul } };
  assert.deepEqual(namesOf(boardState(position).fouls), ["c3"]);
  assert.deepEqual(boardState(position).lines, []);
  assert.equal(boardState(position, { foul: "c3" }).lines.length, 2);
  const lost = { ...position, fouls: {}, outcome: { line: [], foul } };
  assert.deepEqual(
    boardState(lost).lines.map(({ kind }) => kind),
    ["foul", "foul"],
  );
});

test("a line that is played on is numbered stones alone, after those that stand", () => {
  const { stones } = boardState(described({ rules: "freestyle", moves: ["h8"] }), { numbers: true });
  const shown = lineState(stones, ["i9", "--", "j10"], "white");
  assert.deepEqual(numbersOf(shown), { h8: undefined, i9: 1, j10: 3 });
  assert.deepEqual(
    shown.stones.map(({ colour }) => colour),
    ["black", "white", "white"],
  );
  assert.deepEqual([shown.last, shown.turn, shown.lines], [null, null, []]);
});
