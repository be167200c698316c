/**
 * The engine's best lines in the position that is shown, and forced wins on request.
 *
 * @typedef {import("./analyse.js").Desk} Desk
 * @typedef {{point: string, win_rate: number, mate: number | null, depth: number, nodes: number, nps: number,
 *     seconds: number, line: string[]}} Info
 */

import { disc, h, replace } from "../shared/dom.js";
import { valueText } from "../shared/names.js";
import { createLineSteps } from "../shared/line_steps.js";

const SECONDS = 600;
const MOST = 5;
/** Milliseconds for which the lines stay as they are once the pointer has moved over them. */
const CALM = 2500;

/**
 * @param {HTMLElement} element
 * @param {Desk} desk
 */
export function createEnginePanel(element, desk) {
  const { say, settings, lookupKey } = desk.context;
  let lines = Number(settings.get("analyseLines") ?? 3);
  let on = false;
  let asked = "";
  /** @type {Info[]} */
  let infos = [];
  let pointed = -Infinity;
  let late = 0;

  const button = h("button", { class: "button main", type: "button", onclick: toggle });
  const count = h(
    "select",
    { "aria-label": say("web.analyse.lines"), onchange: () => choose(Number(count.value)) },
    Array.from({ length: MOST }, (_, i) =>
      h("option", { value: i + 1 }, say("web.analyse.lines_n", { count: i + 1 })),
    ),
  );
  count.value = String(lines);
  const heat = h("input", { type: "checkbox", checked: settings.get("analyseHeat") ?? true });
  heat.addEventListener("change", () => {
    settings.set("analyseHeat", heat.checked);
    desk.draw();
  });
  const told = h("p", { class: "soft", role: "status" });
  const best = h("ol", { class: "best" });
  for (const kind of ["pointermove", "pointerdown"]) {
    best.addEventListener(kind, () => (pointed = performance.now()));
  }
  const kind = h(
    "select",
    { "aria-label": say("web.analyse.vcf_lead"), onchange: restFours },
    h("option", { value: "vcf" }, say("web.analyse.vcf_fours")),
    h("option", { value: "vct" }, say("web.analyse.vcf_threats")),
  );
  const fours = h("div", { class: "fours" });
  element.append(
    h("div", { class: "engine-head" }, button, count),
    told,
    best,
    h("label", { class: "field check" }, say("web.analyse.heat"), heat),
    h("h2", null, say("web.analyse.vcf")),
    h("p", null, kind),
    fours,
  );
  restFours();
  rest();

  return {
    set,
    stop,
    toggle,
    get on() {
      return on;
    },
    get infos() {
      return infos;
    },
  };

  function toggle() {
    on = !on;
    asked = "";
    if (on) set();
    else stop();
  }

  /** @param {number} number */
  function choose(number) {
    lines = number;
    settings.set("analyseLines", number);
    asked = "";
    set();
  }

  function stop() {
    on = false;
    asked = "";
    infos = [];
    desk.asking.stop("analyse");
    desk.rate(null);
    rest();
    desk.draw();
  }

  function rest() {
    clearTimeout(late);
    pointed = -Infinity;
    best.replaceChildren();
    told.textContent = on ? say("web.play.engine_busy") : say("web.play.engine_off");
    button.textContent = on ? say("web.play.engine_stop") : say("web.play.engine_start");
    button.setAttribute("aria-pressed", String(on));
  }

  /** Look into the position that is shown now, if it is another one. */
  function set() {
    const position = desk.position();
    const text = JSON.stringify([position, lines]);
    if (text === asked) return;
    restFours();
    asked = text;
    infos = [];
    desk.rate(null);
    if (!on) return;
    rest();
    if (!desk.shown?.turn) {
      desk.asking.stop("analyse");
      told.textContent = say("web.analyse.over");
      return;
    }
    desk.asking.ask("analyse", { ...position, lines, seconds: SECONDS }, hear);
  }

  /** @param {any} news */
  function hear(news) {
    if (news.waiting) told.textContent = lookupKey(news.waiting);
    if (news.error) {
      on = false;
      rest();
      told.textContent = lookupKey(news.error);
      return;
    }
    if (!news.infos?.length) return;
    infos = news.infos;
    const [{ win_rate, mate, depth, nodes, nps }] = infos;
    const black = desk.shown?.turn === "black";
    desk.rate({
      black: black ? win_rate : 1 - win_rate,
      mate: mate === null ? null : black ? mate : -mate,
    });
    told.textContent = say("web.analyse.depth", {
      depth,
      nodes: thousands(nodes),
      speed: thousands(nps),
    });
    show();
    desk.draw();
  }

  /** Lines that somebody points at or has the focus in stay, or a press on a move would hit another one or none. */
  function show() {
    clearTimeout(late);
    const wait = best.contains(document.activeElement) ? CALM : pointed + CALM - performance.now();
    if (wait > 0) late = setTimeout(show, wait);
    else list();
  }

  function list() {
    const black = desk.shown?.turn === "black";
    replace(
      best,
      infos.map((info) => entry(info, black)),
    );
  }

  /**
   * @param {Info} info
   * @param {boolean} black whether Black is to move
   */
  function entry({ mate, win_rate, line }, black) {
    const value = valueText(say, win_rate, mate);
    return h(
      "li",
      { class: "best-line" },
      h("span", { class: "value" }, disc(black ? "black" : "white"), value),
      playable(line),
    );
  }

  /** The moves of a line, each of which can be looked at and played up to. @param {string[]} line */
  function playable(line) {
    return h(
      "span",
      { class: "playable", onpointerleave: () => desk.preview(null) },
      line.slice(0, 16).map((move, index) => {
        const look = () => desk.preview(line.slice(0, index + 1));
        return h(
          "button",
          {
            type: "button",
            onpointerenter: look,
            onfocus: look,
            onblur: () => desk.preview(null),
            onclick: () => desk.playLine(line.slice(0, index + 1)),
          },
          move,
        );
      }),
    );
  }

  // -- forced wins

  function restFours() {
    desk.asking.stop("vcf");
    desk.asking.stop("vct");
    replace(
      fours,
      /** @type {const} */ (["black", "white"]).map((colour) =>
        h(
          "button",
          { class: "button", type: "button", onclick: () => look(colour) },
          disc(colour),
          say("web.analyse.vcf_for", { colour: say(colour) }),
        ),
      ),
    );
  }

  /** @param {"black" | "white"} colour */
  function look(colour) {
    const progress = h("p", { role: "status" }, say("web.analyse.vcf_looking", { seconds: 0 }));
    replace(
      fours,
      progress,
      h("button", { class: "button", type: "button", onclick: restFours }, say("web.play.engine_stop")),
    );
    const asked = { ...desk.position(), colour, seconds: 60 };
    const how = kind.value === "vcf" ? "vcf" : "vct";
    desk.asking.ask(how, how === "vcf" ? { ...asked, shortest: true } : asked, (news) => {
      if (!news.done) {
        progress.textContent = news.waiting
          ? lookupKey(news.waiting)
          : say("web.analyse.vcf_looking", { seconds: Math.round(news.seconds ?? 0) });
        return;
      }
      restFours();
      fours.append(h("div", { class: "vcf-answer", role: "status" }, answer(news, colour)));
    });
  }

  /**
   * @param {any} news
   * @param {"black" | "white"} colour
   */
  function answer(news, colour) {
    if (news.error) return h("p", null, lookupKey(news.error));
    const values = { colour: say(colour) };
    const only = kind.value === "vcf";
    if (!news.winner) {
      const none = !only
        ? "web.analyse.vct_none"
        : news.proven
          ? "web.analyse.vcf_none"
          : "web.analyse.vcf_unknown";
      return h("p", null, say(none, values));
    }
    const { line, fours: count, length } = news;
    const steps = createLineSteps(desk.context, {
      line,
      turn: colour,
      title: only
        ? say("web.analyse.vcf_found", { ...values, fours: count })
        : say("web.analyse.vct_found", { ...values, moves: Math.ceil(length / 2) }),
      onStep: (played) => desk.preview(played.length ? [...played] : null, null, colour),
    });
    const adding = h(
      "button",
      { class: "button", type: "button", onclick: () => desk.playLine(line) },
      say("web.analyse.add_line"),
    );
    return h("div", null, steps.element, desk.shown?.turn === colour && adding);
  }
}

/** @param {number} count */
function thousands(count) {
  return Math.round(count / 1000);
}
