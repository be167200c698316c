/**
 * What is told of a change in a game: by sound, to screen readers, and as a note. A stone, a change of colour, an
 * offer that was declined.
 *
 * @import { GameState, ParticipantNumber } from "../shared/schemas.js"
 * @import { Game } from "./game_state.js"
 */

import { ownSeats, seatName } from "./game_state.js";

/**
 * @param {Game} game as it is now
 * @param {GameState} before
 * @param {ParticipantNumber[]} were whom one played then
 */
export function tellNews(game, before, were) {
  const { state, context } = game;
  if (state.ply > before.ply) tellMove(game);
  tellColour(game, colourOf(before, were), colourOf(state, game.you));
  tellAnswer(game, before);
  const offered = before.rematch && game.you.includes(before.rematch);
  if (offered && !state.rematch && !state.again && state.outcome)
    game.acts.note(context.say("web.play.rematch_declined"));
  if (state.notice && state.notice.key !== before.notice?.key)
    context.toast(state.notice, { kind: "error" });
}

/** What the window is called: who plays whom, and a dot before it where one is to move. @param {Game} game */
export function titleOf(game) {
  const { state, you } = game;
  const turn = !state.outcome && state.actor !== null && you.length === 1 && you.includes(state.actor);
  const names = state.seats.map((seat) => seatName(game, seat)).join(" – ");
  return `${turn ? "● " : ""}${names} · Tengen`;
}

/** A stone was put: let it be heard. @param {Game} game */
function tellMove({ state, you, context: { say, sound, announce } }) {
  sound.stone();
  const colour = state.stones.at(-1)?.[1];
  const point = state.last;
  if (!point || !colour) return;
  const turn = state.actor !== null && you.includes(state.actor) && you.length === 1;
  announce(say(turn ? "web.play.played_you" : "web.play.played", { colour: say(colour), point }));
}

/**
 * An opening rule, or a swap of sides, has given one the other colour.
 *
 * @param {Game} game
 * @param {string | undefined} was
 * @param {string | undefined} is
 */
function tellColour({ state, context: { say, toast } }, was, is) {
  if (was && is && was !== is && !state.outcome) toast(say("web.play.now_colour", { colour: say(is) }));
}

/**
 * What one has asked the opponent was declined: nothing else has changed.
 *
 * @param {Game} game
 * @param {GameState} before
 */
function tellAnswer({ state, you, acts, context: { say } }, { request, ...before }) {
  const asked = request && you.length === 1 && you[0] === request.by;
  const face = (/** @type {typeof before} */ { moves, offered, opening, outcome }) =>
    JSON.stringify([moves, offered, opening, outcome]);
  if (!asked || state.request || face(before) !== face(state)) return;
  acts.note(request.kind === "draw" ? say("web.play.draw_declined") : say("web.play.back_declined"));
}

/** The colour of the only seat that one plays. @type {(state: GameState, you: ParticipantNumber[]) => string | undefined} */
function colourOf(state, you) {
  const own = ownSeats({ state, you });
  return own.length === 1 ? own[0].colour : undefined;
}
