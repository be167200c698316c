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
 * docs/web.md says how it draws, how points are chosen, and what those hear who cannot see it. All words come from `say`
 * (keys `board.*` and `picture.*` of the catalogue).
 *
 * @import { Board, Colour, Options, Part, State } from "./board_types.js"
 * @import { Point } from "./notation.js"
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
