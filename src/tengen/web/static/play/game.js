/**
 * A game on the page: it shows what the server sends, and sends what is done. It knows no rules.
 *
 * @import { Point } from "/assets/notation.js"
 * @import { GameState, ParticipantNumber } from "../shared/schemas.js"
 * @import { Context, Table } from "../shared/types.js"
 * @import { Phrases } from "./phrases.js"
 * @import { Result } from "./result_dialog.js"
 * @import { Room } from "./room.js"
 * @import { Acts } from "./types.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { parsePoint, pointName } from "/assets/notation.js";
import { isRemote } from "../shared/connection.js";
import { followGame } from "../shared/live_game.js";
import { resultText, rows, rulesName, sentence } from "../shared/names.js";
import { loadAhead, loadModule } from "../shared/router.js";
import { keepTokens, knows, tokensOf } from "../shared/settings.js";
import { createStore, isOff, soon } from "../shared/view.js";
import { actionsView, createActions } from "./actions.js";
import { createPremoves, gameBoard, mayPremove } from "./game_board.js";
import { listenToGameKeys } from "./game_keys.js";
import { mayPlay, newGame } from "./game_state.js";
import { createAbsence, createClocks, seatViews } from "./seats_view.js";
import { standingOf, statusView, announceChanges, titleOf } from "./status_view.js";
import { createTabs, scrollToShown } from "./tabs.js";

const loadResult = () => import("./result_dialog.js");

const NOTE = 6000; // milliseconds that a note stays
const REST = 900; // milliseconds in which the row that won is seen before a dialog speaks of it

/**
 * @param {Table} table
 * @param {Context} context
 * @param {GameState} first the game as it stands
 * @param {string} [opening] the point of the very first move, chosen before there was a game
 */
