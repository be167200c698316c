/**
 * A new game: the choices, which the browser remembers, the player to choose, and the request to the server.
 *
 * @import { Catalogue, CataloguePlayer, PlayerParameter } from "./schemas.js"
 * @import { Settings } from "./settings.js"
 * @import { Choices, Context } from "./types.js"
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { parseSpec, playerName, rulesText, sentence, specOf } from "./names.js";
import { loadModule } from "./router.js";
import { keepTokens } from "./settings.js";
import { optionsView, segmentsView, valueOf } from "./view.js";

/** @type {Choices} */
export const DEFAULTS = {
  company: "computer",
  opponent: "level:3",
  second: "level:5",
  colour: "black",
  rules: "freestyle",
  size: [15, 15],
  k: 5,
  fouls: "forbidden",
  opening: "free",
  clock: "",
  takeBacks: 5,
  pace: 1,
};

/**
 * What is chosen otherwise for a game that is offered to whoever comes.
 *
 * @type {Partial<Choices>}
 */
export const OFFERED = { colour: "random", clock: "300+5" };

/**
 * @param {Settings} settings
 * @returns {Choices}
 */
export function chosen(settings) {
  return { ...DEFAULTS, ...settings.get("game"), company: "computer" };
}

/**
 * What is chosen otherwise than by default, of what a game against a computer depends on.
 *
 * @param {Choices} choices
 */
export function unusual(choices) {
  const names = /** @type {(keyof Choices)[]} */ (Object.keys(DEFAULTS));
  return names.filter((name) => {
    if (["company", "second", "pace"].includes(name) || (name === "k" && choices.rules !== "mnk"))
      return false;
    return String(choices[name]) !== String(DEFAULTS[name]);
  });
}

/** @param {string} rules @returns {[number, number]} */
export function usualSize(rules) {
  return rules === "tictactoe" ? [3, 3] : [15, 15];
}

/** In a row that wins. @param {Choices} choices */
export function inARow({ rules, k }) {
  return rules === "mnk" ? k : rules === "tictactoe" ? 3 : 5;
}

/**
 * What the catalogue of players is asked for.
 *
 * @param {Choices} choices
 */
export function catalogueOf(choices) {
  const query = new URLSearchParams({ rules: rulesText(choices) });
  if (choices.rules !== "mnk") query.set("size", choices.size.join("x"));
  return `/api/catalogue?${query}`;
}

/**
 * The body of the request that creates the game.
 *
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 */
export function gameBody(choices, hasFouls) {
  const { company, opponent, second, size, fouls, opening, clock, takeBacks, pace } = choices;
  const colour = choices.colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : choices.colour;
  const seats = {
    computer: colour === "black" ? ["human", opponent] : [opponent, "human"],
    here: ["human", "human"],
    link: ["human", "human"],
    lobby: ["human", "human"],
    watch: [opponent, second],
  }[company];
  return {
    rules: rulesText(choices),
    size: choices.rules === "mnk" ? null : size,
    fouls: hasFouls ? fouls : null,
    black: seats[0],
    white: seats[1],
    take_backs: takeBacks,
    opening: opening === "free" ? null : opening,
    clock: clock || null,
    open: company === "link" ? (colour === "black" ? "white" : "black") : null,
    ...(company === "watch" ? { pace } : {}),
  };
}

/**
 * Ask for a game, and go there.
 *
 * @param {Context} context
 * @param {Choices} choices
 * @param {boolean} hasFouls
 * @param {boolean} [stay] answer the game, and leave the page to the caller
 * @returns {Promise<any>} the server's answer; null where it refused, which has been said
 */
export async function createGame(context, choices, hasFouls, stay = false) {
  try {
    const made = await makeGame(context, choices, hasFouls);
    if (!stay) context.go(`/g/${made.id}`);
    return made;
  } catch (error) {
    context.toastError(error);
    context.sound.refuse();
    return null;
  }
}

/**
 * Make a game on the server, and keep what one needs to play it; throws ApiError.
 *
 * @param {Context} context
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 * @returns {Promise<any>} as the server has made it
 */
export async function makeGame(context, choices, hasFouls) {
  const made = await context.api.post("/api/games", gameBody(choices, hasFouls));
  keepTokens(made.id, Object.values(made.seats));
  return made;
}

/**
 * Ask for everything one may choose about a new game; see setup_dialog.js, which is loaded when it is needed.
 *
 * @param {Context} context
 * @param {Partial<Choices>} [given]
 * @param {boolean} [keeps] whether what is chosen may be kept without a game
 */
export async function showSetup(context, given, keeps) {
  const dialog = await loadModule(context, import("../play/setup_dialog.js"));
  await dialog?.openSetup(context, given, keeps);
}

/**
 * @typedef {object} Picking
 * @property {string} id of the picker on the page
 * @property {string} label what is chosen
 * @property {string} spec the player that is chosen
 * @property {Catalogue | null} catalogue whom the rules have; null as long as that is not known
 * @property {boolean} [deep] whether numbers may be turned, too
 */

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
  const { name, preset } = parseSpec(spec);
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
  const { head, name, preset } = parseSpec(spec);
  const level = name === "level" ? preset : "";
  const textbook = (catalogue?.players ?? []).filter(({ name }) => name !== "level");
  const specs = textbook.flatMap(({ name, presets }) =>
    presets.length ? presets.map((preset, index) => (index ? `${name}:${preset}` : name)) : [name],
  );
  if (!level && !specs.includes(head)) specs.push(head);
  /** @type {[string, string][]} */
  const offered = [["", say("web.setup.textbook")], ...specs.map(named)];
  const listed = textbook.find((player) => player.name === name);
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
    ${deep ? numbersView(parametersOf(listed, preset), spec, say("web.setup.numbers"), onPick) : nothing}
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
  const chosen = parseSpec(spec).settings.seconds ?? "";
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
  const { head, settings: given } = parseSpec(spec);
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
    const changed = parameters.filter((one) => values[one.name] && values[one.name] !== usualOf(one));
    onPick(specOf(head, Object.fromEntries(changed.map((one) => [one.name, values[one.name]]))));
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
 * @param {string} preset
 */
function parametersOf(listed, preset) {
  return listed?.presets_parameters?.[preset] ?? listed?.parameters ?? [];
}

/** @param {PlayerParameter} parameter */
function usualOf({ default: usual }) {
  return usual === null ? "" : String(usual);
}
