/**
 * Before the game: a board on which the first click plays, and beside it what there is to choose.
 *
 * @import { Choices } from "../shared/choices.js"
 * @import { Context } from "../shared/context.js"
 * @import { Catalogue } from "../shared/schemas.js"
 * @import { Parts, Table } from "../shared/table.js"
 *
 * @typedef {object} Start
 * @property {Choices} choices
 * @property {Catalogue | null} catalogue what goes with the rules
 * @property {string | null} last id of a game that may go on
 * @property {number | null} compiled the share of the engine, from 0 to 1; null where it is ready, or not known
 *
 * @typedef {object} StartActs what a reader may do
 * @property {(change: Partial<Choices>) => void} set
 * @property {() => void} start
 * @property {() => void} here two people at this device
 * @property {(company?: "link") => void} setup
 * @property {() => void} reset to what is chosen by default
 * @property {() => void} lobby
 * @property {() => void} tournament
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { parsePoint, pointName } from "/assets/notation.js";
import { catalogueOf, chosen, inARow, unusual, usualSize } from "../shared/choices.js";
import { optionsView, segmentsView, valueOf } from "../shared/fields.js";
import { factsOf, offeredBy } from "../shared/game_facts.js";
import { PRESETS, playerName, rulesChoice } from "../shared/names.js";
import { fitting, pickerView } from "../shared/picker_view.js";
import { createGame, showSetup } from "../shared/seats.js";
import { closedView, hasTournaments, isOff } from "../shared/switches.js";
import { disc, icon } from "../shared/view.js";

const LOOK = 1500; // milliseconds between two looks at how far the engine is
const SIZES = [9, 11, 13, 15, 17, 19, 20];
const TWO =
  "M7 9A3 3 0 1 0 7 3A3 3 0 1 0 7 9M2 17Q2 11 7 11T12 17M13 9A2.5 2.5 0 1 0 13 4M14.5 11.5Q18 12.5 18 17";
const LINK = "M8 12L12 8M9 6L11 4A3.5 3.5 0 0 1 16 9L14 11M11 14L9 16A3.5 3.5 0 0 1 4 11L6 9";
const SEARCH = "M9 12A4 4 0 1 0 9 4A4 4 0 1 0 9 12M12 11L17 16";
const TABLE = "M3 4H17V16H3ZM3 8H17M3 12H17M8 4V16";
const MORE =
  "M3 6H9M13 6H17M9 6A2 2 0 1 0 13 6A2 2 0 1 0 9 6M3 14H5M9 14H17M5 14A2 2 0 1 0 9 14A2 2 0 1 0 5 14";

/**
 * @param {Table} table
 * @param {Context} context
 * @param {(made: any, point: string | null) => void} onGame a game was created, by a click on that point
 */
