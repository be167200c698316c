/**
 * The state of a game that has begun before Python was there, as the app would send it.
 *
 * @import { Colour } from "/assets/board_types.js"
 * @import { GameState, ParticipantNumber } from "../shared/schemas.js"
 * @import { FoulKind, Limit } from "../engine/search.js"
 * @import { Handicap } from "../engine/handicap.js"
 *
 * @typedef {object} KernelPlayer a player whom the kernels play alone
 * @property {Limit} limit
 * @property {Omit<Handicap, "seed"> | null} handicap
 * @property {string[]} parameters
 *
 * @typedef {object} KnownRules
 * @property {string | null} family null where the kernels do not know the rules
 * @property {Record<string, number>} numbers
 * @property {Pick<GameState, "rules" | "rules_name" | "has_fouls" | "fouls_mode">} fields
 * @property {Record<string, string[]>} openings by side of the board
 *
 * @typedef {object} Levels what `tengen.web.site.engine_levels` writes
 * @property {Record<string, KernelPlayer>} players
 * @property {string[]} waiting
 * @property {Record<string, KnownRules>} rules
 * @property {{ win: number, mate: number }} scores
 *
 * @typedef {object} GameRequest as the page asks for a game
 * @property {string} rules
 * @property {[number, number] | null} size
 * @property {string | null} fouls
 * @property {string} black
 * @property {string} white
 * @property {number | null} take_backs
 * @property {string} [moves]
 *
 * @typedef {object} EarlyMove
 * @property {string} point
 * @property {number} seconds
 * @property {number} [value] of a computer's move, in centi-units
 * @property {number} [mate] plies to a proven end
 *
 * @typedef {object} EarlyRecord a game as Python takes it over
 * @property {string} id
 * @property {GameRequest} game
 * @property {{ black: string | null, white: string | null }} seats
 * @property {EarlyMove[]} moves
 */

import { described } from "../shared/position.js";

/** @type {Colour[]} */
const COLOURS = ["black", "white"];

/** What a game may be asked for with, by its only value that does not need Python. */
const PLAIN = { opening: null, clock: null, open: null, setup: null };

/**
 * What is known of the rules of a game that can begin without Python; undefined if it cannot. At least one side is a
 * person's, and the other may be a player's of the table.
 *
 * @param {GameRequest & Record<string, unknown>} game
 * @param {Levels} levels
 * @returns {KnownRules | undefined}
 */
export function earlyRules(game, levels) {
  const { rules, size, fouls, black, white } = game;
  const known = Object.hasOwn(levels.rules, rules) ? levels.rules[rules] : undefined;
  const plain = Object.entries(PLAIN).every(([name, value]) => (game[name] ?? null) === value);
  const other = black === "human" ? white : black;
  if (!known || !plain || (black !== "human" && white !== "human")) return undefined;
  if (!(fouls === null || fouls === "forbidden") || game.moves) return undefined;
  if (!Array.isArray(size) || size[0] !== size[1] || !known.openings[size[0]]) return undefined;
  const alone = known.family !== null && kernelPlayer(other, levels) !== undefined;
  const waits = !isKernelPlayer(other, levels) && levels.waiting.includes(other.split(/[:,]/)[0]);
  return other === "human" || alone || waits ? known : undefined;
}

/**
 * @param {string} spec
 * @param {Levels} levels
 */
function isKernelPlayer(spec, levels) {
  return Object.hasOwn(levels.players, spec.split(",")[0]);
}

/**
 * The limit and the handicap of a player whom the kernels play alone; undefined for any other.
 *
 * @param {string} spec
 * @param {Levels} levels
 * @returns {{ limit: Limit, handicap: Handicap | undefined } | undefined}
 */
export function kernelPlayer(spec, levels) {
  const [head, ...settings] = spec.split(",");
  const player = isKernelPlayer(spec, levels) ? levels.players[head] : undefined;
  const given = new Map(settings.map((text) => /** @type {[string, string]} */ (text.split("="))));
  const numbers = [...given].every(
    ([name, text]) => player?.parameters.includes(name) && /^-?\d{1,18}$/.test(text),
  );
  if (!player || !numbers) return undefined;
  const seconds = Number(given.get("seconds") ?? 0);
  const seed = String(BigInt(given.get("seed") ?? 0));
  return {
    limit: seconds > 0 ? { seconds } : player.limit,
    handicap: player.handicap ? { ...player.handicap, seed } : undefined,
  };
}

/**
 * @param {EarlyRecord} record
 * @param {KnownRules} rules
 * @param {object} now
 * @param {number} now.created in Unix seconds
 * @param {boolean} now.over whether it has ended; how, Python finds out
 * @param {Record<string, FoulKind>} now.fouls
 * @returns {GameState}
 */
export function earlyState({ id, game, seats, moves }, { fields, openings }, { created, over, fouls }) {
  const [side] = /** @type {[number, number]} */ (game.size);
  const names = moves.map(({ point }) => point);
  const ply = names.length;
  const turn = COLOURS[ply % 2];
  const actor = /** @type {ParticipantNumber} */ ((ply % 2) + 1);
  const seat = (/** @type {Colour} */ colour) => ({
    participant: /** @type {ParticipantNumber} */ (colour === "black" ? 1 : 2),
    colour,
    occupant: game[colour],
    name: null,
    rating: null,
    take_backs: game.take_backs,
    clock: null,
    open: false,
    connected: seats[colour] !== null,
  });
  return {
    ...fields,
    rules: { ...fields.rules, width: side, height: side },
    opening_names: openings[side],
    setup: null,
    moves: names,
    ply,
    turn: over ? null : turn,
    stones: described({ rules: game.rules, moves: names }).stones,
    numbered_from: 0,
    last: names.at(-1) ?? null,
    outcome: null,
    fouls: Object.fromEntries(Object.entries(fouls).map(([name, kind]) => [name, { kind, lines: [] }])),
    id,
    version: 1 + ply,
    claimable: false,
    offered: [],
    opening: null,
    opening_rule: null,
    seats: [seat("black"), seat("white")],
    actor: over ? null : actor,
    take_backs: { black: game.take_backs, white: game.take_backs },
    take_backs_each: game.take_backs,
    control: null,
    request: null,
    paused: false,
    preparing: false,
    pace: 0,
    thinking: !over && game[turn] !== "human",
    events: ply,
    created,
    updated: Date.now() / 1000,
    watchers: 0,
    again: null,
    rematch: null,
    rated: null,
    tournament: null,
    begun: ply > 1,
    unaided: false,
    undoable: false,
    notice: null,
  };
}
