/**
 * What one may do beside playing a point: by buttons, in a menu, by keys; where two computers play, a slider for their pace.
 *
 * @import { Game } from "./types.js"
 * @import { SeatChange } from "./seat_changes.js"
 *
 * @typedef {object} Action
 * @property {string} name
 * @property {string} label
 * @property {() => void} act
 * @property {boolean} [able] whether it can be done now; true if left out
 * @property {string | number} [count] written behind the label
 * @property {"main" | "here" | "warn"} [kind]
 * @property {boolean} [sure] whether it is asked twice
 */

import { html, live, nothing, repeat } from "/static/vendor/lit-html/lit.js";
import { playerName } from "../shared/names.js";
import { showSetup } from "../shared/new_game.js";
import { loadModule } from "../shared/router.js";
import { FIRST_OPPONENT, closePopover, icon, isOff, valueOf } from "../shared/view.js";
import { computerSeats, ownSeats } from "./game_state.js";

const HESITATION = 3500; // milliseconds within which a second click confirms
/** Actions after which there is another game. */
const BEGINNING = ["again", "restart", "new"];

/** @param {Game} game */
export function createActions(game) {
  let timer = 0;
  return {
    run,
    /** What a key does. @param {string} name */
    press(name) {
      const all = [...mainActions(game), ...rareActions(game)];
      const found = all.find((action) => action.name === name && action.able !== false);
      if (found) run(found);
    },
    destroy: () => clearTimeout(timer),
  };

  /** @param {Action} action */
  function run({ name, act, sure }) {
    clearTimeout(timer);
    if (sure && game.unsure !== name) {
      timer = setTimeout(() => game.acts.change({ unsure: "" }), HESITATION);
      game.acts.change({ unsure: name });
      return;
    }
    game.acts.change({ unsure: "" });
    closePopover("more");
    act();
  }
}

/**
 * Those that are always in sight; their places never change while a game goes on.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function mainActions(game) {
  const { state } = game;
  if (state.tournament && (state.outcome || !game.you.length)) return inTournament(game);
  if (computerSeats(state).length === 2) return offered(watching(game));
  if (!game.mayDecide) return offered([newGame(game), review(game)]);
  return offered(state.outcome ? afterwards(game) : playing(game));
}

/**
 * Those that there are on this server: where no new games are begun, none that begins one.
 *
 * @param {Action[]} all
 */
function offered(all) {
  return isOff("games") ? all.filter(({ name }) => !BEGINNING.includes(name)) : all;
}

/**
 * While one plays.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function playing(game) {
  const { state, linked, acts, context } = game;
  const { say } = context;
  const own = ownSeats(game);
  const able = linked && own.length > 0;
  const turn = own.some(({ participant }) => participant === state.actor);
  /** @type {Action[]} */
  const all = hasTakeBacks(game) ? [takeBack(game)] : [];
  if (!game.between) {
    const act = () => void askHint(game);
    all.push({ name: "hint", label: say("web.play.hint"), act, able: able && turn, kind: "here" });
  }
  if (computerSeats(state).length && !state.tournament) {
    all.push({ ...hurry(game), able: able && state.thinking });
  }
  if (state.fouls_mode === "claimed" && state.has_fouls) {
    const white = own.some(({ colour }) => colour === "white");
    const act = () => void acts.send("claim");
    all.push({ name: "claim", label: say("web.play.claim"), act, able: able && white });
  }
  all.push({
    name: "draw",
    label: say("web.play.draw"),
    act: () => void offerDraw(game),
    able: able && !state.request,
  });
  all.push({
    name: "resign",
    label: say("web.play.resign"),
    act: () => void acts.send("resign"),
    able,
    kind: "warn",
    sure: true,
  });
  return all;
}

