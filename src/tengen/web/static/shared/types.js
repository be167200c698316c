/**
 * Types that pages share; never loaded by a page.
 *
 * @import { Colour, Options, State } from "/assets/board_types.js"
 * @import { Say } from "/assets/words.js"
 * @import { Api, ApiError, Message } from "./api.js"
 * @import { DialogOptions } from "./dialog.js"
 * @import { Printed } from "./printed_view.js"
 * @import { FindingMessage, GameState, ParticipantNumber, ThinkingMessage } from "./schemas.js"
 * @import { WaitingMessage } from "./schemas.js"
 * @import { Settings } from "./settings.js"
 * @import { Sound } from "./sound.js"
 * @import { Content } from "./view.js"
 *
 * @typedef {{onSelect?: Options["onSelect"], onPoint?: Options["onPoint"]}} Listeners
 *
 * @typedef {object} Parts what there is to see beside the board
 * @property {string} name of the page, as a class: "start", "game"
 * @property {Content} [heading] of the page, where no part holds one
 * @property {{content: Content, acting?: boolean}} [top] the seat of the opponent
 * @property {{content: Content, acting?: boolean}} [bottom] one's own
 * @property {{content: Content, kind?: string, hidden?: boolean}} [status]
 * @property {Content} [side] tabs, or what there is to choose
 * @property {boolean} [raised] whether the side is pulled up on small screens
 * @property {Content} [actions]
 * @property {Content} [card] what covers the side
 * @property {Printed | null} [printed] what only paper has
 *
 * @typedef {object} Table
 * @property {HTMLElement} board
 * @property {(parts: Parts) => void} show
 * @property {(shape: {width: number, height: number, k: number}) => void} shape
 * @property {(state: State) => void} draw what stands on the board, once it has a shape
 * @property {(listeners: Listeners) => void} listen
 * @property {() => void} refuse a gentle cue that a point was not taken
 * @property {() => void} focus
 * @property {() => void} destroy
 *
 * @typedef {"black" | "white" | "random"} Side
 * @typedef {"computer" | "here" | "link" | "watch" | "lobby"} Company against a computer, two people on this
 *     device, a friend by link, two computers, whoever comes to the lobby
 *
 * @typedef {object} Choices
 * @property {Company} company
 * @property {string} opponent spec of a player
 * @property {string} second the other computer, where two play
 * @property {Side} colour
 * @property {string} rules name of a preset, or "mnk"
 * @property {[number, number]} size columns and rows
 * @property {number} k in a row, for "mnk"
 * @property {"forbidden" | "loses" | "claimed"} fouls
 * @property {string} opening
 * @property {string} clock of `TimeControl.parse`; "" for none
 * @property {number | null} takeBacks null is no limit
 * @property {number} pace seconds between two computers' moves
 * @property {boolean} [rated] whether the game is rated; left out where that cannot be chosen
 *
 * @typedef {object} Call a game that has begun
 * @property {string} game its id
 * @property {string} text what is said
 * @property {string | null} tournament its id
 *
 * @typedef {object} Calls
 * @property {() => boolean} offering whether one's offer in the lobby is open
 * @property {() => Call | null} pending a game that one has been told of, and not gone to
 * @property {(open: boolean) => void} offer one's offer in the lobby is open, or no more
 * @property {(tournament: string) => void} enter one takes part in a tournament
 * @property {(call: Call) => void} call a game has begun
 * @property {(game: string) => void} arrive one has come to a game
 * @property {(listener: (call: Call) => boolean) => () => void} listen hear of games first; true: nobody else need
 *     do anything. Returns how to stop
 * @property {(draw: () => void) => void} onChange
 *
 * @typedef {ThinkingMessage & Partial<FindingMessage & WaitingMessage>} Thinking what a computer thinks, or why it does
 *     not think yet
 *
 * @typedef {object} GameListener
 * @property {(state: GameState, you: ParticipantNumber[], made: boolean) => void} onState called with every newer state, the
 *     seats that are one's own, and whether one has made the game
 * @property {(connected: boolean) => void} onLink
 * @property {(thinking: Thinking) => void} [onThinking]
 * @property {(state: GameState, away: Record<ParticipantNumber, number>) => void} [onPresence] called when somebody comes or
 *     leaves; away: seconds for which nobody of a seat has been there
 * @property {(by: ParticipantNumber, phrase: string) => void} [onPhrase]
 *
 * @typedef {object} LiveGame
 * @property {(message: {type: string} & Record<string, unknown>) => Promise<any>} send return the server's answer; throws
 *     ApiError
 * @property {() => void} close
 *
 * @typedef {object} Language a `Translation` of `tengen.words.languages`
 * @property {string} code
 * @property {string} locale
 * @property {string} name what its speakers call it
 * @property {boolean} draft whether it still waits for a speaker to read it
 *
 * @typedef {object} ToastAction what may be done about it
 * @property {string} label
 * @property {() => void} act
 *
 * @typedef {{text: string, kind: "info" | "error", action?: ToastAction}} Toast
 *
 * @typedef {object} Context
 * @property {Say} say
 * @property {Language} language
 * @property {(part: string) => Promise<void>} learn load the words of a folder of pages
 * @property {Api} api
 * @property {(path: string, how?: {replace?: boolean, keep?: boolean}) => void} go
 * @property {(text: string) => void} announce read out by screen readers
 * @property {(text: string | Message, how?: {kind?: "info" | "error", action?: ToastAction}) => void} toast a sentence
 *     that goes away
 * @property {Settings} settings
 * @property {Calls} calls games that one waits for, on whatever page
 * @property {Sound} sound
 * @property {(options: DialogOptions) => Promise<string>} openDialog the value of the button that closed it; "" where it
 *     was just closed, or could not be loaded, which has been said. It is not open before its module is there
 * @property {(message: string | Message) => string} lookupKey what a message of the server says here; English
 *     or a general sentence where the catalogue has no such key
 * @property {(error: unknown) => string} errorText what an ApiError says here; any other error is thrown on
 * @property {(error: unknown) => void} toastError likewise as a toast
 *
 * @typedef {object} Position
 * @property {string} rules
 * @property {number | [number, number] | null} [size]
 * @property {string | null} [fouls]
 * @property {{ black: string[], white: string[], turn?: Colour | null } | null} [setup]
 * @property {string[]} [moves]
 *
 * @typedef {object} SocketOptions
 * @property {(message: any) => void} onMessage called with each message that does not answer a request
 * @property {(connected: boolean) => void} [onLink] called when the connection is lost, and when it is back
 * @property {() => object} [hello] the first message of each connection
 * @property {boolean} [lasting] true if left out; false: opened by the first `send`, and again by the first one after a
 *     loss, without signs of life
 *
 * @typedef {object} Socket
 * @property {(message: object) => void} send
 * @property {(message: Record<string, unknown>, again?: boolean) => Promise<any>} request send a message and return
 *     what the server answers; `again`: it does no harm twice, and so outlasts a lost connection. Throws ApiError
 * @property {() => void} close
 *
 * @typedef {object} Connection for messages, as `WebSocket` has it
 * @property {number} readyState
 * @property {((event: any) => void) | null} onopen
 * @property {((event: { data: string } & any) => void) | null} onmessage
 * @property {((event: { code: number } & any) => void) | null} onclose
 * @property {(text: string) => void} send
 * @property {() => void} close
 *
 * @typedef {object} Waiting a request that is not answered
 * @property {object} message
 * @property {boolean} again
 * @property {(answer: any) => void} done
 * @property {(error: ApiError) => void} failed
 */

export {};
