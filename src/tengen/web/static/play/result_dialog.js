/**
 * How a game ended: who won and why, and where to go from here.
 *
 * @typedef {import("./game_state.js").Game} Game
 */

import { html } from "/static/vendor/lit-html/lit-html.js";
import { disc } from "../shared/view.js";
import { resultText, rulesName } from "../shared/names.js";
import { ownSeats } from "./game_state.js";
import { shareGame } from "./share.js";

/** @param {Game} game */
export async function showResult(game) {
  const { state, context } = game;
  const { outcome } = state;
  const { say } = context;
  if (!outcome || document.querySelector("dialog[open]")) return;
  const { winner } = outcome;
  const own = ownSeats(game);
  const personal = own.length === 1;
  const title = !winner
    ? say("web.play.drawn")
    : !personal
      ? say("web.play.colour_wins", { colour: say(winner) })
      : own[0].colour === winner
        ? say("web.play.you_win")
        : say("web.play.you_lose");
  const facts = say("web.play.facts", { moves: state.ply, rules: rulesName(say, state.rules.name) });
  const content = html`<div class="result">
    <div class="result-stone">${winner ? disc(winner) : [disc("black"), disc("white")]}</div>
    <p>${resultText(say, outcome)}</p>
    <p class="soft">${facts}</p>
  </div>`;
  const again = { value: "again", label: say("web.play.again"), kind: /** @type {const} */ ("main") };
  const answer = await context.openDialog({
    title,
    content,
    buttons: [
      { value: "share", label: say("web.play.share") },
      { value: "review", label: say("web.play.review") },
      ...(game.mine ? [again] : []),
    ],
    beside: true,
  });
  if (answer === "again") await game.acts.again();
  else if (answer === "review") context.go(`/analyse?game=${state.id}`);
  else if (answer === "share") await shareGame(game);
}
