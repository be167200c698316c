/**
 * How a game ended: who won and why, and where to go from here.
 *
 * @import { Outcome } from "../shared/schemas.js"
 * @import { Game } from "./types.js"
 * @import { Status } from "./status_view.js"
 *
 * @typedef {object} Result
 * @property {() => void} show open the dialog, unless another is open
 * @property {() => void} draw what has changed meanwhile
 */

import { html, render } from "/static/vendor/lit-html/lit.js";
import { shareGame } from "../shared/address.js";
import { ratingText, resultText, rulesName } from "../shared/names.js";
import { disc, isOff } from "../shared/view.js";
import { againLabel } from "./actions.js";
import { ownSeats } from "./game_state.js";
import { answersView, standingOf } from "./status_view.js";

/**
 * @param {Game} game
 * @returns {Result}
 */
export function createResult(game) {
  const offer = document.createElement("div");
  const rated = document.createElement("p");
  /** From the moment in which it is asked for: the module of dialogs may have to be loaded. */
  let open = false;
  return { show, draw };

  function show() {
    const { outcome } = game.state;
    if (!outcome || document.querySelector("dialog[open]")) return;
    open = true;
    draw();
    void showResult(game, outcome, [offer, rated]).finally(() => (open = false));
    void showRating(game, rated);
  }

  /**
   * What the opponent asks meanwhile, and that the next game is ready, is said in the window as well: it lies over
   * the line that says so, and over its buttons.
   */
  function draw() {
    if (!open) return;
    if (!game.state.outcome) {
      // A stone was taken back, and the game goes on.
      offer.closest("dialog")?.close("");
      return;
    }
    const { kind, words, buttons = [] } = standingOf(game);
    if (kind === "ask") render(offerView(words, buttons), offer);
    else if (game.state.undoable && buttons.length)
      render(offerView(game.context.say("web.seats.were_changed"), buttons), offer);
    else render(offerView(game.next ? game.note : "", []), offer);
  }
}

/**
 * @param {string} words
 * @param {NonNullable<Status["buttons"]>} buttons
 */
function offerView(words, buttons) {
  return html`<div class="result-offer" ?hidden=${!words}>
    <p role="status">${words}</p>
    ${answersView(buttons)}
  </div>`;
}

/**
 * @param {Game} game
 * @param {Outcome} outcome
 * @param {HTMLElement[]} parts what the opponent asks, and what is said besides; they draw themselves
 */
async function showResult(game, outcome, [offer, ...others]) {
  const { state, context } = game;
  const { say } = context;
  const { winner } = outcome;
  const own = ownSeats(game);
  const personal = own.length === 1;
  const drawn = outcome.reason === "aborted" ? "web.play.aborted" : "web.play.drawn";
  const title = !winner
    ? say(drawn)
    : !personal
      ? say("web.play.colour_wins", { colour: say(winner) })
      : own[0].colour === winner
        ? say("web.play.you_win")
        : say("web.play.you_lose");
  const facts = say("web.play.facts", { moves: state.ply, rules: rulesName(say, state.rules_name) });
  const content = html`${offer}
    <div class="result">
      <div class="result-stone">${winner ? disc(winner) : [disc("black"), disc("white")]}</div>
      <p>${resultText(say, outcome)}</p>
      <p class="soft">${facts}</p>
      ${others}
    </div>`;
  const again = state.tournament
    ? { value: "tournament", label: say("web.tournament.back"), kind: /** @type {const} */ ("main") }
    : { value: "again", label: againLabel(game), kind: /** @type {const} */ ("main") };
  const answer = await context.openDialog({
    title,
    content,
    buttons: [
      ...(isOff("links") ? [] : [{ value: "share", label: say("web.play.share") }]),
      { value: "print", label: say("web.print.print") },
      { value: "review", label: say("web.play.review") },
      ...(state.tournament || (game.mayDecide && !isOff("games")) ? [again] : []),
    ],
    beside: true,
  });
  if (answer === "again") await game.acts.again();
  else if (answer === "tournament") context.go(`/tournaments/${state.tournament}`);
  else if (answer === "review") context.go(`/analyse?game=${state.id}#review`);
  else if (answer === "share") await shareGame(game);
  else if (answer === "print") print();
}

/**
 * How a rated game has changed one's rating.
 *
 * @param {Game} game
 * @param {HTMLElement} place
 */
async function showRating(game, place) {
  const { state, context } = game;
  const { say, api } = context;
  const before = ownSeats(game)[0]?.rating;
  if (!state.rated || !before || game.you.length !== 1) return;
  const after = (await api.get("/api/visitor").catch(() => null))?.ratings[state.rated];
  if (!after || JSON.stringify(after) === JSON.stringify(before)) {
    const other = state.seats.find(({ participant }) => !game.you.includes(participant))?.rating;
    if (state.ply < 2) render(say("web.play.rated_short"), place);
    else if (other?.provisional && !before.provisional) render(say("web.play.rated_provisional"), place);
    return;
  }
  const gained = after.rating - before.rating;
  const change = gained > 0 ? `+${gained}` : String(gained).replace("-", "−");
  render(say("web.play.rated_after", { rating: ratingText(after), change }), place);
}
