/**
 * Sets up a position freely: rules, size, stones put and taken away, who is to move.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Context } from "../shared/types.js"
 * @import { Analysis } from "./analyse.js"
 * @import { Beginning } from "./study.js"
 *
 * @typedef {"play" | Colour | "none"} Brush what a click on the board does
 *
 * @typedef {object} Fields what is written in them, until the server has said what it makes of it
 * @property {string} rules name of a preset, "mnk" or "custom"
 * @property {string} columns
 * @property {string} rows
 * @property {string} k
 * @property {string} fouls
 * @property {Colour} turn
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { foulModes } from "../play/setup_view.js";
import { checkField } from "../shared/fields.js";
import { PRESETS, rulesChoice } from "../shared/names.js";
import { usualSize } from "../shared/new_game.js";
import { buttonView, createStore, disc, optionsView, selectView, valueOf } from "../shared/view.js";

const LARGEST = 50;
const BRUSHES = /** @type {const} */ (["play", "black", "white", "none"]);

/** @param {Analysis} analysis */
export function createSetupPanel({ context, study, draw }) {
  /** @type {Fields & {brush: Brush}} */
  const beginning = {
    brush: "play",
    rules: "freestyle",
    columns: "",
    rows: "",
    k: "",
    fouls: "forbidden",
    turn: "black",
  };
  const { state, update } = createStore(beginning, draw);
  /** Stones that the server is being asked about. @type {[string, Colour][] | null} */
  let pending = null;
  /** Whether a size and a row were asked for: the server may know a name for them. */
  let free = false;
  /** How many positions and games with other rules were asked for and are not there yet. */
  let changing = 0;

  return { view, set, stop: () => update({ brush: "play" }), select: paint };

  function view() {
    const { brush, ...fields } = state;
    return setupView({ brush, fields, hasFouls: Boolean(study.shown?.has_fouls) }, context, {
      take: (name) => update({ brush: name }),
      write: update,
      changeRules: () => void changeRules(),
      put: () => void put(stones()),
      empty,
    });
  }

  /** @returns {[string, Colour][]} */
  function stones() {
    return pending ?? study.shown?.stones ?? [];
  }

  /** Another position is shown. */
  function set() {
    const { shown } = study;
    // Where a newer one is on its way, the fields hold what was asked of that one.
    if (!shown || changing > 1) return;
    const { width, height, k } = shown.rules;
    const name = shown.rules_name;
    if (name.startsWith("mnk:")) free = true;
    else if (name !== "freestyle" && name !== "tictactoe") free = false;
    // What is being typed is not to be overwritten.
    const typed = document.activeElement?.getAttribute("name");
    const numbers = Object.entries({ columns: width, rows: height, k }).filter(
      ([field]) => field !== typed,
    );
    update({
      rules: free ? "mnk" : PRESETS.includes(name) ? name : "custom",
      fouls: shown.fouls_mode,
      turn: shown.turn ?? state.turn,
      ...Object.fromEntries(numbers.map(([field, value]) => [field, String(value)])),
    });
  }

  /** Other rules: the moves stay where the board does, else it is empty. */
  async function changeRules() {
    const { shown } = study;
    if (!shown) return;
    const { width, height } = shown.rules;
    const { rules_name: name, has_fouls } = shown;
    const { rules, columns, rows, k, fouls } = state;
    // The size of tic-tac-toe was not chosen, and is none for other games.
    const usual = rules === "tictactoe" || (name === "tictactoe" && rules !== "mnk" && !free);
    const [m, n] = usual ? usualSize(rules) : [Number(columns), Number(rows)];
    free = rules === "mnk";
    await begin({
      rules: free ? `mnk:${m},${n},${k}` : rules,
      size: free ? null : [m, n],
      fouls: rules === "renju" && has_fouls ? fouls : null,
      keep: m === width && n === height,
    });
  }

  /** @param {Beginning} beginning */
  async function begin(beginning) {
    changing++;
    await study.start(beginning);
    changing--;
    if (!changing) pending = null;
  }

  /**
   * What a click on the board does; false where it plays.
   *
   * @param {string} name of the point
   */
  function paint(name) {
    const { brush } = state;
    if (brush === "play") return false;
    const others = stones().filter(([point]) => point !== name);
    void put(brush === "none" ? others : [...others, [name, brush]]);
    return true;
  }

  function empty() {
    update({ turn: "black" });
    void put([]);
  }

  /**
   * Begin from these stones.
   *
   * @param {[string, Colour][]} placed
   */
  async function put(placed) {
    pending = placed;
    const { turn } = state;
    const of = (/** @type {Colour} */ colour) =>
      placed.filter(([, other]) => other === colour).map(([point]) => point);
    const setup =
      placed.length || turn === "white" ? { black: of("black"), white: of("white"), turn } : null;
    await begin({ rules: study.tree.rules, setup });
  }
}

