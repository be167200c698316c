/**
 * The chapters of the guided walk: positions, players and answers. The texts are `web.learn.NAME.*` of the
 * catalogue. That the answers are right, and that the player does overlook them, is checked by the tests.
 *
 * @import { Position } from "../shared/types.js"
 *
 * @typedef {object} Task "find the point"
 * @property {Position} position
 * @property {string} player whose eyes are lent to the reader
 * @property {string} [heatmap] what of it is shown, instead of the moves that it weighs
 * @property {boolean} open whether its numbers are shown before the answer
 * @property {string[]} answers any of these points
 * @property {string} reveal who explains the answer
 *
 * @typedef {object} Example
 * @property {Position} position
 * @property {Position} [other] to be compared with it: the boards A and B of the text
 * @property {string} player
 * @property {string} [heatmap] what of it is shown at first, instead of the moves that it weighs
 *
 * @typedef {object} Chapter
 * @property {string} name
 * @property {number} ideas how many paragraphs the idea has
 * @property {Example} example
 * @property {Task} task
 * @property {{ rules: string, size: number | null, players: string[] }} play
 */

/**
 * @param {number} size
 * @param {string} moves
 * @returns {Position}
 */
function gomoku(size, moves) {
  return { rules: "freestyle", size, setup: null, moves: moves ? moves.split(" ") : [] };
}

/**
 * @param {string} moves
 * @returns {Position}
 */
function tictactoe(moves) {
  return { rules: "tictactoe", size: 3, setup: null, moves: moves.split(" ") };
}

const NINE = gomoku(9, "e5 d4 f5 d6 g5");

