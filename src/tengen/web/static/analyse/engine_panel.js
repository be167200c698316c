/**
 * The engine's best lines in the position that is shown, and forced wins on request.
 *
 * @import { Info } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 * @import { Analysis } from "./analyse.js"
 * @import { Rating } from "./page_view.js"
 *
 * @typedef {object} State
 * @property {boolean} on whether the engine looks at what is shown
 * @property {number} count how many lines are wanted
 * @property {boolean} heat whether all best moves are drawn on the board, or but the best
 * @property {string} message
 * @property {readonly Info[]} listed the lines that are shown
 * @property {Info[]} infos the best moves as of now
 */

import { html } from "/static/vendor/lit-html/lit.js";
import { countText, valueText } from "../play/info_text.js";
import { buttonView, checkboxView, createStore, disc, selectView } from "../shared/view.js";
import { createForcedWins } from "./forced_wins.js";

const SECONDS = 600;
const MOST = 5;
const LENGTH = 16; // moves of a line that are shown
/** Milliseconds for which the lines stay as they are once the pointer has moved over them. */
const CALM = 2500;

/** @param {Analysis} analysis */
export function createEnginePanel({ context, study, requests, preview, draw }) {
  const { say, language, settings, lookupKey } = context;
  const forced = createForcedWins({ context, study, requests, preview, draw });
  /** @type {State} */
  const beginning = {
    on: false,
    count: Number(settings.get("analyseLines") ?? 3),
    heat: settings.get("analyseHeat") ?? true,
    message: say("web.play.engine_off"),
    listed: [],
    infos: [],
  };
  const { state, update } = createStore(beginning, draw);
  /** The position that is analysed, and how many lines, as text. */
  let requested = "";
  let pointed = -Infinity;
  let late = 0;

  return {
    view,
    set,
    stop,
    toggle,
    get on() {
      return state.on;
    },
    get heat() {
      return state.heat;
    },
    get infos() {
      return state.infos;
    },
    /** Points that stop a win of the side that is not to move. */
    get stops() {
      return forced.stops;
    },
    /** @returns {Rating} */
    get rating() {
      if (!state.infos.length) return null;
      const [{ win_rate, mate }] = state.infos;
      const black = study.shown?.turn === "black";
      return { black: black ? win_rate : 1 - win_rate, mate: mate === null || black ? mate : -mate };
    },
  };

  function view() {
    const acts = {
      toggle,
      choose,
      showHeat,
      point,
      look: preview,
      leave: () => preview(null),
      play: study.playLine,
    };
    return html`${engineView(state, study.shown?.turn === "black", context, acts)}${forced.view()}`;
  }

  function toggle() {
    update({ on: !state.on });
    requested = "";
    if (state.on) set();
    else stop();
  }

  /** @param {number} count */
  function choose(count) {
    update({ count });
    settings.set("analyseLines", count);
    requested = "";
    set();
  }

  /** @param {boolean} wanted */
  function showHeat(wanted) {
    settings.set("analyseHeat", wanted);
    update({ heat: wanted });
  }

  function stop() {
    requested = "";
    update({ on: false, infos: [] });
    requests.stop("analyse");
    rest();
  }

  function rest() {
    clearTimeout(late);
    pointed = -Infinity;
    update({ listed: [], message: state.on ? say("web.play.engine_busy") : say("web.play.engine_off") });
  }

  /** Look into the position that is shown now, if it is another one. */
  function set() {
    const position = study.position();
    const text = JSON.stringify([position, state.count]);
    if (text === requested) return;
    forced.rest();
    requested = text;
    update({ infos: [] });
    if (!state.on) return;
    rest();
    if (study.shown?.turn) {
      requests.ask("analyse", { ...position, lines: state.count, seconds: SECONDS }, receive);
    } else {
      requests.stop("analyse");
      update({ message: say("web.analyse.over") });
    }
  }

  /** @param {any} news */
  function receive(news) {
    if (news.waiting) update({ message: lookupKey(news.waiting) });
    if (news.error) {
      update({ on: false });
      rest();
      update({ message: lookupKey(news.error) });
    } else if (news.infos?.length) {
      const [{ depth, nodes, nps }] = news.infos;
      const [counted, speed] = [countText(language.locale, nodes), countText(language.locale, nps)];
      update({ infos: news.infos, message: say("web.analyse.depth", { depth, nodes: counted, speed }) });
      list();
    }
  }

  /** Lines that somebody points at or has the focus in stay, or a press on a move would hit another one or none. */
  function list() {
    clearTimeout(late);
    const focused = document.activeElement?.closest(".best");
    const wait = focused ? CALM : pointed + CALM - performance.now();
    if (wait > 0) late = window.setTimeout(list, wait);
    else update({ listed: state.infos });
  }

  function point() {
    pointed = performance.now();
  }
}

/**
 * @param {State} state
 * @param {boolean} black whether Black is to move
 * @param {Context} context
 * @param {object} acts
 * @param {() => void} acts.toggle
 * @param {(count: number) => void} acts.choose
 * @param {(wanted: boolean) => void} acts.showHeat
 * @param {() => void} acts.point the pointer moves over the lines
 * @param {(line: readonly string[]) => void} acts.look
 * @param {() => void} acts.leave
 * @param {(line: readonly string[]) => void} acts.play
 */
function engineView({ on, count, heat, message, listed }, black, { say }, acts) {
  const { toggle, choose, showHeat, point, look, leave, play } = acts;
  const counts = Array.from(
    { length: MOST },
    (_, i) =>
      /** @type {[string, string]} */ ([String(i + 1), say("web.analyse.lines_n", { count: i + 1 })]),
  );
  return html`<div class="engine-head">
      ${buttonView(on ? say("web.play.engine_stop") : say("web.play.engine_start"), toggle, { kind: "main", pressed: on })}
      ${selectView(counts, String(count), (next) => choose(Number(next)), { label: say("web.analyse.lines") })}
    </div>
    <p class="soft" role="status">${message}</p>
    <ol class="best" @pointermove=${point} @pointerdown=${point}>
      ${listed.map(lineView)}
    </ol>
    <label class="field check"> ${say("web.analyse.heat")} ${checkboxView(heat, showHeat)} </label>`;

  /** The moves of a line can be looked at and played up to. @param {Info} info */
  function lineView({ mate, win_rate, line }) {
    return html`<li class="best-line">
      <span class="value">${disc(black ? "black" : "white")}${valueText(say, win_rate, mate)}</span>
      <span class="playable" @pointerleave=${leave}>
        ${line.slice(0, LENGTH).map((move, i) => {
          const moves = line.slice(0, i + 1);
          const see = () => look(moves);
          return html`<button
            type="button"
            @pointerenter=${see}
            @focus=${see}
            @blur=${leave}
            @click=${() => play(moves)}
          >
            ${move}
          </button>`;
        })}
      </span>
    </li>`;
  }
}
