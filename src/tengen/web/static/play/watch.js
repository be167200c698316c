/**
 * Two computers play each other: who, by which rules, and how fast.
 *
 * @typedef {import("../shared/choices.js").Choices} Choices
 */

import { catalogueOf, chosen, inARow, usualSize } from "../shared/choices.js";
import { disc, h } from "../shared/dom.js";
import { createFrame } from "../shared/frame.js";
import { PRESETS, rulesChoice } from "../shared/names.js";
import { createPicker } from "../shared/player_picker.js";
import { createGame, showSetup } from "../shared/seats.js";

/** @type {import("../shared/router.js").Mount} */
export function mount(root, context) {
  const { say, settings, api } = context;
  const frame = createFrame(root, context);
  /** @type {Choices} */
  const choices = { ...chosen(settings), company: "watch" };
  /** @type {import("../shared/player_picker.js").Catalogue | null} */
  let catalogue = null;
  let asked = 0;

  const black = createPicker(
    context,
    say("web.setup.plays", { colour: say("black") }),
    choices.opponent,
    (opponent) => set({ opponent }),
  );
  const white = createPicker(
    context,
    say("web.setup.plays", { colour: say("white") }),
    choices.second,
    (second) => set({ second }),
  );
  const rules = h("select", { onchange: () => set({ rules: rules.value, size: usualSize(rules.value) }) });
  const start = h(
    "button",
    { class: "button main wide", type: "button", onclick: () => void begin() },
    say("web.setup.start"),
  );
  const more = h("button", { class: "button wide", type: "button" }, say("web.start.more"));
  more.addEventListener("click", () => void showSetup(context, { ...choices }));

  frame.element.className = "table start";
  frame.side.replaceChildren(
    h("h1", null, say("web.setup.watch")),
    h("p", { class: "lead" }, say("web.watch.lead")),
    h("h2", null, disc("black"), " ", say("black")),
    black.element,
    h("h2", null, disc("white"), " ", say("white")),
    white.element,
    h("label", { class: "field" }, say("web.setup.rules"), rules),
    start,
    more,
  );
  frame.listen({ onSelect: () => frame.refuse() });
  show();
  void ask();
  return () => {
    asked = -1;
    frame.destroy();
  };

  /** @param {Partial<Choices>} change */
  function set(change) {
    Object.assign(choices, change);
    const { second, opponent, pace } = choices;
    settings.set("game", { ...settings.get("game"), second, opponent, pace });
    show();
    if (change.rules) void ask();
  }

  function show() {
    const names = PRESETS.includes(choices.rules) ? PRESETS : [...PRESETS, choices.rules];
    rules.replaceChildren(...names.map((name) => h("option", { value: name }, rulesChoice(say, name))));
    rules.value = choices.rules;
    const [width, height] = choices.size;
    frame.shape({ width, height, k: inARow(choices) });
  }

  async function ask() {
    const mine = ++asked;
    const found = await api.get(catalogueOf(choices)).catch(() => null);
    if (!found || mine !== asked) return;
    catalogue = found;
    black.offer(found);
    white.offer(found);
  }

  async function begin() {
    start.disabled = true;
    await createGame(
      context,
      { ...choices, opening: "free", clock: "" },
      catalogue?.rules.has_fouls ?? false,
    );
    start.disabled = false;
  }
}
