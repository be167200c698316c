/**
 * The rules for those who begin: how to win, what a threat is, and the fouls of renju, on boards that the
 * server judges.
 *
 * @typedef {import("../shared/context.js").Context} Context
 * @typedef {import("./lesson_board.js").Judged} Judged
 * @typedef {import("../why/why_types.js").Position} Position
 */

import { h } from "../shared/dom.js";
import { boardPlace, createStudy } from "./lesson_board.js";
import { RULES } from "./chapters.js";
import { pointOf, pointsOf } from "../why/why_types.js";

/** @type {[string, number, keyof typeof RULES | null][]} a section, its paragraphs, its board */
const SECTIONS = [
  ["goal", 2, "goal"],
  ["threats", 3, "four"],
  ["games", 3, null],
  ["renju", 3, null],
  ["double-three", 1, "double-three"],
  ["double-four", 1, "double-four"],
  ["overline", 2, "overline"],
];

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @returns {() => void}
 */
export function mountRules(root, context) {
  const { say } = context;
  /** @type {{ destroy: () => void }[]} */
  const shown = [];
  root.append(
    h("p", { class: "learn-way" }, h("a", { href: "/learn" }, say("web.learn.title"))),
    h("h1", {}, say("web.learn.rules.title")),
  );
  for (const [name, count, position] of SECTIONS) {
    const text = Array.from({ length: count }, (_, i) =>
      h("p", {}, say(`web.learn.rules.${name}.${i + 1}`)),
    );
    const section = h(
      "section",
      { class: "learn-section", id: name },
      h("h2", {}, say(`web.learn.rules.${name}.title`)),
      h("div", { class: "learn-text" }, ...text),
    );
    if (position) {
      const demo = createRule(context, RULES[position]);
      section.append(demo.element);
      shown.push(demo);
    }
    root.append(section);
  }
  root.append(
    h(
      "nav",
      { class: "learn-next" },
      h("a", { class: "button main", href: "/learn/lookup" }, say("web.learn.first")),
    ),
  );
  return () => shown.forEach((demo) => demo.destroy());
}

/**
 * @param {Context} context
 * @param {Position} first
 */
function createRule(context, first) {
  const { say } = context;
  const place = boardPlace(first);
  const told = h("p", { class: "learn-told", role: "status" }, say("web.learn.rules.tap"));
  const list = h("ul", { class: "why-heaviest learn-found", role: "list" });
  const putting = h(
    "button",
    { class: "button", type: "button", "aria-pressed": "false", onclick: toggle },
    say("web.learn.put"),
  );
  const reset = h("button", { class: "button", type: "button", onclick: again }, say("web.learn.reset"));
  const panel = h(
    "div",
    { class: "learn-panel panel" },
    told,
    list,
    h("div", { class: "learn-tools" }, putting, reset),
  );
  /** @type {Judged | null} */
  let judged = null;
  let puts = false;
  const study = createStudy(place, {
    context,
    position: first,
    onSelect: (point) => (puts && !judged?.fouls[point] ? study.play(point) : look(point)),
    onJudged: hear,
  });
  return { element: h("div", { class: "learn-demo small" }, place, panel), destroy: study.destroy };

  function toggle() {
    puts = !puts;
    putting.setAttribute("aria-pressed", String(puts));
    study.overlay(puts ? {} : { turn: null });
  }

  function again() {
    study.set(first);
    told.textContent = say("web.learn.rules.tap");
  }

  /** @param {Judged} found */
  function hear(found) {
    judged = found;
    study.overlay(puts ? {} : { turn: null });
    const fouls = Object.entries(found.fouls).map(([point, { kind }]) =>
      entry(point, say(`foul.${kind}`), () => look(point)),
    );
    const rows = ["black", "white"].flatMap((colour) =>
      (found.threats[/** @type {"black" | "white"} */ (colour)] ?? []).map(({ kind, points, gains }) =>
        entry(points.join(" "), `${say(colour)}: ${say(`web.learn.threat.${kind}`)}`, () =>
          light(points, gains, kind),
        ),
      ),
    );
    list.replaceChildren(...fouls, ...rows);
    if (found.outcome) {
      const { winner } = found.outcome;
      told.textContent = winner
        ? say("web.learn.rules.won", { winner: say(winner) })
        : say("web.learn.rules.drawn");
    } else if (fouls.length) look(Object.keys(found.fouls)[0]);
    else if (puts) told.textContent = "";
  }

  /**
   * @param {string} name
   * @param {string} text
   * @param {() => void} show
   */
  function entry(name, text, show) {
    const button = h("button", { type: "button", onclick: show, onpointerenter: show, onfocus: show });
    button.append(h("b", {}, name.toUpperCase()), h("span", { class: "why-label" }, text));
    return h("li", {}, button);
  }

  /** @param {string} point */
  function look(point) {
    const foul = judged?.fouls[point];
    if (!foul) return;
    told.textContent = say("web.learn.rules.foul", { point, kind: say(`foul.${foul.kind}`) });
    const at = pointOf(point);
    study.overlay({
      turn: null,
      ghost: at && { point: at, colour: "black" },
      lines: foul.lines.map((line) => ({ points: pointsOf(line), kind: "foul" })),
    });
  }

  /**
   * @param {readonly string[]} points
   * @param {readonly string[]} gains
   * @param {string} kind
   */
  function light(points, gains, kind) {
    told.textContent = say("web.learn.rules.threat", {
      kind: say(`web.learn.threat.${kind}`),
      points: gains.join(" "),
    });
    study.overlay({
      turn: null,
      lines: [{ points: pointsOf(points), kind: "threat" }],
      marks: pointsOf(gains).map((point) => ({ point, kind: "circle" })),
    });
  }
}