export function createStart(table, context, onGame) {
  const { settings, api } = context;
  /** @type {Start} */
  const start = { choices: chosen(settings), catalogue: null, last: null, compiled: null };
  /** @type {StartActs} */
  const acts = {
    set,
    start: () => void begin(null),
    here: () => void here(),
    setup: (company) => void openSetup(company),
    reset,
    lobby: () => context.go("/lobby"),
    tournament: () => context.go("/tournaments"),
  };
  let busy = false;
  let asked = 0;
  let gone = false;
  let timer = 0;

  table.listen({
    onSelect(point) {
      if (isOff("games")) table.refuse();
      else void begin(start.choices.colour === "black" ? pointName(point) : null);
    },
  });
  draw();
  void ask();
  void last();
  void watchEngine();

  return {
    destroy() {
      gone = true;
      clearTimeout(timer);
    },
  };

  function draw() {
    if (gone) return;
    const { choices } = start;
    const [width, height] = choices.size;
    table.show(startView(start, context, acts));
    table.shape({ width, height, k: inARow(choices) });
    table.draw({ turn: choices.colour === "black" && !busy ? "black" : null });
  }

  /** @param {Partial<Choices>} change */
  function set(change) {
    Object.assign(start.choices, change);
    const { company: _, ...rest } = start.choices;
    settings.set("game", rest);
    draw();
    if (change.rules || change.size) void ask();
  }

  /** What was chosen comes back, should that be regretted. */
  function reset() {
    const before = settings.get("game");
    take({});
    const undo = { label: context.say("web.undo"), act: () => take(before) };
    context.toast(context.say("web.start.reset_done"), { action: undo });
  }

  /** @param {Record<string, unknown>} game what is chosen from now on */
  function take(game) {
    settings.set("game", game);
    if (gone) return;
    start.choices = chosen(settings);
    draw();
    void ask();
  }

  /** @param {"link"} [company] */
  async function openSetup(company) {
    await showSetup(context, company && { company }, true);
    // What was chosen there is in force here.
    if (!gone) take(settings.get("game"));
  }

  async function ask() {
    const mine = ++asked;
    const found = await api.get(catalogueOf(start.choices)).catch(() => null);
    if (!found || gone || mine !== asked) return;
    const { choices } = start;
    start.catalogue = found;
    // An opening chosen for other rules, or another size.
    if (!found.openings.includes(choices.opening)) choices.opening = "free";
    const opponent = fitting(choices.opponent, found);
    if (opponent === choices.opponent) draw();
    else set({ opponent });
  }

  /** The game that was played last goes on, if it is not over. */
  async function last() {
    const id = settings.get("lastGame");
    if (!id) return;
    const state = await api.get(`/api/games/${id}`).catch(() => null);
    if (!state || state.outcome) return;
    start.last = id;
    draw();
  }

  /** Who begins while the engine is being compiled, which happens once, is told how far it is. */
  async function watchEngine() {
    const told = await api.get("/api/server").catch(() => null);
    if (gone || !told) return;
    const compiling = told.engine.status === "compiling";
    start.compiled = compiling ? told.engine.done : null;
    if (compiling) timer = window.setTimeout(() => void watchEngine(), LOOK);
    draw();
  }

  function hasFouls() {
    return start.catalogue?.has_fouls ?? start.choices.rules === "renju";
  }

  async function here() {
    if (busy) return;
    busy = true;
    await createGame(context, { ...start.choices, company: "here" }, hasFouls());
    busy = false;
  }

  /** @param {string | null} point */
  async function begin(point) {
    if (busy) return;
    busy = true;
    table.draw({ turn: null, ghost: point ? { point: parsePoint(point), colour: "black" } : null });
    const made = await createGame(context, start.choices, hasFouls(), true);
    busy = false;
    if (made) onGame(made, point);
    else draw();
  }
}

/**
 * @param {Start} start
 * @param {Context} context
 * @param {StartActs} acts
 * @returns {Parts}
 */
function startView({ choices, catalogue, last, compiled }, context, acts) {
  const { say } = context;
  const { colour, opponent } = choices;
  const black = colour === "black";
  const resume = last
    ? html`<a class="way" href="/g/${last}"
        >${icon("M7 5L14 10L7 15Z")}<span>${say("web.start.resume")}</span></a
      >`
    : nothing;
  if (isOff("games")) {
    const ways = last ? html`<div class="ways panel">${resume}</div>` : nothing;
    return {
      name: "start",
      side: html`<h1>${say("web.start.title")}</h1>
        ${closedView(say)}`,
      actions: ways,
    };
  }
  // The lobby leads to tournaments too.
  const others = !isOff("lobby")
    ? wayView(SEARCH, say("web.lobby.find"), acts.lobby)
    : hasTournaments()
      ? wayView(TABLE, say("web.tournament.tournaments"), acts.tournament)
      : nothing;
  const picking = { id: "opponent", label: say("web.setup.opponent"), spec: opponent, catalogue };
  return {
    name: "start",
    top: { content: opponentView(choices, say) },
    side: html`<h1>${say("web.start.title")}</h1>
      <p class="lead">${black ? say("web.start.lead") : say("web.start.lead_white")}</p>
      ${inForceView(choices, catalogue, say, acts)}
      <h2>${say("web.setup.opponent")}</h2>
      ${compilingView(compiled, say)}
      ${pickerView(picking, context, (spec) => acts.set({ opponent: spec }))}
      <h2>${say("web.setup.colour")}</h2>
      ${segmentsView(
        {
          name: "colour",
          label: say("web.setup.colour"),
          all: [
            ["black", html`${stone("black")} ${say("black")}`],
            ["white", html`${stone("white")} ${say("white")}`],
            ["random", say("web.setup.random")],
          ],
          chosen: colour,
        },
        (chosen) => acts.set({ colour: chosen }),
      )}
      ${rulesField(choices, say, acts.set)} ${sizeField(choices, say, acts.set)}
      <button class="button main wide" type="button" ?hidden=${black} @click=${acts.start}>
        ${say("web.setup.start")}
      </button>`,
    actions: html`<div class="ways panel">
      ${resume} ${wayView(TWO, say("web.setup.here"), acts.here)}
      ${wayView(LINK, say("web.setup.link"), () => acts.setup("link"))} ${others}
      ${wayView(MORE, say("web.start.more"), () => acts.setup())}
    </div>`,
  };
}

