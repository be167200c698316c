import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { AppClient } from "/static/browser/app_client.js";

/** @type {any[]} */
let workers = [];

class FakeWorker {
  constructor() {
    this.posted = [];
    workers.push(this);
  }

  postMessage(message) {
    this.posted.push(message);
  }

  terminate() {
    this.ended = true;
  }

  answer(message) {
    this.onmessage({ data: message });
  }
}

/** Locks as a browser has them: one tab has it, others wait, or take it. */
class FakeLocks {
  held = null;
  waiting = [];

  request(name, { ifAvailable, steal, signal }, act) {
    return new Promise((done, failed) => {
      const take = () => {
        this.held = { failed };
        void act({ name });
      };
      if (steal) this.held?.failed(new DOMException("stolen", "AbortError"));
      if (steal || !this.held) take();
      else if (ifAvailable) done(act(null));
      else {
        this.waiting.push(take);
        signal.addEventListener("abort", () => {
          this.waiting = this.waiting.filter((one) => one !== take);
          failed(signal.reason);
        });
      }
    });
  }
}

const kinds = (worker) => worker.posted.map(({ kind }) => kind);

const pause = () => new Promise((done) => setTimeout(done, 5));

beforeEach(() => {
  workers = [];
  globalThis.Worker = FakeWorker;
  globalThis.WebSocket ??= { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
  Object.defineProperty(globalThis, "navigator", { value: { locks: new FakeLocks() }, configurable: true });
});

function started() {
  const client = new AppClient("https://host/five/");
  const states = [];
  client.listen((state) => states.push(state));
  return { client, states, name: () => states.at(-1).name };
}

test("the first request starts the worker, which answers it", async () => {
  const { client, name } = started();
  assert.equal(workers.length, 0);
  const answer = client.send("/api/games", {
    method: "POST",
    body: "{}",
    headers: { "Content-Type": "x/y" },
  });
  const other = client.send("/api/games", {});
  await pause();
  assert.equal(workers.length, 1);
  const [load, ...posted] = workers[0].posted;
  const [first, second] = ["POST", "GET"].map((method) => posted.find((one) => one.method === method));
  assert.deepEqual(load, { kind: "load", base: "https://host/five/" });
  assert.equal(first.headers["content-type"], "x/y");
  assert.equal(new TextDecoder().decode(first.body), "{}");
  assert.equal(second.body, null);
  workers[0].answer({ kind: "progress", done: 0.5 });
  assert.equal(name(), "loading");
  workers[0].answer({ kind: "ready" });
  assert.equal(name(), "ready");
  workers[0].answer({ kind: "response", id: second.id, status: 204, headers: {}, body: new Uint8Array() });
  const body = new TextEncoder().encode('{"a":1}');
  workers[0].answer({ kind: "response", id: first.id, status: 201, headers: { "X-A": "b" }, body });
  assert.equal((await other).status, 204);
  assert.equal((await answer).headers.get("x-a"), "b");
  assert.deepEqual(await (await answer).json(), { a: 1 });
});

test("the worker starts at once, and loads Python when what comes before has come", async () => {
  const { client, name } = started();
  let come = () => {};
  client.before = new Promise((resolve) => (come = resolve));
  client.start();
  await pause();
  assert.deepEqual([name(), kinds(workers[0])], ["loading", ["load"]]);
  come();
  await pause();
  assert.deepEqual(kinds(workers[0]), ["load", "download"]);
});

test("a request that is given up is aborted there, too", async () => {
  const { client } = started();
  const stop = new AbortController();
  const answer = client.send("/api/explain", { signal: stop.signal });
  await pause();
  stop.abort();
  await assert.rejects(answer, { name: "AbortError" });
  assert.deepEqual(kinds(workers[0]), ["load", "request", "download", "abort"]);
});

test("a connection is used as a WebSocket is", async () => {
  const { client } = started();
  const connection = client.connect("/api/games/a/live");
  const heard = [];
  connection.onopen = () => heard.push("open");
  connection.onmessage = ({ data }) => heard.push(data);
  connection.onclose = ({ code }) => heard.push(code);
  await pause();
  const { id, path } = workers[0].posted.find(({ kind }) => kind === "open");
  assert.equal(path, "/api/games/a/live");
  workers[0].answer({ kind: "opened", id });
  assert.equal(connection.readyState, WebSocket.OPEN);
  workers[0].answer({ kind: "message", id, text: "hello" });
  connection.send("there");
  connection.close();
  workers[0].answer({ kind: "closed", id, code: 4004 });
  assert.deepEqual(heard, ["open", "hello", 4004]);
  assert.deepEqual(workers[0].posted.slice(-2), [
    { kind: "send", text: "there", id },
    { kind: "close", id },
  ]);
});

test("what fails is said to all who wait, and can be tried again", async () => {
  const { client, states, name } = started();
  const answer = client.send("/api/games", {});
  await pause();
  workers[0].answer({ kind: "failed", message: { key: "web.site.failed" } });
  assert.equal(name(), "failed");
  assert.ok(workers[0].ended);
  for (const one of [await answer, await client.send("/api/games", {})]) {
    assert.equal(one.status, 503);
    assert.deepEqual(await one.json(), { error: { key: "web.site.failed" } });
  }
  assert.deepEqual(states.at(-1).message, { key: "web.site.failed" });
  client.retry();
  assert.equal(workers.length, 2);
  assert.equal(name(), "loading");
});

test("one tab has the app, and another one may take it", async () => {
  const [one, two] = [started(), started()];
  one.client.start();
  const closed = new Promise((done) => (one.client.connect("/api/x").onclose = done));
  await pause();
  two.client.start();
  void two.client.send("/api/games", {});
  await pause();
  assert.deepEqual([one.name(), two.name(), workers.length], ["loading", "elsewhere", 1]);
  two.client.take();
  await pause();
  assert.deepEqual([one.name(), two.name(), workers.length], ["elsewhere", "loading", 2]);
  assert.ok(workers[0].ended);
  assert.equal((await closed).code, 1006);
  // What was asked before waits for it.
  assert.deepEqual(kinds(workers[1]), ["load", "request", "download"]);
});
