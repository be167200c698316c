/**
 * The page on which one plays: a board that waits for the first click, or the game that the address names.
 *
 * @import { Mount } from "../shared/router.js"
 * @import { Choices, Context, Parts, Table } from "../shared/types.js"
 * @import { Start, StartActs } from "./types.js"
 */

import { html, nothing, render } from "/static/vendor/lit-html/lit.js";
import { parsePoint, pointName } from "/assets/notation.js";
import { link } from "../shared/addresses.js";
import { ApiError } from "../shared/api.js";
import {
  PRESETS,
  cataloguePath,
  factsOf,
  offeredBy,
  playerName,
  rowOfRules,
  rulesChoice,
  rulesHaveFouls,
  rulesText,
} from "../shared/names.js";
import {
  chosen,
  createGame,
  fitting,
  gameBody,
  pickerView,
  showSetup,
  unusual,
  usualSize,
} from "../shared/new_game.js";
import { loadAhead, loadStyles } from "../shared/router.js";
import { createTable } from "../shared/table.js";
import {
  SETTINGS,
  closedView,
  createStore,
  disc,
  hasTournaments,
  icon,
  isOff,
  reloadView,
  segmentsView,
  selectView,
  sorryView,
} from "../shared/view.js";

/** The game, and what it is dressed in; throws ApiError. */
async function loadGame() {
  const styles = Promise.all([loadStyles("shared/tabs.css"), loadStyles("play/game.css")]);
  const game = await import("./game.js").catch((error) => {
    console.warn(error);
    throw new ApiError({ key: "web.error.load" }, 0);
  });
  await styles;
  return game;
}

/** @type {Mount} */
export function mount(root, context, { id }) {
  const table = createTable(root, context);
  /** @type {{destroy: () => void}} */
  let part = { destroy: () => {} };
  let gone = false;

  if (id) void resume(id);
  else {
    part = createStart(table, context, begin);
    // What the game needs is there when the first stone falls.
    loadAhead(loadGame);
  }

  return () => {
    gone = true;
    part.destroy();
    table.destroy();
  };

  /**
   * A game was made by a click: the page stays as it is, under the game's address.
   *
   * @param {any} made
   * @param {string | null} point
   */
  async function begin(made, point) {
    const module = await loadGame().catch(() => null);
    if (gone) return;
    // Where it cannot be loaded the page of the game says so, and how to go on.
    context.go(`/g/${made.id}`, { keep: module !== null });
    if (!module) return;
    part.destroy();
    part = module.createGame(table, context, made.state, point ?? undefined);
  }

  /** @param {string} game its id */
  async function resume(game) {
    try {
      const path = `/api/games/${encodeURIComponent(game)}`;
      const [state, { createGame }] = await Promise.all([context.api.get(path), loadGame()]);
      if (!gone) part = createGame(table, context, state);
    } catch (error) {
      const text = context.errorText(error);
      if (!gone) fail(text, /** @type {ApiError} */ (error).status);
    }
  }

  /**
   * @param {string} text
   * @param {number} status
   */
  function fail(text, status) {
    const { say } = context;
    table.destroy();
    const way =
      status === 404
        ? html`<a class="button main" href=${link("/")}>${say("web.play.new")}</a>`
        : reloadView(say);
    render(sorryView(text, way), root);
  }
}

const POLL = 1500; // milliseconds between two questions whether the engine is ready
const SIZES = [9, 11, 13, 15, 17, 19, 20];
const TWO =
  "M7 9A3 3 0 1 0 7 3A3 3 0 1 0 7 9M2 17Q2 11 7 11T12 17M13 9A2.5 2.5 0 1 0 13 4M14.5 11.5Q18 12.5 18 17";
const LINK = "M8 12L12 8M9 6L11 4A3.5 3.5 0 0 1 16 9L14 11M11 14L9 16A3.5 3.5 0 0 1 4 11L6 9";
const SEARCH = "M9 12A4 4 0 1 0 9 4A4 4 0 1 0 9 12M12 11L17 16";
const TABLE = "M3 4H17V16H3ZM3 8H17M3 12H17M8 4V16";

/**
 * @param {Table} table
 * @param {Context} context
 * @param {(made: any, point: string | null) => void} onGame a game was created, by a click on that point
 */
