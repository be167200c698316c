/** The worker's part of the engine, with a channel of the test's own; the files come from the disk. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { serve } from "/static/engine/service.js";

const { KERNELS, SEARCHES } = process.env;
const searches = JSON.parse(await readFile(SEARCHES, "utf8"));
const read = async (base, name) => {
  const bytes = await readFile(`${base}/${name}`);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};
const FREESTYLE = { family: "freestyle", size: 15, moves: [112, 128] };

/** A worker that has loaded the kernels; `ask` collects the answers to a request. */
async function started(threads = 0, { reads = read, prepared = [] } = {}) {
  const waiting = new Map();
  const scope = { onmessage: null, postMessage: (answer) => waiting.get(answer.id ?? 0)?.(answer) };
  serve(scope, reads);
  let last = 0;
  const post = (data) => scope.onmessage({ data });
  const ask = (request, heard = () => {}) =>
    new Promise((resolve) => {
      const id = request.kind === "load" ? 0 : ++last;
      const answers = [];
      waiting.set(id, (answer) => {
        answers.push(answer);
        heard(answer);
        if (answer.kind !== "info") resolve(answers);
      });
      post({ ...request, id });
    });
  const loading = ask({ kind: "load", base: KERNELS, threads });
  for (const family of prepared) post({ kind: "prepare", family });
  const [ready] = await loading;
  return { ask, post, ready };
}

for (const threads of [0, 1]) {
  test(`the results of every depth are native ones, ${threads ? "memory shared" : "memory not shared"}`, async () => {
    const { ask, ready } = await started(threads);
    assert.equal(ready.kind, "ready");
    assert.equal(ready.memory === null, !threads);
    for (const { position, limit, lines, handicap, infos } of searches) {
      const answers = await ask({ kind: "search", position, limit, lines, handicap });
      assert.equal(answers.pop().kind, "done");
      const found = answers.map(({ info: { seconds, ...rest } }) => rest);
      assert.deepEqual(found, infos, JSON.stringify({ position, limit, lines, handicap }));
    }
  });
}

test("a search ends when it is stopped, between two results or by the flag in the memory", async () => {
  const alone = await started();
  let count = 0;
  const search = { kind: "search", position: FREESTYLE, limit: {} };
  const answers = await alone.ask(search, ({ kind, id }) => {
    if (kind === "info" && ++count === 3) alone.post({ kind: "stop", id });
  });
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ["info", "info", "info", "done"],
  );
  const shared = await started(1);
  const flag = new Int32Array(shared.ready.memory.buffer);
  const some = await shared.ask(search, ({ kind, info }) => {
    if (kind === "info" && info.depth === 2) Atomics.store(flag, shared.ready.stop >> 2, 1);
  });
  assert.equal(some.at(-1).kind, "done");
  assert.ok(some.at(-2).info.depth <= 3);
  assert.ok((await shared.ask({ ...search, limit: { depth: 4 } })).at(-2).info.depth === 4);
});

test("a search in a time ends in about that time, and keeps its table", async () => {
  const { ask } = await started();
  for (let turn = 0; turn < 2; turn++) {
    const began = performance.now();
    const answers = await ask({ kind: "search", position: FREESTYLE, limit: { seconds: 0.5 } });
    const elapsed = performance.now() - began;
    assert.ok(answers.at(-2).info.depth >= 1);
    assert.ok(elapsed > 450 && elapsed < 3000, elapsed);
  }
});

test("parameters that are prepared come with the kernels, once, and again if they could not be read", async () => {
  const names = [];
  let broken = false;
  const reads = async (base, name) => {
    names.push(name);
    if (broken && name.startsWith("parameters")) throw new Error("no line");
    return read(base, name);
  };
  const parameters = () => names.filter((name) => name.startsWith("parameters"));
  const whole = await started(0, { reads, prepared: ["freestyle"] });
  assert.deepEqual(parameters(), ["parameters-freestyle.bin"]);
  await whole.ask({ kind: "situation", position: FREESTYLE });
  assert.deepEqual(parameters(), ["parameters-freestyle.bin"]);
  broken = true;
  const without = await started(0, { reads, prepared: ["renju"] });
  assert.equal(without.ready.kind, "ready");
  broken = false;
  const [{ kind }] = await without.ask({ kind: "situation", position: { ...FREESTYLE, family: "renju" } });
  assert.equal(kind, "situation");
});

test("a position's fouls are told, and whether it has been won", async () => {
  const { ask } = await started();
  const at = (x, y) => y * 15 + x;
  // Black has twice two in a row, and would make two open threes at h8.
  const moves = [at(5, 7), 0, at(6, 7), 2, at(7, 5), 4, at(7, 6), 14];
  const [{ situation }] = await ask({ kind: "situation", position: { family: "renju", size: 15, moves } });
  assert.deepEqual(situation, {
    turn: 0,
    won: false,
    full: false,
    forbidden: [at(7, 7)],
    kinds: ["double-three"],
  });
  const free = await ask({ kind: "situation", position: { family: "freestyle", size: 15, moves } });
  assert.deepEqual(free[0].situation.forbidden, []);
  const row = [0, 1, 2, 3, 4].flatMap((x) => [at(x, 7), at(x, 9)]).slice(0, 9);
  const won = await ask({ kind: "situation", position: { family: "freestyle", size: 15, moves: row } });
  assert.equal(won[0].situation.won, true);
});

test("an empty board, a pass, and positions that are none", async () => {
  const { ask } = await started();
  const first = await ask({ kind: "search", position: { ...FREESTYLE, moves: [] }, limit: { depth: 3 } });
  assert.equal(first[0].info.point, 112);
  const passed = { ...FREESTYLE, moves: [112, null, 113] };
  assert.equal((await ask({ kind: "situation", position: passed }))[0].situation.turn, 1);
  for (const moves of [[112, 112], [225], [1.5]]) {
    const [{ kind, text }] = await ask({ kind: "search", position: { ...FREESTYLE, moves }, limit: {} });
    assert.equal(kind, "error");
    assert.match(text, /point/);
  }
  const [unknown] = await ask({ kind: "search", position: { ...FREESTYLE, family: "other" }, limit: {} });
  assert.equal(unknown.kind, "error");
  assert.equal(
    (await ask({ kind: "search", position: FREESTYLE, limit: { depth: 2 } })).at(-1).kind,
    "done",
  );
});
