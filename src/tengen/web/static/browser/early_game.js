/**
 * A game before Python, answered by the kernels alone until Python takes it over.
 *
 * It knows no rules: the kernels say what is forbidden, and what has won. What it does not answer itself waits for Python.
 *
 * @import { Connection } from "../shared/types.js"
 * @import { FoulKind, Info, Limit, Position, Situation } from "../engine/search.js"
 * @import { EarlyMove, EarlyRecord, KnownRules, Levels } from "./early_state.js"
 *
 * @typedef {{ key: string, values?: Record<string, unknown> }} Message
 *
 * @typedef {object} App the app's worker, which answers once Python is there
 * @property {(path: string, init: RequestInit) => Promise<Response>} send
 * @property {(path: string) => Connection} connect
 *
 * @typedef {object} KernelEngine as `engine/client.js` has it
 * @property {Promise<void>} ready
 * @property {(family: string) => void} prepare
 * @property {(position: Position) => Promise<Situation>} situation
 * @property {(position: Position, limit: Limit, options: object) => AsyncGenerator<Info, void>} search
 * @property {() => void} close
 *
 * @typedef {object} House where an early game lives
 * @property {App} app
 * @property {() => void} keep the game in the tab
 * @property {() => KernelEngine} kernels
 */

import { parsePoint, pointName } from "/assets/notation.js";
import { EarlySocket } from "./early_socket.js";
import { earlyState, kernelPlayer } from "./early_state.js";

/** The address of all games. */
export const GAMES = "/api/games";

const TAKE_OVER = "/api/games/early";

/** What is answered at once; anything else is for Python. */
const OWN = ["hello", "move", "hurry", "ping", "state"];

/** The one early game of a page. */
export class EarlyGame {
  /**
   * @param {EarlyRecord} record
   * @param {Levels} levels
   * @param {KnownRules} rules
   * @param {House} house
   */
  constructor(record, levels, rules, { app, keep, kernels }) {
    this.record = record;
    /** Whether Python has it. */
    this.left = false;
    /** Resolves when Python has it. @type {Promise<void>} */
    this.over = new Promise((resolve) => (this.#resolve = resolve));
    this.#levels = levels;
    this.#rules = rules;
    this.#app = app;
    this.#keep = keep;
    this.#kernels = kernels;
    const { black, white } = record.game;
    this.#player =
      rules.family === null ? undefined : kernelPlayer(black === "human" ? white : black, levels);
  }

  #levels;
  #rules;
  #app;
  #keep;
  #kernels;
  #player;
  #resolve = () => {};
  #created = Date.now() / 1000;
  #since = performance.now();
  /** @type {Set<EarlySocket>} */
  #sockets = new Set();
  /** @type {Record<string, FoulKind>} */
  #fouls = {};
  /** Whether the game has ended; how, Python finds out. */
  #ended = false;
  /** How far Python is. @type {Message} */
  #standing = { key: "web.early.loading", values: { percent: 0 } };
  /** Whether that is said instead of whose turn it is: only Python can go on. */
  #waits = false;
  /** Whether nothing more is played here. */
  #frozen = false;
  /** Ends the engine's search. @type {AbortController | null} */
  #searching = null;
  /** What it has found so far. @type {Info | null} */
  #best = null;
  /** Whether that is enough. */
  #hurried = false;
  /** What happens on the board, one after the other. @type {Promise<void>} */
  #work = Promise.resolve();

  state() {
    const fouls = this.#turnOf().colour === "black" ? this.#fouls : {};
    return earlyState(this.record, this.#rules, { created: this.#created, over: this.#ended, fouls });
  }

  #turnOf() {
    const colour =
      this.record.moves.length % 2 ? /** @type {const} */ ("white") : /** @type {const} */ ("black");
    const participant = colour === "black" ? 1 : 2;
    return { colour, participant, human: this.record.game[colour] === "human" };
  }

  /** Go on from where the game stands. */
  begin() {
    this.#keep();
    this.#do(async () => {
      if (this.record.moves.length > 0) await this.#judge();
      await this.#reply();
    });
  }

