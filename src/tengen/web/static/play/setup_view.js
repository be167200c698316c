/**
 * The fields of a new game.
 *
 * @import { Choices, Context } from "../shared/types.js"
 * @import { Content } from "../shared/view.js"
 * @import { Setup } from "./setup_dialog.js"
 *
 * @typedef {object} SetupActs
 * @property {(next: Partial<Choices>) => void} choose
 * @property {(next: Partial<Setup>) => void} change
 */

import { html, live, nothing } from "/static/vendor/lit-html/lit.js";
import { PRESETS, clockName, rulesChoice, rulesHaveFouls } from "../shared/names.js";
import { pickerView } from "../shared/new_game.js";
import { numbersView } from "../shared/player_numbers.js";
import { checkboxView, isOff, segmentsView, selectView, valueOf } from "../shared/view.js";

const OTHER = "other";

/** Clocks to choose from, as `TimeControl.parse` reads them. */
export const CLOCKS = ["", "60", "180+2", "300+5", "600", "900+10", "300+3x30"];

/** What `TimeControl.parse` reads, as the pattern of a field. */
const CLOCK = String.raw`\d{1,7}(\.\d{1,3})?(\+(\d{1,4}x)?\d{1,7}(\.\d{1,3})?)?`;

/**
 * @param {Setup} setup
 * @param {Context} context
 * @param {SetupActs} acts
 */
export function setupView(setup, context, acts) {
  const { choices, catalogue, problem } = setup;
  const { say } = context;
  const { company } = choices;
  const computers = company === "watch" ? 2 : company === "computer" ? 1 : 0;
  const opponent = say("web.setup.opponent");
  const plays = say("web.setup.plays", { colour: say("black") });
  /** @type {(id: string, label: string, spec: string, onPick: (spec: string) => void) => Content} */
  const picker = (id, label, spec, onPick) => {
    const numbers = numbersView(catalogue, spec, say("web.setup.numbers"), onPick);
    return pickerView({ id, label, spec, catalogue, numbers }, context, onPick);
  };
  return html`${company === "lobby" ? nothing : companyView(choices, say, acts)}
    <div class="block" ?hidden=${!computers}>
      <h3>${computers === 2 ? plays : opponent}</h3>
      ${picker("setup-opponent", opponent, choices.opponent, (spec) => acts.choose({ opponent: spec }))}
    </div>
    <div class="block" ?hidden=${computers < 2}>
      <h3>${say("web.setup.second")}</h3>
      ${picker("setup-second", say("web.setup.second"), choices.second, (spec) => acts.choose({ second: spec }))}
    </div>
    ${colourView(choices, say, acts)} ${rulesView(setup, say, acts)} ${openingView(setup, say, acts)}
    ${clockView(setup, say, acts)} ${takeBacksView(setup, say, acts)}
    ${
      choices.rated === undefined
        ? nothing
        : html`<label class="field">
            <span>${say("web.setup.rated")}</span>
            ${checkboxView(choices.rated, (rated) => acts.choose({ rated }))}
          </label>`
    }
    <p class="problem" role="alert">${problem}</p>`;
}

/**
 * @param {Choices} choices
 * @param {Context["say"]} say
 * @param {SetupActs} acts
 */
function companyView({ company }, say, { choose }) {
  /** @type {[Choices["company"], string][]} */
  const invitation = isOff("links") ? [] : [["link", say("web.setup.link")]];
  return segmentsView(
    {
      name: "setup-company",
      kind: "company",
      label: say("web.setup.title"),
      all: [
        ["computer", say("web.setup.computer")],
        ["here", say("web.setup.here")],
        ...invitation,
        ["watch", say("web.setup.watch")],
      ],
      chosen: company,
    },
    (chosen) => choose({ company: chosen }),
  );
}

/**
 * @param {Choices} choices
 * @param {Context["say"]} say
 * @param {SetupActs} acts
 */
function colourView({ colour, company }, say, { choose }) {
  return html`<div class="field" ?hidden=${company === "watch" || company === "here"}>
    <span>${say("web.setup.colour")}</span>
    ${segmentsView(
      {
        name: "setup-colour",
        kind: "colour",
        label: say("web.setup.colour"),
        all: [
          ["black", say("black")],
          ["white", say("white")],
          ["random", say("web.setup.random")],
        ],
        chosen: colour,
      },
      (chosen) => choose({ colour: chosen }),
    )}
  </div>`;
}

/** Whether the rules that are chosen know fouls. @param {Setup} setup */
export function hasFouls({ choices, catalogue, current }) {
  return rulesHaveFouls(choices, current ? catalogue : null);
}

/**
 * What may become of fouls, to choose from.
 *
 * @param {Context["say"]} say
 * @returns {[string, string][]}
 */
export function foulModes(say) {
  return [
    ["forbidden", say("web.setup.fouls_forbidden")],
    ["loses", say("web.setup.fouls_loses")],
    ["claimed", say("web.setup.fouls_claimed")],
  ];
}

/**
 * Rules, size, and what becomes of fouls.
 *
 * @param {Setup} setup
 * @param {Context["say"]} say
 * @param {SetupActs} acts
 */
