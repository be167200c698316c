/**
 * A small live analysis of the position that is shown: the engine's best lines and its win rate. Off until asked.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { Info } from "../shared/schemas.js"
 * @import { Game } from "./types.js"
 *
 * @typedef {object} Analysis
 * @property {boolean} wanted
 * @property {string} words what is to be said instead of a result
 * @property {Info[]} infos the best lines, best first
 * @property {Colour} turn who is to move in the position that they belong to
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { createAnalysisRequests } from "../analyse/analysis_requests.js";
import { positionOf } from "../shared/names.js";
import { boardState, lineState } from "../shared/position.js";
import { buttonView, createStore, disc, soon } from "../shared/view.js";
import { countText, valueText } from "./info_text.js";

const SECONDS = 60;
const LINES = 3;
const PREVIEW = 12; // moves of a line that are drawn

/**
 * @param {Game} game
 * @param {() => void} draw the tab shows something else
 */
export function createEngineTab(game, draw) {
  const { say, lookupKey } = game.context;
  /** @type {Analysis} */
  const beginning = { wanted: false, words: say("web.play.engine_off"), infos: [], turn: "black" };
  const { state: analysis, update } = createStore(beginning, soon(draw));
  /** The position that is analysed, as text. */
  let requested = "";
  const requests = createAnalysisRequests(() => {
    requested = "";
    update({ wanted: false, words: say("web.error.offline"), infos: [] });
  });

  return {
    view: () =>
      engineView(game, analysis, { toggle, preview: (line) => preview(game, line, analysis.turn) }),
    set,
    stop,
    destroy: requests.destroy,
  };

  function toggle() {
    update({ wanted: !analysis.wanted });
    if (!analysis.wanted) stop();
    set();
  }

  /** The tab was left. */
  function stop() {
    requests.stop("analyse");
    requested = "";
    game.acts.overlay(null);
    update({ words: analysis.wanted ? "" : say("web.play.engine_off"), infos: [] });
  }

  /** Analyse the position that is shown, if that is wanted and not done already. */
  function set() {
    const { state, shown, between } = game;
    if (between) {
      if (analysis.wanted) update({ wanted: false });
      if (requested) stop();
    }
    if (!analysis.wanted) return;
    const position = positionOf(state, shown);
    const text = JSON.stringify(position);
    if (text === requested) return;
    requested = text;
    const over = state.outcome && shown === state.ply;
    const turn = (shown === state.ply ? state.turn : null) ?? (shown % 2 ? "white" : "black");
    update({ turn, words: say(over ? "web.play.engine_over" : "web.play.engine_busy"), infos: [] });
    if (over) requests.stop("analyse");
    else requests.ask("analyse", { ...position, lines: LINES, seconds: SECONDS }, receive);
  }

  /** @param {{infos?: Info[], error?: any, text?: string, waiting?: any}} news */
  function receive({ infos, error, text, waiting }) {
    if (waiting) update({ words: lookupKey(waiting), infos: [] });
    if (error) update({ words: error.key ? lookupKey(error) : (text ?? ""), infos: [] });
    else if (infos?.length) update({ infos });
  }
}

/**
 * @param {Game} game
 * @param {Analysis} analysis
 * @param {{toggle: () => void, preview: (line: string[]) => void}} acts
 */
function engineView(
  { between, acts: { overlay }, context: { say, language } },
  { wanted, words, infos, turn },
  acts,
) {
  const [best] = infos;
  const percent = best ? Math.round(100 * (turn === "black" ? best.win_rate : 1 - best.win_rate)) : 50;
  const rate = say("web.play.black_rate", { percent });
  const text = between
    ? say("web.play.no_help")
    : best
      ? html`<b>${rate}</b><br />${say("web.play.engine_depth", {
            depth: best.depth,
            nodes: countText(language.locale, best.nodes),
          })}`
      : words;
  return html`<div class="pad engine">
    <div class="engine-head">
      ${buttonView(wanted ? say("web.play.engine_stop") : say("web.play.engine_start"), acts.toggle, { disabled: between, pressed: wanted })}
      <p class="soft" role="status">${text}</p>
    </div>
    ${best ? html`<div class="rate" role="img" aria-label=${rate} .style=${`--black-share: ${percent}%`}></div>` : nothing}
    <ol class="best">
      ${infos.map(infoView)}
    </ol>
  </div>`;

  /** @param {Info} info */
  function infoView({ point, mate, line, win_rate }) {
    const show = () => acts.preview(line);
    const leave = () => overlay(null);
    return html`<li>
      <button
        type="button"
        @focus=${show}
        @pointerenter=${show}
        @blur=${leave}
        @pointerleave=${leave}
        @click=${show}
      >
        <b>${point}</b>
        <span class="value">${disc(turn)}${valueText(say, win_rate, mate)}</span>
        <span class="soft line">${line.slice(1, 9).join(" ")}</span>
      </button>
    </li>`;
  }
}

/**
 * Draw a line of moves, numbered.
 *
 * @param {Game} game
 * @param {string[]} line
 * @param {Colour} turn
 */
function preview({ state, shown, acts }, line, turn) {
  acts.overlay(lineState(boardState(state, { ply: shown }).stones, line.slice(0, PREVIEW), turn));
}