/**
 * @param {{ brush: Brush, fields: Fields, hasFouls: boolean }} state
 * @param {Context} context
 * @param {object} acts
 * @param {(brush: Brush) => void} acts.take
 * @param {(written: Partial<Fields>) => void} acts.write
 * @param {() => void} acts.changeRules
 * @param {() => void} acts.put begin from the stones that stand
 * @param {() => void} acts.empty
 */
function setupView({ brush, fields, hasFouls }, { say }, { take, write, changeRules, put, empty }) {
  const { rules, fouls, turn } = fields;
  const custom = rules === "custom";
  const names = [...PRESETS, "mnk", ...(custom ? ["custom"] : [])];
  return html`<p class="soft">${say("web.analyse.setup_lead")}</p>
    <div class="brushes" role="group" aria-label=${say("web.analyse.brush")}>
      ${BRUSHES.map((name) =>
        buttonView(
          html`${name === "black" || name === "white" ? disc(name) : nothing}${say(`web.analyse.brush.${name}`)}`,
          () => take(name),
          { pressed: name === brush },
        ),
      )}
    </div>
    <div class="field">
      <label for="setup-turn">${say("web.analyse.turn")}</label>
      ${selectView(
        [
          ["black", say("black")],
          ["white", say("white")],
        ],
        turn,
        (colour) => {
          write({ turn: /** @type {Colour} */ (colour) });
          put();
        },
        { id: "setup-turn" },
      )}
    </div>
    <div class="setup-buttons">
      ${buttonView(say("web.analyse.begin_here"), put)} ${buttonView(say("web.analyse.empty"), empty)}
    </div>
    <form @change=${change} @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <div class="field">
        <label for="setup-rules">${say("web.setup.rules")}</label>
        <select id="setup-rules" name="rules">
          ${optionsView(
            names.map((name) => [name, rulesChoice(say, name)]),
            rules,
          )}
        </select>
      </div>
      <div class="field" ?hidden=${rules === "tictactoe" || custom}>
        <span>${say("web.setup.size")}</span>
        <span class="pair">
          ${numberView("columns", say("web.setup.columns"))}×${numberView("rows", say("web.setup.rows"))}
        </span>
      </div>
      <div class="field" ?hidden=${rules !== "mnk"}>
        <span>${say("web.setup.k")}</span>${numberView("k", say("web.setup.k"))}
      </div>
      <div class="field" ?hidden=${!hasFouls || custom}>
        <label for="setup-fouls">${say("web.setup.fouls")}</label>
        <select id="setup-fouls" name="fouls">
          ${optionsView(foulModes(say), fouls)}
        </select>
      </div>
    </form>`;

  /**
   * @param {"columns" | "rows" | "k"} name
   * @param {string} label
   */
  function numberView(name, label) {
    return html`<input
      name=${name}
      type="number"
      min="1"
      max=${LARGEST}
      required
      aria-label=${label}
      .value=${live(fields[name])}
      @input=${(/** @type {Event} */ event) => write({ [name]: valueOf(event) })}
    />`;
  }

  /** @param {Event} event */
  function change(event) {
    const { name } = /** @type {HTMLInputElement} */ (event.target);
    write({ [name]: valueOf(event) });
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const numbers = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required]"));
    if ([...numbers].every((field) => checkField(field, say))) changeRules();
  }
}
