/** All that a site's browser keeps, as one file. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** The storage of a browser, whose entries are enumerable, as in one. */
class FakeStorage {
  getItem(name) {
    return this[name] ?? null;
  }
  setItem(name, value) {
    if (this.full) throw new Error("full");
    this[name] = value;
  }
  removeItem(name) {
    delete this[name];
  }
}

const { dataFileName, keepDataFile, readDataFile, replaces, writeDataFile } =
  await import("/static/privacy/data_file.js");
const { forgetKept, keep, read } = await import("/static/shared/settings.js");

const NOW = new Date("2026-11-29T12:30:00Z");
const GAMES = [{ id: "g".repeat(22) }];
const STUDY = { record: { rules: { name: "renju" } }, at: ["h8"] };

beforeEach(() => {
  globalThis.localStorage = new FakeStorage();
  globalThis.sessionStorage = new FakeStorage();
});

function filled() {
  keep("tengen", { theme: "dark", game: { rules: "renju" } });
  keep("tengen.puzzles", { one: "solved", two: "helped" });
  keep("tengen.learn", { shapes: "read" });
  keep("tengen-study", STUDY);
  keep("tengen.seats", { g: ["token"] });
}

test("what is written is read, without the keys of seats", () => {
  filled();
  const text = writeDataFile(GAMES, NOW);
  assert.ok(!text.includes("token"));
  assert.equal(JSON.parse(text).date, "2026-11-29T12:30:00.000Z");
  assert.equal(dataFileName(NOW), "tengen-2026-11-29.json");
  const file = readDataFile(text);
  assert.deepEqual(file.games, GAMES);
  globalThis.localStorage = new FakeStorage();
  assert.equal(replaces(file), false);
  assert.equal(keepDataFile(file, true), true);
  assert.deepEqual(read("tengen.puzzles"), { one: "solved", two: "helped" });
  assert.deepEqual(read("tengen.learn"), { shapes: "read" });
  assert.deepEqual(read("tengen-study"), STUDY);
  assert.equal(file.settings.theme, "dark");
});

test("progress is merged, and what is solved stays so", () => {
  filled();
  const file = readDataFile(writeDataFile([], NOW));
  keep("tengen.puzzles", { one: "helped", two: "solved", three: "helped" });
  keep("tengen.learn", { shapes: "solved", lines: "read" });
  keep("tengen-study", { at: [] });
  keepDataFile(file, false);
  assert.deepEqual(read("tengen.puzzles"), { one: "solved", two: "solved", three: "helped" });
  assert.deepEqual(read("tengen.learn"), { shapes: "solved", lines: "read" });
  assert.deepEqual(read("tengen-study"), { at: [] });
});

test("only what is there and differs is asked for", () => {
  filled();
  const file = readDataFile(writeDataFile([], NOW));
  assert.equal(replaces(file), false);
  keep("tengen", { theme: "light" });
  assert.equal(replaces(file), true);
  keep("tengen", { ...file.settings, sound: false });
  assert.equal(replaces(file), false);
  keep("tengen-study", { at: ["a1"] });
  assert.equal(replaces(file), true);
});

test("a browser without room says so", () => {
  filled();
  const file = readDataFile(writeDataFile([], NOW));
  Object.defineProperty(localStorage, "full", { value: true });
  assert.equal(keepDataFile(file, true), false);
});

test("damaged and other files are refused", () => {
  filled();
  const text = writeDataFile(GAMES, NOW);
  const whole = JSON.parse(text);
  const damaged = [
    "",
    "null",
    "[]",
    "(;GM[4])",
    text.slice(0, -5),
    JSON.stringify({ ...whole, format: "tengen" }),
    JSON.stringify({ ...whole, version: 0 }),
    JSON.stringify({ ...whole, version: "1" }),
    JSON.stringify({ ...whole, games: {} }),
    JSON.stringify({ ...whole, study: undefined }),
    JSON.stringify({ ...whole, puzzles: [] }),
    JSON.stringify({ ...whole, puzzles: { one: true } }),
    JSON.stringify({ ...whole, settings: { theme: 5 } }),
  ];
  for (const one of damaged) {
    assert.throws(() => readDataFile(one), { message: { key: "web.data.damaged" } }, one);
  }
  const newer = JSON.stringify({ ...whole, version: 2, games: "packed" });
  assert.throws(() => readDataFile(newer), { message: { key: "web.data.newer" } });
});

test("what other sites of the host keep is not forgotten", () => {
  filled();
  keep("notes", { mine: true });
  sessionStorage.setItem("tengen.early", "{}");
  forgetKept();
  assert.deepEqual(Object.keys(localStorage), ["notes"]);
  assert.deepEqual(Object.keys(sessionStorage), []);
});
