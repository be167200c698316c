/**
 * The board as a component: it draws what it is told and says which point was chosen; it knows no rules.
 *
 *     import { createBoard, showsSigns } from "./board.js";
 *
 *     const board = createBoard(element, {
 *       width: 15, height: 15, signs: showsSigns(15, 15, 5),
 *       say,                                  // sentences, see words.js
 *       onSelect: (point) => send(point),     // left out: a picture that cannot be played on
 *     });
 *     board.set({
 *       stones: [{ point: [7, 7], colour: "black", number: 1 }],
 *       last: [7, 7],
 *       turn: "white",                        // whose stone follows the pointer; left out: nobody's
 *     });
 *     board.destroy();
 *
 * Points are `[x, y]`, both from 0, x from the left and y from the *bottom* (see notation.js).
 *
 * **Drawing.** `set` takes the whole of what is to be seen: what is left out is not drawn. It may be called
 * as often as one likes; only differences touch the page, and a last move that was just made settles on
 * its point, unless its reader wants no motion. The board is an SVG that fills the width of `element` and
 * keeps its lines on whole pixels at any size. The element has the board's shape in the custom property
 * `--board-ratio` (width over height), so that a page can keep a board within its window:
 * `width: min(100%, calc(80dvh * var(--board-ratio)))`. Colours are custom properties too, see board_themes.css.
 *
 * **Choosing.** `onSelect` is called for any point, whatever stands there: the caller knows what is legal,
 * and says why where it is not. Where a stone would be put (`turn` is set and the point is neither taken
 * nor crossed out) a finger on small cells needs a second tap on the same point, see `confirm`, and is told so
 * upon the board; the point of a premove needs one. With the keyboard the board is one stop of the Tab key; the arrow keys move a cursor,
 * Home and End go to the ends of a row, Page Up and Page Down to those of a column, Enter or Space chooses.
 * Keys that it uses do not bubble.
 *
 * **Gestures** are the page's: `show` enlarges a part of the board within its frame, `around` copies the
 * neighbourhood of a point, `pointUnder`, `hover` and `tap` say and do what a pointer does.
 *
 * **For those who cannot see it** a board that can be played on is an application whose current point is
 * read out as the cursor moves; one that cannot is an image. The position is written out in its
 * description. All words come from `say` (keys `board.*` and `picture.*` of the catalogue).
 *
 * @import { CoordinateStyle } from "./coordinates.js"
 * @import { Point } from "./notation.js"
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
 */

import { createDrawing } from "./board_drawing.js";
import { figure, layout, pointAt } from "./board_layout.js";
import { pointName } from "./notation.js";

export { showsSigns } from "./board_layout.js";

const FINGER = 40; // pixels of a cell that a finger hits for certain
const FIGURES = 26; // pixels of a cell that has room for figures
const LARGEST = 4; // times that a board is enlarged

let boards = 0;

/**
 * Draw a board in an element, which should be empty.
 *
 * @param {HTMLElement} element
 * @param {Options} options
 * @returns {Board}
 */
