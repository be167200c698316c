/**
 * The analysis page: a board on which everything may be tried, the game as a tree, the engine, review, "why",
 * set-up and files. What is legal and what is to be seen of a position is the server's to say.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./study_tree.js").Study} Study
 * @typedef {import("./study_tree.js").Node} Node
 * @typedef {import("/assets/board.js").State} State
 *
 * @typedef {object} Beginning of another study
 * @property {any} rules their name, or all fields
 * @property {number[] | null} [size]
 * @property {string | null} [fouls]
 * @property {Study["setup"]} [setup]
 * @property {boolean} [keep] whether set-up and moves stay
 *
 * @typedef {object} Desk what the panels share
 * @property {Context} context
 * @property {import("./analysis_socket.js").Asking} asking
 * @property {Study} study
 * @property {Node} root
 * @property {"black" | "white"} first who makes the first move
 * @property {Node} current
 * @property {any} shown what the server has told of the current position; null until it has
 * @property {(node: Node) => void} go
 * @property {() => object} position as the server wants it
 * @property {() => [string, "black" | "white"][]} stones
 * @property {(line: string[], from?: Node | null) => Promise<void>} playLine
 * @property {(line: string[] | null, from?: Node | null, first?: "black" | "white" | null) => void} preview draw
 *     a line without playing it, from the node that is shown if it is not said, the side to move first
 * @property {() => boolean} live whether the engine looks at what is shown
 * @property {() => void} keep remember what is on the desk
 * @property {() => string} address of what is shown, complete
 * @property {(kept?: any) => any} reviewed what the review has found, to be kept; or what was kept
 * @property {(rate: {black: number, mate: number | null} | null) => void} rate
 * @property {(game: Beginning) => Promise<void>} start
 * @property {(record: any) => Promise<void>} open
 * @property {() => void} draw
 * @property {() => void} drawMoves
 */

import { pointName } from "/assets/notation.js";

import { createAddress } from "./address.js";
import { takeDrops } from "./drop.js";
import { factsOf, previewOf, ratingOf, stateOf, statusOf } from "./position_drawing.js";
import { createEnginePanel } from "./engine_lines.js";
import { listenTo, showKeys, tool } from "./analyse_keys.js";
import { createMoves } from "./moves_tab.js";
import { playFromHere } from "./play_on.js";
import { createPositions } from "./positions.js";
import { createSetup } from "./setup_tab.js";
import { createAsking } from "./analysis_socket.js";
import { createDeskTabs } from "./analyse_tabs.js";
import { createDeskWhy } from "./why_tab.js";
import { ApiError } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { createFrame } from "../shared/frame.js";
import { createReview } from "./review.js";
import { add, lineThrough, movesTo, newStudy, path, positionAt, readRecord } from "./study_tree.js";
import { createTransfer } from "./transfer.js";

/**
 * @param {HTMLElement} root
 * @param {Context} context
 */
