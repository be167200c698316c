/**
 * Steps through a finished game on a board: buttons, a slider, a list of the moves, and a graph of the
 * players' scores and seconds on which any move can be chosen.
 *
 *     const replay = createReplay(element, { width: 15, height: 15, say });
 *     replay.load(game);      // shows its end; load(game, 0) its beginning
 *     replay.go(12);          // the position after twelve moves
 *
 * Within the element the left and right arrow keys step, Home and End go to the ends. A click on a stone
 * goes to its move. The board is as large as the width and the window's height allow; a page says in the
 * custom property `--replay-around` how much of that height it needs itself. All words come from `say` (keys `replay.*`, and those of board.js).
 *
 * @import { Colour, Line } from "./board_types.js"
 * @import { Point } from "./notation.js"
 * @import { Say } from "./words.js"
 *
 * @typedef {object} Score what a player said when it moved, of its own prospects
 * @property {number} chance from 0 (lost) to 1 (won)
 * @property {number | null} mate plies to the end if it is known; below zero the player itself loses
 *
 * @typedef {object} Game
 * @property {readonly (Point | null)[]} moves null for a pass; Black has the first, and then each the next
 * @property {number} given how many of them the players did not choose themselves
 * @property {readonly (number | null)[]} seconds of each move, where they are known
 * @property {readonly (Score | null)[]} scores of each move, where there are any
 * @property {readonly Line[]} [lines] drawn at the end
 *
 * @typedef {object} Options
 * @property {number} width
 * @property {number} height
 * @property {Say} say
 * @property {boolean} [signs]
 * @property {"wood" | "plain" | "print"} [theme]
 * @property {(ply: number) => void} [onStep] another position is shown
 *
 * @typedef {object} Replay
 * @property {(game: Game, ply?: number) => void} load
 * @property {(ply: number) => void} go
 * @property {(event: KeyboardEvent) => void} press what a key does, for a page that hears it elsewhere
 * @property {() => void} destroy
 */

import { createBoard } from "./board.js";
import { pointName } from "./notation.js";

/** @type {Game} */
const NOTHING = { moves: [], given: 0, seconds: [], scores: [] };

/**
 * @param {HTMLElement} element which should be empty
 * @param {Options} options
 * @returns {Replay}
 */