  /** @returns {Connection} */
  connect() {
    const socket = new EarlySocket((from, message) => this.#receive(from, message));
    if (this.left) socket.join(this.#app.connect(this.#path));
    else this.#sockets.add(socket);
    return socket;
  }

  get #path() {
    return `${GAMES}/${this.record.id}/live`;
  }

  /**
   * Follow how far Python is.
   *
   * @param {number} done the share of it that has been loaded
   * @param {Message | null} failure why it is not loaded
   */
  follow(done, failure) {
    const values = { percent: Math.floor(100 * done) };
    const standing = failure ?? { key: "web.early.loading", values };
    const changed = JSON.stringify(standing) !== JSON.stringify(this.#standing);
    this.#standing = standing;
    if (this.#waits && changed) this.#wait();
  }

  /** Say that only Python can go on. @param {Message} [refused] why it does not */
  #wait(refused) {
    this.#waits = true;
    if (refused) this.#standing = refused;
    const message = this.#standing;
    for (const socket of this.#sockets) socket.tell({ type: "thinking", by: null, message });
  }

  // What the page says

  /**
   * @param {EarlySocket} socket
   * @param {any} message
   */
  #receive(socket, message) {
    const { type, id = null } = message;
    if (type === "hello") this.#welcome(socket, message.tokens ?? []);
    else if (type === "ping") socket.tell({ type: "pong", id, now: Date.now() / 1000 });
    else if (type === "state") socket.tell({ type: "done", id, state: this.state() });
    else if (this.#frozen || !OWN.includes(type)) this.#leave(socket, message);
    else if (type === "hurry") {
      this.#hurried = true;
      if (this.#best) this.#searching?.abort();
      socket.tell({ type: "done", id });
    } else if (this.#mayPlay(message)) {
      this.#do(async () => {
        await this.#play({ point: message.point });
        socket.tell({ type: "done", id, version: 1 + this.record.moves.length });
        await this.#reply();
      });
    } else this.#leave(socket, message);
  }

  /**
   * @param {EarlySocket} socket
   * @param {string[]} tokens
   */
  #welcome(socket, tokens) {
    const { black, white } = this.record.seats;
    const you = [black, white].flatMap((token, place) =>
      token && tokens.includes(token) ? [place + 1] : [],
    );
    socket.tell({ type: "state", state: this.state(), you, made: true, now: Date.now() / 1000 });
    if (this.#waits) socket.tell({ type: "thinking", by: null, message: this.#standing });
  }

  /**
   * Leave a message, and the game with it, to Python.
   *
   * @param {EarlySocket} socket
   * @param {any} message
   */
  #leave(socket, message) {
    socket.keep(message);
    this.#freeze();
    if (!this.#waits) this.#wait();
  }

  #freeze() {
    this.#frozen = true;
    this.#searching?.abort();
  }

  /**
   * Whether a move is a person's, who is to move, on a point that is free; the kernels have said what is forbidden.
   * Where they do not know the rules there is only the first stone.
   *
   * @param {{ point: string, ply: number }} move
   */
  #mayPlay({ point, ply }) {
    const { moves, game } = this.record;
    const [side] = /** @type {[number, number]} */ (game.size);
    const { human, colour } = this.#turnOf();
    if (this.#rules.family === null && ply > 0) return false;
    if (this.#ended || !human || ply !== moves.length || moves.some((move) => move.point === point))
      return false;
    if (colour === "black" && point in this.#fouls) return false;
    const [x, y] = /^[a-z]{1,2}\d{1,2}$/.test(point) ? parsePoint(point) : [-1, -1];
    return x >= 0 && x < side && y >= 0 && y < side;
  }

  // What happens on the board

  /** @param {() => Promise<void>} work */
  #do(work) {
    this.#work = this.#work.then(work).catch((error) => {
      // Without the kernels Python has to go on.
      console.warn(error);
      this.#freeze();
      this.#wait();
    });
  }

