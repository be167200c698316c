/** Games before Python, with an engine and an app of the test's own; `engine/early_game.test.mjs` has the real ones. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EarlyGames } from "/static/browser/early_games.js";
import { EarlyRecords } from "/static/browser/early_records.js";

const LEVELS = {
  players: { "level:4": { limit: {}, handicap: { nodes: 9, depth: 2 }, parameters: ["seed"] } },
  waiting: ["level", "shapes"],
  rules: {
    renju: {
      family: "renju",
      numbers: { barred: 1 },
      fields: {
        rules: { width: 15, height: 15, k: 5 },
        rules_name: "renju",
        has_fouls: true,
        fouls_mode: "forbidden",
      },
      openings: { 9: ["free"], 15: ["free", "swap2"] },
    },
    tictactoe: {
      family: null,
      numbers: {},
      fields: {
        rules: { width: 3, height: 3, k: 3 },
        rules_name: "tictactoe",
        has_fouls: false,
        fouls_mode: "forbidden",
      },
      openings: { 3: ["free"] },
    },
  },
  scores: { win: 30_000, mate: 29_000 },
};
const GAME = {
  rules: "renju",
  size: [15, 15],
  fouls: "forbidden",
  opening: null,
  clock: null,
  black: "human",
  white: "level:4,seed=7",
  take_backs: 5,
  open: null,
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A browser's storage, whose names are those of its entries. */
function place() {
  return Object.create({
    getItem(name) {
      return this[name] ?? null;
    },
    setItem(name, value) {
      this[name] = value;
    },
    removeItem(name) {
      delete this[name];
    },
  });
}

/** The page's side of an early game. */
function started({
  engine = {},
  tab = place(),
  lasting = place(),
  locks,
  refuses = null,
  levels = LEVELS,
} = {}) {
  const page = { sent: [], asked: [], prepared: [], opened: [], tab, lasting };
  const app = {
    async send(path, init = {}) {
      page.sent.push([init.method ?? "GET", path, init.body ? JSON.parse(init.body) : null]);
      if (refuses) return new Response(JSON.stringify({ error: refuses }), { status: 400 });
      return new Response("{}", { status: 201 });
    },
    connect(path) {
      const socket = { readyState: 0, path, texts: [], closed: false };
      socket.send = (text) => socket.texts.push(JSON.parse(text));
      socket.close = () => (socket.closed = true);
      page.opened.push(socket);
      return socket;
    },
  };
  const replies = [0, 1, 2, 3];
  page.engine = {
    ready: Promise.resolve(),
    prepare: (family) => page.prepared.push(family),
    situation: async () => ({ turn: 0, won: false, full: false, forbidden: [], kinds: [] }),
    async *search(position, limit, options) {
      page.asked.push({ position, limit, options });
      yield { point: replies.shift(), score: 12 };
    },
    close: () => (page.closed = true),
    ...engine,
  };
  page.games = new EarlyGames({
    app,
    readLevels: async () => levels ?? Promise.reject(new Error("no levels")),
    startEngine: () => page.engine,
    records: new EarlyRecords(tab, lasting, locks),
  });
  page.post = (game) =>
    page.games.send("/api/games", { method: "POST", body: JSON.stringify({ ...GAME, ...game }) });
  page.begin = async (game) => {
    page.made = await (await page.post(game)).json();
    page.socket = page.games.connect(`/api/games/${page.made.id}/live`);
    page.heard = [];
    page.socket.onmessage = ({ data }) => page.heard.push(JSON.parse(data));
    page.say = (message) => page.socket.send(JSON.stringify(message));
    await settled();
    const tokens = Object.values(page.made.seats).filter((token) => token !== null);
    page.say({ type: "hello", tokens });
    await settled();
    return page;
  };
  page.move = async (point, ply) => {
    page.say({ type: "move", point, ply, id: ply });
    await settled();
  };
  page.moves = () => page.heard.findLast(({ type }) => type === "state").state.moves;
  page.waiting = () => page.heard.findLast(({ type }) => type === "thinking")?.message;
  return page;
}

test("a game is begun, and answered by the kernels", async () => {
  const page = await started().begin();
  assert.match(page.made.id, /^[\w-]{22}$/);
  assert.match(page.made.seats.black, /^[\w-]{22}$/);
  assert.equal(page.made.seats.white, null);
  const [hello] = page.heard;
  assert.deepEqual([hello.type, hello.you, hello.made], ["state", [1], true]);
  assert.deepEqual(hello.state, { ...page.made.state, updated: hello.state.updated });
  await page.move("h8", 0);
  assert.deepEqual(
    page.heard
      .slice(1)
      .map(({ type, id, version, state }) => [type, id ?? version ?? state.ply, state?.actor]),
    [
      ["state", 1, 2],
      ["done", 0, undefined],
      ["state", 2, 1],
    ],
  );
  assert.deepEqual(page.moves(), ["h8", "a1"]);
  assert.deepEqual(page.asked[0].position, {
    family: "renju",
    size: 15,
    numbers: { barred: 1 },
    moves: [112],
  });
  assert.deepEqual(page.asked[0].options.handicap, { nodes: 9, depth: 2, seed: "7" });
  assert.equal(page.sent.length, 0);
  const read = await (await page.games.send(`/api/games/${page.made.id}`, {})).json();
  assert.deepEqual(read.moves, ["h8", "a1"]);
});