/**
 * When it is over; a game that ended on the board may be taken back.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function afterwards(game) {
  const reason = game.state.outcome?.reason ?? "";
  const { rematch } = game.state;
  const offered = rematch !== null && game.you.includes(rematch);
  const takeable = !["resigned", "time", "agreed", "abandoned", "aborted"].includes(reason);
  return [
    { ...again(game), able: game.linked && !offered, kind: "main" },
    review(game),
    newGame(game),
    ...(takeable && hasTakeBacks(game) ? [takeBack(game)] : []),
  ];
}

/**
 * Where two computers play.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function watching(game) {
  const { state, linked, mayDecide, acts, context } = game;
  const { say } = context;
  const able = linked && mayDecide;
  if (state.outcome) return [{ ...again(game), able, kind: "main" }, review(game), newGame(game)];
  const act = () => void acts.send("step");
  return [
    {
      ...pause(game),
      able: able && !state.preparing,
      ...(state.paused ? { kind: /** @type {const} */ ("main") } : {}),
    },
    { name: "step", label: say("web.play.step"), act, able: able && state.paused && !state.preparing },
    { ...hurry(game), able: able && state.thinking },
    newGame(game),
  ];
}

/**
 * Those of the menu.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function rareActions(game) {
  const { state, linked, mayDecide, between, acts, context } = game;
  const { say } = context;
  const over = Boolean(state.outcome);
  const turn = ownSeats(game).some(({ participant }) => participant === state.actor);
  /** @type {Action[]} */
  const all = !over && mayDecide && !between && linked ? seatActions(game) : [];
  if (state.rules.passing && !over && turn) {
    const act = () => void acts.send("move", { point: "--", ply: state.ply });
    all.push({ name: "pass", label: say("replay.pass"), act });
  }
  if (state.tournament) all.push(tournament(game));
  else if (!over && mayDecide && computerSeats(state).length < 2) {
    const label = say("web.play.restart");
    all.push({ ...again(game), name: "restart", label, sure: true, able: !between });
  }
  if (mayAbort(game)) {
    const act = () => void acts.send("abort");
    all.push({ name: "abort", label: say("web.play.abort"), act, able: linked, sure: true });
  }
  all.push(
    newGame(game),
    ...(isOff("links")
      ? []
      : [{ name: "share", label: say("web.play.share"), act: () => void share(game) }]),
    { name: "print", label: say("web.print.print"), act: () => print() },
    review(game),
    { name: "help", label: say("web.play.keys"), act: () => void showKeys(context) },
  );
  return offered(all);
}

/**
 * Whether a game of two people can be called off: one of them has not played yet.
 *
 * @param {Game} game
 */
function mayAbort({ state, apart, you }) {
  return apart && you.length === 1 && !state.outcome && !state.tournament && !state.begun;
}

/**
 * Who sits where, and whether the game goes on.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function seatActions(game) {
  const { state, acts, context } = game;
  const { say, settings } = context;
  const computers = computerSeats(state);
  /** @type {Action[]} */
  const all = [];
  if (computers.length === 1) {
    const [{ participant: one, occupant: first }, { participant: other, occupant: second }] = state.seats;
    const label = say("web.play.swap");
    const occupants = { [one]: second, [other]: first };
    const change = { label, occupants, act: () => acts.send("swap_sides") };
    all.push({ name: "swap", label, act: () => void changeSeats(game, change) });
  }
  if (computers.length < 2 && !state.preparing && (state.paused || state.control)) all.push(pause(game));
  for (const { participant, colour } of ownSeats(game)) {
    // As strong as the computer that plays, or as the one chosen last.
    const successor = computers[0]?.occupant ?? settings.get("game")?.opponent ?? FIRST_OPPONENT;
    const values = { player: playerName(say, successor), colour: say(colour) };
    const label = say("web.play.hand_over", values);
    const act = () => handOver(game, label, participant, successor);
    all.push({ name: `computer-${colour}`, label, act });
  }
  for (const { participant, colour } of computers) {
    const label = say("web.play.take_seat", { colour: say(colour) });
    const act = () => handOver(game, label, participant, "human");
    all.push({ name: `human-${colour}`, label, act });
  }
  return all;
}

