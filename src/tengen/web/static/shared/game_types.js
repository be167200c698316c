/**
 * The shapes of what the server sends; types only, never loaded by a page.
 *
 * @typedef {"black" | "white"} Colour
 * @typedef {1 | 2} Participant
 * @import { Message } from "./api.js"
 * @import { Board } from "./schemas.js"
 *
 *
 * @typedef {{rating: number, deviation: number, provisional: boolean}} Rating
 *
 * @typedef {object} Seat
 * @property {Participant} participant
 * @property {Colour} colour
 * @property {string} occupant "human" or the spec of a computer player
 * @property {string | null} name what the person who sits there is called
 * @property {Rating | null} rating before the game, where it is rated
 * @property {number | null} take_backs left; null is no limit
 * @property {{left: number, periods: number, running: boolean} | null} clock
 * @property {boolean} open waits for somebody by link
 * @property {boolean} connected
 *
 * @typedef {object} Decision what an opening rule asks
 * @property {Participant} by
 * @property {"place" | "offer" | "select" | "choice"} kind
 * @property {Message} message
 * @property {string[]} points
 * @property {{value: string, message: Message}[]} options
 *
 * @typedef {Board & Game} GameState
 *
 * @typedef {object} Game
 * @property {string} id
 * @property {number} version
 * @property {boolean} claimable
 * @property {string[]} offered
 * @property {{name: string, decision: Decision | null} | null} opening
 * @property {string | null} opening_rule by which the game began
 * @property {Seat[]} seats
 * @property {Participant | null} actor
 * @property {number | null} take_backs_each as many as each side began with; null is no limit
 * @property {string | null} control
 * @property {{kind: "draw" | "take_back", by: Participant} | null} request
 * @property {boolean} paused
 * @property {boolean} preparing whether the clocks wait until the engine can think
 * @property {number} pace
 * @property {boolean} thinking
 * @property {number} watchers
 * @property {string | null} again id of the next game
 * @property {string | null} rated the pool of ratings that the game changes
 * @property {boolean} begun whether both sides have played or chosen something
 * @property {boolean} unaided whether people play each other, so that nobody may be helped
 * @property {string | null} tournament id of the one that the game belongs to
 * @property {Participant | null} rematch who offers the other one another game
 * @property {boolean} undoable whether a change of seats can be taken back
 * @property {Message | null} notice what everybody at the table should be told
 *
 * @typedef {object} Thinking
 * @property {Participant | null} by
 * @property {Message} [message] why it does not think yet; then there is nothing else
 * @property {string | null} [point]
 * @property {number | null} [win_rate]
 * @property {number | null} [depth]
 * @property {number | null} [nodes]
 * @property {string[]} [line]
 */

export {};