test("the engine is made ready for the rules that a game may begin by", async () => {
  const asked = [];
  const page = started({ engine: { situation: async (position) => asked.push(position) } });
  await page.games.warm({ rules: "renju", size: [9, 9] });
  assert.deepEqual(page.prepared, ["renju"]);
  assert.deepEqual(asked, [{ family: "renju", size: 9, numbers: { barred: 1 }, moves: [] }]);
  for (const chosen of [
    undefined,
    { rules: "tictactoe", size: [3, 3] },
    { rules: "renju", size: [11, 11] },
  ])
    await page.games.warm(chosen);
  assert.equal(asked.length, 1);
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.ok(page.closed);
});

test("the computer begins where it is Black", async () => {
  const page = await started().begin({ black: "level:4", white: "human" });
  assert.deepEqual(page.heard[0].you, [2]);
  assert.deepEqual(page.moves(), ["a1"]);
});

test("Python takes the game over, and the page's socket is one with the app's", async () => {
  const page = await started().begin();
  await page.move("h8", 0);
  const early = page.games.send(`/api/games/${page.made.id}/record`, {});
  await page.games.follow({ name: "ready", done: 1, message: null });
  const [method, path, body] = page.sent[0];
  assert.deepEqual(
    [method, path, body.id, body.seats],
    ["POST", "/api/games/early", page.made.id, page.made.seats],
  );
  assert.deepEqual(body.game, { ...GAME });
  assert.deepEqual(
    body.moves.map(({ point, value }) => [point, value]),
    [
      ["h8", undefined],
      ["a1", 12],
    ],
  );
  assert.ok(body.moves.every(({ seconds }) => seconds >= 0 && seconds < 5));
  await early;
  assert.deepEqual(page.sent[1].slice(0, 2), ["GET", `/api/games/${page.made.id}/record`]);
  const [app] = page.opened;
  assert.equal(app.path, `/api/games/${page.made.id}/live`);
  await page.move("h9", 2);
  assert.deepEqual(app.texts, []);
  app.readyState = 1;
  app.onopen({});
  assert.deepEqual(
    app.texts.map(({ type }) => type),
    ["hello", "move"],
  );
  app.onmessage({ data: '{"type":"mine"}' });
  assert.equal(page.heard.at(-1).type, "mine");
  page.say({ type: "take_back", version: 3 });
  assert.equal(app.texts.at(-1).type, "take_back");
  page.socket.close();
  assert.ok(app.closed && page.closed);
  assert.deepEqual([Object.keys(page.tab), Object.keys(page.lasting)], [[], []]);
  // From now on the app alone answers.
  assert.equal(page.post(), null);
});

test("who needs Python waits for it, with the first stone", async () => {
  for (const game of [{ white: "level:3" }, { white: "shapes:o5" }, { rules: "tictactoe", size: [3, 3] }]) {
    const page = await started().begin({ fouls: null, white: "shapes", ...game });
    page.games.follow({ name: "loading", done: 0.119, message: null });
    assert.equal(page.waiting(), undefined);
    await page.move("b2", 0);
    assert.deepEqual(page.waiting(), { key: "web.early.loading", values: { percent: 11 } });
    page.games.follow({ name: "loading", done: 0.5, message: null });
    assert.equal(page.waiting().values.percent, 50);
    page.games.follow({ name: "failed", done: 0.5, message: { key: "web.error.load" } });
    assert.equal(page.waiting().key, "web.error.load");
    assert.deepEqual([page.moves(), page.asked], [["b2"], []]);
    await page.games.follow({ name: "ready", done: 1, message: null });
    assert.deepEqual(page.sent[0][2].moves[0].point, "b2");
    // What was waited for is not said any longer.
    assert.equal(page.waiting(), undefined);
  }
});

test("two people play here, as far as the kernels know the rules", async () => {
  const page = await started().begin({ white: "human" });
  assert.deepEqual(page.heard[0].you, [1, 2]);
  for (const [ply, point] of ["h8", "h9", "i8"].entries()) await page.move(point, ply);
  assert.deepEqual(page.moves(), ["h8", "h9", "i8"]);
  assert.deepEqual(page.asked, []);
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.ok(Object.values(page.sent[0][2].seats).every((token) => token.length === 22));
  const other = await started().begin({ white: "human", rules: "tictactoe", size: [3, 3], fouls: null });
  for (const [ply, point] of ["b2", "a1"].entries()) await other.move(point, ply);
  assert.deepEqual(other.moves(), ["b2"]);
  assert.equal(other.waiting().key, "web.early.loading");
});

