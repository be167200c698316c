/**
 * The line that says what is going on: whose turn, what an opening rule or the opponent asks, how it ended,
 * why a point was refused; with the buttons that answer it. A thin bar above it moves while a computer thinks.
 *
 * @typedef {import("./game_view.js").Game} Game
 */

import { h, replace } from "../shared/dom.js";
import { resultText, sentence } from "../shared/names.js";
import { seatName } from "./players_bar.js";

const NOTE = 6000; // milliseconds

/**
 * @param {HTMLElement} element
 * @param {Game} game
 */
export function createStatusBar(element, game) {
  const { say, lookupKey } = game.context;
  const bar = h("div", { class: "thinking-bar", "aria-hidden": "true" });
  const text = h("p", { role: "status" });
  const answers = h("div", { class: "answers" });
  element.replaceChildren(bar, h("div", { class: "status-row" }, text, answers));
  let noted = "";
  let timer = 0;
  let last = "";

  return { set, note, destroy: () => clearTimeout(timer) };

  /**
   * Say something for a while.
   *
   * @param {string | import("../shared/api.js").Message} message
   * @param {boolean} [stay] until something else is said
   */
  function note(message, stay = false) {
    noted = message === "" ? "" : sentence(lookupKey(message));
    clearTimeout(timer);
    if (noted && !stay) {
      timer = setTimeout(() => {
        noted = "";
        set();
      }, NOTE);
    }
    set();
  }

  function set() {
    const { state, linked, thinking } = game;
    const { words, kind = "", buttons = [] } = current();
    element.dataset.kind = linked ? kind : "lost";
    bar.classList.toggle("busy", linked && state.thinking && !state.paused);
    const rate = thinking?.win_rate;
    bar.style.setProperty("--rate", rate === null || rate === undefined ? "0" : String(rate));
    if (text.textContent !== words) text.textContent = words;
    const face = buttons.map(([label]) => label).join("|") + state.version;
    if (face === last) return;
    last = face;
    replace(
      answers,
      buttons.map(([label, act, main]) =>
        h("button", { class: `button ${main ? "main" : ""}`, type: "button", onclick: act }, label),
      ),
    );
  }

  /** @returns {{words: string, kind?: string, buttons?: [string, () => void, boolean?][]}} */
  function current() {
    const { state, you, linked, shown } = game;
    if (!linked) return { words: say("web.play.lost"), kind: "lost" };
    const asked = request() ?? decision();
    if (noted) return { words: noted, kind: "note", buttons: asked?.buttons };
    if (shown < state.ply) {
      const words = say("web.play.browsing", { ply: shown, total: state.ply });
      return { words, kind: "note", buttons: [[say("web.play.to_now"), () => game.show(state.ply)]] };
    }
    if (state.outcome) {
      const words = resultText(say, state.outcome);
      return { words, kind: "over" };
    }
    if (asked) return asked;
    if (state.paused) return { words: say("web.play.paused"), kind: "note" };
    const seat = state.seats.find(({ participant }) => participant === state.actor);
    if (!seat) return { words: "" };
    if (state.seats.some(({ open }) => open)) return { words: say("web.play.waiting_friend") };
    if (seat.occupant !== "human")
      return { words: say("web.play.is_thinking", { who: seatName(game, seat) }) };
    if (!you.includes(seat.participant)) {
      return {
        words: game.between
          ? say("web.play.waiting_opponent")
          : say("web.play.waiting_for", { who: seatName(game, seat) }),
      };
    }
    if (you.length === 2 && state.seats.every(({ occupant }) => occupant === "human")) {
      return { words: say("web.play.colour_to_move", { colour: say(seat.colour) }), kind: "turn" };
    }
    return { words: say("web.play.your_turn_long", { colour: say(seat.colour) }), kind: "turn" };
  }

  /** What the opponent asks. @returns {ReturnType<typeof current> | null} */
  function request() {
    const { state, you } = game;
    if (!state.request) return null;
    const { kind, by } = state.request;
    const draw = kind === "draw";
    const other = you.find((participant) => participant !== by);
    if (other === undefined) {
      const asker = you.includes(by);
      if (asker) return { words: draw ? say("web.play.draw_asked") : say("web.play.back_asked") };
      return null;
    }
    /** @param {boolean} accept */
    const answer = (accept) => () => void game.act("answer", { accept, by: other });
    return {
      words: draw ? say("web.play.draw_offered") : say("web.play.back_wanted"),
      kind: "ask",
      buttons: [
        [say("web.play.accept"), answer(true), true],
        [say("web.play.decline"), answer(false)],
      ],
    };
  }

  /** What an opening rule asks. @returns {ReturnType<typeof current> | null} */
  function decision() {
    const { state, you } = game;
    const asked = state.outcome ? null : state.opening?.decision;
    if (!asked) return null;
    const seat = state.seats.find(({ participant }) => participant === asked.by);
    const question = lookupKey(asked.message);
    if (!seat || !you.includes(asked.by) || seat.occupant !== "human") {
      return seat
        ? { words: say("web.play.other_chooses", { who: seatName(game, seat), question }) }
        : null;
    }
    const buttons = asked.options.map(
      ({ value, message }) =>
        /** @type {[string, () => void]} */ ([
          /^\d+$/.test(value) ? value : sentence(lookupKey(message)),
          () => void game.choose(value),
        ]),
    );
    const words =
      buttons.length && !/^\d+$/.test(asked.options[0].value) ? say("web.play.choose") : sentence(question);
    return { words, kind: "ask", buttons };
  }
}
