/**
 * A tournament: who takes part, one's own game, the table, the rounds.
 *
 * @import { Address } from "../shared/address.js"
 * @import { Entrant, Tournament } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {object} State
 * @property {Tournament | null} tournament null before the first answer
 * @property {boolean} linked whether the connection stands
 * @property {string} name under which one would take part
 * @property {string[]} computers specs of those that could be added
 * @property {string} computer spec of the one to add
 * @property {boolean} busy whether something is asked of the server
 * @property {number} unsure the entrant whose withdrawal waits for a second click; 0 for nobody
 * @property {string} problem why something was refused
 *
 * @typedef {object} TournamentActs
 * @property {(next: Partial<State>) => void} change
 * @property {() => void} join
 * @property {() => void} addComputer
 * @property {() => void} start
 * @property {(entrant: number) => void} withdraw
 */

import { html, nothing, repeat } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { nameView } from "../shared/fields.js";
import { playerName } from "../shared/names.js";
import { buttonView, hasTournaments, isOff, selectView } from "../shared/view.js";
import { crossTableView } from "./cross_table_view.js";
import { roundsView, tableView } from "./table_view.js";
import {
  entrantName,
  noTournamentsView,
  opponentOf,
  ownMeeting,
  roundCount,
  tournamentFacts,
} from "./tournament_names.js";

/**
 * @param {State} state
 * @param {Context} context
 * @param {TournamentActs} acts
 * @param {Address} address
 */
export function tournamentView(state, context, acts, address) {
  const { tournament, linked, problem } = state;
  const { say } = context;
  if (!tournament)
    return html`<p class="tournament column soft" role="status">${say("web.tournament.loading")}</p>`;
  const open = tournament.status === "open";
  // Whoever has just made it sends the link first.
  const invites = open && tournament.made;
  const invitation = html`<section class="tournament-link panel" aria-label=${say("web.tournament.link")}>
    <h2>${say("web.tournament.link")}</h2>
    ${address.view(`/tournaments/${tournament.id}`)}
  </section>`;
  return html`<div class="tournament column">
    <h1>${tournament.name}</h1>
    <p class="soft">
      ${tournamentFacts(say, tournament)} ·
      ${say(tournament.listed ? "web.tournament.is_listed" : "web.tournament.is_by_link")}
    </p>
    <p class="tournament-told ${linked ? "" : "lost"}" role="status">${statusText(state, say)}</p>
    ${readyView(tournament, say)}
    <p class="problem" role="alert">${problem}</p>
    ${invites ? invitation : nothing}
    ${
      open
        ? [
            hasTournaments() ? joinView(state, say, acts) : noTournamentsView(say),
            entrantsView(state, say, acts),
            isOff("games") ? nothing : makerView(state, context, acts),
          ]
        : [
            lateView(state, say, acts),
            tableView(tournament, say),
            tournament.kind === "round-robin" ? crossTableView(tournament, say) : nothing,
            withdrawView(state, say, acts),
            roundsView(tournament, say),
          ]
    }
    ${invites ? nothing : invitation}
    <p><a href=${link("/tournaments")}>${say("web.tournament.all")}</a></p>
  </div>`;
}

/**
 * @param {State} state
 * @param {Context["say"]} say
 */
function statusText({ tournament, linked }, say) {
  if (!linked || !tournament) return say("web.lobby.lost");
  const { status, entrants, played, table } = tournament;
  if (status === "open") return say("web.tournament.entries", { count: entrants.length });
  if (status === "running") {
    return say("web.tournament.round_of", { number: played.length, rounds: roundCount(tournament) });
  }
  const best = table.filter(({ place }) => place === 1);
  return say("web.tournament.won", {
    names: best.map(({ entrant }) => entrantName(say, tournament, entrant)),
  });
}

/**
 * The way to one's own game.
 *
 * @param {Tournament} tournament
 * @param {Context["say"]} say
 */
function readyView(tournament, say) {
  const meeting = ownMeeting(tournament);
  if (!meeting) {
    const { you, played, status, entrants } = tournament;
    const last = played.at(-1);
    const plays = entrants.some(({ id, withdrawn }) => id === you && !withdrawn);
    if (status !== "running" || !plays) return nothing;
    const text =
      last?.bye === you
        ? say("web.tournament.you_rest")
        : last?.meetings.some(({ first, second }) => first === you || second === you)
          ? ""
          : say("web.tournament.you_follow");
    return text ? html`<p class="tournament-ready panel">${text}</p>` : nothing;
  }
  const name = entrantName(say, tournament, opponentOf(tournament, meeting));
  return html`<div class="tournament-ready panel">
    <p><b>${say("web.tournament.ready", { name })}</b></p>
    <a class="button main" href=${link(`/g/${meeting.game}`)}>${say("web.tournament.play")}</a>
  </div>`;
}

/**
 * @param {State} state
 * @param {Context["say"]} say
 * @param {TournamentActs} acts
 */
