/**
 * A new game: the choices, which the browser remembers, the player to choose, and the request to the server.
 *
 * @import { Catalogue } from "./schemas.js"
 * @import { Settings } from "./settings.js"
 * @import { Choices, Context } from "./types.js"
 * @import { Content } from "./view.js"
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { parseSpec, playerName, rulesText, sentence } from "./names.js";
import { loadModule } from "./router.js";
import { keepTokens } from "./settings.js";
import { FIRST_OPPONENT, segmentsView, selectView } from "./view.js";

/** @type {Choices} */
export const DEFAULTS = {
  company: "computer",
  opponent: FIRST_OPPONENT,
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

/**
 * What a game, a challenge or a tournament is played by, as a request has it.
 *
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 */
export function termsOf(choices, hasFouls) {
  const { rules, size, fouls, opening, clock } = choices;
  return {
    rules: rulesText(choices),
    size: rules === "mnk" ? null : size,
    fouls: hasFouls ? fouls : null,
    opening: opening === "free" ? null : opening,
    clock: clock || null,
  };
}

/**
 * The body of the request that creates the game.
 *
 * @param {Choices} choices
 * @param {boolean} hasFouls whether the rules know fouls
 */
export function gameBody(choices, hasFouls) {
  const { company, opponent, second, takeBacks, pace } = choices;
  const colour = choices.colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : choices.colour;
  const seats = {
    computer: colour === "black" ? ["human", opponent] : [opponent, "human"],
    here: ["human", "human"],
    link: ["human", "human"],
    lobby: ["human", "human"],
    watch: [opponent, second],
  }[company];
  return {
    ...termsOf(choices, hasFouls),
    black: seats[0],
    white: seats[1],
    take_backs: takeBacks,
    open: company === "link" ? (colour === "black" ? "white" : "black") : null,
    ...(company === "watch" ? { pace } : {}),
  };
}

/**
 * Ask for a game, and go there.
 *
 * @param {Context} context
 * @param {object} body of the request
 * @param {boolean} [stay] answer the game, and leave the page to the caller
 * @returns {Promise<any>} the server's answer; null where it refused, which has been said
 */
export async function createGame(context, body, stay = false) {
  try {
    const made = await makeGame(context, body);
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
 * @param {Pick<Context, "api">} context
 * @param {object} body of the request
 * @returns {Promise<any>} as the server has made it
 */
export async function makeGame({ api }, body) {
  const made = await api.post("/api/games", body);
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
 * @property {Content} [numbers] what there is to turn of it
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
export function pickerView({ id, label, spec, catalogue, numbers = nothing }, { say, lookupKey }, onPick) {
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
  const description = sentence(level ? say(`level.${level}`) : listed ? lookupKey(listed.summary) : "");
  return html`<div class="picker">
    <div class="levels" role="radiogroup" aria-label=${label}>
      ${(catalogue?.levels ?? LEVELS).map(levelView)}
    </div>
    ${selectView(offered, level ? "" : head, (next) => onPick(next || spec), {
      label: say("web.setup.textbook"),
      kind: level ? "" : "chosen",
    })}
    <p class="soft told">${description}</p>
    ${level === STRONGEST ? secondsView(id, spec, say, onPick) : nothing} ${numbers}
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
