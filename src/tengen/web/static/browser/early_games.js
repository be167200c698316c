/**
 * Games before Python: the page's first click begins one, which the kernels answer until Python takes it over.
 *
 * This stands between the pages and the app's worker, and speaks as the app does: the pages need not know.
 *
 * @import { Connection } from "../shared/types.js"
 * @import { App, KernelEngine, Message } from "./early_game.js"
 * @import { EarlyRecord, KnownRules, Levels } from "./early_state.js"
 *
 * @typedef {object} Parts
 * @property {App} app
 * @property {() => Promise<Levels>} readLevels
 * @property {() => KernelEngine} startEngine
 * @property {EarlyRecords} records
 */

import { Engine } from "../engine/client.js";
import { createSettings } from "../shared/settings.js";
import { EarlyGame, GAMES, takenOver } from "./early_game.js";
import { EarlyRecords } from "./early_records.js";
import { earlyRules } from "./early_state.js";
import { LateConnection } from "./late_connection.js";

/** What is answered with all games. */
const ALL_GAMES = /^\/api\/(games(\?.*)?|data)$/;

/**
 * The early games of a page.
 *
 * @param {string} base address of the root of the site
 * @param {App} app
 */
export function createEarlyGames(base, app) {
  return new EarlyGames({
    app,
    readLevels: async () => (await fetch(new URL("engine/levels.json", base))).json(),
    startEngine: () => new Engine(new URL("engine/", base).href),
    records: EarlyRecords.open(),
  });
}

/** What stands between the pages and the app, as long as that is not there. */
export class EarlyGames {
  /** @param {Parts} parts */
  constructor({ app, readLevels, startEngine, records }) {
    this.#app = app;
    this.#startEngine = startEngine;
    this.#records = records;
    this.#levels = readLevels();
    this.#levels.catch(() => {});
    this.#resumed = this.#resume(records.own());
  }

  #app;
  #startEngine;
  #records;
  #levels;
  #settle = () => {};
  /** Done once Python has taken all games over, or cannot. @type {Promise<void>} */
  #settled = new Promise((resolve) => (this.#settle = resolve));
  #resumed;
  /** @type {KernelEngine | null} */
  #engine = null;
  /** @type {EarlyGame | null} */
  #game = null;
  /** The share of Python that is there. */
  #done = 0;
  /** Why Python is not loaded. @type {Message | null} */
  #failure = null;
  #ready = false;