  /** @param {Omit<EarlyMove, "seconds">} move */
  async #play(move) {
    const seconds = Math.max(performance.now() - this.#since, 0) / 1000;
    this.#since = performance.now();
    this.record.moves.push({ ...move, seconds });
    await this.#judge();
    this.#keep();
    const state = this.state();
    for (const socket of this.#sockets) socket.tell({ type: "state", state });
    if (this.#ended) this.#wait();
  }

  /** Ask the kernels how the position stands. */
  async #judge() {
    // The first stone wins nothing and forbids nothing: it need not wait for the kernels.
    if (this.record.moves.length < 2 || this.#rules.family === null) return;
    const { won, full, forbidden, kinds } = await this.#kernels().situation(this.#position());
    const [side] = /** @type {[number, number]} */ (this.record.game.size);
    const named = forbidden.map((point, place) => [
      pointName([point % side, Math.floor(point / side)]),
      kinds[place],
    ]);
    this.#fouls = Object.fromEntries(named);
    this.#ended = won || full;
  }

  /** @returns {Position} */
  #position() {
    const { game, moves } = this.record;
    const [size] = /** @type {[number, number]} */ (game.size);
    const { family, numbers } = this.#rules;
    const points = moves.map(({ point }) => {
      const [x, y] = parsePoint(point);
      return y * size + x;
    });
    return { family: String(family), size, numbers, moves: points };
  }

  /** Let the computer answer, if it is to move. */
  async #reply() {
    if (this.#ended || this.#turnOf().human || this.#frozen) return;
    if (!this.#player) {
      this.#wait();
      return;
    }
    const { limit, handicap } = this.#player;
    const searching = new AbortController();
    this.#searching = searching;
    this.#best = null;
    this.#hurried = false;
    const options = { handicap, signal: searching.signal };
    for await (const info of this.#kernels().search(this.#position(), limit, options)) {
      this.#best = info;
      if (this.#hurried) break;
    }
    this.#searching = null;
    const best = /** @type {Info | null} */ (this.#best);
    if (!best || this.#frozen) return;
    const [side] = /** @type {[number, number]} */ (this.record.game.size);
    const point = pointName([best.point % side, Math.floor(best.point / side)]);
    await this.#play({ point, ...scoreOf(best.score, this.#levels.scores) });
  }

  // Python

  /** Let Python take the game over, and the page's sockets speak to it. */
  async handOver() {
    if (!this.#frozen) await this.#work;
    this.#freeze();
    await this.#work;
    const error = await takenOver(this.#app, JSON.stringify(this.record));
    if (error) this.#wait(error);
    else {
      const by = this.#turnOf().participant;
      for (const socket of this.#sockets) {
        if (this.#waits) socket.tell({ type: "thinking", by });
        socket.join(this.#app.connect(this.#path));
      }
      this.#sockets.clear();
      this.left = true;
    }
    this.#resolve();
  }
}

/**
 * Let Python take a game over.
 *
 * @param {App} app
 * @param {string} record the game, as JSON
 * @returns {Promise<Message | null>} why it was refused; null if it was not
 */
export async function takenOver(app, record) {
  const headers = { "Content-Type": "application/json" };
  const answer = await app.send(TAKE_OVER, { method: "POST", headers, body: record }).catch(() => null);
  if (answer?.ok) return null;
  const { error } = (await answer?.json().catch(() => null)) ?? {};
  return error ?? { key: "web.error.server", values: { status: answer?.status ?? 0 } };
}

/**
 * A score as Python reads it.
 *
 * @param {number} score
 * @param {Levels["scores"]} scores
 */
function scoreOf(score, { win, mate }) {
  if (score > mate) return { value: score, mate: win - score };
  return score < -mate ? { value: score, mate: -win - score } : { value: score };
}