export function createReplay(element, options) {
  const { say, onStep } = options;
  let game = NOTHING;
  let ply = 0;
  let numbers = false;

  const place = make("div", "replay-board");
  const bar = make("div", "replay-bar");
  const side = make("div", "replay-side");
  const status = make("p", "replay-status");
  const graphs = make("div", "replay-graphs");
  const list = make("ol", "replay-moves");
  element.classList.add("tengen-replay");
  element.append(place, bar, side);
  side.append(status, graphs, list);
  status.setAttribute("aria-live", "polite");
  list.setAttribute("aria-label", say("replay.moves"));

  const slider = make("input", "replay-slider");
  slider.type = "range";
  slider.min = "0";
  slider.setAttribute("aria-label", say("replay.slider"));
  slider.addEventListener("input", () => go(slider.valueAsNumber));
  const first = button(say("replay.first"), "M5 4V16M15 4L8 10L15 16Z", () => go(0));
  const back = button(say("replay.back"), "M14 4L6 10L14 16Z", () => go(ply - 1));
  const forward = button(say("replay.forward"), "M6 4L14 10L6 16Z", () => go(ply + 1));
  const last = button(say("replay.last"), "M15 4V16M5 4L12 10L5 16Z", () => go(game.moves.length));
  const numbering = button(say("replay.numbers"), "12", () => {
    numbers = !numbers;
    numbering.setAttribute("aria-pressed", String(numbers));
    show();
  });
  numbering.setAttribute("aria-pressed", "false");
  bar.append(first, back, slider, forward, last, numbering);

  const board = createBoard(place, {
    ...options,
    keyboard: false,
    onSelect: (point) => {
      const move = game.moves.findIndex((other) => other && pointName(other) === pointName(point));
      if (move >= 0) go(move + 1);
    },
  });
  element.style.setProperty("--board-ratio", place.style.getPropertyValue("--board-ratio"));
  element.addEventListener("keydown", press);

  return { load, go, press, destroy };

  /** @type {Replay["load"]} */
  function load(next, at = next.moves.length) {
    game = next;
    slider.max = String(game.moves.length);
    list.replaceChildren(...game.moves.map((_, index) => listed(index)));
    drawGraphs();
    ply = -1;
    go(at);
  }

  /** @type {Replay["go"]} */
  function go(to) {
    const next = Math.min(Math.max(Math.round(to), 0), game.moves.length);
    if (next === ply) return;
    ply = next;
    show();
    onStep?.(ply);
  }

  function show() {
    const played = game.moves.slice(0, ply);
    const over = ply === game.moves.length;
    board.set({
      stones: played.flatMap((point, i) =>
        point ? [{ point, colour: colour(i), ...(numbers ? { number: i + 1 } : {}) }] : [],
      ),
      last: played[ply - 1] ?? null,
      lines: over ? game.lines : [],
    });
    status.textContent = ply ? describe(ply - 1) : say("replay.start");
    slider.value = String(ply);
    slider.setAttribute("aria-valuetext", status.textContent);
    first.disabled = back.disabled = ply === 0;
    last.disabled = forward.disabled = over;
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = list.children[ply - 1]?.firstElementChild;
    current?.setAttribute("aria-current", "true");
    if (current instanceof HTMLElement) reveal(list, current);
    for (const cursor of graphs.querySelectorAll(".cursor")) cursor.setAttribute("d", `M${ply} 0V100`);
  }

  /** @type {Replay["press"]} */
  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: game.moves.length };
    const typing =
      event.target instanceof Element && event.target.matches("input:not([type=range]), select");
    if (typing || !Object.hasOwn(places, event.key)) return;
    event.preventDefault();
    go(places[event.key]);
  }

  function destroy() {
    board.destroy();
    element.removeEventListener("keydown", press);
    element.classList.remove("tengen-replay");
    element.style.removeProperty("--board-ratio");
    element.replaceChildren();
  }

  // -- words

  /** @param {number} index of a move */
  function describe(index) {
    const point = game.moves[index];
    const parts = [
      say("replay.move", {
        number: index + 1,
        total: game.moves.length,
        colour: say(colour(index)),
        point: point ? pointName(point) : say("replay.pass"),
      }),
      ...(index < game.given ? [say("replay.given")] : []),
      ...told(index, game.seconds, duration),
      ...told(index, game.scores, (score) => judged(score, colour(index))),
    ];
    return parts.reduce((before, after) => say("replay.also", { before, after }));
  }

  /**
   * A score in words.
   *
   * @param {Score} score
   * @param {Colour} mover
   */
  function judged({ chance, mate }, mover) {
    const winner = (mate ?? chance - 0.5) >= 0 ? mover : other(mover);
    if (mate !== null) return say("replay.wins", { colour: say(winner), plies: Math.abs(mate) });
    return say("replay.chance", {
      colour: say(winner),
      percent: Math.round(100 * Math.max(chance, 1 - chance)),
    });
  }

  /** @param {number} index of a move */
  function listed(index) {
    const item = make("li", "");
    const point = game.moves[index];
    const entry = make("button", index < game.given ? "given" : "");
    entry.type = "button";
    entry.addEventListener("click", () => go(index + 1));
    entry.title = describe(index);
    const parts = [
      make("span", "number", String(index + 1)),
      make("span", `disc ${colour(index)}`),
      make("b", "", point ? pointName(point) : say("replay.pass")),
      ...told(index, game.seconds, (seconds) => make("span", "seconds", duration(seconds))),
      ...told(index, game.scores, ({ chance, mate }) =>
        make(
          "span",
          "chance",
          mate === null ? `${Math.round(100 * chance)}%` : `#${mate}`.replace("-", "−"),
        ),
      ),
    ];
    entry.append(...parts);
    item.append(entry);
    return item;
  }

  // -- graphs

  function drawGraphs() {
    const { length } = game.moves;
    graphs.replaceChildren();
    /** Black's chances, by who said so. @type {Record<Colour, [number, number][]>} */
    const chances = { black: [], white: [] };
    game.scores.forEach((score, i) => {
      const mover = colour(i);
      if (score) chances[mover].push([i + 1, mover === "black" ? score.chance : 1 - score.chance]);
    });
    if (chances.black.length + chances.white.length) {
      const svg = graph(say("replay.graph.chances"), ["100%", "0%"], length);
      path(svg, "middle", "M0 50H" + length);
      for (const mover of /** @type {const} */ (["black", "white"])) {
        const places = chances[mover].map(([x, chance]) => `${x} ${(97 - 94 * chance).toFixed(1)}`);
        if (places.length) path(svg, `series ${mover}`, `M${places.join("L")}`);
        path(svg, `dots ${mover}`, places.map((at) => `M${at}h0`).join(""));
      }
    }
    const longest = Math.max(0, ...game.seconds.map((seconds) => seconds ?? 0));
    if (longest > 0) {
      const svg = graph(say("replay.graph.seconds"), [duration(longest), "0"], length);
      for (const mover of /** @type {const} */ (["black", "white"])) {
        const bars = game.seconds.map((seconds, i) =>
          seconds !== null && colour(i) === mover
            ? `M${i + 1} 100V${(100 - (94 * seconds) / longest).toFixed(1)}`
            : "",
        );
        path(svg, `bars ${mover}`, bars.join(""));
      }
    }
  }

  /**
   * A strip as long as the game, on which a move can be chosen. What it shows stands in the list of moves
   * too, and the slider does what it does.
   *
   * @param {string} title
   * @param {string[]} scale the figures at its top and bottom
   * @param {number} length
   */
  function graph(title, scale, length) {
    const figure = make("figure", "replay-graph");
    const svg = picture(`-0.5 0 ${length + 1} 100`, "");
    svg.style.setProperty("--bar", `${Math.min(Math.max(160 / length, 1), 8)}px`);
    svg.setAttribute("preserveAspectRatio", "none");
    path(svg, "cursor", "");
    /** @param {PointerEvent} event */
    const follow = (event) => {
      if (event.type !== "pointerdown" && !event.buttons) return;
      const { left, width } = svg.getBoundingClientRect();
      go(((event.clientX - left) / width) * (length + 1) - 0.5);
    };
    svg.addEventListener("pointerdown", follow);
    svg.addEventListener("pointermove", follow);
    const figures = make("div", "scale");
    figures.append(...scale.map((text) => make("span", "", text)));
    const plot = make("div", "plot");
    plot.append(svg, figures);
    figure.append(make("figcaption", "", title), plot);
    graphs.append(figure);
    return svg;
  }
}

