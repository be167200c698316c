/**
 * A game on the page: it draws what the server tells, and tells the server what is done. It knows no rules.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("../shared/types.js").GameState} GameState
 * @typedef {import("../shared/types.js").Participant} Participant
 * @typedef {import("../shared/types.js").Thinking} Thinking
 * @typedef {import("/assets/board.js").State} BoardState
 * @typedef {import("/assets/notation.js").Point} Point
 *
 * @typedef {object} Game what the parts of the page share
 * @property {Context} context
 * @property {GameState} state
 * @property {Participant[]} you whom one plays
 * @property {boolean} made whether one has made the game
 * @property {boolean} mine whether one sits here or has made the game, and so may decide about it
 * @property {boolean} linked whether the connection stands
 * @property {Thinking | null} thinking what a computer thinks just now
 * @property {number} shown moves that are shown; all, unless an earlier position is looked at
 * @property {boolean} between whether two people in two places play, so that nobody may be helped
 * @property {(ply: number) => void} show
 * @property {(type: string, more?: Record<string, unknown>) => Promise<any>} act ask the server; what it refuses
 *     is said, and null is answered
 * @property {(option: string) => Promise<any>} choose an option of the opening rule
 * @property {(overlay: BoardState | null) => void} overlay draw upon the position
 * @property {(text: string, stay?: boolean) => void} note
 * @property {() => Promise<void>} again the next game
 */

import { parseMoves, pointName } from "/assets/notation.js";
import { createActions } from "./actions.js";
import { ApiError } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { createLive } from "../shared/live.js";
import { resultText, rows, rulesName } from "../shared/names.js";
import { createPlayersBar } from "./players_bar.js";
import { showResult } from "./result_dialog.js";
import { keepTokens, knows, tokensOf } from "../shared/seats.js";
import { createRoom } from "./room.js";
import { listenToKeys } from "./shortcuts.js";
import { createStatusBar } from "./status_bar.js";
import { createTabs } from "./play_tabs.js";

/**
 * @param {import("../shared/frame.js").Frame} frame
 * @param {Context} context
 * @param {GameState} first the game as it stands
 * @param {string} [opening] the point of the very first move, chosen before there was a game
 */
