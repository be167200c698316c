/**
 * The fields of a new tournament.
 *
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {object} Wanted
 * @property {string} name
 * @property {"round-robin" | "swiss"} kind
 * @property {number} times how often each pair meets
 * @property {number} rounds of a Swiss tournament
 * @property {boolean} busy whether it is being made
 * @property {boolean} listed whether everybody on the server is shown it
 * @property {boolean} plays whether one takes part
 * @property {string} entrant the name under which
 *
 * @typedef {object} WantedActs
 * @property {(next: Partial<Wanted>) => void} want
 * @property {(event: SubmitEvent) => void} make
 */

import { html, live } from "/static/vendor/lit-html/lit.js";
import { CLOCKS, clockView, numberView, openingView, rulesView } from "../play/setup_view.js";
import { link } from "../shared/addresses.js";
import { nameView } from "../shared/fields.js";
import { checkboxView, hasTournaments, segmentsView, valueOf } from "../shared/view.js";
import { noTournamentsView } from "./tournament_names.js";

/** Whoever does not come loses by the clock, so there is one. */
const WITH_CLOCK = CLOCKS.filter(Boolean);
const LONGEST = 60;
const MOST_ROUNDS = 20;

/**
 * @param {Wanted} wanted
 * @param {ReturnType<typeof import("../play/setup_dialog.js").createSetup>} fields
 * @param {Context} context
 * @param {WantedActs} acts
 */
export function newTournamentView(wanted, fields, { say }, acts) {
  return html`<div class="tournament column">
    <h1>${say("web.tournament.new")}</h1>
    ${hasTournaments() ? formView(wanted, fields, say, acts) : noTournamentsView(say)}
    <p><a href=${link("/tournaments")}>${say("web.tournament.all")}</a></p>
  </div>`;
}

/**
 * @param {Wanted} wanted
 * @param {ReturnType<typeof import("../play/setup_dialog.js").createSetup>} fields
 * @param {Context["say"]} say
 * @param {WantedActs} acts
 */
function formView(wanted, fields, say, acts) {
  const { setup } = fields;
  const write = (/** @type {Event} */ event) => acts.want({ name: valueOf(event) });
  return html`<p class="soft">${say("web.tournament.lead")}</p>
    <form class="setup panel" novalidate @submit=${acts.make}>
      <label class="field">
        <span>${say("web.tournament.name")}</span>
        <input
          type="text"
          maxlength=${LONGEST}
          placeholder=${say("web.tournament.usual_name")}
          .value=${live(wanted.name)}
          @input=${write}
        />
      </label>
      ${kindView(wanted, say, acts)} ${rulesView(setup, say, fields)} ${openingView(setup, say, fields)}
      ${clockView(setup, say, fields, WITH_CLOCK)}
      <p class="soft told">${say("web.tournament.clock_told")} ${say("web.tournament.no_take_backs")}</p>
      ${partView(wanted, say, acts)}
      <p class="problem" role="alert">${setup.problem}</p>
      <button class="button main" type="submit" ?disabled=${wanted.busy}>
        ${say("web.tournament.make")}
      </button>
    </form>`;
}

/**
 * @param {Wanted} wanted
 * @param {Context["say"]} say
 * @param {WantedActs} acts
 */
function kindView({ kind, times, rounds }, say, { want }) {
  return html`<div class="field">
      <span>${say("web.tournament.kind")}</span>
      ${segmentsView(
        {
          name: "kind",
          label: say("web.tournament.kind"),
          all: /** @type {const} */ ([
            ["round-robin", say("web.tournament.round_robin")],
            ["swiss", say("web.tournament.swiss")],
          ]),
          chosen: kind,
        },
        (next) => want({ kind: next }),
      )}
    </div>
    ${
      kind === "swiss"
        ? html`<label class="field">
            <span>${say("web.tournament.rounds")}</span>
            ${numberView(say("web.tournament.rounds"), rounds, [1, MOST_ROUNDS], (next) =>
              want({ rounds: next }),
            )}
          </label>`
        : html`<div class="field">
            <span>${say("web.tournament.times")}</span>
            ${segmentsView(
              {
                name: "times",
                label: say("web.tournament.times"),
                all: [
                  ["1", say("web.tournament.once")],
                  ["2", say("web.tournament.twice")],
                ],
                chosen: String(times),
              },
              (next) => want({ times: Number(next) }),
            )}
          </div>`
    }
    <p class="soft told">
      ${kind === "swiss" ? say("web.tournament.swiss_told") : say("web.tournament.round_robin_told")}
    </p>`;
}

/**
 * Whether one takes part oneself, under which name, and who is shown the tournament.
 *
 * @param {Wanted} wanted
 * @param {Context["say"]} say
 * @param {WantedActs} acts
 */
function partView({ plays, entrant, listed }, say, { want }) {
  return html`<label class="field">
      <span>${say("web.tournament.plays")}</span>
      ${checkboxView(plays, (next) => want({ plays: next }))}
    </label>
    <label class="field" ?hidden=${!plays}>
      <span>${say("web.tournament.your_name")}</span>
      ${nameView(entrant, (next) => want({ entrant: next }))}
    </label>
    <label class="field">
      <span>${say("web.tournament.list_it")}</span>
      ${checkboxView(listed, (next) => want({ listed: next }))}
    </label>`;
}
