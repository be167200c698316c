/**
 * What two people say to each other: ready-made phrases, sent as keys, so that each reads them in a language of
 * their own. They stand for a while at the seat of whoever says them.
 *
 * @import { ParticipantNumber } from "../shared/schemas.js"
 * @import { Game } from "./types.js"
 *
 * @typedef {object} Phrases
 * @property {(by: ParticipantNumber, phrase: string) => void} receive
 * @property {() => void} destroy
 */

import { html, nothing } from "/static/vendor/lit-html/lit.js";
import { checkboxView, closePopover } from "../shared/view.js";
import { ownSeats, seatName } from "./game_state.js";

/** As `PHRASES` of the server has them, in the order in which they are offered. */
const PHRASES = [
  ...["hello", "good_luck", "nice_move", "one_moment", "no_rush"],
  ...["sorry", "thanks", "well_played", "good_game", "bye"],
];
const SECONDS = 8; // a phrase stays

/**
 * @param {Game} game
 * @returns {Phrases}
 */
export function createPhrases(game) {
  /** @type {Map<ParticipantNumber, number>} */
  const timers = new Map();
  return {
    receive,
    destroy() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  /**
   * @param {ParticipantNumber} by
   * @param {string} phrase
   */
  function receive(by, phrase) {
    const { context, state, you } = game;
    const { say, settings } = context;
    const seat = state.seats.find(({ participant }) => participant === by);
    const own = you.includes(by);
    if (!seat || !PHRASES.includes(phrase) || (settings.get("mutedPhrases") && !own)) return;
    clearTimeout(timers.get(by));
    timers.set(
      by,
      window.setTimeout(() => set(by, null), 1000 * SECONDS),
    );
    set(by, phrase);
    if (own) return;
    context.sound.phrase();
    const text = say(`web.phrase.${phrase}`);
    context.announce(say("web.play.phrase_said", { who: seatName(game, seat), text }));
  }

  /**
   * @param {ParticipantNumber} by
   * @param {string | null} phrase
   */
  function set(by, phrase) {
    game.acts.change({ phrases: { ...game.phrases, [by]: phrase } });
  }
}

/**
 * What is said at a seat; nothing if nothing is.
 *
 * @param {Game} game
 * @param {ParticipantNumber} by
 */
export function phraseView({ phrases, context: { say } }, by) {
  const phrase = phrases[by];
  // Read out when it is heard, and not when a seat is drawn.
  return phrase
    ? html`<span class="phrase" aria-hidden="true"
        >${say("web.play.phrase", { text: say(`web.phrase.${phrase}`) })}</span
      >`
    : nothing;
}

/** Whether there is anybody to say something to. @param {Game} game */
export function maySpeak(game) {
  return game.apart && ownSeats(game).length === 1 && !game.state.seats.some(({ open }) => open);
}

/**
 * What there is to say.
 *
 * @param {Game} game
 */
export function phrasesView(game) {
  const { acts, linked, context } = game;
  const { say, settings } = context;
  const send = (/** @type {string} */ phrase) => {
    closePopover("phrases");
    void acts.send("say", { phrase });
  };
  const mute = (/** @type {boolean} */ on) => settings.set("mutedPhrases", on);
  return html`<div
    id="phrases"
    class="popover"
    popover="auto"
    role="group"
    aria-label=${say("web.play.say")}
  >
    ${PHRASES.map(
      (phrase) =>
        html`<button class="action" type="button" ?disabled=${!linked} @click=${() => send(phrase)}>
          ${say(`web.phrase.${phrase}`)}
        </button>`,
    )}
    <label class="check">
      ${checkboxView(Boolean(settings.get("mutedPhrases")), mute)} ${say("web.play.phrase_mute")}
    </label>
  </div>`;
}