function joinView({ tournament, name, busy, linked }, say, { join, change }) {
  const inside = tournament?.you !== null;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    join();
  };
  return html`<form class="tournament-join panel" novalidate @submit=${submit}>
    <label class="field">
      <span>${say("web.name.field")}</span>
      ${nameView(name, (next) => change({ name: next, problem: "" }))}
    </label>
    <button class="button ${inside ? "" : "main"}" type="submit" ?disabled=${busy || !linked}>
      ${inside ? say("web.tournament.rename") : say("web.tournament.join")}
    </button>
  </form>`;
}

/**
 * The way into a tournament that has begun, as long as there is one.
 *
 * @param {State} state
 * @param {Context["say"]} say
 * @param {TournamentActs} acts
 */
function lateView(state, say, acts) {
  const { tournament } = state;
  if (tournament?.status !== "running" || tournament.you !== null) return nothing;
  if (tournament.played.length > tournament.last_entry || !hasTournaments()) return nothing;
  return html`<p class="soft">${say("web.tournament.late")}</p>
    ${joinView(state, say, acts)}`;
}

/**
 * Who has come so far.
 *
 * @param {State} state
 * @param {Context["say"]} say
 * @param {TournamentActs} acts
 */
function entrantsView(state, say, acts) {
  const { tournament } = state;
  if (!tournament) return nothing;
  return html`<section aria-label=${say("web.tournament.entrants")}>
    <h2>${say("web.tournament.entrants")}</h2>
    <ol class="tournament-entrants">
      ${entrantViews(state, tournament.entrants, say, acts)}
    </ol>
  </section>`;
}

/**
 * The names of entrants, one's own marked, and the buttons by which they take part no more.
 *
 * @param {State} state
 * @param {Entrant[]} entrants
 * @param {Context["say"]} say
 * @param {TournamentActs} acts
 */
function entrantViews(state, entrants, say, acts) {
  const { tournament } = state;
  if (!tournament) return nothing;
  return repeat(
    entrants,
    ({ id }) => id,
    (entrant) => {
      const name = entrantName(say, tournament, entrant.id);
      const own = entrant.id === tournament.you;
      return html`<li class="panel">
        <span>${own ? html`<b>${say("web.play.you_named", { name })}</b>` : name}</span>
        ${goView(state, entrant, say, acts)}
      </li>`;
    },
  );
}

/**
 * The button by which somebody takes part no more.
 *
 * @param {State} state
 * @param {Entrant} entrant
 * @param {Context["say"]} say
 * @param {TournamentActs} acts
 */
function goView({ tournament, unsure, busy, linked }, { id, withdrawn }, say, { withdraw }) {
  if (!tournament || withdrawn || (id !== tournament.you && !tournament.made)) return nothing;
  const own = id === tournament.you;
  const label = own ? say("web.tournament.withdraw") : say("web.tournament.remove");
  const named = own
    ? label
    : say("web.tournament.remove_label", { name: entrantName(say, tournament, id) });
  return html`<button
    class="button warn"
    type="button"
    aria-label=${unsure === id ? say("web.play.sure", { action: named }) : named}
    ?disabled=${busy || !linked}
    @click=${() => withdraw(id)}
  >
    ${unsure === id ? say("web.play.sure", { action: label }) : label}
  </button>`;
}

/**
 * What whoever has made the tournament may do before it begins.
 *
 * @param {State} state
 * @param {Context} context
 * @param {TournamentActs} acts
 */
function makerView(
  { tournament, computers, computer, busy, linked },
  { say },
  { addComputer, start, change },
) {
  if (!tournament?.made) return html`<p class="soft">${say("web.tournament.wait")}</p>`;
  const able = linked && !busy;
  const { last_entry: number } = tournament;
  return html`<div class="tournament-make panel">
    <div class="field">
      ${selectView(
        computers.map((spec) => [spec, playerName(say, spec)]),
        computer,
        (chosen) => change({ computer: chosen }),
        { label: say("web.tournament.computer") },
      )}
      ${buttonView(say("web.tournament.add_computer"), addComputer, { disabled: !able || !computer })}
    </div>
    ${buttonView(say("web.tournament.start"), start, { kind: "main", disabled: !able || tournament.entrants.length < 2 })}
    <p class="soft">
      ${number ? say("web.tournament.start_told_late", { number }) : say("web.tournament.start_told")}
    </p>
  </div>`;
}

/**
 * Those who may be withdrawn while it is being played.
 *
 * @param {State} state
 * @param {Context["say"]} say
 * @param {TournamentActs} acts
 */
function withdrawView(state, say, acts) {
  const { tournament } = state;
  if (!tournament || tournament.status !== "running") return nothing;
  const { entrants, made, you } = tournament;
  const all = entrants.filter(({ id, withdrawn }) => !withdrawn && (made || id === you));
  if (!all.length) return nothing;
  return html`<details class="fold">
    <summary>${say("web.tournament.withdraw")}</summary>
    <p class="soft">${say("web.tournament.withdraw_told")}</p>
    <ul class="tournament-entrants">
      ${entrantViews(state, all, say, acts)}
    </ul>
  </details>`;
}