export function rulesView(setup, say, { choose }) {
  const { rules, size, k, fouls } = setup.choices;
  const [columns, rows] = size;
  const columnsField = numberView(say("web.setup.columns"), columns, [1, 50], (next) =>
    choose({ size: [next, columns === rows ? next : rows] }),
  );
  const rowsField = numberView(say("web.setup.rows"), rows, [1, 50], (next) =>
    choose({ size: [columns, next] }),
  );
  return html`${choiceView(
      say("web.setup.rules"),
      [...PRESETS, "mnk"].map((name) => [name, rulesChoice(say, name)]),
      rules,
      (next) => choose({ rules: next }),
    )}
    <div class="field" ?hidden=${rules === "tictactoe"}>
      <span>${say("web.setup.size")}</span>
      <span class="pair">${columnsField}×${rowsField}</span>
    </div>
    <label class="field" ?hidden=${rules !== "mnk"}>
      <span>${say("web.setup.k")}</span>
      ${numberView(say("web.setup.k"), k, [1, 50], (next) => choose({ k: next }))}
    </label>
    ${choiceView(
      say("web.setup.fouls"),
      foulModes(say),
      fouls,
      (next) => choose({ fouls: /** @type {Choices["fouls"]} */ (next) }),
      !hasFouls(setup),
    )}`;
}

/**
 * @param {Setup} setup
 * @param {Context["say"]} say
 * @param {SetupActs} acts
 */
export function openingView({ choices: { opening, rules }, catalogue, current }, say, { choose }) {
  // As chosen last, until it is known what there is. A field that came then would move all that is below.
  const names = (current && catalogue?.openings) || [opening];
  const hidden = current ? names.length < 2 : rules === "tictactoe" || rules === "mnk";
  const description = hidden || opening === "free" ? "" : say(`web.opening.${opening}`);
  return html`${choiceView(
      say("web.setup.opening"),
      names.map((name) => [name, say(`opening.${name}`)]),
      opening,
      (next) => choose({ opening: next }),
      hidden,
    )}
    <p class="soft told" ?hidden=${!description}>${description}</p>`;
}

/**
 * @param {Setup} setup
 * @param {Context["say"]} say
 * @param {SetupActs} acts
 * @param {readonly string[]} [clocks] to choose from
 */
export function clockView(
  { choices: { clock }, ownClock, clockText },
  say,
  { choose, change },
  clocks = CLOCKS,
) {
  /** @type {[string, string][]} */
  const all = clocks.map((text) => [text, clockName(say, text)]);
  all.push([OTHER, say("web.setup.other")]);
  const pick = (/** @type {string} */ picked) => {
    change({ ownClock: picked === OTHER });
    choose({ clock: picked === OTHER ? clockText : picked });
  };
  const write = (/** @type {Event} */ event) => {
    change({ clockText: valueOf(event) });
    choose({ clock: valueOf(event) });
  };
  return html`<div class="field">
    <span>${say("web.setup.clock")}</span>
    <span class="pair">
      ${selectView(all, ownClock ? OTHER : clock, pick, { label: say("web.setup.clock") })}
      <input
        type="text"
        placeholder="300+3x30"
        required
        pattern=${CLOCK}
        title=${say("web.setup.clock_text")}
        aria-label=${say("web.setup.clock_text")}
        ?hidden=${!ownClock}
        .value=${live(clockText)}
        @input=${write}
      />
    </span>
  </div>`;
}

/**
 * @param {Setup} setup
 * @param {Context["say"]} say
 * @param {SetupActs} acts
 */
function takeBacksView({ choices, takeBacks }, say, { choose, change }) {
  const unlimited = choices.takeBacks === null;
  const label = say("web.setup.take_backs");
  const limit = (/** @type {number} */ next) => {
    change({ takeBacks: next });
    choose({ takeBacks: next });
  };
  const lift = (/** @type {boolean} */ lifted) => choose({ takeBacks: lifted ? null : takeBacks });
  return html`<div class="field" ?hidden=${choices.company === "watch" || choices.rated}>
    <span>${label}</span>
    <span class="pair">
      ${numberView(label, takeBacks, [0, 999], limit, unlimited)}
      <label class="check"> ${checkboxView(unlimited, lift)} ${say("web.setup.unlimited")} </label>
    </span>
  </div>`;
}

/**
 * @param {string} label
 * @param {readonly (readonly [string, string])[]} all
 * @param {string} chosen
 * @param {(value: string) => void} onChoose
 * @param {boolean} [hidden]
 */
function choiceView(label, all, chosen, onChoose, hidden = false) {
  return html`<label class="field" ?hidden=${hidden}>
    <span>${label}</span>
    ${selectView(all, chosen, onChoose)}
  </label>`;
}

/**
 * A whole number; one that cannot be meant stays in the field and changes nothing.
 *
 * @param {string} label
 * @param {number} value
 * @param {readonly [least: number, most: number]} range
 * @param {(value: number) => void} onChange
 * @param {boolean} [disabled]
 */
export function numberView(label, value, [least, most], onChange, disabled = false) {
  const change = (/** @type {Event} */ { target }) => {
    const { validity, valueAsNumber } = /** @type {HTMLInputElement} */ (target);
    if (validity.valid) onChange(valueAsNumber);
  };
  return html`<input
    type="number"
    min=${least}
    max=${most}
    step="1"
    required
    aria-label=${label}
    ?disabled=${disabled}
    .value=${String(value)}
    @change=${change}
  />`;
}
