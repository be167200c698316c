/**
 * The two seats: who plays what, how they stand, and their clocks, which run between the server's news.
 *
 * @typedef {import("../shared/types.js").Seat} Seat
 * @typedef {import("./game_view.js").Game} Game
 */

import { disc, h } from "../shared/dom.js";
import { playerName } from "../shared/names.js";

const TICK = 100; // milliseconds

/**
 * @param {HTMLElement} top
 * @param {HTMLElement} bottom
 * @param {Game} game
 */
export function createPlayersBar(top, bottom, game) {
  const { say } = game.context;
  let since = 0;
  /** @type {{seat: Seat, face: HTMLElement}[]} */
  let clocks = [];
  let timer = 0;

  return { set, destroy: () => clearInterval(timer) };

  /** @param {boolean} fresh whether the clocks are as of now */
  function set(fresh) {
    const { state, you } = game;
    if (fresh) since = performance.now();
    const [first, second] = state.seats;
    // One's own seat is below, next to one's hand; Black's where there is no or no single one.
    const own = you.length === 1 ? state.seats.find((seat) => seat.participant === you[0]) : undefined;
    const human = state.seats.find((seat) => seat.occupant === "human" && you.includes(seat.participant));
    const low = own ?? human ?? first;
    clocks = [];
    fill(top, low === first ? second : first);
    fill(bottom, low);
    clearInterval(timer);
    if (clocks.some(({ seat }) => seat.clock?.running)) timer = setInterval(tick, TICK);
    tick();
  }

  /**
   * @param {HTMLElement} place
   * @param {Seat} seat
   */
  function fill(place, seat) {
    const { state } = game;
    const acting = state.actor === seat.participant && !state.outcome;
    const won = state.outcome?.winner === seat.colour;
    place.classList.toggle("acting", acting);
    const face = h("span", { class: "clock", role: "timer", "aria-label": say("web.play.clock") });
    if (seat.clock) clocks.push({ seat, face });
    place.replaceChildren(
      disc(seat.colour),
      h(
        "div",
        { class: "who" },
        h("b", null, seatName(game, seat)),
        h("span", { class: "soft" }, [say(seat.colour), ...standing(seat, acting)].join(" · ")),
      ),
      won ? h("span", { class: "won" }, say("web.play.won")) : "",
      seat.clock ? face : "",
    );
  }

  /**
   * @param {Seat} seat
   * @param {boolean} acting
   */
  function standing(seat, acting) {
    const { state, you, thinking } = game;
    if (seat.open) return [say("web.play.seat_open")];
    const parts = [];
    if (seat.occupant === "human" && !you.includes(seat.participant) && !seat.connected) {
      parts.push(say("web.play.away"));
    }
    if (acting && seat.occupant !== "human" && !state.paused) {
      parts.push(say("web.play.thinking"));
      if (thinking?.point) parts[parts.length - 1] += ` ${thinking.point}`;
    } else if (acting && seat.occupant === "human" && you.includes(seat.participant) && you.length === 1) {
      parts.push(say("web.play.your_turn"));
    } else if (acting) parts.push(say("web.play.to_move"));
    return parts;
  }

  function tick() {
    const passed = (performance.now() - since) / 1000;
    for (const { seat, face } of clocks) {
      const clock = /** @type {NonNullable<Seat["clock"]>} */ (seat.clock);
      const left = Math.max(0, clock.left - (clock.running ? passed : 0));
      const text = clockText(left) + (clock.periods ? ` ×${clock.periods}` : "");
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("short", clock.running && left < 10);
    }
  }
}

/** @param {number} seconds */
export function clockText(seconds) {
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * @param {Game} game
 * @param {Seat} seat
 */
export function seatName({ context: { say }, you }, seat) {
  if (seat.occupant !== "human") return playerName(say, seat.occupant);
  if (you.length === 2 || !you.length) return say("web.play.player", { colour: say(seat.colour) });
  return you.includes(seat.participant) ? say("web.play.you") : say("web.play.friend");
}
