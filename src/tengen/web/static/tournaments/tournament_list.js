/**
 * The tournaments that there are: one's own, those that everybody is shown, and the way to a new one.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Mount } from "../shared/router.js"
 * @import { Tournament } from "../shared/schemas.js"
 */

import { html, nothing, render, repeat } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { createStore, hasTournaments } from "../shared/view.js";
import { noTournamentsView, tournamentFacts } from "./tournament_names.js";

const POLL = 15_000; // milliseconds between two requests of the list
const ORDER = ["open", "running", "over"];

/** @type {Mount} */
export function mount(root, { api, say, errorText }) {
  /** @type {{own: Tournament[], listed: Tournament[], known: boolean, problem: string}} */
  const beginning = { own: [], listed: [], known: false, problem: "" };
  const { state, update } = createStore(beginning, draw);
  let gone = false;
  let timer = 0;
  draw();
  void load();
  return () => {
    gone = true;
    clearTimeout(timer);
  };

  async function load() {
    try {
      const { tournaments, listed } = await api.get("/api/tournaments");
      update({ own: tournaments, listed, known: true, problem: "" });
    } catch (error) {
      update({ problem: errorText(error) });
    }
    if (!gone) timer = window.setTimeout(() => void load(), POLL);
  }

  function draw() {
    const { own, listed, known, problem } = state;
    render(
      html`<div class="tournament column">
        <h1>${say("web.tournament.tournaments")}</h1>
        <p class="soft">${say("web.tournament.list_lead")}</p>
        ${
          hasTournaments()
            ? html`<p>
                <a class="button main" href=${link("/tournaments/new")}>${say("web.tournament.new")}</a>
              </p>`
            : noTournamentsView(say)
        }
        <p class="problem" role="alert">${problem}</p>
        ${own.length ? sectionView(say("web.tournament.own"), own, say) : nothing}
        ${
          listed.length || !known
            ? sectionView(say("web.tournament.listed"), listed, say)
            : html`<p class="soft" role="status">
                ${say(own.length ? "web.tournament.no_others" : "web.tournament.no_others_yet")}
              </p>`
        }
      </div>`,
      root,
    );
  }
}

/**
 * @param {string} title
 * @param {Tournament[]} tournaments
 * @param {Say} say
 */
function sectionView(title, tournaments, say) {
  const sorted = [...tournaments].sort(
    (one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status),
  );
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <ul class="tournament-own">
      ${repeat(
        sorted,
        ({ id }) => id,
        (one) =>
          html`<li class="panel">
            <a href=${link(`/tournaments/${one.id}`)}>${one.name}</a>
            <span class="soft">${factsOf(one, say)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/**
 * @param {Tournament} tournament
 * @param {Say} say
 */
function factsOf(tournament, say) {
  const { status, entrants } = tournament;
  const parts = [say(`web.tournament.is_${status}`), tournamentFacts(say, tournament)];
  if (status !== "over") parts.splice(1, 0, say("web.tournament.players", { count: entrants.length }));
  return parts.join(" · ");
}