/**
 * All that is in force in the game that the first click begins; what is not so by default stands out.
 *
 * @param {Choices} choices
 * @param {Start["catalogue"]} catalogue
 * @param {Context["say"]} say
 * @param {Pick<StartActs, "setup" | "reset">} acts
 */
function inForceView(choices, catalogue, say, { setup, reset }) {
  const changed = unusual(choices);
  const own = (/** @type {string} */ kind) =>
    changed.some((name) => name === kind || (name === "takeBacks" && kind === "take_backs"));
  const facts = factsOf(say, offeredBy(choices, catalogue), true).map(
    ({ kind, text }, index) => html`${index ? " · " : nothing}${own(kind) ? html`<b>${text}</b>` : text}`,
  );
  const told =
    choices.opening === "free"
      ? nothing
      : html`<p class="soft">${say(`web.opening.${choices.opening}`)}</p>`;
  return html`<section class="in-force" aria-label=${say("web.start.in_force")}>
    <p>${facts}</p>
    ${told}
    <p class="in-force-acts">
      <button class="textual" type="button" @click=${() => setup()}>${say("web.start.change")}</button>
      <button class="textual" type="button" ?hidden=${!changed.length} @click=${reset}>
        ${say("web.start.reset")}
      </button>
    </p>
  </section>`;
}

/**
 * How far the engine is that plays levels 4 to 10.
 *
 * @param {number | null} share
 * @param {Context["say"]} say
 */
function compilingView(share, say) {
  if (share === null) return nothing;
  const percent = Math.round(100 * share);
  return html`<p class="compiling soft">${say("web.start.compiling", { percent })}</p>
    <progress
      class="compiling"
      max="100"
      value=${percent}
      aria-label=${say("web.start.compiling", { percent })}
    ></progress>`;
}

/**
 * On small screens the opponent sits above the board from the beginning: nothing moves when the game starts.
 *
 * @param {Choices} choices
 * @param {Context["say"]} say
 */
function opponentView({ colour, opponent }, say) {
  const other = colour === "white" ? "black" : "white";
  return html`${disc(other)}
    <div class="who">
      <b>${playerName(say, opponent)}</b>
      <span class="soft">${colour === "random" ? say("web.setup.random") : say(other)}</span>
    </div>`;
}

/**
 * The rules to choose from; those chosen elsewhere are among them.
 *
 * @param {Choices} choices
 * @param {Context["say"]} say
 * @param {(change: Partial<Choices>) => void} onChange
 */
export function rulesField({ rules }, say, onChange) {
  const names = PRESETS.includes(rules) ? PRESETS : [...PRESETS, rules];
  const change = (/** @type {Event} */ event) =>
    onChange({ rules: valueOf(event), size: usualSize(valueOf(event)) });
  return html`<label class="field"
    >${say("web.setup.rules")}
    <select @change=${change}>
      ${optionsView(
        names.map((name) => [name, rulesChoice(say, name)]),
        rules,
      )}
    </select>
  </label>`;
}

/**
 * @param {Choices} choices
 * @param {Context["say"]} say
 * @param {(change: Partial<Choices>) => void} onChange
 */
function sizeField({ rules, size }, say, onChange) {
  const chosen = size.join("x");
  const usual = rules === "tictactoe" ? ["3x3"] : SIZES.map((side) => `${side}x${side}`);
  const sizes = usual.includes(chosen) ? usual : [...usual, chosen];
  const change = (/** @type {Event} */ event) => {
    const [width, height] = valueOf(event).split("x").map(Number);
    onChange({ size: [width, height] });
  };
  return html`<label class="field"
    >${say("web.setup.size")}
    <select ?disabled=${sizes.length === 1 || rules === "mnk"} @change=${change}>
      ${optionsView(
        sizes.map((one) => [one, one.replace("x", "×")]),
        chosen,
      )}
    </select>
  </label>`;
}

/** @param {"black" | "white"} colour */
function stone(colour) {
  return html`<i class="disc ${colour}" aria-hidden="true"></i>`;
}

/**
 * @param {string} path of the icon
 * @param {string} label
 * @param {() => void} act
 */
function wayView(path, label, act) {
  return html`<button class="way" type="button" @click=${act}>${icon(path)}<span>${label}</span></button>`;
}