test("what only Python can answer is kept for it, and nothing more is played", async () => {
  let found;
  const page = await started({
    engine: {
      async *search(position, limit, { signal }) {
        yield await new Promise((resolve) => {
          found = resolve;
          signal.addEventListener("abort", () => resolve({ point: 5, score: 0 }));
        });
      },
    },
  }).begin();
  await page.move("h8", 0);
  assert.ok(found);
  page.say({ type: "take_back", version: 2, id: 9 });
  await settled();
  assert.equal(page.waiting().key, "web.early.loading");
  await page.move("h9", 2);
  assert.deepEqual(page.moves(), ["h8"]);
  await page.games.follow({ name: "ready", done: 1, message: null });
  const [app] = page.opened;
  app.onopen({});
  assert.deepEqual(
    app.texts.map(({ type, id }) => [type, id]),
    [
      ["hello", undefined],
      ["take_back", 9],
      ["move", 2],
    ],
  );
});

test("a computer can be hurried, once it has found anything", async () => {
  const page = await started({
    engine: {
      async *search(position, limit, { signal }) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        for (let point = 3; !signal.aborted; point++) {
          yield { point, score: 29_995 };
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      },
    },
  }).begin();
  await page.move("h8", 0);
  page.say({ type: "hurry", id: 4 });
  await settled();
  assert.deepEqual(page.moves(), ["h8"]);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(page.moves(), ["h8", "d1"]);
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.deepEqual(page.sent[0][2].moves[1].mate, 5);
});

test("fouls are named, a move on one is left to Python, and so is the end", async () => {
  const page = started();
  page.engine.situation = async ({ moves }) =>
    moves.length < 3
      ? { turn: 0, won: false, full: false, forbidden: [112 + 15], kinds: ["overline"] }
      : { turn: 1, won: true, full: false, forbidden: [], kinds: [] };
  await page.begin();
  await page.move("h8", 0);
  assert.deepEqual(page.heard.at(-1).state.fouls, { h9: { kind: "overline", lines: [] } });
  await page.move("i9", 2);
  const { state } = page.heard.findLast(({ type }) => type === "state");
  assert.deepEqual(
    [state.ply, state.turn, state.actor, state.thinking, state.outcome],
    [3, null, null, false, null],
  );
  assert.equal(page.waiting().key, "web.early.loading");
  const other = await started({ engine: { situation: page.engine.situation } }).begin();
  await other.move("h8", 0);
  await other.move("h9", 2);
  assert.deepEqual(other.moves(), ["h8", "a1"]);
  await other.games.follow({ name: "ready", done: 1, message: null });
  other.opened[0].onopen({});
  assert.equal(other.opened[0].texts.at(-1).point, "h9");
});

test("other games wait for Python", async () => {
  for (const game of [
    { black: "level:4" },
    { white: "level:4,nodes=3" },
    { white: "nobody" },
    { clock: "300+5" },
    { opening: "swap2" },
    { open: "white" },
    { fouls: "claimed" },
    { moves: "h8" },
    { setup: { black: ["h8"] } },
    { rules: "mnk:4,4,4", size: null },
    { rules: "constructor" },
    { size: [15, 14] },
    { size: [10, 10] },
    { rules: "tictactoe", size: [3, 3], fouls: null },
  ]) {
    const page = started();
    assert.equal((await page.post(game)).status, 201);
    assert.equal(page.sent[0]?.[1], "/api/games", JSON.stringify(game));
    assert.equal(page.games.connect("/api/games/undefined/live"), null);
  }
  const page = started();
  for (const path of ["/api/games", "/api/catalogue", "/api/games/abc"])
    assert.equal(page.games.send(path, {}), null);
});

test("a page that is loaded anew goes on with its game", async () => {
  const first = await started().begin();
  await first.move("h8", 0);
  const page = started(first);
  const state = await (await page.games.send(`/api/games/${first.made.id}`, {})).json();
  assert.deepEqual(state.moves, ["h8", "a1"]);
  assert.ok(page.games.connect(`/api/games/${first.made.id}/live`));
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.equal(page.sent[0][2].id, first.made.id);
});

test("a socket that is opened before the game is there waits for it", async () => {
  const first = await started().begin();
  await first.move("h8", 0);
  const page = started(first);
  const socket = page.games.connect(`/api/games/${first.made.id}/live`);
  const heard = [];
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", tokens: [first.made.seats.black] }));
  socket.onmessage = ({ data }) => heard.push(JSON.parse(data));
  assert.equal(socket.readyState, 0);
  await settled();
  assert.deepEqual([heard[0].you, heard[0].state.moves], [[1], ["h8", "a1"]]);
  assert.equal(socket.readyState, 1);
  socket.close();
  assert.equal(socket.readyState, 3);
});

