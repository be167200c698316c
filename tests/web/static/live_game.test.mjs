import assert from "node:assert/strict";
import { test } from "node:test";
import { changedState } from "/static/shared/live_game.js";

const empty = {
  version: 1,
  setup: null,
  moves: [],
  stones: [],
  numbered_from: 0,
  ply: 0,
  turn: "black",
};

test("a move changes what the server names, and its stone follows from it", () => {
  const change = {
    since: 1,
    moves: { keep: 0, add: ["h8"] },
    state: { version: 2, ply: 1, turn: "white" },
  };
  assert.deepEqual(changedState(empty, change), {
    ...empty,
    version: 2,
    moves: ["h8"],
    stones: [["h8", "black"]],
    ply: 1,
    turn: "white",
  });
  assert.deepEqual(empty.moves, []);
});

test("stones that were set up stay, passes put none, and a take-back removes the last one", () => {
  const setup = { black: ["a1", "b1"], white: ["c1"], turn: "white" };
  const stones = [
    ["a1", "black"],
    ["b1", "black"],
    ["c1", "white"],
  ];
  const before = {
    ...empty,
    setup,
    moves: ["d1", "--"],
    stones: [...stones, ["d1", "white"]],
    numbered_from: 3,
  };
  const more = changedState(before, { since: 1, moves: { keep: 2, add: ["e1"] }, state: { version: 2 } });
  assert.deepEqual(more.stones, [...stones, ["d1", "white"], ["e1", "white"]]);
  const back = changedState(more, { since: 2, moves: { keep: 0, add: [] }, state: { version: 3 } });
  assert.deepEqual(back.stones, stones);
});

test("without another move the moves and stones stay as they are", () => {
  const next = changedState(empty, { since: 1, state: { version: 2, paused: true } });
  assert.equal(next.stones, empty.stones);
  assert.equal(next.paused, true);
});