export function createGameView(frame, context, first, opening) {
  const { say, settings, sound, announce } = context;
  /** @type {Game} */
  const game = {
    context,
    state: first,
    you: [],
    made: false,
    mine: false,
    linked: true,
    thinking: null,
    shown: first.ply,
    between: false,
    show,
    act,
    choose: (option) => act("choose", { option, ply: game.state.ply }),
    overlay(next) {
      overlay = next;
      draw();
    },
    note: (text, stay) => status.note(text, stay),
    again,
  };
  /** @type {BoardState | null} */
  let overlay = null;
  /** @type {string | null} a stone that the server has not confirmed */
  let sent = null;
  /** @type {string | null} a point of a foul that was touched */
  let fouled = null;
  /** @type {string | null} */
  let hinted = null;
  let known = false;
  /** @type {Point | null} */
  let early = null;
  let closing = () => {};

  frame.element.className = "table game";
  frame.side.replaceChildren(h("h1", { class: "unseen" }, rulesName(say, first.rules.name)));
  const players = createPlayersBar(frame.top, frame.bottom, game);
  const status = createStatusBar(frame.status, game);
  const tabs = createTabs(frame.side, game);
  const actions = createActions(frame.actions, game);
  const room = createRoom(frame.element, game, join);
  const stopKeys = listenToKeys(game, actions, tabs, frame);
  const stopNumbers = settings.on("numbers", draw);
  frame.listen({ onSelect: select, onPoint: tabs.hover });

  let live = connect();
  take(first, []);
  if (opening) void play(opening);

  return {
    destroy() {
      closing();
      live.close();
      stopKeys();
      stopNumbers();
      for (const part of [players, status, tabs, actions, room]) part.destroy();
    },
  };

  function connect() {
    return createLive(first.id, {
      onState(state, you, made) {
        known = true;
        game.made ||= made;
        take(state, you);
        // A point that was chosen before the connection stood.
        const point = early;
        early = null;
        if (point) select(point);
      },
      onThinking(thinking) {
        game.thinking = thinking;
        players.set(false);
        status.set();
        draw();
      },
      onPresence(connected, watchers) {
        game.state.watchers = watchers;
        for (const seat of game.state.seats) seat.connected = connected.includes(seat.participant);
        players.set(false);
        room.set();
      },
      onLink(linked) {
        if (game.linked === linked) return;
        game.linked = linked;
        announce(linked ? say("web.play.back") : say("web.play.lost"));
        status.set();
        actions.set();
      },
    });
  }

  /**
   * Show what the server tells.
   *
   * @param {GameState} state
   * @param {Participant[]} you
   */
  function take(state, you) {
    const { state: before, you: were } = game;
    const following = game.shown === before.ply;
    const moved = state.ply !== before.ply || state.stones.length !== before.stones.length;
    game.state = state;
    game.you = you;
    game.mine = you.length > 0 || game.made || knows(first.id);
    game.between =
      !state.outcome &&
      you.length < 2 &&
      state.seats.every(({ occupant, open }) => occupant === "human" || open);
    if (moved || state.outcome || state.offered.includes(sent ?? "")) sent = null;
    if (moved) hinted = fouled = null;
    if (asks(state) && asks(state) !== asks(before)) status.note(""); // what was said gives way to the question
    if (moved || !state.thinking) game.thinking = null;
    if (following || game.shown > state.ply) game.shown = state.ply;
    document.title = title();
    frame.shape(state.rules);
    players.set(true);
    status.set();
    tabs.set();
    actions.set();
    room.set();
    draw();
    if (!known || state === before) return;
    if (state.ply > before.ply) tell(state);
    tellColour(colourOf(before, were), colourOf(state, you));
    tellAnswer(before, state);
    if (state.notice && state.notice.key !== before.notice?.key)
      context.toast(state.notice, { kind: "error" });
    if (state.outcome && !before.outcome) finish();
    if (state.again && !before.again && game.mine) void follow(state.again);
  }

  function title() {
    const { state } = game;
    const mine = !state.outcome && state.actor !== null && game.you.includes(state.actor);
    return `${mine && game.you.length === 1 ? "● " : ""}${rulesName(say, state.rules.name)} · Tengen`;
  }

  /** A stone was put: let it be heard. @param {GameState} state */
  function tell(state) {
    sound.stone();
    const [, colour] = state.stones[state.stones.length - 1] ?? [];
    const point = state.last;
    if (!point || !colour) return;
    const turn = state.actor !== null && game.you.includes(state.actor) && game.you.length === 1;
    const said = say("web.play.played", { colour: say(colour), point });
    announce(turn ? `${said} ${say("web.play.your_turn")}` : said);
  }

  /** An opening rule, or a swap of sides, has given one the other colour. @type {(was?: string, is?: string) => void} */
  function tellColour(was, is) {
    if (was && is && was !== is && !game.state.outcome)
      status.note(say("web.play.now_colour", { colour: say(is) }));
  }

  /** What one has asked the opponent was declined: nothing else has changed. @type {(before: GameState, after: GameState) => void} */
  function tellAnswer({ request, ...before }, after) {
    const asked = request && game.you.length === 1 && game.you[0] === request.by;
    const face = (/** @type {typeof before} */ { moves, offered, opening, outcome }) =>
      JSON.stringify([moves, offered, opening, outcome]);
    if (!asked || after.request || face(before) !== face(after)) return;
    status.note(request.kind === "draw" ? say("web.play.draw_declined") : say("web.play.back_declined"));
  }

  function finish() {
    sound.end();
    const { outcome } = game.state;
    if (!outcome) return;
    announce(resultText(say, outcome));
    // First the row that won is seen, then the dialog speaks of it.
    const timer = setTimeout(() => void showResult(game), 900);
    closing = () => clearTimeout(timer);
  }

  // -- the board

  function draw() {
    const { state, shown } = game;
    const now = shown === state.ply;
    const played = state.moves.slice(0, shown);
    const count = state.numbered_from + played.filter((point) => point !== "--").length;
    const number = played.flatMap((point, index) => (point === "--" ? [] : [index + 1]));
    const numbers = settings.get("numbers");
    const decision = now ? state.opening?.decision : null;
    /** @type {BoardState} */
    const base = {
      stones: state.stones.slice(0, count).map(([name, colour], index) => ({
        point: at(name),
        colour,
        ...(numbers && index >= state.numbered_from ? { number: number[index - state.numbered_from] } : {}),
      })),
      last: played.length && played[played.length - 1] !== "--" ? at(played[played.length - 1]) : null,
      lines: now ? lines() : [],
      fouls: now && state.fouls_mode !== "claimed" ? Object.keys(state.fouls).map(at) : [],
      marks: marks(decision),
      turn: now && mayPlay() ? state.turn : null,
      ghost: ghost(now),
    };
    frame.draw({ ...base, ...(now || overlay?.stones ? overlay : null) });
  }

  /** @returns {import("/assets/board.js").Line[]} */
  function lines() {
    const { outcome, fouls } = game.state;
    const foul = outcome ? outcome.foul : fouled ? fouls[fouled] : null;
    return [
      ...(outcome && outcome.line.length > 1
        ? [{ points: outcome.line.map(at), kind: /** @type {const} */ ("win") }]
        : []),
      ...(foul?.lines ?? []).map((line) => ({ points: line.map(at), kind: /** @type {const} */ ("foul") })),
    ];
  }

  /** @param {import("../shared/types.js").Decision | null | undefined} decision */
  function marks(decision) {
    const few = decision?.kind === "place" && decision.points.length <= 25 ? decision.points : [];
    const circle = /** @type {const} */ ("circle");
    return [
      ...game.state.offered.map((name, index) => ({
        point: at(name),
        kind: /** @type {const} */ ("label"),
        label: String.fromCharCode(65 + index),
      })),
      ...few.map((name) => ({ point: at(name), kind: circle })),
      ...(hinted && hinted !== "--" ? [{ point: at(hinted), kind: circle }] : []),
    ];
  }

  /** A stone that is only thought of: one's own until the server has it, a hint, the computer's best. @param {boolean} now */
  function ghost(now) {
    const { state, thinking } = game;
    const name = sent ?? hinted ?? (state.thinking ? thinking?.point : null);
    if (!now || !name || name === "--" || !state.turn) return null;
    return { point: at(name), colour: state.turn };
  }

  /** Whether a stone of one's own is due. */
  function mayPlay() {
    const { state, you } = game;
    const seat = state.seats.find(({ participant }) => participant === state.actor);
    if (!seat || seat.occupant !== "human" || !you.includes(seat.participant)) return false;
    return (
      !state.paused && state.opening?.decision?.kind !== "choice" && !state.seats.some(({ open }) => open)
    );
  }

  /** @param {Point} point */
  function select(point) {
    const { state, shown } = game;
    const name = pointName(point);
    if (!known) {
      early = point;
      return;
    }
    if (shown !== state.ply) {
      show(state.ply);
      return;
    }
    if (state.outcome) {
      status.note("");
      return;
    }
    const foul = state.fouls_mode === "claimed" ? undefined : state.fouls[name];
    if (foul && (state.fouls_mode === "forbidden" || fouled !== name || !mayPlay())) {
      refuse(
        say("describe.forbidden", { point: name, kind: say(`foul.${foul.kind}`), lines: rows(foul.lines) }),
      );
      fouled = name;
      draw();
    } else if (state.stones.some(([taken]) => taken === name)) {
      refuse(say("error.occupied", { point: name }));
    } else if (!mayPlay()) {
      refuse(idle());
    } else if (!sent) void play(name);
  }

  /** What an opening rule asks of one. @param {GameState} state */
  function asks({ opening }) {
    const decision = opening?.decision;
    return decision && game.you.includes(decision.by)
      ? JSON.stringify([decision.by, decision.message])
      : "";
  }

  /** Why no stone of one's own is due. */
  function idle() {
    const { state, you } = game;
    if (state.paused) return say("web.play.paused");
    if (state.seats.some(({ open }) => open)) return say("web.play.waiting_friend");
    if (!you.length) return say("web.play.watching");
    if (state.opening?.decision?.kind === "choice") return say("web.play.choose");
    return say("error.session.turn");
  }

  /** @param {string} text */
  function refuse(text) {
    frame.refuse();
    status.note(text);
  }

  /** @param {string} name of a point */
  async function play(name) {
    sent = name;
    fouled = hinted = null;
    status.note("");
    draw();
    await act("move", { point: name, ply: game.state.ply });
    if (sent === name) sent = null;
    draw();
  }

  // -- what is done

  /** @type {Game["act"]} */
  async function act(type, more = {}) {
    try {
      const answer = await live.send({ type, version: game.state.version, ...more });
      if (type === "hint") showHint(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(context.lookupKey(error.message));
      return null;
    }
  }

  /** @param {{point: string | null, option?: string | null}} answer */
  function showHint({ point, option }) {
    hinted = point ?? null;
    status.note(
      point
        ? say("web.play.hinted", { point })
        : say("web.play.hinted", { point: say(`opening.option.${option}`) }),
    );
    draw();
  }

  /** @param {number} ply */
  function show(ply) {
    game.shown = Math.min(Math.max(ply, 0), game.state.ply);
    fouled = null;
    status.note("");
    tabs.set();
    actions.set();
    draw();
  }

  async function join() {
    try {
      const { token } = await context.api.post(`/api/games/${first.id}/join`);
      keepTokens(first.id, [token]);
      live.close();
      live = connect();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      status.note(error.message.key ? context.lookupKey(error.message) : error.text);
    }
  }

  async function again() {
    if (game.state.again) await follow(game.state.again);
    else {
      const made = await act("again");
      if (made?.game) keepTokens(made.game, Object.values(made.seats));
    }
  }

  /** Go on to the next game. @param {string} id */
  async function follow(id) {
    keepTokens(id, tokensOf(first.id));
    document.querySelector("dialog[open]")?.remove();
    context.go(`/g/${id}`);
  }
}

/** The colour of the only seat that one plays. @type {(state: GameState, you: Participant[]) => string | undefined} */
function colourOf({ seats }, you) {
  const own = seats.filter(
    ({ participant, occupant }) => occupant === "human" && you.includes(participant),
  );
  return own.length === 1 ? own[0].colour : undefined;
}

/** @param {string} name of a point @returns {Point} */
function at(name) {
  return /** @type {Point} */ (parseMoves(name)[0]);
}