export function mount(root, context) {
  const { say, api, settings } = context;
  const frame = createFrame(root, context);
  frame.element.classList.add("desk", "game");
  const h1 = h("h1", { class: "unseen" }, say("web.nav.analyse"));
  frame.element.prepend(h1);

  const described = createPositions(api);
  /** @type {Partial<State>} */
  let overlay = {};
  /** @type {string[] | null} */
  let line = null;
  /** Where that line begins. @type {{back: number, first: "black" | "white"}} */
  let lineFrom = { back: 0, first: "black" };
  /** @type {string | null} a forbidden point whose rows are shown */
  let foul = null;
  let threats = Boolean(settings.get("analyseThreats"));
  let gone = false;

  /** @type {Desk} */
  const desk = {
    context,
    asking: createAsking(() => {
      engine.stop();
      review.stop();
      context.toast(say("web.error.offline"), { kind: "error" });
    }),
    study: newStudy({ name: "freestyle" }),
    get root() {
      return desk.study.root;
    },
    get first() {
      return desk.study.setup?.turn ?? "black";
    },
    current: /** @type {Node} */ (/** @type {unknown} */ (null)),
    shown: null,
    go: (node) => void show(node),
    position: () => positionAt(desk.study, desk.current),
    stones: () => (desk.shown?.stones ?? []).map((/** @type {any} */ stone) => [...stone]),
    playLine,
    preview(moves, from = null, first = null) {
      const begin = path(from ?? desk.current).length;
      const mover = (begin % 2 === 0) === (desk.first === "black") ? "black" : "white";
      line = moves;
      lineFrom = { back: path(desk.current).length - begin, first: first ?? mover };
      draw();
    },
    live: () => engine.on,
    keep: () => address.keep(),
    reviewed: (kept) => (kept ? review.restore(kept) : review.known()),
    address: () => new URL(address.whole(), location.href).href,
    rate,
    start,
    open,
    draw,
    drawMoves: () => moves.draw(),
  };
  desk.current = desk.root;

  const address = createAddress(desk);
  const tabs = createDeskTabs(frame.side, context, (name) => {
    if (name === "why") void why.set();
    else clearOverlay();
    if (name !== "setup") setup.stop();
  });
  const engine = createEnginePanel(tabs.panels.engine, desk);
  const review = createReview(tabs.panels.review, desk);
  const moves = createMoves(tabs.panels.moves, desk, review.judged);
  const setup = createSetup(tabs.panels.setup, desk);
  const noDrops = takeDrops(createTransfer(tabs.panels.files, desk));
  const why = createDeskWhy(tabs.panels.why, desk, (seen) => {
    if (tabs.open !== "why") return;
    overlay = seen;
    draw();
  });

  const steps = [
    tool(say("replay.first"), "M5 4V16M15 4L8 10L15 16", () => desk.go(desk.root)),
    tool(say("replay.back"), "M13 4L6 10L13 16", back),
    tool(say("replay.forward"), "M7 4L14 10L7 16", forward),
    tool(say("replay.last"), "M15 4V16M5 4L12 10L5 16", () =>
      desk.go(lineThrough(desk.current).at(-1) ?? desk.root),
    ),
  ];
  const numbers = tool(say("replay.numbers"), "12", () =>
    settings.set("numbers", !settings.get("numbers")),
  );
  const showing = tool(say("web.analyse.threats"), "M3 17L17 3M3 10L10 3M10 17L17 10", () => {
    threats = !threats;
    settings.set("analyseThreats", threats);
    press();
    draw();
  });
  const passing = tool(say("replay.pass"), say("replay.pass"), () => void play("--"));
  const help = tool(say("web.play.keys"), "?", () => showKeys(context));
  const playing = h(
    "button",
    { class: "step wide", type: "button", onclick: () => void playFromHere(desk) },
    say("web.analyse.play_on"),
  );
  frame.actions.append(
    h(
      "div",
      { class: "panel" },
      h("div", { class: "steps" }, steps, numbers, showing),
      h("div", { class: "steps" }, playing, passing, help),
    ),
  );
  const off = settings.on("numbers", () => {
    press();
    draw();
  });
  const bar = h("div", { class: "rate", role: "img" });
  const rated = h("p", { class: "rated" });
  frame.top.append(h("div", { class: "rate-place" }, rated, bar));
  const facts = h("p", { class: "soft facts" });
  frame.bottom.append(facts);
  const told = h("p", { role: "status" });
  frame.status.append(h("div", { class: "status-row" }, told));
  rate(null);
  press();

  frame.listen({
    onSelect: (point) => setup.select(pointName(point)) || void play(pointName(point)),
    onPoint: why.hover,
  });
  const silence = listenTo({
    ArrowLeft: back,
    ArrowRight: forward,
    Home: () => desk.go(desk.root),
    End: () => desk.go(lineThrough(desk.current).at(-1) ?? desk.root),
    u: () => sideways(-1),
    d: () => sideways(1),
    ",": () => review.step(-1),
    ".": () => review.step(1),
    b: frame.focus,
    e: engine.toggle,
    t: () => showing.click(),
    n: () => numbers.click(),
    z: moves.undo,
    "?": () => showKeys(context),
  });
  // Who plays with the pointer steps through the moves with the keys that a focused board would take.
  frame.element.querySelector(".board")?.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  void address.load().then((reviewing) => reviewing && !gone && tabs.choose("review", false));

  return () => {
    gone = true;
    silence();
    noDrops();
    off();
    why.destroy();
    review.destroy();
    desk.asking.destroy();
    address.destroy();
    frame.destroy();
  };

  // -- positions

  /** Go to a node. @param {Node} node */
  async function show(node) {
    desk.current = node;
    line = null;
    foul = null;
    const position = positionAt(desk.study, node);
    try {
      const shown = await described(position);
      if (gone || desk.current !== node) return;
      desk.shown = shown;
      desk.study.rules = shown.rules;
    } catch (error) {
      if (gone || desk.current !== node) return;
      tell(error);
      if (!(error instanceof ApiError) || error.status === 0) return;
      if (node.parent) await show(node.parent);
      else if (!desk.shown) await start({ rules: "freestyle" });
      return;
    }
    frame.shape(desk.shown.rules);
    overlay = {};
    draw();
    moves.draw();
    engine.set();
    review.set();
    setup.set();
    if (tabs.open === "why") void why.set();
    address.keep();
  }

  /** Play a point in the position that is shown, if the server says that it may be. @param {string} name */
  async function play(name) {
    const { current } = desk;
    const there = current.children.find(({ move }) => move === name);
    if (there) {
      context.sound.stone();
      await show(there);
      return;
    }
    if (taken(name)) return;
    try {
      await described({ ...positionAt(desk.study, current), moves: [...movesTo(current), name] });
    } catch (error) {
      frame.refuse();
      tell(error);
      return;
    }
    if (gone || desk.current !== current) return;
    context.sound.stone();
    await show(add(current, name));
  }

  /** Whether the server has said already that nothing can be put there; says why. @param {string} name */
  function taken(name) {
    const { fouls, fouls_mode, stones } = desk.shown;
    const occupied = stones.some((/** @type {[string, string]} */ [point]) => point === name);
    const forbidden = fouls_mode === "forbidden" && name in fouls;
    if (!occupied && !forbidden) return false;
    frame.refuse();
    foul = forbidden ? name : null;
    if (occupied) context.announce(say("error.occupied", { point: name }));
    draw();
    return true;
  }

  /** @type {Desk["playLine"]} */
  async function playLine(moves, from = null) {
    let node = from ?? desk.current;
    for (const move of moves) node = add(node, move);
    await show(node);
  }

  /** @type {Desk["start"]} */
  async function start({ rules, size = null, fouls = null, setup: stones = null, keep = false }) {
    const { study, current } = desk;
    try {
      const given = { rules, size, fouls, setup: keep ? study.setup : stones, moves: [] };
      const answer = await described(given);
      if (gone) return;
      take({
        ...newStudy(answer.rules, answer.setup),
        ...(keep ? { root: study.root, headers: study.headers } : {}),
      });
      await show(keep ? current : desk.root);
    } catch (error) {
      frame.refuse();
      tell(error);
    }
  }

  /** @type {Desk["open"]} */
  async function open(record) {
    const study = readRecord(record);
    take(study);
    await show(lineThrough(study.root).at(-1) ?? study.root);
  }

  /** Another study on the desk; the one before can be had back. @param {Study} study */
  function take(study) {
    const before = { study: desk.study, current: desk.current };
    address.leave();
    desk.study = study;
    desk.current = study.root;
    review.clear();
    if (before.study.root.children.length || before.study.setup) {
      moves.undoWith(() => {
        desk.study = before.study;
        review.clear();
        void show(before.current);
      });
    }
  }

  // -- what is seen

  function draw() {
    /** @type {import("./position_drawing.js").Shown | null} */
    const shown = desk.shown;
    if (!shown) return;
    const look = {
      numbers: Boolean(settings.get("numbers")),
      threats,
      foul,
      infos: engine.infos,
      heat: settings.get("analyseHeat") ?? true,
    };
    frame.draw({
      ...stateOf(shown, look),
      ...overlay,
      ...(line ? previewOf(shown, { moves: line, ...lineFrom }) : {}),
    });
    facts.textContent = factsOf(say, shown);
    told.textContent = statusOf(say, shown, look);
    frame.status.hidden = !told.textContent;
    steps[0].disabled = steps[1].disabled = desk.current === desk.root;
    steps[2].disabled = steps[3].disabled = !desk.current.children.length;
    playing.disabled = Boolean(shown.outcome);
    passing.hidden = !shown.rules.passing;
  }

  /** @type {Desk["rate"]} */
  function rate(found) {
    const share = found ? Math.round(100 * found.black) : 50;
    const text = ratingOf(say, found) || say("web.analyse.unrated");
    bar.style.setProperty("--black-share", `${share}%`);
    bar.classList.toggle("unknown", !found);
    bar.setAttribute("aria-label", text);
    rated.textContent = text;
    rated.classList.toggle("soft", !found);
  }

  function clearOverlay() {
    overlay = {};
    draw();
  }

  // -- keys

  function back() {
    if (desk.current.parent) desk.go(desk.current.parent);
  }

  function forward() {
    const [next] = desk.current.children;
    if (next) desk.go(next);
  }

  /** To the next or former of the moves that were tried here. @param {number} way */
  function sideways(way) {
    const siblings = desk.current.parent?.children ?? [];
    const other = siblings[siblings.indexOf(desk.current) + way];
    if (other) desk.go(other);
  }

  function press() {
    numbers.setAttribute("aria-pressed", String(Boolean(settings.get("numbers"))));
    showing.setAttribute("aria-pressed", String(threats));
  }

  /** @param {unknown} error */
  function tell(error) {
    if (!(error instanceof ApiError)) throw error;
    context.toast(error.message, { kind: "error" });
  }
}
