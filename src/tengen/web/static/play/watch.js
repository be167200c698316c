/**
 * Two computers play each other: who, by which rules, and how fast.
 *
 * @import { Mount } from "../shared/router.js"
 * @import { Catalogue } from "../shared/schemas.js"
 * @import { Choices, Context, Parts } from "../shared/types.js"
 *
 * @typedef {object} Watch
 * @property {Choices} choices
 * @property {Catalogue | null} catalogue
 * @property {boolean} busy whether a game is being created
 *
 * @typedef {object} WatchActs
 * @property {(change: Partial<Choices>) => void} set
 * @property {() => void} start
 * @property {() => void} setup
 */

import { html } from "/static/vendor/lit-html/lit.js";
import {
  cataloguePath,
  factsOf,
  offeredBy,
  rowOfRules,
  rulesHaveFouls,
  rulesText,
} from "../shared/names.js";
import { chosen, createGame, fitting, gameBody, pickerView, showSetup } from "../shared/new_game.js";
import { createTable } from "../shared/table.js";
import { buttonView, closedView, createStore, disc, isOff } from "../shared/view.js";
import { rulesField } from "./play.js";

/** Two computers begin without an opening rule, and without clocks. */
const PLAIN = { opening: "free", clock: "" };

/** @type {Mount} */
export function mount(root, context) {
  const { settings, api } = context;
  const table = createTable(root, context);
  /** @type {Watch} */
  const beginning = { choices: { ...chosen(settings), company: "watch" }, catalogue: null, busy: false };
  const { state: watch, update } = createStore(beginning, draw);
  /** @type {WatchActs} */
  const acts = {
    set,
    start: () => void start(),
    setup: () => void showSetup(context, { ...watch.choices }),
  };
  let requests = 0;
  let gone = false;

  table.listen({ onSelect: () => table.refuse() });
  draw();
  void loadCatalogue();
  return () => {
    gone = true;
    table.destroy();
  };

  function draw() {
    if (gone) return;
    const [width, height] = watch.choices.size;
    table.show(watchView(watch, context, acts));
    table.shape({ width, height, k: rowOfRules(rulesText(watch.choices)) });
  }

  /** @param {Partial<Choices>} change */
  function set(change) {
    const choices = { ...watch.choices, ...change };
    const { second, opponent, pace } = choices;
    settings.set("game", { ...settings.get("game"), second, opponent, pace });
    update({ choices });
    if (change.rules) void loadCatalogue();
  }

  async function loadCatalogue() {
    const mine = ++requests;
    const found = await api
      .get(cataloguePath(rulesText(watch.choices), watch.choices.size))
      .catch(() => null);
    if (!found || gone || mine !== requests) return;
    const { opponent, second } = watch.choices;
    const fits = { opponent: fitting(opponent, found), second: fitting(second, found) };
    update({ catalogue: found });
    if (fits.opponent !== opponent || fits.second !== second) set(fits);
  }

  async function start() {
    update({ busy: true });
    const { choices, catalogue } = watch;
    await createGame(context, gameBody({ ...choices, ...PLAIN }, rulesHaveFouls(choices, catalogue)));
    update({ busy: false });
  }
}

/**
 * @param {Watch} watch
 * @param {Context} context
 * @param {WatchActs} acts
 * @returns {Parts}
 */
function watchView({ choices, catalogue, busy }, context, acts) {
  const { say } = context;
  if (isOff("games")) {
    return {
      name: "start",
      side: html`<h1>${say("web.setup.watch")}</h1>
        ${closedView(say)}`,
    };
  }
  // Computers take nothing back.
  const facts = factsOf(say, offeredBy({ ...choices, ...PLAIN }, catalogue), true).filter(
    ({ kind }) => kind !== "take_backs",
  );
  return {
    name: "start",
    side: html`<h1>${say("web.setup.watch")}</h1>
      <p class="lead">${say("web.watch.lead")}</p>
      ${playerFields("black", choices.opponent, (opponent) => acts.set({ opponent }))}
      ${playerFields("white", choices.second, (second) => acts.set({ second }))}
      ${rulesField(choices, say, acts.set)}
      <section class="in-force" aria-label=${say("web.start.in_force")}>
        <p>${facts.map(({ text }) => text).join(" · ")}</p>
      </section>
      ${buttonView(say("web.setup.start"), acts.start, { kind: "main wide", disabled: busy })}
      ${buttonView(say("web.start.more"), acts.setup, { kind: "wide" })}`,
  };

  /**
   * @param {"black" | "white"} colour
   * @param {string} spec
   * @param {(spec: string) => void} onPick
   */
  function playerFields(colour, spec, onPick) {
    const label = say("web.setup.plays", { colour: say(colour) });
    return html`<h2>${disc(colour)} ${say(colour)}</h2>
      ${pickerView({ id: colour, label, spec, catalogue }, context, onPick)}`;
  }
}
