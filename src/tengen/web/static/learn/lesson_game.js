/**
 * A real game against the player of a chapter, small enough to stand in a page: it begins with the first move.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("../shared/types.js").GameState} GameState
 */

import { createBoard } from "/assets/board.js";
import { pointName } from "/assets/notation.js";

import { h } from "../shared/dom.js";
import { boardPlace, sizeOf } from "./lesson_board.js";
import { createLive } from "../shared/live.js";
import { playerName, positionOf, resultText } from "../shared/names.js";
import { keepTokens } from "../shared/seats.js";
import { createWhy } from "../why/why.js";
import { pointOf, pointsOf } from "../why/why_types.js";

/**
 * @param {Context} context
 * @param {import("./chapters.js").Chapter["play"]} play
 */
export function createPlay(context, { rules, size, players }) {
  const { say, api, settings } = context;
  const shape = sizeOf({ rules, size: rules === "tictactoe" ? 3 : size });
  /** @type {GameState | null} */
  let game = null;
  /** @type {import("../shared/live.js").Live | null} */
  let live = null;
  /** @type {Partial<import("/assets/board.js").State>} */
  let seen = {};
  /** @type {import("../why/why.js").Why | null} */
  let why = null;
  let lost = false;
  let starting = false;
  let dead = false;

  const place = boardPlace({ rules, size: shape.width });
  const status = h("p", { class: "learn-told", role: "status" });
  const select = h(
    "select",
    { onchange: restart },
    ...players.map((spec) => h("option", { value: spec }, playerName(say, spec))),
  );
  const against = h("label", { class: "why-eyes" }, h("span", {}, say("web.learn.against")), select);
  const again = h("button", { class: "button", type: "button", onclick: restart }, say("web.learn.again"));
  const back = h("button", { class: "button", type: "button", onclick: takeBack }, say("web.learn.back"));
  const whole = h("a", { class: "button", href: "/" }, say("web.learn.whole"));
  const side = h("div", {});
  const looking = h(
    "details",
    { class: "learn-look", ontoggle: look },
    h("summary", {}, say("web.learn.look")),
    side,
  );
  const panel = h(
    "div",
    { class: "learn-panel panel" },
    against,
    status,
    h("div", { class: "learn-tools" }, again, back, whole),
    looking,
  );
  const board = createBoard(place, {
    ...shape,
    say,
    theme: settings.get("boardTheme"),
    coordinates: settings.get("coordinates"),
    confirm: settings.get("confirm"),
    onSelect: (point) => void move(pointName(point)),
    onPoint: (point) => why?.hover(point),
  });
  draw();
  return { element: h("div", { class: "learn-demo" }, place, panel), destroy };

  /** @param {string} point */
  async function move(point) {
    if (starting) return;
    try {
      if (!live) await start();
      if (!live || (game && game.outcome)) return;
      await live.send({ type: "move", point, ply: game?.ply ?? 0 });
      context.sound.stone();
    } catch (/** @type {any} */ error) {
      context.sound.refuse();
      context.toast(error.message, { kind: "error" });
    }
  }

  async function start() {
    starting = true;
    try {
      const wanted = { rules, size, black: "human", white: select.value };
      const { id, seats, state } = await api.post("/api/games", wanted);
      if (dead) return;
      keepTokens(id, [seats.black]);
      game = state;
      live = createLive(id, { onState: hear, onThinking() {}, onPresence() {}, onLink: link });
    } finally {
      starting = false;
    }
  }

  function restart() {
    live?.close();
    live = game = null;
    seen = {};
    lost = false;
    why?.set({
      position: { rules, size: shape.width, setup: null, moves: [] },
      player: select.value,
      board: shape,
    });
    draw();
  }

  function takeBack() {
    live
      ?.send({ type: "take_back", version: game?.version })
      .catch((error) => context.toast(error.message, { kind: "error" }));
  }

  /** @param {GameState} state */
  function hear(state) {
    const ended = state.outcome && !game?.outcome;
    game = state;
    if (ended) context.sound.end();
    ask();
    draw();
  }

  /** @param {boolean} connected */
  function link(connected) {
    lost = !connected;
    draw();
  }

  /** What the player sees is told only where it is looked at. */
  function look() {
    if (looking.open && !why) {
      why = createWhy(side, {
        context,
        choice: false,
        onDraw(overlay) {
          seen = overlay;
          draw();
        },
      });
    } else if (!looking.open) {
      why?.destroy();
      why = null;
      seen = {};
      draw();
    }
    ask();
  }

  function ask() {
    const position = game ? positionOf(game) : { rules, size: shape.width, setup: null, moves: [] };
    why?.set({ position: /** @type {any} */ (position), player: select.value, board: shape });
  }

  function draw() {
    const { outcome = null, last = null } = game ?? {};
    const lines = outcome?.line.length
      ? [{ points: pointsOf(outcome.line), kind: /** @type {const} */ ("win") }]
      : [];
    board.set({
      stones: (game?.stones ?? []).map(([point, colour]) => ({ point: pointOf(point) ?? [0, 0], colour })),
      last: pointOf(last),
      turn: outcome || game?.turn === "white" ? null : "black",
      ...seen,
      lines: [...lines, ...(seen.lines ?? [])],
    });
    status.textContent = said();
    back.disabled = !game || game.ply === 0;
    whole.hidden = !game;
    if (game) whole.href = `/g/${game.id}`;
  }

  function said() {
    if (lost) return say("web.error.offline");
    if (!game) return say("web.learn.begin");
    if (game.outcome) return resultText(say, game.outcome);
    return game.turn === "black" ? say("web.learn.yours") : say("web.learn.thinks");
  }

  function destroy() {
    dead = true;
    live?.close();
    why?.destroy();
    board.destroy();
  }
}