  /**
   * Have the engine ready for a game that may begin, by the rules that were chosen last.
   *
   * @param {{ rules?: string, size?: [number, number] }} [chosen]
   * @returns {Promise<void>} when all that it needs has come; it gets ready after that
   */
  async warm({ rules = "freestyle", size = [15, 15] } = createSettings().get("game") ?? {}) {
    if (this.#ready) return;
    const engine = this.#kernels();
    try {
      const { family, numbers, openings } = (await this.#levels).rules[rules] ?? {};
      if (!family || !openings[size[0]] || this.#game) return;
      engine.prepare(family);
      await engine.ready;
      engine.situation({ family, size: size[0], numbers, moves: [] }).catch(console.warn);
    } catch (error) {
      // Whoever begins a game hears of it.
      console.warn(error);
    }
  }

  #kernels() {
    this.#engine ??= this.#startEngine();
    return this.#engine;
  }

  /**
   * Answer a request; null if it is none of an early game's.
   *
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Response> | null}
   */
  send(path, init) {
    const method = init.method ?? "GET";
    if (path === GAMES && method === "POST") return this.#ready ? null : this.#begin(path, init);
    const early = ALL_GAMES.test(path) ? this.#records.ids().length > 0 : this.#has(idOf(path));
    return early ? this.#answer(path, method, init) : null;
  }

  /** Whether a game is, or was, an early one. @param {string} id */
  #has(id) {
    return id !== "" && (id === this.#game?.record.id || this.#records.find(id) !== null);
  }

  /**
   * Open a socket; null if it is none of an early game's.
   *
   * @param {string} path
   * @returns {Connection | null}
   */
  connect(path) {
    const id = idOf(path);
    if (!this.#has(id)) return null;
    const found = () => (this.#game?.record.id === id ? this.#game.connect() : this.#app.connect(path));
    return this.#game?.record.id === id ? found() : new LateConnection(this.#find(id), found);
  }

  /**
   * Follow how far the app is. Once Python is there, it takes the game over, if there is one.
   *
   * @param {{ name: string, done: number, message: Message | null }} app as `app_client.js` tells it
   */
  async follow({ name, done, message }) {
    this.#done = done;
    this.#failure = name === "failed" ? message : null;
    if (name === "elsewhere") this.#failure = { key: "web.site.elsewhere" };
    this.#game?.follow(done, this.#failure);
    if (name === "ready" && !this.#ready) await this.#handOver();
    if (this.#failure) this.#settle();
  }

  async #handOver() {
    this.#ready = true;
    await this.#resumed;
    const own = this.#game?.record.id ?? this.#records.own()?.id;
    await this.#game?.handOver();
    for (const id of this.#records.ids()) {
      if (id === own) await this.#takeOver(id);
      else await this.#records.unlessOpen(id, () => this.#takeOver(id));
    }
    this.#settle();
    this.#engine?.close();
    this.#engine = null;
  }

  /** @param {string} id */
  async #takeOver(id) {
    const record = this.#records.find(id);
    if (record && id !== this.#game?.record.id) await takenOver(this.#app, JSON.stringify(record));
    this.#records.remove(id);
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  async #begin(path, init) {
    const game = JSON.parse(String(init.body));
    const levels = await this.#levels.catch(() => null);
    const rules = levels ? earlyRules(game, levels) : undefined;
    // There is one early game; a further one waits.
    if (!levels || !rules || this.#ready || this.#game) return this.#app.send(path, init);
    const seat = (/** @type {string} */ spec) => (spec === "human" ? randomId() : null);
    const seats = { black: seat(game.black), white: seat(game.white) };
    const early = this.#start({ id: randomId(), game, seats, moves: [] }, levels, rules);
    return jsonResponse({ id: early.record.id, seats, state: early.state() }, 201);
  }

  /**
   * @param {EarlyRecord} record
   * @param {Levels} levels
   * @param {KnownRules} rules
   */
  #start(record, levels, rules) {
    this.#records.hold(record.id);
    const house = {
      app: this.#app,
      keep: () => this.#records.keep(record),
      kernels: () => this.#kernels(),
    };
    const early = new EarlyGame(record, levels, rules, house);
    this.#game = early;
    early.follow(this.#done, this.#failure);
    early.begin();
    return early;
  }

  /** Go on with a game that was kept. @param {EarlyRecord | null} record */
  async #resume(record) {
    if (record === null) return;
    const levels = await this.#levels.catch(() => null);
    const rules = levels ? earlyRules(/** @type {any} */ (record.game), levels) : undefined;
    if (levels && rules && !this.#game && !this.#ready) this.#start(record, levels, rules);
  }

  /** Have a game here, or with Python. @param {string} id */
  async #find(id) {
    await this.#resumed;
    if (!this.#game && !this.#ready) await (this.#resumed = this.#resume(this.#records.find(id)));
    if (this.#game?.record.id !== id) await this.#settled;
  }

  /**
   * @param {string} path
   * @param {string} method
   * @param {RequestInit} init
   */
  async #answer(path, method, init) {
    const id = idOf(path);
    if (id) await this.#find(id);
    else await this.#settled;
    if (this.#game?.record.id === id) {
      if (path === `${GAMES}/${id}` && method === "GET" && !this.#game.left)
        return jsonResponse(this.#game.state(), 200);
      await this.#game.over;
    }
    return this.#app.send(path, init);
  }
}

/** The game that an address names; empty for none. @param {string} path */
function idOf(path) {
  return path.startsWith(`${GAMES}/`) ? path.slice(GAMES.length + 1).split("/", 1)[0] : "";
}

/** 128 random bits as 22 characters. */
function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * @param {unknown} data
 * @param {number} status
 */
function jsonResponse(data, status) {
  return new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } });
}
