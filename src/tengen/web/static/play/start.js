/**
 * Before the game: a board on which the first click plays, and beside it what there is to choose.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("../shared/choices.js").Choices} Choices
 */

import { pointName } from "/assets/notation.js";
import { catalogueOf, chosen, inARow, usualSize } from "../shared/choices.js";
import { disc, h, icon } from "../shared/dom.js";
import { PRESETS, playerName, rulesChoice } from "../shared/names.js";
import { createPicker } from "../shared/player_picker.js";
import { createGame, showSetup } from "../shared/seats.js";

const SIZES = [9, 11, 13, 15, 17, 19, 20];
const TWO =
  "M7 9A3 3 0 1 0 7 3A3 3 0 1 0 7 9M2 17Q2 11 7 11T12 17M13 9A2.5 2.5 0 1 0 13 4M14.5 11.5Q18 12.5 18 17";
const LINK = "M8 12L12 8M9 6L11 4A3.5 3.5 0 0 1 16 9L14 11M11 14L9 16A3.5 3.5 0 0 1 4 11L6 9";
const EYE = "M2 10Q10 2 18 10Q10 18 2 10M10 12.5A2.5 2.5 0 1 0 10 7.5A2.5 2.5 0 1 0 10 12.5";
const MORE =
  "M3 6H9M13 6H17M9 6A2 2 0 1 0 13 6A2 2 0 1 0 9 6M3 14H5M9 14H17M5 14A2 2 0 1 0 9 14A2 2 0 1 0 5 14";

/**
 * @param {import("../shared/frame.js").Frame} frame
 * @param {Context} context
 * @param {(made: any, point: string | null) => void} onGame a game was created, by a click on that point
 */
