/**
 * A tournament as the server tells it.
 *
 * @import { WithRules } from "../shared/schemas.js"
 *
 * @typedef {object} Entrant
 * @property {number} id
 * @property {string | null} name of a person
 * @property {string} occupant "human" or a computer's spec
 * @property {boolean} withdrawn
 *
 * @typedef {object} Meeting
 * @property {number} first id of the entrant who begins
 * @property {number} second
 * @property {string | null} game
 * @property {number | null} points of the first one
 * @property {string | null} reason how it ended; null as long as it goes on
 *
 * @typedef {object} Round
 * @property {Meeting[]} meetings
 * @property {number | null} bye the entrant who sits out
 *
 * @typedef {object} Row
 * @property {number} entrant
 * @property {number} place
 * @property {number} points
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number} buchholz
 * @property {number} sonneborn_berger
 *
 * @typedef {WithRules & Course} Tournament
 *
 * @typedef {object} Course
 * @property {string} id
 * @property {number} version
 * @property {string} name
 * @property {"round-robin" | "swiss"} kind
 * @property {number} rounds how often each pair meets, or how many rounds there are
 * @property {string | null} opening
 * @property {string} clock
 * @property {boolean} listed whether everybody is shown it
 * @property {"open" | "running" | "over"} status
 * @property {number} last_entry the last round during which somebody can still come in; 0 for none
 * @property {Entrant[]} entrants
 * @property {Round[]} played
 * @property {Row[]} table
 * @property {number | null} you the entrant that one is
 * @property {boolean} made whether one has made it
 */

export {};
