/**
 * A new game with everything one may choose about it.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("../shared/choices.js").Choices} Choices
 */

import { catalogueOf, chosen, usualSize } from "../shared/choices.js";
import { h, replace } from "../shared/dom.js";
import { PRESETS, rulesChoice } from "../shared/names.js";
import { createPicker } from "../shared/player_picker.js";
import { createGame } from "../shared/seats.js";

const CLOCKS = ["", "60", "180+2", "300+5", "600", "900+10", "300+3x30", "other"];

/**
 * @param {Context} context
 * @param {Partial<Choices>} [given] other than what was chosen last
 */
export async function openSetup(context, given = {}) {
  const { say, settings, api } = context;
  /** @type {Choices} */
  const choices = { ...chosen(settings), ...given };
  const first = createPicker(
    context,
    say("web.setup.opponent"),
    choices.opponent,
    (spec) => set({ opponent: spec }),
    true,
  );
  const second = createPicker(
    context,
    say("web.setup.second"),
    choices.second,
    (spec) => set({ second: spec }),
    true,
  );
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h("div", { class: "setup" });
  let asked = 0;
  /** @type {import("../shared/player_picker.js").Catalogue | null} */
  let catalogue = null;

  const company = tabs("company", {
    computer: say("web.setup.computer"),
    here: say("web.setup.here"),
    link: say("web.setup.link"),
    watch: say("web.setup.watch"),
  });
  const colour = tabs("colour", {
    black: say("black"),
    white: say("white"),
    random: say("web.setup.random"),
  });
  const rules = select("rules", {
    ...Object.fromEntries([...PRESETS, "mnk"].map((name) => [name, rulesChoice(say, name)])),
  });
  const columns = number(say("web.setup.columns"), choices.size[0], (value) =>
    set({ size: [value, square() ? value : choices.size[1]] }),
  );
  const rowCount = number(say("web.setup.rows"), choices.size[1], (value) =>
    set({ size: [choices.size[0], value] }),
  );
  const k = number(say("web.setup.k"), choices.k, (value) => set({ k: value }));
  const fouls = select("fouls", {
    forbidden: say("web.setup.fouls_forbidden"),
    loses: say("web.setup.fouls_loses"),
    claimed: say("web.setup.fouls_claimed"),
  });
  const opening = h("select", { onchange: () => set({ opening: opening.value }) });
  const clock = h(
    "select",
    {
      "aria-label": say("web.setup.clock"),
      onchange: () => set({ clock: clock.value === "other" ? clockText.value : clock.value }),
    },
    CLOCKS.map((text) => h("option", { value: text }, clockName(text))),
  );
  const clockText = h("input", {
    type: "text",
    placeholder: "300+3x30",
    "aria-label": say("web.setup.clock_text"),
    value: choices.clock,
  });
  clockText.addEventListener("input", () => set({ clock: clockText.value }));
  clock.value = CLOCKS.includes(choices.clock) ? choices.clock : "other";
  const backs = number(
    say("web.setup.take_backs"),
    choices.takeBacks ?? 5,
    (value) => set({ takeBacks: value }),
    0,
    999,
  );
  const unlimited = h("input", { type: "checkbox", checked: choices.takeBacks === null });
  unlimited.addEventListener("change", () =>
    set({ takeBacks: unlimited.checked ? null : backs.valueAsNumber }),
  );

  const sizeRow = row(say("web.setup.size"), h("span", { class: "pair" }, columns, "×", rowCount));
  const kRow = row(say("web.setup.k"), k);
  const foulRow = row(say("web.setup.fouls"), fouls);
  const openingRow = row(say("web.setup.opening"), opening);
  const openingTold = h("p", { class: "soft told" });
  const backRow = row(
    say("web.setup.take_backs"),
    h(
      "span",
      { class: "pair" },
      backs,
      h("label", { class: "check" }, unlimited, say("web.setup.unlimited")),
    ),
  );
  const firstBlock = block(say("web.setup.opponent"), first.element);
  const secondBlock = block(say("web.setup.second"), second.element);
  const colourRow = row(say("web.setup.colour"), colour);
  form.append(
    company,
    firstBlock,
    secondBlock,
    colourRow,
    row(say("web.setup.rules"), rules),
    sizeRow,
    kRow,
    foulRow,
    openingRow,
    openingTold,
    row(say("web.setup.clock"), h("span", { class: "pair" }, clock, clockText)),
    backRow,
    problem,
  );
  show();
  void ask();

  const answer = await context.openDialog({
    title: say("web.setup.title"),
    content: form,
    buttons: [{ value: "start", label: say("web.setup.start"), kind: "main" }],
  });
  if (answer !== "start") return;
  if (!valid()) return;
  remember();
  await createGame(context, choices, hasFouls());

  /** @param {Partial<Choices>} change */
  function set(change) {
    const ruled = change.rules && change.rules !== choices.rules;
    Object.assign(choices, change);
    if (ruled) {
      choices.size = choices.rules === "mnk" ? [7, 7] : usualSize(choices.rules);
      if (choices.rules === "mnk") choices.k = 4;
    }
    show();
    if (change.rules || change.size || change.k) void ask();
  }

  function hasFouls() {
    return catalogue?.rules.has_fouls ?? choices.rules === "renju";
  }

  function remember() {
    const { company: _, ...rest } = choices;
    settings.set("game", rest);
  }

  function valid() {
    return [columns, rowCount, k, backs].every(
      (field) => field.closest("[hidden]") || field.reportValidity(),
    );
  }

  function show() {
    const { company: with_, rules: name, size, takeBacks, clock: time } = choices;
    const computers = with_ === "watch" ? 2 : with_ === "computer" ? 1 : 0;
    firstBlock.hidden = !computers;
    secondBlock.hidden = computers < 2;
    /** @type {HTMLElement} */ (firstBlock.firstElementChild).textContent =
      computers === 2 ? say("web.setup.plays", { colour: say("black") }) : say("web.setup.opponent");
    colourRow.hidden = with_ === "watch" || with_ === "here";
    sizeRow.hidden = name === "tictactoe";
    kRow.hidden = name !== "mnk";
    columns.value = String(size[0]);
    rowCount.value = String(size[1]);
    rowCount.disabled = false;
    k.value = String(choices.k);
    backRow.hidden = with_ === "watch";
    backs.disabled = takeBacks === null;
    clockText.hidden = clock.value !== "other";
    if (clock.value !== "other") clock.value = time;
    foulRow.hidden = !hasFouls();
    const names = catalogue?.openings ?? [choices.opening]; // as chosen last, until it is known what there is
    replace(
      opening,
      names.map((one) => h("option", { value: one }, say(`opening.${one}`))),
    );
    if (!names.includes(choices.opening)) choices.opening = "free";
    opening.value = choices.opening;
    openingRow.hidden = names.length < 2;
    openingTold.hidden = openingRow.hidden || choices.opening === "free";
    openingTold.textContent = openingTold.hidden ? "" : say(`web.opening.${choices.opening}`);
    for (const field of form.querySelectorAll("input[type=radio][data-choice]")) {
      const radio = /** @type {HTMLInputElement} */ (field);
      radio.checked = choices[/** @type {"company"} */ (radio.dataset.choice)] === radio.value;
    }
  }

  function square() {
    return columns.value === rowCount.value || choices.size[0] === choices.size[1];
  }

  /** Which players and openings go with these rules. */
  async function ask() {
    const mine = ++asked;
    try {
      const found = await api.get(catalogueOf(choices));
      if (mine !== asked) return;
      catalogue = found;
      problem.textContent = "";
      first.offer(found);
      second.offer(found);
    } catch (error) {
      if (mine !== asked) return;
      problem.textContent =
        error instanceof Object && "message" in error
          ? context.lookupKey(/** @type {any} */ (error).message)
          : "";
    }
    show();
  }

  /** @param {string} text */
  function clockName(text) {
    if (!text) return say("web.setup.no_clock");
    if (text === "other") return say("web.setup.other");
    const [, main, periods, period, increment] = /^(\d+)(?:\+(?:(\d+)x(\d+)|(\d+)))?$/.exec(text) ?? [];
    const minutes = Number(main) / 60;
    if (periods) return say("web.setup.clock_periods", { minutes, periods, seconds: period });
    return increment
      ? say("web.setup.clock_increment", { minutes, seconds: increment })
      : say("web.setup.clock_minutes", { minutes });
  }

  /**
   * @param {"company" | "colour"} name
   * @param {Record<string, string>} options
   */
  function tabs(name, options) {
    return h(
      "div",
      {
        class: `segments ${name}`,
        role: "radiogroup",
        "aria-label": name === "colour" ? say("web.setup.colour") : say("web.setup.title"),
      },
      Object.entries(options).map(([value, label]) =>
        h(
          "label",
          null,
          h("input", {
            type: "radio",
            name: `setup-${name}`,
            value,
            "data-choice": name,
            onchange: () => set({ [name]: value }),
          }),
          h("span", null, label),
        ),
      ),
    );
  }

  /**
   * @param {"rules" | "fouls"} name
   * @param {Record<string, string>} options
   */
  function select(name, options) {
    const made = h(
      "select",
      { onchange: () => set({ [name]: made.value }) },
      Object.entries(options).map(([value, label]) => h("option", { value }, label)),
    );
    made.value = choices[name];
    return made;
  }
}

/**
 * @param {string} label
 * @param {number} value
 * @param {(value: number) => void} set
 */
function number(label, value, set, least = 1, most = 50) {
  const made = h("input", {
    type: "number",
    min: least,
    max: most,
    step: 1,
    value,
    required: true,
    "aria-label": label,
  });
  made.addEventListener("change", () => made.validity.valid && set(made.valueAsNumber));
  return made;
}

/**
 * @param {string} label
 * @param {HTMLElement} field
 */
function row(label, field) {
  const single = field.matches("select, input");
  return h(single ? "label" : "div", { class: "field" }, h("span", null, label), field);
}

/**
 * @param {string} label
 * @param {HTMLElement} content
 */
function block(label, content) {
  return h("div", { class: "block" }, h("h3", null, label), content);
}