/**
 * What is told of a move: an empty list where it is not known.
 *
 * @template Value, Told
 * @param {number} index
 * @param {readonly (Value | null)[]} values
 * @param {(value: Value) => Told} tell
 * @returns {Told[]}
 */
function told(index, values, tell) {
  const value = values[index];
  return value === null || value === undefined ? [] : [tell(value)];
}

/**
 * Who made a move, counted from 0.
 *
 * @param {number} index
 * @returns {Colour}
 */
function colour(index) {
  return index % 2 ? "white" : "black";
}

/**
 * @param {Colour} one
 * @returns {Colour}
 */
function other(one) {
  return one === "black" ? "white" : "black";
}

/**
 * A time in seconds, milliseconds or microseconds, with as many figures as mean something.
 *
 * @param {number} seconds
 */
export function duration(seconds) {
  const [size, unit] = seconds >= 0.1 ? [1, "s"] : seconds >= 1e-4 ? [1e-3, "ms"] : [1e-6, "µs"];
  const count = seconds / size;
  return `${count >= 10 ? Math.round(count) : Number(count.toPrecision(2))} ${unit}`;
}

/**
 * Scroll a list, and nothing but the list, so that one of its entries is seen.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement} entry
 */
function reveal(list, entry) {
  const [outer, inner] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} kind
 * @param {string} [text]
 */
export function make(name, kind, text) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * @param {string} label
 * @param {string} face a text, or the path of a picture 20 units wide and high
 * @param {() => void} act
 */
function button(label, face, act) {
  const made = make("button", "button");
  made.type = "button";
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  if (face.startsWith("M")) {
    const svg = picture("0 0 20 20", "icon");
    path(svg, "", face);
    made.append(svg);
  } else {
    made.textContent = face;
  }
  return made;
}

/**
 * @param {string} view
 * @param {string} kind
 */
function picture(view, kind) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", view);
  made.setAttribute("aria-hidden", "true");
  if (kind) made.setAttribute("class", kind);
  return made;
}

/**
 * @param {SVGElement} svg
 * @param {string} kind
 * @param {string} d
 */
function path(svg, kind, d) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "path");
  made.setAttribute("class", kind);
  made.setAttribute("d", d);
  svg.append(made);
}
