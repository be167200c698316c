/**
 * The two seats: who plays what, how they stand, and their clocks, which run between the server's messages. Who is left alone
 * long enough by the opponent, without a clock, may end the game.
 *
 * @import { ParticipantNumber, Seat } from "../shared/schemas.js"
 * @import { Game } from "./types.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { ratingText } from "../shared/names.js";
import { disc } from "../shared/view.js";
import { seatName } from "./game_state.js";

const SHORT = 10; // seconds from which on a clock warns

/**
 * The seats above and below the board: one's own is below, next to one's hand; Black's where there is no or no
 * single one.
 *
 * @param {Game} game
 */
export function seatViews(game) {
  const { state, you } = game;
  const [first, second] = state.seats;
  const own = you.length === 1 ? state.seats.find((seat) => seat.participant === you[0]) : undefined;
  const human = state.seats.find((seat) => seat.occupant === "human" && you.includes(seat.participant));
  const low = own ?? human ?? first;
  return { top: seatView(game, low === first ? second : first), bottom: seatView(game, low) };
}

/**
 * @param {Game} game
 * @param {Seat} seat
 */
function seatView(game, seat) {
  const { state, context } = game;
  const { say } = context;
  // As long as a seat is free, or the engine is not ready, nobody's turn has begun.
  const waits = state.preparing || state.seats.some(({ open }) => open);
  const acting = state.actor === seat.participant && !state.outcome && !waits;
  const won = state.outcome?.winner === seat.colour;
  const rating = seat.rating ? [ratingText(seat.rating)] : [];
  const facts = [...rating, say(seat.colour), ...standing(game, seat, acting)].join(" · ");
  return {
    acting,
    content: html`${disc(seat.colour)}
      <div class="who"><b>${seatName(game, seat)}</b><span class="soft">${facts}</span></div>
      ${game.speech?.phraseView(game, seat.participant)}
      ${won ? html`<span class="won">${say("web.play.won")}</span>` : nothing}
      ${seat.clock ? clockView(game, seat.clock) : nothing}`,
  };
}

/**
 * @param {Game} game
 * @param {Seat} seat
 * @param {boolean} acting
 */
function standing({ state, you, thinking, context: { say } }, seat, acting) {
  if (seat.open) return [say("web.play.seat_open")];
  const human = seat.occupant === "human";
  const yours = human && you.includes(seat.participant);
  const parts = human && !yours && !seat.connected ? [say("web.play.away")] : [];
  if (!acting) return parts;
  if (!human && !state.paused) {
    const { point } = thinking ?? {};
    return [...parts, point ? say("web.play.thinking_of", { point }) : say("web.play.thinking")];
  }
  return [...parts, yours && you.length === 1 ? say("web.play.your_turn") : say("web.play.to_move")];
}

/**
 * @param {Game} game
 * @param {NonNullable<Seat["clock"]>} clock
 */
function clockView({ passed, context: { say } }, clock) {
  const left = secondsLeft(clock, passed);
  const short = clock.running && left < SHORT;
  return html`<span class="clock ${short ? "short" : ""}" role="timer" aria-label=${say("web.play.clock")}
    >${clockText(left)}${clock.periods ? ` ×${clock.periods}` : ""}</span
  >`;
}

/**
 * @param {NonNullable<Seat["clock"]>} clock as the server has sent it
 * @param {number} passed seconds since then
 */
function secondsLeft({ left, running }, passed) {
  return Math.max(0, left - (running ? passed : 0));
}

/** @param {number} seconds */
export function clockText(seconds) {
  if (seconds < SHORT) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

const TICK = 100; // milliseconds

/** @param {Game} game */
export function createClocks(game) {
  let since = 0;
  let timer = 0;
  return { set, destroy: () => clearInterval(timer) };

  /** The server has sent the clocks as of now. */
  function set() {
    since = performance.now();
    clearInterval(timer);
    if (game.state.seats.some(({ clock }) => clock?.running)) timer = setInterval(tick, TICK);
  }

  function tick() {
    const passed = (performance.now() - since) / 1000;
    if (faces(passed) !== faces(game.passed)) game.acts.change({ passed });
  }

  /** @param {number} passed seconds */
  function faces(passed) {
    return game.state.seats.map(({ clock }) => (clock ? clockText(secondsLeft(clock, passed)) : "")).join();
  }
}

/** Seconds for which the opponent has to have been away, as the server has it. */
export const PATIENCE = 600;

/**
 * @param {Game} game
 * @param {() => void} draw one has been left alone long enough
 */
export function createAbsence(game, draw) {
  let timer = 0;
  return { set, destroy: () => clearTimeout(timer) };

  /** The server has sent for how long who is away. @param {Partial<Record<ParticipantNumber, number>>} away in seconds */
  function set(away) {
    const now = Date.now();
    const seconds = Object.entries(away);
    game.acts.change({
      leftAt: Object.fromEntries(seconds.map(([who, long]) => [who, now - long * 1000])),
    });
    clearTimeout(timer);
    const next = seconds.map(([, long]) => PATIENCE - long).filter((left) => left > 0);
    if (next.length) timer = setTimeout(draw, Math.min(...next) * 1000);
  }
}

/** Whether one may end the game for that. @param {Game} game */
export function isLeftAlone(game) {
  const { state } = game;
  const other = opponent(game);
  const left = other && game.leftAt[other];
  if (state.outcome || state.control || state.tournament || !left) return false;
  return Date.now() - left >= PATIENCE * 1000;
}

/** The other person, where one plays against one. @param {Game} game */
function opponent({ state, you, apart }) {
  const other = state.seats.find(({ participant }) => !you.includes(participant));
  return apart && you.length === 1 && other && !other.open ? other.participant : null;
}
