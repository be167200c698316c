/**
 * What the server says of a player's reasons; types only, never loaded by a page.
 *
 * @import { Colour, Stone } from "/assets/board.js"
 *
 * @typedef {{ key: string, values: Record<string, any> }} Message
 * @typedef {{ label: Message, points: string[], value: number }} Part
 *
 * @typedef {object} Branch
 * @property {string} point `--` at the root
 * @property {number} value for the side that moves there
 * @property {Message | null} note
 * @property {Branch[]} children
 *
 * @typedef {object} Heatmap other numbers of the same points
 * @property {string} name
 * @property {Message} title
 * @property {Message} summary
 * @property {Message} note how the numbers come about
 * @property {Record<string, number>} weights below zero: against the side to move
 * @property {Record<string, Part[]>} parts
 * @property {Part[]} total what the whole position's number is made of
 *
 * @typedef {object} Weighed points with numbers that are listed and drawn
 * @property {string | null} point the one that is played
 * @property {Record<string, number>} weights
 * @property {Record<string, Part[]>} parts
 * @property {boolean} [signed] whether what is below zero counts as much as what is above it
 *
 * @typedef {object} Answer
 * @property {string | null} point what the player plays
 * @property {unknown} score
 * @property {Message} summary
 * @property {Record<string, number>} weights
 * @property {Record<string, Part[]>} parts
 * @property {string[][]} lines
 * @property {Branch | null} tree
 * @property {Heatmap[]} heatmaps
 * @property {{ points: string[], value: number }[]} [counters] stones of Black less those of White on each line
 *
 * @typedef {object} Scene a position as it is looked at
 * @property {Stone[]} stones
 * @property {Colour} turn
 * @property {number} width
 * @property {number} height
 * @property {boolean} signs
 */

export {};
