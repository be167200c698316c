import assert from "node:assert/strict";
import test from "node:test";
import { cataloguePath, parseSpec, rowOfRules, specOf } from "/static/shared/names.js";

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

test("rules say how many in a row win", () => {
  assert.equal(rowOfRules("mnk:7,7,4"), 4);
  assert.equal(rowOfRules("tictactoe"), 3);
  assert.equal(rowOfRules("renju"), 5);
});

test("the address of a catalogue has the size of the board, unless the name of the rules does", () => {
  assert.equal(cataloguePath("renju", [15, 13]), "/api/catalogue?rules=renju&size=15x13");
  assert.equal(cataloguePath("caro", 15), "/api/catalogue?rules=caro&size=15");
  assert.equal(cataloguePath("tictactoe"), "/api/catalogue?rules=tictactoe");
  assert.equal(cataloguePath("mnk:7,7,4", [7, 7]), "/api/catalogue?rules=mnk%3A7%2C7%2C4");
});
