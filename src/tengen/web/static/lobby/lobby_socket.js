/**
 * The lobby as it changes: the newest list of what is offered.
 *
 * @import { Rating, WithRules } from "../shared/game_types.js"
 *
 * @typedef {WithRules & Offer} Challenge
 *
 * @typedef {object} Offer a game that somebody offers
 * @property {string} id
 * @property {string | null} name of who offers it
 * @property {string | null} opening
 * @property {string | null} clock
 * @property {number | null} take_backs
 * @property {"black" | "white" | "random"} colour of who offers it
 * @property {string | null} rated the pool of ratings that the game changes
 * @property {Rating | null} rating of who offers it, there
 *
 * @typedef {object} HeardInLobby what is told
 * @property {(challenges: Challenge[], own: string | null) => void} onList what is offered, and which of it by oneself
 * @property {(game: string) => void} onGame somebody has accepted: the game has begun
 * @property {(connected: boolean) => void} onLink the connection was lost, or is back
 */

import { createLiveSocket } from "../shared/live_socket.js";

/** @param {HeardInLobby} heard */
export function createLobbySocket({ onList, onGame, onLink }) {
  return createLiveSocket("/api/challenges/live", hear, onLink);

  /** @param {any} told */
  function hear(told) {
    if (told.type === "challenges") onList(told.challenges, told.own);
    else if (told.type === "game") onGame(told.id);
  }
}
