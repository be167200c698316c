/**
 * The types of the board; never loaded by a page.
 *
 * @import { CoordinateStyle, Point } from "./notation.js"
 * @import { Say } from "./words.js"
 *
 * @typedef {"black" | "white"} Colour
 *
 * @typedef {object} Stone
 * @property {Point} point
 * @property {Colour} colour
 * @property {number} [number] written upon it
 *
 * @typedef {object} Mark a sign on a point
 * @property {Point} point
 * @property {"label" | "triangle" | "square" | "circle" | "cross"} kind
 * @property {string} [label] for a label: up to six characters
 *
 * @typedef {object} Line
 * @property {readonly Point[]} points in a row, from one end to the other
 * @property {"win" | "foul" | "threat"} kind
 *
 * @typedef {object} State
 * @property {readonly Stone[]} [stones]
 * @property {Point | null} [last] the last move
 * @property {readonly Line[]} [lines] winning rows, rows of a foul, threats
 * @property {readonly Point[]} [fouls] points crossed out
 * @property {readonly Mark[]} [marks]
 * @property {readonly {point: Point, weight: number, share?: number}[]} [heat] discs whose area is the weight's
 *     share of the largest, or the share that is given, from 0 to 1; rings below zero; the heaviest is outlined
 * @property {Point | null} [chosen] the point to outline instead
 * @property {readonly (readonly [Point, Point])[]} [arrows] from a point to another
 * @property {{point: Point, colour: Colour} | null} [ghost] a stone that is only thought of
 * @property {{point: Point, colour: Colour} | null} [premove] one's next stone, chosen while the opponent is to move
 * @property {Colour | null} [turn] whose stone follows the pointer
 * @property {string} [label] what the board is, in a few words; if left out its size
 *
 * @typedef {object} Options
 * @property {number} width columns
 * @property {number} height rows
 * @property {Say} say
 * @property {boolean} [signs] X and O in cells instead of stones on lines; see `showsSigns`
 * @property {"wood" | "slate" | "plain" | "contrast" | "print"} [theme]
 * @property {boolean} [coordinates] whether there are any; true if left out
 * @property {CoordinateStyle} [coordinateStyle] letters below and numbers to the left if
 *     left out
 * @property {boolean} [keyboard] whether the board takes the focus; if left out, where there is `onSelect`
 * @property {"auto" | "always" | "never"} [confirm] when a point must be chosen twice: `"auto"` is by touch
 *     on cells below 40 pixels
 * @property {(point: Point) => void} [onSelect] a point was chosen
 * @property {(point: Point | null) => void} [onPoint] the pointer or the cursor is at another point, or at none
 *
 * @typedef {object} Part of a board that fills its frame
 * @property {number} scale 1 for the whole board, 4 at most
 * @property {number} left where it begins, as a share of the whole width
 * @property {number} top likewise of the height
 *
 * @typedef {object} Board
 * @property {(state: State) => void} set
 * @property {(point: Point) => void} moveCursor put the cursor of the keyboard there
 * @property {() => void} focus
 * @property {() => number} cell pixels from a point to the next one
 * @property {(point: Point, cells: number) => SVGElement} around a copy of a square of the drawing, so many cells wide with
 *     a point in its middle, as it is now; it is to stand in the same document
 * @property {(place: {clientX: number, clientY: number}) => Point | null} pointUnder the point at a place of the window
 * @property {(point: Point | null) => void} hover what a pointer does that is at a point, or has left the board
 * @property {(point: Point) => void} tap what a tap on a point does
 * @property {(part: Part) => Part} show zoom; what is shown then, as the part may not leave the board
 * @property {() => void} destroy
 *
 * @typedef {object} Drawing
 * @property {SVGGraphicsElement} svg
 * @property {(state: State, soft: boolean) => void} set draw a position; softly: a last move that was just made settles
 * @property {(ghosts: {point: Point, colour: Colour}[], frames: Point[], aim: Point | null, premove: Point | null) =>
 *     void} over draw what comes and goes with the pointer: stones that are only thought of, frames round points, lines
 *     that lead to one, the ring of a premove
 * @property {(part: Part) => number} fit fill the box that the page gives it with a part of the board; the CSS pixels
 *     to a cell
 * @property {(point: Point, cells: number) => SVGElement} around a copy of the square that is so many cells wide, a point
 *     in its middle; it is to stand in the same document
 *
 * @typedef {object} Layout
 * @property {number} columns
 * @property {number} rows
 * @property {boolean} signs whether stones are X and O in cells, and so lines run between points
 * @property {number} text size of the coordinates; 0 for none
 * @property {CoordinateStyle} style of the coordinates
 * @property {number} gap from the outer points to the middle of the columns' coordinates
 * @property {number} aside from the outer points to the middle of the rows' coordinates
 * @property {number} left x of the first column's points
 * @property {number} top y of the top row's points
 * @property {number} right
 * @property {number} bottom
 * @property {number} reach how far the grid goes beyond the outer points
 * @property {number} width of the whole picture
 * @property {number} height
 */

export {};
