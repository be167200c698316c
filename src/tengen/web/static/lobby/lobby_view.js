/**
 * The list of what is offered, and what one offers oneself.
 *
 * @import { Challenge, Rating } from "../shared/schemas.js"
 * @import { Context } from "../shared/types.js"
 *
 * @typedef {object} State
 * @property {Challenge[] | null} challenges null before the first answer
 * @property {string | null} own id of one's own
 * @property {boolean} linked whether the connection stands
 * @property {string} name what one is called; empty for nothing, or before the first answer
 * @property {boolean | null} rated whether one plays rated games; null before the first answer
 * @property {Record<string, Rating>} ratings one's own, by the name of rules
 * @property {boolean} busy whether something is asked of the server
 *
 * @typedef {object} LobbyActs
 * @property {() => void} offer
 * @property {() => void} withdraw
 * @property {(id: string) => void} accept
 * @property {() => void} rename
 * @property {(rated: boolean) => void} rate play rated games or not
 */

import { html, nothing, repeat } from "/static/vendor/lit-html/lit.js";
import { link } from "../shared/addresses.js";
import { factsText, ratingText, rulesName, sentence, swapsColours } from "../shared/names.js";
import { buttonView, checkboxView, disc, hasTournaments, isOff } from "../shared/view.js";

/** The colour that is left for the other one. */
const OTHER = /** @type {const} */ ({ black: "white", white: "black", random: "random" });

/**
 * @param {State} state
 * @param {Context} context
 * @param {LobbyActs} acts
 */
export function lobbyView(state, context, acts) {
  const { challenges, own, linked, name, rated, busy } = state;
  const { say } = context;
  const mine = challenges?.find(({ id }) => id === own);
  const others = (challenges ?? []).filter(({ id }) => id !== own);
  return html`<div class="lobby column">
    <h1>${say("web.lobby.title")}</h1>
    <p class="soft">${say("web.lobby.lead")}</p>
    ${
      hasTournaments()
        ? html`<p><a href=${link("/tournaments")}>${say("web.tournament.lead_from_lobby")}</a></p>`
        : nothing
    }
    <div class="lobby-self panel">
      ${
        isOff("names")
          ? nothing
          : html`<p>${name ? say("web.lobby.as", { name }) : say("web.lobby.as_nobody")}</p>
              ${buttonView(say("web.name.open"), acts.rename, { disabled: rated === null })}`
      }
      ${
        mine
          ? nothing
          : buttonView(say("web.lobby.offer"), acts.offer, {
              kind: "main lobby-offer",
              disabled: !linked || busy || !challenges || rated === null,
            })
      }
    </div>
    ${ratingsView(state, context, acts)} ${mine ? ownView(mine, state, context, acts) : nothing}
    <h2 class="unseen">${say("web.lobby.list")}</h2>
    <p class="lobby-told ${linked ? "soft" : "lost"}" role="status">
      ${statusText(state, others.length, say)}
    </p>
    <ul class="lobby-list">
      ${repeat(
        others,
        ({ id }) => id,
        (challenge) => rowView(challenge, state, context, acts),
      )}
    </ul>
  </div>`;
}

/**
 * Whether one plays rated games, and one's ratings.
 *
 * @param {State} state
 * @param {Context} context
 * @param {LobbyActs} acts
 */
function ratingsView({ rated, ratings, busy }, { say }, acts) {
  const own = Object.entries(ratings).map(
    ([name, rating]) => `${sentence(rulesName(say, name))} ${ratingText(rating)}`,
  );
  return html`<div class="lobby-ratings">
    <label class="check">
      ${checkboxView(rated ?? false, acts.rate, busy || rated === null)} ${say("web.lobby.ratings")}
    </label>
    ${own.length ? html`<b>${own.join(" · ")}</b>` : nothing}
    ${rated ? html`<span class="soft">${say("web.lobby.ratings_told")}</span>` : nothing}
  </div>`;
}

/**
 * @param {State} state
 * @param {number} count of what others offer
 * @param {Context["say"]} say
 */
function statusText({ challenges, own, linked }, count, say) {
  if (!challenges) return say("web.lobby.loading");
  if (!linked) return say("web.lobby.lost");
  if (count) return say("web.lobby.count", { count });
  return own ? "" : say("web.lobby.empty");
}

/**
 * @param {Challenge} challenge
 * @param {State} state
 * @param {Context} context
 * @param {LobbyActs} acts
 */
function ownView(challenge, { busy }, context, acts) {
  const { say } = context;
  return html`<section class="lobby-row panel own" aria-label=${say("web.lobby.yours")}>
    <div class="lobby-about">
      <b role="status">${say("web.lobby.waiting")}</b>
      <span class="soft"
        >${factsOf(challenge, say)} · ${partText(say, challenge.opening, challenge.colour)}</span
      >
    </div>
    ${buttonView(say("web.lobby.withdraw"), acts.withdraw, { kind: "warn", disabled: busy })}
  </section>`;
}

/**
 * @param {Challenge} challenge
 * @param {State} state
 * @param {Context} context
 * @param {LobbyActs} acts
 */
function rowView(challenge, { linked, busy }, context, acts) {
  const { say } = context;
  const { id, colour } = challenge;
  const name = challenge.name ?? say("web.lobby.anonymous");
  const facts = factsOf(challenge, say);
  const other = OTHER[colour];
  const part = partText(say, challenge.opening, other);
  /** @type {("black" | "white")[]} */
  const discs = other === "random" ? ["black", "white"] : [other];
  return html`<li class="lobby-row panel">
    <span class="lobby-discs">${discs.map(disc)}</span>
    <div class="lobby-about">
      <b>${name}${challenge.rating ? html` <small>${ratingText(challenge.rating)}</small>` : nothing}</b>
      <span class="soft">${facts} · ${part}</span>
    </div>
    <button
      class="button main"
      type="button"
      aria-label=${say("web.lobby.play_label", { name, facts })}
      ?disabled=${!linked || busy}
      @click=${() => acts.accept(id)}
    >
      ${say("web.lobby.play")}
    </button>
  </li>`;
}

/**
 * Whether it is rated, rules, size, opening and clock, in a line.
 *
 * @param {Challenge} challenge
 * @param {Context["say"]} say
 */
function factsOf(challenge, say) {
  const facts = factsText(say, challenge);
  return challenge.rated ? `${say("web.lobby.rated")} · ${facts}` : facts;
}

/**
 * What the other one gets of a game, which a colour has been chosen for.
 *
 * @param {Context["say"]} say
 * @param {string | null} opening
 * @param {"black" | "white" | "random"} colour
 */
function partText(say, opening, colour) {
  if (!swapsColours(opening)) {
    return colour === "random"
      ? say("web.lobby.you_play_random")
      : say("web.lobby.you_play", { colour: say(colour) });
  }
  if (colour === "random") return say("web.facts.opens_random");
  return colour === "black" ? say("web.facts.you_open") : say("web.facts.other_opens");
}