export function createStart(frame, context, onGame) {
  const { say, settings, api } = context;
  const choices = chosen(settings);
  /** @type {import("../shared/player_picker.js").Catalogue | null} */
  let catalogue = null;
  let busy = false;
  let asked = 0;

  const picker = createPicker(context, say("web.setup.opponent"), choices.opponent, (opponent) =>
    set({ opponent }),
  );
  const lead = h("p", { class: "lead" });
  const colours = h("div", {
    class: "segments",
    role: "radiogroup",
    "aria-label": say("web.setup.colour"),
  });
  for (const colour of /** @type {const} */ (["black", "white", "random"])) {
    const label = colour === "random" ? say("web.setup.random") : say(colour);
    const field = h("input", { type: "radio", name: "colour", checked: choices.colour === colour });
    field.addEventListener("change", () => set({ colour }));
    colours.append(
      h(
        "label",
        null,
        field,
        h(
          "span",
          null,
          colour !== "random" && h("i", { class: `disc ${colour}`, "aria-hidden": "true" }),
          " ",
          label,
        ),
      ),
    );
  }
  const rules = h("select", {
    id: "rules",
    onchange: () => set({ rules: rules.value, size: usualSize(rules.value) }),
  });
  const size = h("select", { id: "size", onchange: () => set({ size: sizeOf(size.value) }) });
  const start = h(
    "button",
    { class: "button main wide", type: "button", onclick: () => void begin(null) },
    say("web.setup.start"),
  );
  const resume = h(
    "a",
    { class: "way", href: "/" },
    icon("M7 5L14 10L7 15Z"),
    h("span", null, say("web.start.resume")),
  );
  resume.hidden = true;

  frame.element.className = "table start";
  frame.side.replaceChildren(
    h("h1", null, say("web.start.title")),
    lead,
    h("h2", null, say("web.setup.opponent")),
    picker.element,
    h("h2", null, say("web.setup.colour")),
    colours,
    h("label", { class: "field" }, say("web.setup.rules"), rules),
    h("label", { class: "field" }, say("web.setup.size"), size),
    start,
  );
  frame.actions.replaceChildren(
    h(
      "div",
      { class: "ways panel" },
      resume,
      way(TWO, say("web.setup.here"), () => void here()),
      way(LINK, say("web.setup.link"), () => void showSetup(context, { company: "link" })),
      way(EYE, say("web.setup.watch"), () => context.go("/watch")),
      way(MORE, say("web.start.more"), () => void showSetup(context)),
    ),
  );
  frame.listen({ onSelect: (point) => void begin(choices.colour === "black" ? pointName(point) : null) });
  show();
  void ask();
  void last();

  return { destroy: () => void (asked = -1) };

  /** @param {Partial<Choices>} change */
  function set(change) {
    Object.assign(choices, change);
    const { company: _, ...rest } = choices;
    settings.set("game", rest);
    show();
    if (change.rules || change.size) void ask();
  }

  function show() {
    const [width, height] = choices.size;
    const names = PRESETS.includes(choices.rules) ? PRESETS : [...PRESETS, choices.rules];
    rules.replaceChildren(...names.map((name) => h("option", { value: name }, rulesChoice(say, name))));
    rules.value = choices.rules;
    const usual = choices.rules === "tictactoe" ? ["3x3"] : SIZES.map((side) => `${side}x${side}`);
    const text = `${width}x${height}`;
    const sizes = usual.includes(text) ? usual : [...usual, text];
    size.replaceChildren(...sizes.map((one) => h("option", { value: one }, one.replace("x", "×"))));
    size.value = text;
    size.disabled = sizes.length === 1 || choices.rules === "mnk";
    start.hidden = choices.colour === "black";
    lead.textContent = choices.colour === "black" ? say("web.start.lead") : say("web.start.lead_white");
    seat();
    frame.shape({ width, height, k: inARow(choices) });
    frame.draw({ turn: choices.colour === "black" && !busy ? "black" : null });
  }

  /** On small screens the opponent sits above the board from the beginning: nothing moves when the game starts. */
  function seat() {
    const { colour, opponent } = choices;
    const other = colour === "white" ? "black" : "white";
    const name = h("b", null, playerName(say, opponent));
    const as = h("span", { class: "soft" }, colour === "random" ? say("web.setup.random") : say(other));
    frame.top.className = "seat top";
    frame.top.replaceChildren(disc(other), h("div", { class: "who" }, name, as));
  }

  async function ask() {
    const mine = ++asked;
    const found = await api.get(catalogueOf(choices)).catch(() => null);
    if (!found || mine !== asked) return;
    catalogue = found;
    // An opening chosen for other rules, or another size.
    if (!found.openings.includes(choices.opening)) choices.opening = "free";
    picker.offer(found);
  }

  /** The game that was played last goes on, if it is not over. */
  async function last() {
    const id = settings.get("lastGame");
    if (!id) return;
    const state = await api.get(`/api/games/${id}`).catch(() => null);
    if (!state || state.outcome || asked < 0) return;
    resume.setAttribute("href", `/g/${id}`);
    resume.hidden = false;
  }

  function hasFouls() {
    return catalogue?.rules.has_fouls ?? choices.rules === "renju";
  }

  /** Two people at this device. */
  async function here() {
    if (busy) return;
    busy = true;
    await createGame(context, { ...choices, company: "here" }, hasFouls());
    busy = false;
  }

  /** @param {string | null} point */
  async function begin(point) {
    if (busy) return;
    busy = true;
    /** @type {import("/assets/board.js").State} */
    const waiting = { turn: null };
    if (point) {
      const [, letters, digits] = /** @type {RegExpExecArray} */ (/([a-z]+)(\d+)/.exec(point));
      const x = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
      waiting.ghost = { point: [x, Number(digits) - 1], colour: "black" };
    }
    frame.draw(waiting);
    const made = await createGame(context, choices, hasFouls(), true);
    busy = false;
    if (made) onGame(made, point);
    else show();
  }

  /** @param {string} text @returns {[number, number]} */
  function sizeOf(text) {
    const [width, height] = text.split("x").map(Number);
    return [width, height];
  }
}

/**
 * @param {string} path
 * @param {string} label
 * @param {() => void} act
 */
function way(path, label, act) {
  return h("button", { class: "way", type: "button", onclick: act }, icon(path), h("span", null, label));
}