test("a game of a tab that was closed goes on in another", async () => {
  const first = await started().begin();
  await first.move("h8", 0);
  // The other tab has the storage of the browser alone.
  const page = started({ lasting: first.lasting });
  const path = `/api/games/${first.made.id}`;
  const state = await (await page.games.send(path, {})).json();
  assert.deepEqual(state.moves, ["h8", "a1"]);
  assert.ok(page.games.connect(`${path}/live`));
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.deepEqual(
    page.sent.map(([, to, { id }]) => [to, id]),
    [["/api/games/early", first.made.id]],
  );
  assert.deepEqual([Object.keys(page.lasting), Object.keys(page.tab)], [[], []]);
});

test("games of closed tabs are handed over before all games are listed", async () => {
  const [one, other] = [await started().begin(), await started().begin()];
  const lasting = Object.assign(place(), one.lasting, other.lasting);
  const page = started({ lasting });
  const path = "/api/games?status=all";
  const listed = page.games.send(path, {});
  assert.ok(listed);
  await settled();
  assert.equal(page.sent.length, 0);
  await page.games.follow({ name: "ready", done: 1, message: null });
  await listed;
  const sent = page.sent.map(([, to, body]) => [to, body?.id]);
  assert.deepEqual(
    sent.slice(0, 2).sort(),
    [one, other].map(({ made }) => ["/api/games/early", made.id]).sort(),
  );
  assert.deepEqual(sent[2], [path, undefined]);
  assert.equal(page.games.send(path, {}), null);
  assert.deepEqual(Object.keys(lasting), []);
});

test("a game that another tab has open stays there", async () => {
  const held = new Set();
  const locks = {
    async request(name, options, act) {
      if (act === undefined) held.add(name);
      else await act(held.has(name) ? null : { name });
    },
  };
  const first = await started({ locks }).begin();
  const page = started({ lasting: first.lasting, locks });
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.equal(page.sent.length, 0);
  held.clear();
  const next = started({ lasting: first.lasting, locks });
  await next.games.follow({ name: "ready", done: 1, message: null });
  assert.equal(next.sent[0][2].id, first.made.id);
});

test("where Python cannot be loaded, nobody waits for it to take games over", async () => {
  const first = await started().begin();
  const page = started({ lasting: first.lasting });
  const listed = page.games.send("/api/games?status=all", {});
  await page.games.follow({ name: "failed", done: 0.5, message: { key: "web.error.load" } });
  await listed;
  assert.deepEqual(
    page.sent.map(([, to]) => to),
    ["/api/games?status=all"],
  );
  assert.equal(Object.keys(page.lasting).length, 1);
});

test("a damaged record is no game", async () => {
  const tab = place();
  tab.setItem("tengen.early", "{");
  const page = started({ tab });
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.equal(page.sent.length, 0);
});

test("a game that was kept is not lost where the levels cannot be read", async () => {
  const first = await started().begin();
  await first.move("h8", 0);
  const page = started({ ...first, levels: null });
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.deepEqual(page.sent[0].slice(0, 2), ["POST", "/api/games/early"]);
  assert.equal(page.sent[0][2].id, first.made.id);
  assert.equal((await page.games.send("/api/games/abc", {}))?.status, undefined);
});

test("where Python cannot be loaded, the kernels go on", async () => {
  const page = await started().begin();
  page.games.follow({ name: "failed", done: 0.5, message: { key: "web.error.load" } });
  await page.move("h8", 0);
  assert.deepEqual([page.moves().length, page.waiting()], [2, undefined]);
  page.say({ type: "hint", id: 3 });
  assert.equal(page.waiting().key, "web.error.load");
  page.games.follow({ name: "elsewhere", done: 0.5, message: null });
  assert.equal(page.waiting().key, "web.site.elsewhere");
  page.games.follow({ name: "loading", done: 0.1, message: null });
  assert.deepEqual(page.waiting(), { key: "web.early.loading", values: { percent: 10 } });
});

test("where the kernels fail, or Python refuses, the page is told", async () => {
  const search = async function* () {
    throw new Error("no WebAssembly");
  };
  const page = await started({ engine: { search }, refuses: { key: "error.occupied" } }).begin();
  const warn = console.warn;
  console.warn = () => {};
  await page.move("h8", 0);
  console.warn = warn;
  assert.equal(page.waiting().key, "web.early.loading");
  await page.games.follow({ name: "ready", done: 1, message: null });
  assert.equal(page.waiting().key, "error.occupied");
});