/**
 * @param {Game} game
 * @param {string} label
 * @param {number} participant whose seat it is
 * @param {string} occupant who is to sit there
 */
function handOver(game, label, participant, occupant) {
  const act = () => game.acts.send("hand_over", { participant, occupant });
  void changeSeats(game, { label, occupants: { [participant]: occupant }, act });
}

/**
 * @param {Game} game
 * @param {SeatChange} change
 */
async function changeSeats(game, change) {
  const module = await loadModule(game.context, import("./seat_changes.js"));
  await module?.askSeatChange(game, change);
}

/** @param {Game} game @returns {Action} */
function again(game) {
  return { name: "again", label: againLabel(game), act: () => void game.acts.again() };
}

/**
 * What the next game is called: one that another person has to agree to is a rematch.
 *
 * @param {Game} game
 */
export function againLabel({ apart, state, context: { say } }) {
  const rematch = apart && state.outcome && !state.seats.some(({ open }) => open);
  return rematch ? say("web.play.rematch") : say("web.play.again");
}

/**
 * In a game of a tournament that is over, or that others play.
 *
 * @param {Game} game
 * @returns {Action[]}
 */
function inTournament(game) {
  const { next, context } = game;
  if (!next) return [tournament(game), review(game)];
  const act = () => context.go(`/g/${next}`);
  const label = context.say("web.tournament.play");
  return [{ name: "next", label, act, kind: "main" }, { ...tournament(game), kind: "here" }, review(game)];
}

/** The way to the table of the tournament. @param {Game} game @returns {Action} */
function tournament({ state, context: { say, go } }) {
  const act = () => go(`/tournaments/${state.tournament}`);
  return { name: "tournament", label: say("web.tournament.back"), act, kind: "main" };
}

/** @param {Game} game @returns {Action} */
function newGame({ context }) {
  return { name: "new", label: context.say("web.play.new"), act: () => void showSetup(context) };
}

/** @param {Game} game @returns {Action} */
function review({ state, between, context: { say, go } }) {
  const label = state.outcome ? say("web.play.review") : say("web.play.analyse");
  const act = () => go(`/analyse?game=${state.id}${state.outcome ? "#review" : ""}`);
  return { name: "review", label, able: !between, act };
}

/** @param {Game} game @returns {Action} */
function hurry({ acts, context: { say } }) {
  return { name: "hurry", label: say("web.play.hurry"), act: () => void acts.send("hurry") };
}

/** @param {Game} game @returns {Action} */
function pause({ state, acts, context: { say } }) {
  return state.paused
    ? { name: "pause", label: say("web.play.resume"), act: () => void acts.send("resume") }
    : { name: "pause", label: say("web.play.pause"), act: () => void acts.send("pause") };
}

/** Whether this game knows take-backs at all. @param {Game} game */
function hasTakeBacks({ state }) {
  return state.take_backs_each !== 0 && !state.tournament;
}

/**
 * Take a stone or a round back; once none is left the button stays in its place.
 *
 * @param {Game} game
 * @returns {Action}
 */
function takeBack(game) {
  const { state, linked, acts, context } = game;
  const own = ownSeats(game);
  // Two people at one device: the side that has just moved takes back.
  const seat = own.length === 2 ? own.find(({ participant }) => participant !== state.actor) : own[0];
  return {
    name: "back",
    label: context.say("web.play.back_take"),
    act: () => void acts.send("take_back"),
    able: linked && own.length > 0 && state.ply > 0 && seat?.take_backs !== 0,
    count: seat?.take_backs || undefined,
  };
}

/** @param {Game["context"]} context */
async function showKeys(context) {
  const module = await loadModule(context, import("./game_keys_dialog.js"));
  module?.showGameKeys(context);
}

