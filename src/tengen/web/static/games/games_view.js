/**
 * The list of games: what is looked for, and a row for each game.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { GameSummary, ListedGame } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {typeof STATUSES[number]} Status
 *
 * @typedef {object} State
 * @property {string} query
 * @property {Status} status
 * @property {readonly ListedGame[] | null} games null before the first answer
 * @property {number} total games on the server, those that are not listed yet too
 * @property {boolean} loading
 * @property {string} problem why there is no list; "" if there is
 * @property {ReadonlyMap<string, number>} leaving games that are removed unless they are had back, and the timers of that
 * @property {(id: string) => SVGElement} thumbnail draws itself
 *
 * @typedef {object} Acts
 * @property {(query: string) => void} search
 * @property {(status: Status) => void} filter
 * @property {() => void} load
 * @property {() => void} more
 * @property {(id: string, format: string) => void} exportGame
 * @property {(id: string) => void} remove
 * @property {(id: string) => void} bringBack
 */

import { html, nothing, repeat } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { isRemote } from "../shared/connection.js";
import { playerName, rulesName, sentence } from "../shared/names.js";
import { PICTURES } from "../shared/save_file.js";
import { BIN, buttonView, disc, icon, valueOf } from "../shared/view.js";

const FORMATS = ["sgf", "psq", "rec", "lib", "json", "txt", "board", ...PICTURES];
const STATUSES = /** @type {const} */ (["all", "running", "over"]);

/**
 * @param {State} state
 * @param {Context} context
 * @param {Acts} acts
 */
export function gamesView(state, context, acts) {
  const { status, games, total, loading, problem, leaving } = state;
  const { say, language } = context;
  const dates = new Intl.DateTimeFormat(language.locale, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const listed = games ?? [];
  const count = total - listed.filter(({ id }) => leaving.has(id)).length;
  return html`<div class="games">
    <h1>${say("web.games.title")}</h1>
    <div class="games-tools">
      <input
        type="search"
        aria-label=${say("web.games.search")}
        placeholder=${say("web.games.search")}
        @input=${(/** @type {Event} */ event) => acts.search(valueOf(event))}
      />
      <div class="games-filters" role="group" aria-label=${say("web.games.show")}>
        ${STATUSES.map((name) =>
          buttonView(say(`web.games.${name}`), () => acts.filter(name), { pressed: name === status }),
        )}
      </div>
    </div>
    <p class="soft games-count" role="status">
      ${(count > 0 || leaving.size > 0) && !problem ? say("web.games.count", { count }) : nothing}
    </p>
    <ul class="games-list">
      ${
        problem || !listed.length
          ? html`<li class="games-note">${noteView(state, context, acts)}</li>`
          : repeat(
              listed,
              ({ id }) => id,
              (game) =>
                leaving.has(game.id)
                  ? removedView(game, context, acts)
                  : rowView(game, dates.format(1000 * game.updated), state, context, acts),
            )
      }
    </ul>
    <button
      class="button games-more"
      type="button"
      ?hidden=${Boolean(problem) || listed.length >= total}
      ?disabled=${loading}
      @click=${acts.more}
    >
      ${say("web.games.more")}
    </button>
    ${isRemote ? nothing : html`<p class="games-file"><a href=${link("/privacy")}>${say("web.games.file")}</a></p>`}
  </div>`;
}

/**
 * Instead of a list.
 *
 * @param {State} state
 * @param {Context} context
 * @param {Acts} acts
 */
function noteView({ query, status, games, problem }, { say }, { load }) {
  if (problem) {
    return html`<p>${problem}</p>
      ${buttonView(say("web.error.reload"), () => load())}`;
  }
  if (!games) return html`<p class="soft">${say("web.games.loading")}</p>`;
  if (query || status !== "all") return html`<p>${say("web.games.none")}</p>`;
  return html`<p>${say("web.games.empty")}</p>
    <a class="button main" href=${link("/")}>${say("web.games.first")}</a>`;
}

/**
 * @param {ListedGame} game
 * @param {string} date of its last change
 * @param {State} state
 * @param {Context} context
 * @param {Acts} acts
 */
function rowView({ id, summary, colour: own }, date, { thumbnail }, { say }, { exportGame, remove }) {
  const { result, plies, rules, size, black, white } = summary;
  const names = { black: nameOf("black", black), white: nameOf("white", white) };
  const title = say("web.games.label", { ...names, date });
  const facts = { rules: sentence(rulesName(say, rules)), size: size.replace("x", "×"), plies };
  return html`<li class="games-row panel" data-id=${id}>
    <a class="games-open" href=${link(`/g/${id}`)} aria-label=${title}>${thumbnail(id)}</a>
    <div class="games-about">
      <p class="games-players">
        ${
          /** @type {const} */ (["black", "white"]).map(
            (colour) =>
              html`<span class="games-player ${result === colour ? "winner" : ""}">
                ${disc(colour)}${names[colour]}
              </span>`,
          )
        }
      </p>
      <p class="games-result">${resultOf(summary, own, names, say)}</p>
      <p class="soft">${say("web.games.facts", facts)}</p>
      <p class="soft">${date}</p>
    </div>
    <div class="games-actions">
      ${
        result
          ? html`<a class="button" href=${link(`/analyse?game=${id}#review`)}>${say("web.play.review")}</a>`
          : html`<a class="button main" href=${link(`/g/${id}`)}>${say("web.games.resume")}</a>`
      }
      <select class="games-export" aria-label=${say("web.games.export_label", { title })} @change=${choose}>
        <option value="">${say("web.games.export")}</option>
        ${FORMATS.map((name) => html`<option value=${name}>${name}</option>`)}
      </select>
      <button class="button" type="button" title=${say("web.games.remove")} @click=${() => remove(id)}>
        ${icon(BIN)}
        <span class="unseen">${say("web.games.remove_label", { title })}</span>
      </button>
    </div>
  </li>`;

  /** @param {Colour} colour @param {string} player */
  function nameOf(colour, player) {
    if (colour === own) return say("web.play.you");
    const unnamed = own && player === "human" ? say("web.play.friend") : playerName(say, player);
    return summary[`${colour}_name`] || unnamed;
  }

  /** The list of formats says what it is for again. @param {Event} event */
  function choose(event) {
    exportGame(id, valueOf(event));
    /** @type {HTMLSelectElement} */ (event.target).value = "";
  }
}

/**
 * @param {ListedGame} game
 * @param {Context} context
 * @param {Acts} acts
 */
function removedView({ id }, { say }, { bringBack }) {
  return html`<li class="games-row panel gone" data-id=${id}>
    <p>${say("web.games.removed")}</p>
    ${buttonView(say("web.games.undo"), () => bringBack(id))}
  </li>`;
}

/**
 * How a game ended, for who played it: "You (Black) won against Level 1".
 *
 * @param {GameSummary} summary
 * @param {Colour | null} own
 * @param {Record<Colour, string>} names
 * @param {Context["say"]} say
 */
function resultOf({ result, reason }, own, names, say) {
  if (!result) return say("web.games.is_running");
  if (result === "aborted") return say("web.games.aborted");
  const how = say(`web.games.end.${reason}`);
  if (own) {
    const values = { colour: say(own), opponent: names[own === "black" ? "white" : "black"], how };
    const end = result === "draw" ? "drew" : result === own ? "won" : "lost";
    return say(`web.games.you_${end}`, values);
  }
  if (result === "draw") return say("web.games.drawn", { how });
  return say("web.games.won", { colour: say(result), how });
}
