/**
 * What is said about a puzzle and about the moves of whoever solves it.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Say } from "/assets/words.js"
 * @import { Judged } from "../learn/lesson_board.js"
 * @import { Foul, PuzzleTurn } from "../shared/schemas.js"
 * @import { Puzzle } from "./puzzle_tree.js"
 *
 * @typedef {object} Feedback
 * @property {"" | "right" | "wrong" | "solved"} kind
 * @property {string} head in a word or two
 * @property {string} text
 */

import { rows, sentence } from "../shared/names.js";
import { namesOf } from "../shared/position.js";
import { enemyOf, movesLeft, solverOf } from "./puzzle_tree.js";

/**
 * What is asked for.
 *
 * @param {Say} say
 * @param {Puzzle} puzzle
 */
export function questionOf(say, puzzle) {
  return say(`puzzle.ask.${puzzle.kind}`, { colour: say(solverOf(puzzle)) });
}

/** @param {Say} say @param {Puzzle} puzzle @returns {Feedback} */
export function initialFeedback(say, puzzle) {
  const text = say(`web.puzzles.task.${puzzle.kind}`, { enemy: say(enemyOf(puzzle)) });
  return { kind: "", head: say("web.puzzles.your_turn"), text };
}

/**
 * @param {Say} say
 * @param {Puzzle} puzzle
 * @param {string} point
 * @param {string} [answer] of the other side, once it has come
 * @returns {Feedback}
 */
export function rightFeedback(say, puzzle, point, answer) {
  const colour = say(enemyOf(puzzle));
  const text = answer ? say("puzzle.answered", { colour, answer }) : "";
  return { kind: "right", head: say("web.puzzles.right", { point }), text };
}

/**
 * @param {Say} say
 * @param {Puzzle} puzzle
 * @param {PuzzleTurn} turn the last one
 * @param {string} point that solved it
 * @param {boolean} helped
 * @returns {Feedback}
 */
export function solvedFeedback(say, puzzle, turn, point, helped) {
  const head = say(helped ? "web.puzzles.solved_helped" : "web.puzzles.solved");
  return { kind: "solved", head, text: solved() };

  function solved() {
    if (puzzle.kind !== "defence")
      return say("puzzle.nothing_stops", { point, colour: say(solverOf(puzzle)) });
    const points = Object.keys(turn.right).filter((one) => one !== point);
    if (!points.length) return say("puzzle.stops", { point });
    return say("web.puzzles.stops_also", { point, count: points.length, points });
  }
}

/** @param {Say} say @param {Puzzle} puzzle @returns {Feedback} */
export function solutionFeedback(say, puzzle) {
  const points = Object.keys(puzzle.turn.right);
  const text =
    puzzle.kind === "defence"
      ? say("web.puzzles.all_stops", { count: points.length, points })
      : say("web.puzzles.wins_so", { colour: say(solverOf(puzzle)) });
  return { kind: "", head: "", text };
}

/**
 * Why a move does not solve it.
 *
 * @param {Say} say
 * @param {Puzzle} puzzle
 * @param {PuzzleTurn} turn
 * @param {string} point
 * @param {Judged | null} judged the position before the move, where it is known
 * @returns {Feedback}
 */
export function wrongFeedback(say, puzzle, turn, point, judged) {
  const enemy = enemyOf(puzzle);
  return { kind: "wrong", head: say("web.puzzles.wrong"), text: why() };

  function why() {
    const colour = say(enemy);
    if (puzzle.kind === "defence") return say("puzzle.still_wins", { point, colour });
    const threat = namesOf(turn.wrong).includes(point);
    if (threat && puzzle.kind === "vcf") return say("puzzle.four_fails", { point, colour });
    if (threat) return say("puzzle.threat_fails", { point, colour });
    // A four that leaves the other side a five is no threat, though it is a four.
    const [five] = fivesOf(judged, enemy).filter((one) => one !== point);
    if (five) return say("puzzle.five_first", { point, colour, five });
    if (puzzle.kind === "vcf") return say("puzzle.no_four", { point });
    return say("puzzle.no_threat", { point, colour });
  }
}

/**
 * Where a colour could make a five at once.
 *
 * @param {Judged | null} judged
 * @param {Colour} colour
 */
function fivesOf(judged, colour) {
  const fours = (judged?.threats[colour] ?? []).filter(({ kind }) => kind.endsWith("four"));
  return fours.flatMap(({ gains }) => gains);
}

/** @param {Say} say @param {string} point @returns {Feedback} */
export function occupiedFeedback(say, point) {
  return { kind: "", head: "", text: sentence(say("error.occupied", { point })) };
}

/** @param {Say} say @param {string} point @param {Foul} foul @returns {Feedback} */
export function foulFeedback(say, point, { kind, lines }) {
  const values = { point, kind: say(`foul.${kind}`), lines: rows(lines) };
  return { kind: "", head: "", text: sentence(say("describe.forbidden", values)) };
}

/**
 * @param {Say} say
 * @param {Puzzle} puzzle
 * @param {PuzzleTurn} turn
 * @param {string | null} point a right one, if it is to be told
 * @returns {Feedback}
 */
export function hintFeedback(say, puzzle, turn, point) {
  return { kind: "", head: "", text: hint() };

  function hint() {
    if (point) return say("puzzle.hint.point", { point });
    if (puzzle.kind === "defence")
      return say("web.puzzles.hint_points", { count: Object.keys(turn.right).length });
    return say("puzzle.hint.moves", { moves: movesLeft(turn) });
  }
}
