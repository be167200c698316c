/**
 * The two seats: who plays what, how they stand, and their clocks.
 *
 * @import { Seat } from "../shared/schemas.js"
 * @import { Game } from "./game_state.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { ratingText } from "../shared/ratings.js";
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
 * @param {NonNullable<Seat["clock"]>} clock as the server has told it
 * @param {number} passed seconds since then
 */
export function secondsLeft({ left, running }, passed) {
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