/** @param {Game} game */
async function share(game) {
  const module = await loadModule(game.context, import("../shared/address.js"));
  await module?.shareGame(game);
}

/** @param {Game} game */
async function askHint({ acts, context: { say } }) {
  acts.note(say("web.play.hint_wait"), true);
  await acts.send("hint");
}

/** @param {Game} game */
async function offerDraw(game) {
  const offered = await game.acts.send("draw");
  // A computer has answered already: either the game is over now, or it declines.
  if (offered && !game.state.outcome && computerSeats(game.state).length)
    game.acts.note(game.context.say("web.play.draw_declined"));
}

const DOTS = "M4.5 10h.01M10 10h.01M15.5 10h.01";
const PACES = [5, 3, 2, 1, 0.5, 0.2, 0]; // seconds a move, slow to fast

/**
 * @param {Game} game
 * @param {(action: Action) => void} onRun
 */
export function actionsView(game, onRun) {
  const main = mainActions(game);
  const speech = game.speech?.maySpeak(game) ? game.speech : null;
  const more = game.context.say("web.play.more");
  const buttons = (/** @type {Action[]} */ all) =>
    repeat(
      all,
      ({ name }) => name,
      (action) => buttonView(game, action, onRun),
    );
  return html`${paceView(game)}
    <div class="action-grid panel" data-count=${main.length + (speech ? 2 : 1)}>
      ${buttons(main)}
      ${
        speech
          ? html`<button id="act-say" class="action" type="button" popovertarget="phrases">
              ${game.context.say("web.play.say")}
            </button>`
          : nothing
      }
      <button
        id="act-more"
        class="action"
        type="button"
        popovertarget="more"
        aria-label=${more}
        title=${more}
      >
        ${icon(DOTS)}
      </button>
    </div>
    <div id="more" class="popover" popover="auto">${buttons(rareActions(game))}</div>
    ${speech?.phrasesView(game)}`;
}

/**
 * @param {Game} game
 * @param {Action} action
 * @param {(action: Action) => void} onRun
 */
function buttonView({ unsure, context: { say } }, action, onRun) {
  const { name, label, able = true, count, kind = "", sure } = action;
  const asking = sure && unsure === name;
  return html`<button
    id="act-${name}"
    class="action ${kind} ${asking ? "sure" : ""}"
    type="button"
    ?disabled=${!able}
    @click=${() => onRun(action)}
  >
    ${asking ? say("web.play.sure", { action: label }) : label}${count === undefined ? nothing : html`<small>${count}</small>`}
  </button>`;
}

/**
 * How fast two computers play.
 *
 * @param {Game} game
 */
function paceView(game) {
  const { state, mayDecide, pace, acts, context } = game;
  const { say } = context;
  if (state.outcome || computerSeats(state).length < 2) return nothing;
  const seconds = pace ?? state.pace;
  const text = seconds ? say("web.play.pace_seconds", { seconds }) : say("web.play.pace_full");
  const away = PACES.map((one) => Math.abs(one - seconds));
  const chosen = (/** @type {Event} */ event) => PACES[Number(valueOf(event))];
  const settle = async (/** @type {number} */ wanted) => {
    await acts.send("pace", { seconds: wanted });
    // The slider may have been moved on meanwhile.
    if (game.pace === wanted) acts.change({ pace: null });
  };
  return html`<label class="pace panel"
    >${say("web.play.pace")}
    <input
      type="range"
      min="0"
      max=${PACES.length - 1}
      step="1"
      aria-label=${say("web.play.pace")}
      aria-valuetext=${text}
      ?disabled=${!mayDecide}
      .value=${live(String(away.indexOf(Math.min(...away))))}
      @input=${(/** @type {Event} */ event) => acts.change({ pace: chosen(event) })}
      @change=${(/** @type {Event} */ event) => void settle(chosen(event))}
    />
    <span class="soft">${text}</span>
  </label>`;
}
