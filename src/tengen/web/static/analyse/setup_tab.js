/**
 * Sets up a position freely: rules, size, stones put and taken away, who is to move.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 * @typedef {"black" | "white"} Colour
 * @typedef {"play" | Colour | "none"} Brush what a click on the board does
 */

import { disc, h } from "../shared/dom.js";
import { PRESETS, rulesChoice } from "../shared/names.js";

const LARGEST = 50;

/**
 * @param {HTMLElement} element
 * @param {Desk} desk
 */
export function createSetup(element, desk) {
  const { say } = desk.context;
  /** @type {Brush} */
  let brush = "play";
  /** Stones that the server is being asked about. @type {[string, Colour][] | null} */
  let pending = null;
  let asked = 0;
  /** Whether a size and a row were asked for: the server may know a name for them. */
  let free = false;
  const brushes = /** @type {const} */ (["play", "black", "white", "none"]).map((name) =>
    h(
      "button",
      {
        class: "button",
        type: "button",
        "aria-pressed": String(name === brush),
        dataset: { brush: name },
        onclick: () => take(name),
      },
      name === "black" || name === "white" ? disc(name) : null,
      say(`web.analyse.brush.${name}`),
    ),
  );
  const rules = select("setup-rules", change, [
    ...[...PRESETS, "mnk", "custom"].map((name) => [name, rulesChoice(say, name)]),
  ]);
  const columns = number(say("web.setup.columns"));
  const rows = number(say("web.setup.rows"));
  const k = number(say("web.setup.k"));
  const fouls = select("setup-fouls", change, [
    ["forbidden", say("web.setup.fouls_forbidden")],
    ["loses", say("web.setup.fouls_loses")],
    ["claimed", say("web.setup.fouls_claimed")],
  ]);
  const turn = select("setup-turn", () => put(stones()), [
    ["black", say("black")],
    ["white", say("white")],
  ]);
  const sizeRow = field("", say("web.setup.size"), h("span", { class: "pair" }, columns, "×", rows));
  const kRow = field("", say("web.setup.k"), k);
  const foulRow = field(fouls.id, say("web.setup.fouls"), fouls);
  element.append(
    h("p", { class: "soft" }, say("web.analyse.setup_lead")),
    h("div", { class: "brushes", role: "group", "aria-label": say("web.analyse.brush") }, brushes),
    field(turn.id, say("web.analyse.turn"), turn),
    h(
      "div",
      { class: "setup-buttons" },
      button(say("web.analyse.begin_here"), () => put(stones())),
      button(say("web.analyse.empty"), () => {
        turn.value = "black";
        void put([]);
      }),
    ),
    field(rules.id, say("web.setup.rules"), rules),
    sizeRow,
    kRow,
    foulRow,
  );

  return { set, stop: () => take("play"), select: paint };

  /** @param {Brush} name */
  function take(name) {
    brush = name;
    for (const one of brushes) one.setAttribute("aria-pressed", String(one.dataset.brush === name));
  }

  function stones() {
    return pending ?? desk.stones();
  }

  function set() {
    const { shown } = desk;
    if (!shown) return;
    const { name, width, height, has_fouls } = shown.rules;
    const known = PRESETS.includes(name);
    if (name.startsWith("mnk:")) free = true;
    else if (name !== "freestyle" && name !== "tictactoe") free = false;
    rules.value = free ? "mnk" : known ? name : "custom";
    rules.options[rules.options.length - 1].hidden = rules.value !== "custom";
    const told = /** @type {const} */ ([
      [columns, width],
      [rows, height],
      [k, shown.rules.k],
    ]);
    // What is being typed is not to be overwritten.
    for (const [input, value] of told) if (input !== document.activeElement) input.value = String(value);
    fouls.value = shown.fouls_mode;
    turn.value = shown.turn ?? turn.value;
    sizeRow.hidden = rules.value === "tictactoe" || rules.value === "custom";
    kRow.hidden = rules.value !== "mnk";
    foulRow.hidden = !has_fouls || rules.value === "custom";
  }

  /** Other rules: the moves stay where the board does, else it is empty. */
  function change() {
    if (![columns, rows, k].every((one) => one.closest("[hidden]") || one.reportValidity())) return;
    const { width, height } = desk.shown.rules;
    const [m, n] = rules.value === "tictactoe" ? [3, 3] : [columns.valueAsNumber, rows.valueAsNumber];
    const mnk = rules.value === "mnk";
    free = mnk;
    void desk.start({
      rules: mnk ? `mnk:${m},${n},${k.valueAsNumber}` : rules.value,
      size: mnk ? null : [m, n],
      fouls: rules.value === "renju" && !foulRow.hidden ? fouls.value : null,
      keep: m === width && n === height,
    });
  }

  /**
   * What a click on the board does; false where it plays.
   *
   * @param {string} name of the point
   */
  function paint(name) {
    if (brush === "play") return false;
    const others = stones().filter(([point]) => point !== name);
    void put(brush === "none" ? others : [...others, [name, brush]]);
    return true;
  }

  /**
   * Begin from these stones.
   *
   * @param {[string, Colour][]} placed
   */
  async function put(placed) {
    const mine = ++asked;
    pending = placed;
    const next = /** @type {Colour} */ (turn.value);
    const of = (/** @type {Colour} */ colour) =>
      placed.filter(([, other]) => other === colour).map(([point]) => point);
    const setup =
      placed.length || next === "white" ? { black: of("black"), white: of("white"), turn: next } : null;
    await desk.start({ rules: desk.study.rules, setup });
    if (mine === asked) pending = null;
  }

  /** @param {string} label */
  function number(label) {
    return h("input", {
      type: "number",
      min: 1,
      max: LARGEST,
      required: true,
      "aria-label": label,
      onchange: change,
    });
  }
}

/**
 * @param {string} id
 * @param {() => void} onchange
 * @param {readonly (readonly string[])[]} options values and labels
 */
function select(id, onchange, options) {
  return h(
    "select",
    { id, onchange },
    options.map(([value, label]) => h("option", { value }, label)),
  );
}

/**
 * @param {string} label
 * @param {() => void} onclick
 */
function button(label, onclick) {
  return h("button", { class: "button", type: "button", onclick }, label);
}

/**
 * @param {string} id of the control; none where it names itself
 * @param {string} label
 * @param {HTMLElement} control
 */
function field(id, label, control) {
  return h("div", { class: "field" }, h(id ? "label" : "span", id ? { for: id } : null, label), control);
}
