/**
 * The moves of the game, two to a line; each goes to its position. Below it, steps through the game.
 *
 * @typedef {import("./game_view.js").Game} Game
 */

import { h, icon } from "../shared/dom.js";

/**
 * @param {HTMLElement} element
 * @param {Game} game
 */
export function createMovesList(element, game) {
  const { say, settings } = game.context;
  const list = h("ol", { class: "moves", "aria-label": say("web.play.moves") });
  const empty = h("p", { class: "soft pad" }, say("web.play.no_moves"));
  const steps = [
    step(say("replay.first"), "M5 4V16M15 4L8 10L15 16", () => 0),
    step(say("replay.back"), "M13 4L6 10L13 16", () => game.shown - 1),
    step(say("replay.forward"), "M7 4L14 10L7 16", () => game.shown + 1),
    step(say("replay.last"), "M15 4V16M5 4L12 10L5 16", () => game.state.ply),
  ];
  const numbers = h(
    "button",
    {
      class: "step",
      type: "button",
      title: say("replay.numbers"),
      "aria-label": `12: ${say("replay.numbers")}`,
    },
    "12",
  );
  numbers.addEventListener("click", () => settings.set("numbers", !settings.get("numbers")));
  const stop = settings.on("numbers", press);
  const link = h("a", { class: "step wide", href: "/analyse" }, say("web.play.analyse"));
  element.append(empty, list, h("div", { class: "steps" }, steps, numbers, link));
  let drawn = "";
  press(settings.get("numbers"));

  return { set, destroy: stop };

  function set() {
    const { state, shown, between } = game;
    const text = state.moves.join(" ");
    if (text !== drawn) {
      drawn = text;
      empty.hidden = state.moves.length > 0;
      list.replaceChildren(...state.moves.map(entry));
    }
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = list.children[shown - 1]?.firstElementChild;
    current?.setAttribute("aria-current", "true");
    if (current instanceof HTMLElement) {
      const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
      if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
      else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
    }
    steps[0].disabled = steps[1].disabled = shown === 0;
    steps[2].disabled = steps[3].disabled = shown === state.ply;
    link.hidden = between;
    link.href = `/analyse?game=${state.id}#ply=${shown}`;
  }

  /**
   * @param {string} point
   * @param {number} index
   */
  function entry(point, index) {
    const first = game.state.setup?.turn ?? "black";
    const colour = (index % 2 === 0) === (first === "black") ? "black" : "white";
    return h(
      "li",
      null,
      h(
        "button",
        { type: "button", onclick: () => game.show(index + 1) },
        h("span", { class: "number" }, index + 1),
        h("span", { class: `disc ${colour}`, role: "img", "aria-label": say(colour) }),
        point === "--" ? say("replay.pass") : point,
      ),
    );
  }

  /**
   * @param {string} label
   * @param {string} path
   * @param {() => number} to
   */
  function step(label, path, to) {
    const made = h(
      "button",
      { class: "step", type: "button", title: label, "aria-label": label },
      icon(path),
    );
    made.addEventListener("click", () => game.show(to()));
    return made;
  }

  /** @param {boolean} on */
  function press(on) {
    numbers.setAttribute("aria-pressed", String(Boolean(on)));
  }
}
