/**
 * A real game against the player of a chapter, small enough to stand in a page: it begins with the first move.
 *
 * @import { State } from "/assets/board_types.js"
 * @import { GameState } from "../shared/schemas.js"
 * @import { Context, LiveGame } from "../shared/types.js"
 * @import { Why } from "../why/why.js"
 * @import { Chapter } from "./chapters.js"
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { pointName } from "/assets/notation.js";
import { link } from "../shared/addresses.js";
import { followGame } from "../shared/live_game.js";
import { playerName, positionOf, resultText } from "../shared/names.js";
import { boardState, described } from "../shared/position.js";
import { keepTokens } from "../shared/settings.js";
import { createReaderBoard } from "../shared/table.js";
import { buttonView, selectView } from "../shared/view.js";
import { createWhy } from "../why/why.js";
import { boardPlace, sizeOf } from "./lesson_board.js";

/**
 * @param {Context} context
 * @param {Chapter["play"]} play
 */
export function createLessonGame(context, { rules, size, players }) {
  const { say, settings } = context;
  const shape = sizeOf({ rules, size: rules === "tictactoe" ? 3 : size });
  let [player] = players;
  /** @type {GameState | null} */
  let game = null;
  /** @type {LiveGame | null} */
  let live = null;
  /** @type {Partial<State>} */
  let seen = {};
  /** @type {Why | null} */
  let why = null;
  let lost = false;
  let starting = false;
  let dead = false;

  const element = document.createElement("div");
  element.className = "learn-demo";
  const side = document.createElement("div");
  const place = boardPlace({ rules, size: shape.width });
  const board = createReaderBoard(place, settings, {
    ...shape,
    say,
    onSelect: (point) => void move(pointName(point)),
    onPoint: (point) => why?.hover(point),
  });
  const off = settings.on("numbers", draw);
  draw();
  return { element, destroy };

  /** @param {string} point */
  async function move(point) {
    if (starting) return;
    try {
      if (!live) await start();
      if (!live || (game && game.outcome)) return;
      await live.send({ type: "move", point, ply: game?.ply ?? 0 });
      context.sound.stone();
    } catch (error) {
      context.toastError(error);
      context.sound.refuse();
    }
  }

  async function start() {
    starting = true;
    const opponent = player;
    try {
      const body = { rules, size, black: "human", white: opponent };
      const { id, seats, state } = await context.api.post("/api/games", body);
      // Another player may have been chosen meanwhile.
      if (dead || player !== opponent) return;
      keepTokens(id, [seats.black]);
      game = state;
      live = followGame(id, { onState: receive, onLink: link });
    } finally {
      starting = false;
    }
  }

  /** @param {string} [spec] another player */
  function restart(spec = player) {
    player = spec;
    live?.close();
    live = game = null;
    seen = {};
    lost = false;
    ask();
    draw();
  }

  function takeBack() {
    live?.send({ type: "take_back", version: game?.version }).catch(context.toastError);
  }

  /** @param {GameState} state */
  function receive(state) {
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

  /** What the player sees is asked for only where it is looked at. @param {boolean} wanted */
  function toggleWhy(wanted) {
    if (wanted && !why) {
      why = createWhy(side, {
        context,
        choice: false,
        onDraw(overlay) {
          seen = overlay;
          draw();
        },
      });
    } else if (!wanted) {
      why?.destroy();
      why = null;
      seen = {};
      draw();
    }
    ask();
  }

  function ask() {
    const position = game ? positionOf(game) : { rules, size: shape.width, setup: null, moves: [] };
    why?.set({ position, player, board: shape });
  }

  function draw() {
    const state = boardState(game ?? described({ rules }), { numbers: settings.get("numbers") });
    const turn = state.turn === "white" ? null : state.turn;
    board.set({ ...state, turn, ...seen, lines: [...state.lines, ...(seen.lines ?? [])] });
    element.classList.toggle("unplayed", !game);
    const shown = { board: place, side, players, player, game, message: message() };
    render(lessonGameView(shown, context, { restart, takeBack, toggleWhy }), element);
  }

  function message() {
    if (lost) return say("web.error.offline");
    if (!game) return say("web.learn.begin");
    if (game.outcome) return resultText(say, game.outcome);
    return game.turn === "black" ? say("web.learn.yours") : say("web.learn.thinks");
  }

  function destroy() {
    dead = true;
    off();
    live?.close();
    why?.destroy();
    board.destroy();
  }
}

/**
 * @param {object} state
 * @param {HTMLElement} state.board
 * @param {HTMLElement} state.side what the player says
 * @param {readonly string[]} state.players against which one may play
 * @param {string} state.player against whom one plays
 * @param {GameState | null} state.game null before the first move
 * @param {string} state.message
 * @param {Context} context
 * @param {object} acts
 * @param {(player?: string) => void} acts.restart
 * @param {() => void} acts.takeBack
 * @param {(wanted: boolean) => void} acts.toggleWhy
 */
function lessonGameView(
  { board, side, players, player, game, message },
  { say },
  { restart, takeBack, toggleWhy },
) {
  const toggle = (/** @type {Event} */ { target }) =>
    toggleWhy(/** @type {HTMLDetailsElement} */ (target).open);
  return html`${board}
    <div class="learn-panel panel">
      <label class="why-player">
        <span>${say("web.learn.against")}</span>
        ${selectView(
          players.map((spec) => [spec, playerName(say, spec)]),
          player,
          restart,
        )}
      </label>
      <p class="learn-told" role="status">${message}</p>
      <div class="learn-tools">
        ${buttonView(say("web.learn.again"), () => restart())}
        ${buttonView(say("web.learn.back"), takeBack, { disabled: !game || game.ply === 0 })}
        <a class="button" href=${link(game ? `/g/${game.id}` : "/")} ?hidden=${!game}
          >${say("web.learn.whole")}</a
        >
      </div>
      <details class="learn-look" @toggle=${toggle}>
        <summary>${say("web.learn.look")}</summary>
        ${side}
      </details>
    </div>`;
}
