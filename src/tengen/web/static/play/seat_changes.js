/**
 * Seats that change hands: what will follow is said before it happens, and it can be taken back.
 *
 * @import { Game } from "./types.js"
 *
 * @typedef {object} SeatChange
 * @property {string} label what is asked for
 * @property {Partial<Record<number, string>>} occupants who would sit on the seats that change, by participant
 * @property {() => Promise<unknown>} act
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { playerName } from "../shared/names.js";

/**
 * Say what will follow, and do it if that is wanted.
 *
 * @param {Game} game
 * @param {SeatChange} change
 */
export async function askSeatChange({ state, context }, { label, occupants, act }) {
  const { say } = context;
  const sentences = [
    ...follows(say, state, occupants),
    state.control ? say("web.seats.undo_clock") : say("web.seats.undo"),
  ];
  const answer = await context.openDialog({
    title: label,
    content: html`<div class="seat-change">${sentences.map((text) => html`<p>${text}</p>`)}</div>`,
    buttons: [
      { value: "cancel", label: say("web.cancel") },
      { value: "change", label: say("web.seats.change"), kind: "main" },
    ],
    beside: true,
  });
  if (answer === "change") await act();
}

/**
 * Who plays whom then, and who moves or chooses at once.
 *
 * @param {Game["context"]["say"]} say
 * @param {Game["state"]} state
 * @param {SeatChange["occupants"]} occupants
 */
function follows(say, { seats, actor, opening }, occupants) {
  const after = seats.map(({ participant, colour, occupant }) => ({
    participant,
    colour,
    occupant: occupants[participant] ?? occupant,
  }));
  const named = (/** @type {string} */ spec) => playerName(say, spec);
  const [one, other] = after;
  const people = after.filter(({ occupant }) => occupant === "human");
  const computers = after.filter(({ occupant }) => occupant !== "human");
  const next = after.find(({ participant }) => participant === actor);
  const decision = opening?.decision;
  const sentences = [];
  if (people.length === 2) sentences.push(say("web.seats.both_yours"));
  else if (people.length === 1) {
    const values = { colour: say(people[0].colour), player: named(computers[0].occupant) };
    sentences.push(say("web.seats.you_play", values));
  } else if (one.occupant === other.occupant) {
    sentences.push(say("web.seats.plays_itself", { player: named(one.occupant) }));
  } else {
    const values = { black: "", white: "" };
    for (const { colour, occupant } of after) values[colour] = named(occupant);
    sentences.push(say("web.seats.computers_play", values));
  }
  if (decision && opening) {
    const values = { opening: say(`opening.${opening.name}`) };
    const player = next && next.occupant !== "human" ? named(next.occupant) : "";
    sentences.push(
      player
        ? say("web.seats.opening_computer", { ...values, player })
        : say("web.seats.opening_you", values),
    );
  } else if (people.length && next && next.occupant !== "human" && occupants[next.participant]) {
    sentences.push(say("web.seats.moves_at_once", { player: named(next.occupant) }));
  }
  return sentences;
}
