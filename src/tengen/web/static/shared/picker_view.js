/**
 * Chooses a computer player: a level, or one of the textbook's with its presets and numbers.
 *
 * @import { Context } from "./context.js"
 * @import { Catalogue, CataloguePlayer, PlayerParameter } from "./schemas.js"
 *
 * @typedef {object} Picking
 * @property {string} id of the picker on the page
 * @property {string} label what is chosen
 * @property {string} spec the player that is chosen
 * @property {Catalogue | null} catalogue whom the rules have; null as long as that is not known
 * @property {boolean} [deep] whether numbers may be turned, too
 */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { live } from "/static/vendor/lit-html/directives/live.js";
import { optionsView, segmentsView, valueOf } from "./fields.js";
import { playerName, sentence } from "./names.js";

const STRONGEST = "10";
const SECONDS = ["1", "5", "15"]; // for a move of the strongest level
const LEVELS = Array.from({ length: 10 }, (_, index) => String(index + 1));

/**
 * The player itself where the rules have it; else the strongest that they have.
 *
 * @param {string} spec
 * @param {Catalogue} catalogue
 */
export function fitting(spec, { players, levels }) {
  const [name, preset = ""] = headOf(spec).split(":");
  const listed = players.find((player) => player.name === name);
  if (listed && (!preset || listed.presets.includes(preset))) return spec;
  const best = levels.at(-1);
  return best ? `level:${best}` : (players[0]?.name ?? "random");
}

/**
 * @param {Picking} picking
 * @param {Context} context
 * @param {(spec: string) => void} onPick
 */
export function pickerView({ id, label, spec, catalogue, deep = false }, { say, lookupKey }, onPick) {
  const level = /^level:(\d+)(?:,|$)/.exec(spec)?.[1];
  const textbook = (catalogue?.players ?? []).filter(({ name }) => name !== "level");
  const specs = textbook.flatMap(({ name, presets }) =>
    presets.length ? presets.map((preset, index) => (index ? `${name}:${preset}` : name)) : [name],
  );
  const head = headOf(spec);
  if (!level && !specs.includes(head)) specs.push(head);
  /** @type {[string, string][]} */
  const offered = [["", say("web.setup.textbook")], ...specs.map(named)];
  const listed = textbook.find(({ name }) => name === head.split(":")[0]);
  const told = sentence(level ? say(`level.${level}`) : listed ? lookupKey(listed.summary) : "");
  return html`<div class="picker">
    <div class="levels" role="radiogroup" aria-label=${label}>
      ${(catalogue?.levels ?? LEVELS).map(levelView)}
    </div>
    <select
      class=${level ? "" : "chosen"}
      aria-label=${say("web.setup.textbook")}
      @change=${(/** @type {Event} */ event) => onPick(valueOf(event) || spec)}
    >
      ${optionsView(offered, level ? "" : head)}
    </select>
    <p class="soft told">${told}</p>
    ${level === STRONGEST ? secondsView(id, spec, say, onPick) : nothing}
    ${deep ? numbersView(parametersOf(listed, head), spec, say("web.setup.numbers"), onPick) : nothing}
  </div>`;

  /** @param {string} one @returns {[string, string]} */
  function named(one) {
    return [one, playerName(say, one)];
  }

  /** @param {string} number */
  function levelView(number) {
    return html`<label title=${say(`level.${number}`)}>
      <input
        type="radio"
        id="${id}-${number}"
        name=${id}
        value=${number}
        aria-label=${say("player.name.level", { number })}
        .checked=${live(number === level)}
        @change=${() => onPick(`level:${number}`)}
      />
      <span>${number}</span>
    </label>`;
  }
}

/**
 * How long the strongest level thinks over a move.
 *
 * @param {string} id of the picker
 * @param {string} spec
 * @param {Context["say"]} say
 * @param {(spec: string) => void} onPick
 */
function secondsView(id, spec, say, onPick) {
  const label = say("web.setup.seconds");
  /** @type {[string, string][]} */
  const all = [
    ["", say("web.setup.seconds_usual")],
    ...SECONDS.map(
      (seconds) => /** @type {[string, string]} */ ([seconds, say("web.setup.seconds_n", { seconds })]),
    ),
  ];
  const chosen = /,seconds=(\d+)/.exec(spec)?.[1] ?? "";
  return html`<div class="field">
    <span>${label}</span>
    ${segmentsView({ name: `${id}-seconds`, label, all, chosen }, (seconds) =>
      onPick(seconds ? `level:${STRONGEST},seconds=${seconds}` : `level:${STRONGEST}`),
    )}
  </div>`;
}

/**
 * The numbers of a textbook player.
 *
 * @param {PlayerParameter[]} parameters
 * @param {string} spec
 * @param {string} label
 * @param {(spec: string) => void} onPick
 */
function numbersView(parameters, spec, label, onPick) {
  /** @type {Record<string, string>} */
  const given = Object.fromEntries(
    spec
      .split(",")
      .slice(1)
      .map((text) => text.split("=")),
  );
  return html`<details class="fold" ?hidden=${!parameters.length}>
    <summary>${label}</summary>
    <div class="numbers">
      ${parameters.map((one) => parameterView(one, given[one.name] ?? usualOf(one), turn))}
    </div>
  </details>`;

  /**
   * @param {string} name of a parameter
   * @param {string} value
   */
  function turn(name, value) {
    const values = { ...given, [name]: value.trim() };
    const changed = parameters
      .filter((one) => values[one.name] && values[one.name] !== usualOf(one))
      .map((one) => `${one.name}=${values[one.name]}`);
    onPick([headOf(spec), ...changed].join(","));
  }
}

/**
 * @param {PlayerParameter} parameter
 * @param {string} value
 * @param {(name: string, value: string) => void} onTurn
 */
function parameterView({ name, kind, least, most, choices }, value, onTurn) {
  const options = kind === "bool" ? ["true", "false"] : choices;
  const turn = (/** @type {Event} */ event) => onTurn(name, valueOf(event));
  const field = options
    ? html`<select @change=${turn}>
        ${optionsView(
          options.map((option) => [option, option]),
          value,
        )}
      </select>`
    : html`<input
        type=${kind === "text" ? "text" : "number"}
        min=${least ?? nothing}
        max=${most ?? nothing}
        step=${kind === "int" ? 1 : "any"}
        .value=${live(value)}
        @change=${turn}
      />`;
  return html`<label class="field"><code>${name}</code>${field}</label>`;
}

/**
 * @param {CataloguePlayer | undefined} listed
 * @param {string} head
 */
function parametersOf(listed, head) {
  return listed?.presets_parameters?.[head.split(":")[1] ?? ""] ?? listed?.parameters ?? [];
}

/** @param {PlayerParameter} parameter */
function usualOf({ default: usual }) {
  return usual === null ? "" : String(usual);
}

/** Name and preset. @param {string} spec */
function headOf(spec) {
  return spec.split(",", 1)[0];
}
