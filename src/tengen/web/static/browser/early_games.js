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
 * @property {Pick<Storage, "getItem" | "setItem" | "removeItem">} storage of this tab
 */

import { Engine } from "../engine/client.js";
import { createSettings } from "../shared/settings.js";
import { EarlyGame, GAMES, takenOver } from "./early_game.js";
import { earlyRules } from "./early_state.js";

const KEPT = "tengen.early";

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
    storage: tabStorage(),
  });
}

/** What the browser keeps for this tab; nothing, where it keeps nothing. */
function tabStorage() {
  try {
    return sessionStorage;
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}

/** What stands between the pages and the app, as long as that is not there. */
export class EarlyGames {
  /** @param {Parts} parts */
  constructor({ app, readLevels, startEngine, storage }) {
    this.#app = app;
    this.#startEngine = startEngine;
    this.#storage = storage;
    this.#levels = readLevels();
    this.#levels.catch(() => {});
    this.#resumed = this.#resume();
  }

  #app;
  #startEngine;
  #storage;
  #levels;
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
   */
  async warm({ rules = "freestyle", size = [15, 15] } = createSettings().get("game") ?? {}) {
    if (this.#ready) return;
    const engine = this.#kernels();
    try {
      const { family, numbers, openings } = (await this.#levels).rules[rules] ?? {};
      if (family && openings[size[0]] && !this.#game)
        await engine.situation({ family, size: size[0], numbers, moves: [] });
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
    if (!path.startsWith(`${GAMES}/`) || !(this.#game || this.#kept())) return null;
    return this.#answer(path, method, init);
  }

  /**
   * Open a socket; null if it is none of an early game's.
   *
   * @param {string} path
   * @returns {Connection | null}
   */
  connect(path) {
    return path === `${GAMES}/${this.#game?.record.id}/live` ? (this.#game?.connect() ?? null) : null;
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
  }

  async #handOver() {
    this.#ready = true;
    await this.#resumed;
    const kept = this.#kept();
    if (this.#game) await this.#game.handOver();
    else if (kept !== null) await takenOver(this.#app, kept);
    this.#storage.removeItem(KEPT);
    this.#engine?.close();
    this.#engine = null;
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
    const keep = () => {
      try {
        this.#storage.setItem(KEPT, JSON.stringify(record));
      } catch {
        // It is lost if the page is loaded anew before Python is there.
      }
    };
    const house = { app: this.#app, keep, kernels: () => this.#kernels() };
    const early = new EarlyGame(record, levels, rules, house);
    this.#game = early;
    early.follow(this.#done, this.#failure);
    early.begin();
    return early;
  }

  /** The game that this tab had begun before its page was loaded anew. */
  #kept() {
    return this.#storage.getItem(KEPT);
  }

  /** Go on with that game. */
  async #resume() {
    const text = this.#kept();
    if (text === null) return;
    const levels = await this.#levels.catch(() => null);
    const record = /** @type {EarlyRecord} */ (JSON.parse(text));
    const rules = levels ? earlyRules(/** @type {any} */ (record.game), levels) : undefined;
    if (levels && rules && !this.#game) this.#start(record, levels, rules);
  }

  /**
   * @param {string} path
   * @param {string} method
   * @param {RequestInit} init
   */
  async #answer(path, method, init) {
    await this.#resumed;
    const own = `${GAMES}/${this.#game?.record.id}`;
    if (this.#game && (path === own || path.startsWith(`${own}/`))) {
      if (path === own && method === "GET" && !this.#game.left)
        return jsonResponse(this.#game.state(), 200);
      await this.#game.over;
    }
    return this.#app.send(path, init);
  }
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