function createStart(table, context, onGame) {
  const { settings, api } = context;
  /** @type {Start} */
  const beginning = {
    choices: chosen(settings),
    catalogue: null,
    last: null,
    compiling: false,
    busy: false,
  };
  const { state: start, update } = createStore(beginning, draw);
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
  let requests = 0;
  let gone = false;
  let timer = 0;

  table.listen({
    onSelect(point) {
      if (isOff("games")) table.refuse();
      else void begin(start.choices.colour === "black" ? pointName(point) : null);
    },
  });
  draw();
  void loadCatalogue();
  void last();
  loadAhead(watchEngine);

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
    table.shape({ width, height, k: rowOfRules(rulesText(choices)) });
    table.draw({ turn: choices.colour === "black" && !start.busy ? "black" : null });
  }

  /** @param {Partial<Choices>} change */
  function set(change) {
    const choices = { ...start.choices, ...change };
    const { company: _, ...rest } = choices;
    settings.set("game", rest);
    update({ choices });
    if (change.rules || change.size) void loadCatalogue();
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
    update({ choices: chosen(settings) });
    void loadCatalogue();
  }

  /** @param {"link"} [company] */
  async function openSetup(company) {
    await showSetup(context, company && { company }, true);
    // What was chosen there is in force here.
    if (!gone) take(settings.get("game"));
  }

  async function loadCatalogue() {
    const mine = ++requests;
    const found = await api
      .get(cataloguePath(rulesText(start.choices), start.choices.size))
      .catch(() => null);
    if (!found || gone || mine !== requests) return;
    const { opening, ...choices } = start.choices;
    // An opening chosen for other rules, or another size.
    const fits = found.openings.includes(opening) ? opening : "free";
    update({ catalogue: found, choices: { ...choices, opening: fits } });
    const opponent = fitting(choices.opponent, found);
    if (opponent !== choices.opponent) set({ opponent });
  }

  /** The game that was played last goes on, if it is not over. */
  async function last() {
    const id = settings.get("lastGame");
    if (!id) return;
    const state = await api.get(`/api/games/${id}`).catch(() => null);
    if (!state || state.outcome) return;
    update({ last: id });
  }

  /** Who begins while the engine is being compiled, which happens once, is told so. */
  async function watchEngine() {
    const server = await api.get("/api/server").catch(() => null);
    if (gone || !server) return;
    const compiling = server.engine.status === "compiling";
    update({ compiling });
    if (compiling) timer = window.setTimeout(() => void watchEngine(), POLL);
  }

  /** @param {Choices} choices */
  function bodyOf(choices) {
    return gameBody(choices, rulesHaveFouls(choices, start.catalogue));
  }

  async function here() {
    if (start.busy) return;
    update({ busy: true });
    await createGame(context, bodyOf({ ...start.choices, company: "here" }));
    update({ busy: false });
  }

  /** @param {string | null} point */
  async function begin(point) {
    if (start.busy) return;
    update({ busy: true });
    table.draw({ turn: null, ghost: point ? { point: parsePoint(point), colour: "black" } : null });
    const made = await createGame(context, bodyOf(start.choices), true);
    if (made) onGame(made, point);
    else update({ busy: false });
  }
}

/**
 * @param {Start} start
 * @param {Context} context
 * @param {StartActs} acts
 * @returns {Parts}
 */
function startView({ choices, catalogue, last, compiling }, context, acts) {
  const { say } = context;
  const { colour, opponent } = choices;
  const black = colour === "black";
  const resume = last
    ? html`<a class="way" href=${link(`/g/${last}`)}
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
      ${compiling ? html`<p class="compiling soft">${say("web.compiling")}</p>` : nothing}
      ${pickerView(picking, context, (spec) => acts.set({ opponent: spec }))}
      <h2>${say("web.setup.colour")}</h2>
      ${segmentsView(
        {
          name: "colour",
          label: say("web.setup.colour"),
          all: [
            ["black", html`${disc("black")} ${say("black")}`],
            ["white", html`${disc("white")} ${say("white")}`],
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
      ${isOff("links") ? nothing : wayView(LINK, say("web.setup.link"), () => acts.setup("link"))} ${others}
      ${wayView(SETTINGS, say("web.start.more"), () => acts.setup())}
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
  const explanation =
    choices.opening === "free"
      ? nothing
      : html`<p class="soft">${say(`web.opening.${choices.opening}`)}</p>`;
  return html`<section class="in-force" aria-label=${say("web.start.in_force")}>
    <p>${facts}</p>
    ${explanation}
    <p class="in-force-acts">
      <button class="textual" type="button" @click=${() => setup()}>${say("web.start.change")}</button>
      <button class="textual" type="button" ?hidden=${!changed.length} @click=${reset}>
        ${say("web.start.reset")}
      </button>
    </p>
  </section>`;
}

/**
 * On small screens the opponent sits above the board from the beginning: nothing moves when the game starts.
 *
 * @param {Choices} choices
 * @param {Context["say"]} say
 */
function opponentView({ colour, opponent }, say) {
  const theirs = colour === "white" ? "black" : "white";
  return html`${disc(theirs)}
    <div class="who">
      <b>${playerName(say, opponent)}</b>
      <span class="soft">${colour === "random" ? say("web.setup.random") : say(theirs)}</span>
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
  return html`<label class="field"
    >${say("web.setup.rules")}
    ${selectView(
      names.map((name) => [name, rulesChoice(say, name)]),
      rules,
      (next) => onChange({ rules: next, size: usualSize(next) }),
    )}
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
  const change = (/** @type {string} */ text) => {
    const [width, height] = text.split("x").map(Number);
    onChange({ size: [width, height] });
  };
  return html`<label class="field"
    >${say("web.setup.size")}
    ${selectView(
      sizes.map((text) => [text, text.replace("x", "×")]),
      chosen,
      change,
      { disabled: sizes.length === 1 || rules === "mnk" },
    )}
  </label>`;
}

/**
 * @param {string} path of the icon
 * @param {string} label
 * @param {() => void} act
 */
function wayView(path, label, act) {
  return html`<button class="way" type="button" @click=${act}>${icon(path)}<span>${label}</span></button>`;
}
