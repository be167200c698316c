import assert from "node:assert/strict";
import test from "node:test";
import { parseSpec, specOf } from "/static/shared/names.js";

test("a spec has a head, of name and preset, and settings", () => {
  assert.deepEqual(parseSpec("shapes:o5,w_1=3,seed=7"), {
    head: "shapes:o5",
    name: "shapes",
    preset: "o5",
    settings: { w_1: "3", seed: "7" },
  });
  assert.deepEqual(parseSpec("engine"), { head: "engine", name: "engine", preset: "", settings: {} });
});

test("head and settings make the spec again", () => {
  for (const spec of ["level:10,seconds=5", "mcts,playouts=400,seed=1", "human"]) {
    const { head, settings } = parseSpec(spec);
    assert.equal(specOf(head, settings), spec);
  }
});
