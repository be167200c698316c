/**
 * A game on paper.
 *
 * @import { Printed } from "../shared/printed_view.js"
 * @import { Game } from "./types.js"
 */

import { moveNames } from "../shared/moves_view.js";
import { resultText, rulesName, sentence } from "../shared/names.js";
import { printedHeadView, printedMovesView } from "../shared/printed_view.js";
import { colourOfMove, seatName } from "./game_state.js";

/**
 * @param {Game} game
 * @returns {Printed}
 */
export function printedGame(game) {
  const { state, shown, context } = game;
  const { say } = context;
  const names = Object.fromEntries(state.seats.map((seat) => [seat.colour, seatName(game, seat)]));
  const after = say("web.print.after", { ply: shown, total: state.ply });
  const facts = [
    ...(state.outcome ? [resultText(say, state.outcome)] : []),
    ...(state.outcome && shown === state.ply ? [] : [after]),
  ];
  const moves = state.moves.map((point, index) => ({ point, colour: colourOfMove(state, index) }));
  return {
    head: printedHeadView(say, { title: sentence(rulesName(say, state.rules_name)), names, facts }),
    moves: printedMovesView(moves, moveNames(context, state.rules.height)),
  };
}