export function createGame(table, context, first, opening) {
  const { say, settings, sound, announce } = context;
  /** @type {Acts} */
  const acts = {
    show,
    send,
    choose: (option) => send("choose", { option, ply: game.state.ply }),
    overlay: (overlay) => change({ overlay }),
    note,
    again,
    join,
    change: (next) => change(next),
    resume() {
      tabs.leave();
      show(game.state.ply);
    },
  };
  const { state: game, update: change } = createStore(newGame(context, first, acts), soon(draw));
  const tabs = createTabs(game, draw);
  const actions = createActions(game);
  const clocks = createClocks(game);
  const absence = createAbsence(game, draw);
  /** Where a seat waits for whoever comes. @type {Room | null} */
  let room = null;
  /** Once it is over. @type {Result | null} */
  let result = null;
  /** Once it is loaded. @type {typeof import("./printed_game.js") | null} */
  let paper = null;
  /** Where two people play from two places. @type {Phrases | null} */
  let phrases = null;
  const premoves = createPremoves(game, (name) => void play(name));
  const stopKeys = listenToGameKeys(game, actions, tabs, table);
  const stops = ["coordinateStyle", "numbers", "printing", "mutedPhrases"].map((name) =>
    settings.on(name, draw),
  );
  let known = false;
  /** A point that was chosen before the connection stood, or the engine was ready. @type {Point | null} */
  let early = null;
  let scrolled = "";
  let noteTimer = 0;
  let endTimer = 0;
  let gone = false;
  let awaiting = false;
  let meeting = false;

  table.listen({ onSelect: select, onPoint: tabs.hover });
  if (first.seats.some(({ open }) => open)) void openRoom();
  loadAhead(loadResult);
  loadAhead(
    () => import("./printed_game.js"),
    (module) => {
      paper = module;
      draw();
    },
  );
  context.calls.arrive(first.id);
  let live = connect();
  take(first, []);
  if (first.notice) context.toast(first.notice, { kind: "error" });
  if (opening && first.preparing) {
    early = parsePoint(opening);
    change({ sent: opening });
  } else if (opening) void play(opening);

  return {
    destroy() {
      gone = true;
      clearTimeout(noteTimer);
      clearTimeout(endTimer);
      live.close();
      stopKeys();
      for (const stop of stops) stop();
      for (const part of [tabs, actions, clocks, absence, phrases, premoves]) part?.destroy();
    },
  };

  // -- what is seen

  function draw() {
    if (gone) return;
    document.title = titleOf(game);
    table.shape(game.state.rules);
    table.show({
      name: "game",
      ...seatViews(game),
      status: statusView(game),
      side: html`<h1 class="unseen">${rulesName(say, first.rules_name)}</h1>
        ${tabs.view()}`,
      raised: game.raised,
      actions: actionsView(game, actions.run),
      card: room?.view() ?? nothing,
      printed: settings.get("printing") && paper ? paper.printedGame(game) : null,
    });
    table.draw(gameBoard(game));
    result?.draw();
    const place = JSON.stringify([game.tab, game.shown, game.state.ply]);
    if (place !== scrolled) scrollToShown();
    scrolled = place;
  }

  /** @type {Acts["note"]} */
  function note(message, stay = false) {
    clearTimeout(noteTimer);
    const said = message === "" ? "" : sentence(context.lookupKey(message));
    if (said && !stay) noteTimer = setTimeout(() => change({ note: "" }), NOTE);
    change({ note: said });
  }

  /** @param {number} ply */
  function show(ply) {
    change({ shown: Math.min(Math.max(ply, 0), game.state.ply), fouled: null });
    tabs.set();
    note("");
  }

  // -- what the server sends

  function connect() {
    return followGame(first.id, {
      onState(state, you, made) {
        known = true;
        change({ made: game.made || made });
        take(state, you);
        if (!early || state.preparing) return;
        const point = early;
        early = null;
        change({ sent: null });
        select(point);
      },
      onThinking: (thinking) => change({ thinking }),
      onPresence(state, away) {
        change({ state });
        absence.set(away);
      },
      onPhrase: (by, phrase) => phrases?.receive(by, phrase),
      onLink(linked) {
        if (game.linked === linked) return;
        // A page that answers itself says elsewhere why it does not.
        if (isRemote) announce(linked ? say("web.play.back") : say("web.play.lost"));
        change({ linked });
      },
    });
  }

  /**
   * Show what the server sends.
   *
   * @param {GameState} state
   * @param {ParticipantNumber[]} you
   */
  function take(state, you) {
    const { state: before, you: were } = game;
    const following = game.shown === before.ply;
    const moved = state.ply !== before.ply || state.stones.length !== before.stones.length;
    const apart = you.length < 2 && state.seats.every(({ occupant, open }) => occupant === "human" || open);
    const taken = moved || state.outcome || state.offered.includes(game.sent ?? "");
    const idle = moved || !(state.thinking || state.preparing);
    change({
      state,
      you,
      mayDecide: you.length > 0 || game.made || knows(first.id),
      apart,
      between: (apart || state.unaided) && !state.outcome,
      passed: 0,
      shown: following ? state.ply : Math.min(game.shown, state.ply),
      sent: taken ? null : game.sent,
      thinking: idle ? null : game.thinking,
      ...(moved ? { hinted: null, fouled: null } : {}),
    });
    remember();
    clocks.set();
    tabs.set();
    room?.set();
    // What was said of the state before would contradict this one.
    if (state.version !== before.version) note("");
    if (known) awaitNext();
    if (known && game.apart) void openPhrases();
    if (!known || state === before) return;
    announceChanges(game, before, were);
    premoves.follow();
    if (state.outcome && !before.outcome) finish();
    if (state.again && !before.again && game.mayDecide) void follow(state.again);
  }

  /** The start page leads back to the game that one has played last, however it was begun or found. */
  function remember() {
    const on = known && game.mayDecide && !game.state.outcome;
    if (on && settings.get("lastGame") !== first.id) settings.set("lastGame", first.id);
  }

  /** Once one's game of a tournament is over, the next one is announced here. */
  function awaitNext() {
    const { tournament, outcome } = game.state;
    if (!tournament || !game.you.length) return;
    context.calls.enter(tournament);
    if (!outcome || awaiting) return;
    awaiting = true;
    stops.push(
      context.calls.listen((call) => {
        if (call.tournament !== tournament) return false;
        sound.phrase();
        announce(call.text);
        change({ next: call.game });
        note(call.text, true);
        return true;
      }),
    );
  }

  function finish() {
    sound.end();
    const { outcome } = game.state;
    if (!outcome) return;
    announce(resultText(say, outcome));
    endTimer = setTimeout(() => void showResult(), REST);
  }

  async function showResult() {
    const module = await loadModule(context, loadResult());
    if (!module || gone) return;
    result ??= module.createResult(game);
    result.show();
  }

  // -- what is done

  /** @param {Point} point */
  function select(point) {
    const { state, shown, fouled } = game;
    const name = pointName(point);
    if (!known) {
      early = point;
      return;
    }
    if (game.explained !== null) {
      tabs.hover(point); // a finger has no other way to point
      return;
    }
    if (shown !== state.ply) {
      show(state.ply);
      return;
    }
    if (state.outcome) {
      note("");
      return;
    }
    const foul = state.fouls_mode === "claimed" ? undefined : state.fouls[name];
    if (foul && (state.fouls_mode === "forbidden" || fouled !== name || !mayPlay(game))) {
      change({ fouled: name });
      const values = { point: name, kind: say(`foul.${foul.kind}`), lines: rows(foul.lines) };
      const playable = state.fouls_mode === "loses" && mayPlay(game);
      // Before Python only the kind is known.
      const told = foul.lines.length ? say("describe.forbidden", values) : say("error.forbidden", values);
      refuse(playable ? say("web.play.foul_loses", values) : told);
    } else if (state.stones.some(([taken]) => taken === name)) {
      refuse(say("error.occupied", { point: name }));
    } else if (mayPremove(game)) {
      premoves.toggle(name);
    } else if (!mayPlay(game)) {
      // The line above says already why.
      note("");
      table.refuse();
      announce(standingOf(game).words);
    } else if (!game.sent) void play(name);
  }

  /** @param {string} text */
  function refuse(text) {
    table.refuse();
    note(text);
  }

  /** @param {string} name of a point */
  async function play(name) {
    change({ sent: name, fouled: null, hinted: null });
    note("");
    await send("move", { point: name, ply: game.state.ply });
    if (game.sent === name) change({ sent: null });
  }

  /** @type {Acts["send"]} */
  async function send(type, more = {}) {
    const { ply, version } = game.state;
    try {
      const answer = await live.send({ type, version, ...more });
      // A hint for a position that has been left would be drawn in another one.
      if (type === "hint" && game.state.ply === ply) showHint(answer);
      return answer;
    } catch (error) {
      refuse(context.errorText(error));
      return null;
    }
  }

  /** @param {{point: string | null, option?: string | null}} answer */
  function showHint({ point, option }) {
    change({ hinted: point ?? null });
    note(say("web.play.hinted", { point: point ?? say(`opening.option.${option}`) }));
  }

  async function openPhrases() {
    if (meeting || isOff("phrases")) return;
    meeting = true;
    const module = await loadModule(context, import("./phrases.js"));
    if (!module || gone) return;
    phrases = module.createPhrases(game);
    change({ speech: module });
  }

  async function openRoom() {
    const module = await loadModule(context, import("./room.js"));
    if (!module || gone) return;
    room = module.createRoom(game, draw);
    room.set();
    draw();
  }

  async function join() {
    try {
      const { token } = await context.api.post(`/api/games/${first.id}/join`);
      keepTokens(first.id, [token]);
      live.close();
      live = connect();
    } catch (error) {
      note(context.errorText(error));
    }
  }

  async function again() {
    if (game.state.again) await follow(game.state.again);
    else {
      const made = await send("again");
      if (made?.game) keepTokens(made.game, Object.values(made.seats));
    }
  }

  /** Go on to the next game. @param {string} id */
  async function follow(id) {
    keepTokens(id, tokensOf(first.id));
    context.go(`/g/${id}`);
  }
}
