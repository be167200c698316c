/**
 * How a tournament stands: the table, and the games round by round.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Meeting, EntrantRow, Tournament } from "../shared/schemas.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { sentence } from "../shared/names.js";
import { entrantName } from "./tournament_names.js";

/**
 * @param {Tournament} tournament
 * @param {Say} say
 */
export function tableView(tournament, say) {
  const swiss = tournament.kind === "swiss";
  const label = say("web.tournament.table");
  return html`<h2>${label}</h2>
    <div class="tournament-table panel" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
            <th scope="col">${say("web.tournament.place")}</th>
            <th scope="col" class="who">${sentence(say("tournament.player"))}</th>
            <th scope="col">${sentence(say("tournament.points"))}</th>
            <th scope="col" class="count">${sentence(say("tournament.wins"))}</th>
            <th scope="col" class="count">${sentence(say("tournament.draws"))}</th>
            <th scope="col" class="count">${sentence(say("tournament.losses"))}</th>
            ${swiss ? html`<th scope="col">${say("web.tournament.buchholz")}</th>` : nothing}
            <th scope="col">${say("web.tournament.sonneborn_berger")}</th>
          </tr>
        </thead>
        <tbody>
          ${tournament.table.map((row) => rowView(tournament, row, say))}
        </tbody>
      </table>
    </div>
    <p class="soft">${swiss ? say("web.tournament.ties_swiss") : say("web.tournament.ties")}</p>`;
}

/**
 * @param {Tournament} tournament
 * @param {EntrantRow} row
 * @param {Say} say
 */
function rowView(tournament, row, say) {
  const { entrant, place, points, wins, draws, losses, buchholz, sonneborn_berger } = row;
  const name = entrantName(say, tournament, entrant);
  const own = entrant === tournament.you;
  const gone = tournament.entrants.find(({ id }) => id === entrant)?.withdrawn;
  return html`<tr class=${own ? "own" : ""}>
    <td>${place}</td>
    <th scope="row" class="who">
      ${own ? say("web.play.you_named", { name }) : name}
      ${gone ? html`<small>${say("web.tournament.withdrawn")}</small>` : nothing}
    </th>
    <td><b>${points}</b></td>
    <td class="count">${wins}</td>
    <td class="count">${draws}</td>
    <td class="count">${losses}</td>
    ${tournament.kind === "swiss" ? html`<td>${buchholz}</td>` : nothing}
    <td>${sonneborn_berger}</td>
  </tr>`;
}

/**
 * The rounds, the newest first.
 *
 * @param {Tournament} tournament
 * @param {Say} say
 */
export function roundsView(tournament, say) {
  const all = tournament.played.map(({ meetings, bye }, index) => {
    const rests = bye === null ? "" : entrantName(say, tournament, bye);
    return html`<section class="tournament-round">
      <h3>${say("web.tournament.round", { number: index + 1 })}</h3>
      <ul>
        ${meetings.map((meeting) => meetingView(tournament, meeting, say))}
        ${
          rests
            ? html`<li class="soft">
                ${tournament.kind === "swiss" ? say("web.tournament.bye", { name: rests }) : say("web.tournament.rests", { name: rests })}
              </li>`
            : nothing
        }
      </ul>
    </section>`;
  });
  return html`<h2>${say("web.tournament.games")}</h2>
    ${all.reverse()}`;
}

/**
 * @param {Tournament} tournament
 * @param {Meeting} meeting
 * @param {Say} say
 */
function meetingView(tournament, { first, second, game, points, reason }, say) {
  const one = entrantName(say, tournament, first);
  const other = entrantName(say, tournament, second);
  const between = say("web.tournament.between", { one, other });
  const own = [first, second].includes(tournament.you ?? 0);
  const way = reason ? say("web.tournament.look") : own ? say("web.tournament.play") : say("web.nav.watch");
  const how = ["walkover", "void"].includes(reason ?? "") ? say(`web.tournament.${reason}`) : "";
  return html`<li>
    <span class="tournament-pair">
      <span class=${points === 1 ? "ahead" : ""}>${one}</span>
      <span class="score">${reason ? scoreOf(points) : say("web.tournament.goes_on")}</span>
      <span class=${points === 0 ? "ahead" : ""}>${other}</span>
    </span>
    ${how ? html`<small class="soft">${how}</small>` : nothing}
    ${game ? html`<a href=${link(`/g/${game}`)} aria-label="${way}: ${between}">${way}</a>` : nothing}
  </li>`;
}

/** @param {number | null} points of the first one */
function scoreOf(points) {
  if (points === null) return "0–0";
  return points === 0.5 ? "½–½" : `${points}–${1 - points}`;
}