export function createBoard(element, options) {
  const { width, height, say, onSelect, onPoint, signs = false, confirm = "auto" } = options;
  const keyboard = options.keyboard ?? Boolean(onSelect);
  const plan = layout(width, height, signs, options.coordinates ?? true, options.coordinateStyle);
  const name = `board${++boards}`;
  const drawing = createDrawing(plan, name);
  const listening = new AbortController();

  /** @type {State} */
  let state = {};
  /** @type {Point | null} */
  let hovered = null;
  /** @type {Point | null} */
  let tapped = null;
  /** @type {Point | null} */
  let cursor = null;
  let pointer = "mouse";
  let cell = FINGER;
  let soft = false;
  /** @type {Part} */
  let part = { scale: 1, left: 0, top: 0 };

  const description = unseen("p");
  const spoken = unseen("p");
  /** What `spoken` says of a first tap, for those who see. */
  const again = document.createElement("p");
  description.id = `${name}-description`;
  spoken.setAttribute("aria-live", "polite");
  again.className = "again";
  again.ariaHidden = "true";
  again.hidden = true;
  element.classList.add("tengen-board");
  element.dataset.board = options.theme ?? "wood";
  element.style.setProperty("--board-ratio", String(plan.width / plan.height));
  element.setAttribute("role", onSelect && keyboard ? "application" : "img");
  element.setAttribute("aria-describedby", description.id);
  if (keyboard) element.tabIndex = 0;
  element.append(drawing.svg, description, spoken, again);

  const resizing = new ResizeObserver(fit);
  resizing.observe(element);
  listen();
  fit();
  set({});
  soft = false;

  return {
    set,
    moveCursor,
    focus: () => element.focus(),
    cell: () => cell,
    around: drawing.around,
    pointUnder,
    hover,
    tap,
    show,
    destroy,
  };

  /** @param {State} next */
  function set(next) {
    const moved = next.turn !== state.turn || next.stones?.length !== state.stones?.length;
    state = next;
    // The first of two taps stays while the position does: a page is drawn again for other reasons too.
    if (tapped && (moved || !playable(tapped))) tapped = null;
    drawing.set(state, soft);
    drawOver();
    element.setAttribute("aria-label", state.label ?? say("board.label", { size: `${width}x${height}` }));
    description.textContent = describe();
    soft = true;
  }

  function destroy() {
    listening.abort();
    resizing.disconnect();
    element.replaceChildren();
    element.classList.remove("tengen-board", "small", "may-play");
    for (const attribute of ["role", "aria-label", "aria-describedby", "tabindex", "data-board"]) {
      element.removeAttribute(attribute);
    }
    element.style.removeProperty("--board-ratio");
  }

  function fit() {
    cell = drawing.fit(part);
    element.classList.toggle("small", cell < FIGURES);
  }

  /** @type {Board["show"]} */
  function show(wanted) {
    const scale = Math.min(Math.max(wanted.scale, 1), LARGEST);
    const within = (/** @type {number} */ start) => Math.min(Math.max(start, 0), 1 - 1 / scale);
    part = { scale, left: within(wanted.left), top: within(wanted.top) };
    fit();
    return part;
  }

  /** Draw what follows the pointer and the cursor. */
  function drawOver() {
    const point = tapped ?? hovered;
    const own = point && state.turn && playable(point) ? [{ point, colour: state.turn }] : [];
    const { ghost = null, premove = null } = state;
    drawing.over(
      [...[ghost, premove].filter((stone) => stone !== null), ...own],
      [tapped, cursor].filter((framed) => framed !== null),
      tapped,
      premove?.point ?? null,
    );
    element.classList.toggle("may-play", own.length > 0);
    again.hidden = !tapped;
    if (!tapped) return;
    again.textContent = say("board.confirm", { point: pointName(tapped) });
    // Away from the point, which is not to be covered.
    again.classList.toggle("low", tapped[1] >= height / 2);
  }

  // -- choosing

  /**
   * Whether a stone could be put there, as far as can be seen.
   *
   * @param {Point} point
   */
  function playable(point) {
    return ![...(state.stones ?? []).map((stone) => stone.point), ...(state.fouls ?? [])].some((taken) =>
      same(taken, point),
    );
  }

  function listen() {
    const { signal } = listening;
    const { svg } = drawing;
    svg.addEventListener("pointerdown", (event) => void (pointer = event.pointerType), { signal });
    svg.addEventListener(
      "pointermove",
      (event) => event.pointerType !== "touch" && hover(pointUnder(event)),
      { signal },
    );
    svg.addEventListener("pointerleave", () => hover(null), { signal });
    svg.addEventListener("click", (event) => tap(pointUnder(event)), { signal });
    if (!keyboard) return;
    element.addEventListener("keydown", press, { signal });
    element.addEventListener("focus", () => element.matches(":focus-visible") && moveCursor(start()), {
      signal,
    });
    element.addEventListener("blur", hideCursor, { signal });
  }

  /** @type {Board["pointUnder"]} */
  function pointUnder({ clientX, clientY }) {
    const matrix = drawing.svg.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return pointAt(plan, x, y);
  }

  /** @param {Point | null} point */
  function hover(point) {
    if (same(point, hovered)) return;
    hovered = point;
    drawOver();
    onPoint?.(point);
  }

  /** @param {Point | null} point */
  function tap(point) {
    if (!point || !onSelect) return;
    hideCursor();
    const unsure = confirm === "always" || (confirm === "auto" && pointer === "touch" && cell < FINGER);
    const settled = same(point, tapped) || same(point, state.premove?.point ?? null);
    if (!unsure || !state.turn || !playable(point) || settled) {
      select(point);
      return;
    }
    tapped = point;
    drawOver();
    spoken.textContent = say("board.confirm", { point: pointName(point) });
    onPoint?.(point);
  }

  /** @param {Point} point */
  function select(point) {
    tapped = null;
    drawOver();
    onSelect?.(point);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [x, y] = start();
    /** @type {Record<string, Point>} */
    const moves = {
      ArrowLeft: [Math.max(x - 1, 0), y],
      ArrowRight: [Math.min(x + 1, width - 1), y],
      ArrowUp: [x, Math.min(y + 1, height - 1)],
      ArrowDown: [x, Math.max(y - 1, 0)],
      Home: [0, y],
      End: [width - 1, y],
      PageUp: [x, height - 1],
      PageDown: [x, 0],
    };
    const choosing = event.key === "Enter" || event.key === " ";
    if (!choosing && !Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    // The first key only shows where the cursor is.
    if (!cursor) moveCursor([x, y]);
    else if (choosing) select(cursor);
    else moveCursor(moves[event.key]);
  }

  /**
   * Where the cursor is, or will begin.
   *
   * @returns {Point}
   */
  function start() {
    return cursor ?? state.last ?? [Math.floor(width / 2), Math.floor(height / 2)];
  }

  /** @param {Point} point */
  function moveCursor(point) {
    cursor = point;
    tapped = null;
    drawOver();
    spoken.textContent = describePoint(point);
    onPoint?.(point);
  }

  function hideCursor() {
    if (!cursor) return;
    cursor = null;
    drawOver();
    onPoint?.(null);
  }

  // -- saying

  /** @param {Point} point */
  function describePoint(point) {
    const { stones = [], marks = [], heat = [], fouls = [], last = null } = state;
    /** @type {(thing: {point: Point}) => boolean} */
    const here = (thing) => same(thing.point, point);
    const stone = stones.find(here);
    const parts = [pointName(point)];
    if (!stone) parts.push(say("board.empty"));
    else parts.push(stone.colour === "black" ? say("board.black") : say("board.white"));
    if (stone?.number !== undefined) parts.push(say("board.number", { number: stone.number }));
    if (same(last, point)) parts.push(say("board.last"));
    if (same(state.premove?.point ?? null, point)) parts.push(say("board.premove"));
    if (fouls.some((foul) => same(foul, point))) parts.push(say("board.foul"));
    for (const { label } of marks.filter(here)) if (label) parts.push(label);
    for (const { weight } of heat.filter(here)) parts.push(say("board.weight", { weight: figure(weight) }));
    return say("board.point", { parts });
  }

  /** What can be seen, in sentences. */
  function describe() {
    const { stones = [], lines = [], fouls = [], last } = state;
    /** @type {(key: string, points: readonly Point[]) => string[]} */
    const said = (key, points) =>
      points.length ? [say(key, { points: points.map(pointName).join(" ") })] : [];
    /** @type {(colour: Colour) => Point[]} */
    const of = (colour) => stones.filter((stone) => stone.colour === colour).map((stone) => stone.point);
    /** @type {(key: string, kind: string) => string[]} */
    const rows = (key, kind) =>
      lines.filter((line) => line.kind === kind).flatMap((line) => said(key, line.points));
    return [
      ...(onSelect && keyboard ? [say("board.keys")] : []),
      ...said("picture.black", of("black")),
      ...said("picture.white", of("white")),
      ...said("picture.last", last ? [last] : []),
      ...rows("picture.row", "win"),
      ...rows("picture.foul", "foul"),
      ...said("picture.forbidden", fouls),
    ].join(" ");
  }
}

/**
 * An element for those who listen.
 *
 * @param {string} name
 */
function unseen(name) {
  const made = document.createElement(name);
  made.className = "unseen";
  return made;
}

/**
 * @param {Point | null} a
 * @param {Point | null} b
 */
function same(a, b) {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);
}
