/**
 * The state of a game's page; types only, never loaded by a page.
 *
 * @import { State as BoardState } from "/assets/board_types.js"
 * @import { Message } from "../shared/api.js"
 * @import { Catalogue, GameState, ParticipantNumber } from "../shared/schemas.js"
 * @import { Choices, Context, Thinking } from "../shared/types.js"
 * @import { Premove } from "./game_board.js"
 *
 * @typedef {"moves" | "why" | "engine"} Tab
 *
 * @typedef {Readonly<GameFields>} Game changed by `acts.change` alone
 *
 * @typedef {object} GameFields
 * @property {Context} context
 * @property {GameState} state as the server has sent it last
 * @property {ParticipantNumber[]} you whom one plays
 * @property {boolean} made whether one has made the game
 * @property {boolean} mayDecide whether one sits here or has made the game
 * @property {boolean} apart whether the seats are those of two people in two places
 * @property {boolean} between whether two such people play, or one in a tournament, so that nobody may be helped
 * @property {boolean} linked whether the connection stands
 * @property {Thinking | null} thinking what a computer thinks just now
 * @property {number} passed seconds for which a clock has run since the server sent it
 * @property {number} shown moves that are shown; all, unless an earlier position is looked at
 * @property {string | null} sent the point of a stone that the server has not confirmed
 * @property {Premove | null} premove what is played when it is one's turn
 * @property {string | null} fouled a point of a foul that was touched
 * @property {string | null} hinted
 * @property {BoardState | null} overlay what a tab draws upon the position
 * @property {number | null} explained moves before the one that "Why?" explains, whose stone is not yet there; else null
 * @property {Partial<Record<ParticipantNumber, string | null>>} phrases what people say just now, by seat
 * @property {typeof import("./phrases.js") | null} speech how phrases are said and shown; null before that is loaded,
 *     and where nobody says any
 * @property {string} note what answers something that was done in this state; gone with it, or after a while
 * @property {Partial<Record<ParticipantNumber, number>>} leftAt when those have left who are not there, by this device's clock
 * @property {string} unsure the action that waits for a second click
 * @property {string | null} next id of the game that one plays next in the tournament, once it has begun
 * @property {number | null} pace to which the slider is being drawn, in seconds a move
 * @property {Tab} tab
 * @property {boolean} raised whether the tabs are pulled up on small screens
 * @property {Acts} acts
 *
 * @typedef {object} Acts what one may do
 * @property {(ply: number) => void} show
 * @property {(type: string, more?: Record<string, unknown>) => Promise<any>} send a message; what the server refuses is
 *     said, and null is answered
 * @property {(option: string) => Promise<any>} choose an option of the opening rule
 * @property {(overlay: BoardState | null) => void} overlay draw upon the position
 * @property {(text: string | Message, stay?: boolean) => void} note say something,
 *     for a while or until something else is said
 * @property {() => Promise<void>} again the next game
 * @property {() => Promise<void>} join take the seat that is open
 * @property {(change: Partial<GameFields>) => void} change anything of the state, and draw it
 * @property {() => void} resume show the game as it stands, and play on
 *
 * @typedef {object} Start
 * @property {Choices} choices
 * @property {Catalogue | null} catalogue what goes with the rules
 * @property {string | null} last id of a game that may go on
 * @property {boolean} busy whether a game is being created
 * @property {boolean} compiling whether the engine is being compiled
 *
 * @typedef {object} StartActs what a reader may do
 * @property {(change: Partial<Choices>) => void} set
 * @property {() => void} start
 * @property {() => void} here two people at this device
 * @property {(company?: "link") => void} setup
 * @property {() => void} reset to what is chosen by default
 * @property {() => void} lobby
 * @property {() => void} tournament
 */

export {};