/** @type {readonly Chapter[]} */
export const CHAPTERS = [
  {
    name: "lookup",
    ideas: 3,
    example: { position: tictactoe("b2 a1 b1"), player: "lookup" },
    task: {
      position: tictactoe("a1"),
      player: "lookup",
      open: false,
      answers: ["b2"],
      reveal: "lookup",
    },
    play: { rules: "tictactoe", size: null, players: ["lookup", "random"] },
  },
  {
    name: "lines",
    ideas: 3,
    example: { position: tictactoe("b2 c3 b3 b1"), player: "lines" },
    task: {
      position: tictactoe("a1 b2 c3"),
      player: "lines",
      open: true,
      answers: ["b1", "a2", "c2", "b3"],
      reveal: "lookup",
    },
    play: { rules: "freestyle", size: 9, players: ["lines", "lines:o4", "lines:tuned"] },
  },
  {
    name: "shapes",
    ideas: 3,
    example: { position: NINE, player: "shapes:o5" },
    task: {
      position: {
        rules: "freestyle",
        size: 9,
        setup: {
          black: ["d4", "e4", "f4", "c8", "g2"],
          white: ["c6", "d6", "e6", "g6"],
          turn: "white",
        },
        moves: [],
      },
      player: "shapes:o5",
      open: true,
      answers: ["f6"],
      reveal: "shapes:o2",
    },
    play: { rules: "freestyle", size: 15, players: ["shapes:o5", "shapes:o2", "shapes:tuned"] },
  },
  {
    name: "minimax",
    ideas: 3,
    example: { position: gomoku(9, "e5 d4 f5 d6"), player: "minimax,depth=2" },
    task: {
      position: gomoku(
        11,
        "f7 d7 g9 e6 f5 e8 f6 f8 g7 e5 e7 d8 g8 g6 g10 g11 i7 h7 h8 f10 f4 f3 i9 j10 i8",
      ),
      player: "minimax,depth=2",
      open: true,
      answers: ["c7", "b8"],
      reveal: "threats",
    },
    play: {
      rules: "freestyle",
      size: 15,
      players: ["minimax,depth=1", "minimax,depth=2", "minimax"],
    },
  },
  {
    name: "mcts",
    ideas: 3,
    example: { position: NINE, player: "mcts,playouts=400,seed=1" },
    task: {
      position: gomoku(11, "g6 i8 f6 e6 f7 f5 d7 e7 e8 h5 d9 c10 f8 d8"),
      player: "mcts,playouts=400,seed=1",
      open: true,
      answers: ["f9"],
      reveal: "threats",
    },
    play: { rules: "freestyle", size: 9, players: ["mcts,playouts=400", "mcts"] },
  },
  {
    name: "threats",
    ideas: 3,
    example: { position: gomoku(15, "f8 e8 g8 c4 h8 l4 i9 c12 i10 l12"), player: "threats" },
    task: {
      position: gomoku(9, "f6 d7 e6 g5 e4 e5 f5 f4"),
      player: "threats",
      open: true,
      answers: ["g6"],
      reveal: "engine,nodes=50000",
    },
    play: { rules: "freestyle", size: 15, players: ["threats"] },
  },
  {
    name: "levels",
    ideas: 3,
    example: { position: gomoku(9, "e5 c4 f5 c6 g5"), player: "level:1" },
    task: {
      position: {
        rules: "freestyle",
        size: 15,
        setup: { black: ["i10", "j10", "m12"], white: ["d5", "e6", "f7"], turn: "black" },
        moves: [],
      },
      player: "level:1",
      open: true,
      answers: ["c4", "g8"],
      reveal: "level:3",
    },
    play: {
      rules: "freestyle",
      size: 15,
      players: ["level:1", "level:2", "level:3", "level:5", "level:7"],
    },
  },
  {
    name: "engine",
    ideas: 4,
    example: { position: gomoku(15, "h8 i9 g7"), player: "engine,nodes=50000" },
    task: {
      position: gomoku(11, "g5 i4 j3 g6 h6 f4 g4 f5 h7 f6 f3 h5 f7 e6 g3 g7 g2 g1 d3 e3 i3 h3 h8 e5 e4"),
      player: "engine,nodes=50000",
      open: false,
      answers: ["d4"],
      reveal: "threats",
    },
    play: { rules: "freestyle", size: 15, players: ["engine,nodes=20000", "level:10"] },
  },
  {
    name: "network",
    ideas: 6,
    example: {
      position: placed("freestyle", ["g11", "h8", "c5", "d6"], ["f9", "g10", "h11", "b7"], 15),
      other: placed("freestyle", ["g11", "h8", "m8", "n9"], ["f9", "g10", "h11", "l10"], 15),
      player: "engine,nodes=5000",
      heatmap: "value",
    },
    task: {
      position: gomoku(15, "o14 m13 o15 n13 k13 l11 j11 j10 k10 l9 k12 k9 l13 i10 k14 k11 l12 i11"),
      player: "engine,nodes=5000",
      heatmap: "policy",
      open: true,
      answers: ["m14"],
      reveal: "threats",
    },
    play: { rules: "freestyle", size: 15, players: ["engine,nodes=1000", "shapes:tuned"] },
  },
];

/** Positions of the page of rules: what is drawn, and whether it is about fouls. */
export const RULES = {
  goal: gomoku(9, "e5 e6 d5 f6 f5 d6 c5 g6 g5"),
  four: placed("freestyle", ["c5", "d5", "e5", "g7"], ["b8", "e7", "g3"]),
  "double-three": placed("renju", ["c5", "d5", "e6", "e7"], ["b7", "c3", "g4", "g7"]),
  "double-four": placed(
    "renju",
    ["b5", "c5", "d5", "e6", "e7", "e8"],
    ["a5", "b7", "c3", "e9", "g4", "g7"],
  ),
  overline: placed("renju", ["b5", "c5", "d5", "f5", "g5"], ["b7", "c3", "e7", "g3", "g7"]),
};

/**
 * @param {string} rules
 * @param {string[]} black
 * @param {string[]} white
 * @param {number} [size]
 * @returns {Position}
 */
function placed(rules, black, white, size = 9) {
  return { rules, size, setup: { black, white, turn: "black" }, moves: [] };
}
