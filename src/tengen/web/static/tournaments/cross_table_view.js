/**
 * Who scored what against whom, where everybody meets everybody.
 *
 * @import { Say } from "/assets/words.js"
 * @import { Tournament } from "../shared/schemas.js"
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { sentence } from "../shared/names.js";
import { entrantName } from "./tournament_names.js";

/**
 * Rows and columns in the order of the table; a cell has the points of its row's player.
 *
 * @param {Tournament} tournament
 * @param {Say} say
 */
export function crossTableView(tournament, say) {
  const { table, you } = tournament;
  const label = say("report.section.crosstable");
  const all = table.map(({ entrant }) => ({ entrant, name: entrantName(say, tournament, entrant) }));
  return html`<h2>${label}</h2>
    <div class="tournament-table cross panel" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
            <td></td>
            <th scope="col" class="who">${sentence(say("tournament.player"))}</th>
            ${all.map(({ name }, index) => html`<th scope="col" title=${name} aria-label=${name}>${index + 1}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${all.map(
            ({ entrant, name }, index) =>
              html`<tr class=${entrant === you ? "own" : ""}>
                <td>${index + 1}</td>
                <th scope="row" class="who">${name}</th>
                ${all.map((other) =>
                  other.entrant === entrant
                    ? html`<td class="self"></td>`
                    : html`<td>
                        ${meetingsOf(tournament, entrant, other.entrant).map((one) => scoreView(one, say("web.tournament.between", { one: name, other: other.name }), say))}
                      </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/**
 * What two entrants have played against each other, as the first of them sees it.
 *
 * @param {Tournament} tournament
 * @param {number} entrant
 * @param {number} other
 */
function meetingsOf({ played }, entrant, other) {
  return played
    .flatMap(({ meetings }) => meetings)
    .filter(({ first, second }) => [first, second].includes(entrant) && [first, second].includes(other))
    .map(({ first, points, game, reason }) => ({
      game,
      over: reason !== null,
      points: first === entrant || points === null ? points : 1 - points,
    }));
}

/**
 * @param {{game: string | null, over: boolean, points: number | null}} meeting
 * @param {string} between who meets whom
 * @param {Say} say
 */
function scoreView({ game, over, points }, between, say) {
  const score = !over ? "…" : points === 0.5 ? "½" : String(points ?? 0);
  if (!game) return over ? html`<span>${score}</span>` : nothing;
  const text = over ? score : say("web.tournament.goes_on");
  return html`<a href=${link(`/g/${game}`)} aria-label="${between}: ${text}">${score}</a>`;
}
