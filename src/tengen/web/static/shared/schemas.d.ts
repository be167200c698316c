// What the server sends and accepts: version 1 of tengen.schemas.
// Made by `make types`; not to be edited.

export type BlockedFive = "wins" | "no_win";

export type ColourName = "black" | "white";

export type CoordinateStyle = "letters" | "chinese";

export type ExplanationPart = "weights" | "parts" | "lines" | "tree";

export type FoulKind = "overline" | "double-four" | "double-three";

export type Fouls = "forbidden" | "loses" | "claimed";

export type Judgement = "inaccuracy" | "mistake" | "blunder";

export type JudgementReason = "missed_win_at_once" | "missed_win" | "ignored_win_at_once" | "ignored_threat" | "slower_win" | "faster_loss" | "win_rate";

export type Missing = "game" | "moves" | "variation" | "detail" | "nothing";

export type Overline = "wins" | "no_win" | "foul";

export type Phrase = "hello" | "good_luck" | "nice_move" | "one_moment" | "no_rush" | "sorry" | "thanks" | "well_played" | "good_game" | "bye";

export type Picture = "svg" | "png" | "gif";

export type PuzzleKind = "vcf" | "vct" | "defence";

export type Reason = "five" | "foul" | "full" | "passes" | "resigned" | "time" | "agreed" | "abandoned" | "aborted";

export type ThreatKind = "five" | "open-four" | "four" | "open-three";

export type ThreatSet = "fours" | "threes" | "any";

/** A request for another game with the same settings; `swap` exchanges the seats. */
export interface AgainMessage extends GameMessage {
  type: "again";
  version?: number | null;
  swap?: boolean;
}

/** An answer with what was found. */
export interface AnalysisAnswer extends Analysis, QueryAnswer {
}

/** The best moves of a position, the best first. */
export interface Analysis {
  moves: string[];
  /** The name of the rules. */
  rules: string;
  size: string;
  best: string;
  infos: Info[];
}

/** What every answer of the socket has. */
export interface AnalysisEnvelope {
  /** The request's; null where it has none. */
  id: string | number | null;
  /** Whether this is the last answer to the request. */
  done: boolean;
}

/** A query: a position and the limits of its analysis; what is left out has the program's defaults. */
export interface AnalysisQuery {
  id: string | number;
  /** Move text, or a list of points. */
  moves?: string | string[];
  /** A preset, or `mnk:M,N,K`. */
  rules?: string | null;
  size?: string | number | any[] | null;
  seconds?: number | null;
  nodes?: number | null;
  depth?: number | null;
  /** The number of moves to return. */
  lines?: number | null;
  /** Whether each depth is reported. */
  report?: boolean;
  /** Queries of a higher priority come first. */
  priority?: number;
}

/** The base of all requests for an analysis: a position, and an id. */
export interface AnalysisRequest extends PositionRequest {
  id: number | string;
  do: string;
}

/** The answer to the opponent's request; answering no to one's own rematch offer withdraws it. */
export interface AnswerMessage extends GameMessage {
  type: "answer";
  accept: boolean;
  version: number;
}

/** The base of all results of searches for wins by threats. */
export interface Attack {
  attacker: ColourName;
  threats: ThreatSet;
  /** Whether the result is certain; false if a limit was reached first. */
  proven: boolean;
  nodes: number;
  seconds: number;
}

/** The best moves so far, the best first. */
export interface BestMoves {
  infos: Info[];
}

/** A request for the best moves of a position. */
export interface BestMovesRequest extends AnalysisRequest {
  do: "analyse";
  lines?: number;
  seconds?: number;
  nodes?: number | null;
}

/** A board after some moves: the base of what a position and a game are described by. */
export interface Board extends WithRules {
  /** The position before the first move; null for an empty board. */
  setup: Setup | null;
  moves: string[];
  /** The number of moves. */
  ply: number;
  /** The side to move; null after the end. */
  turn: ColourName | null;
  /** The stones in the order of play, those set up first. */
  stones: [string, ColourName][];
  /** The index of move 1 in `stones`. */
  numbered_from: number;
  last: string | null;
  outcome: Outcome | null;
  /** The points forbidden to Black, where Black is to move. */
  fouls: Record<string, Foul>;
}

/** A node of a search tree. */
export interface Branch {
  /** The move; `--` at the root. */
  point: string;
  /** For the side that moves there. */
  value: number;
  note: Sentence | null;
  children: Branch[];
}

/** What can be played under some rules. */
export interface Catalogue extends WithRules {
  players: CataloguePlayer[];
  levels: string[];
  openings: string[];
  /** The longest side of a board. */
  largest: number;
}

/** A player of the catalogue. */
export interface CataloguePlayer {
  name: string;
  presets: string[];
  summary: Sentence;
  /** The settings of the first preset. */
  parameters: PlayerParameter[];
  /** The settings of other presets, where they differ. */
  presets_parameters: Record<string, PlayerParameter[]>;
  /** What its explanations have besides a summary. */
  explains: ExplanationPart[];
}

/** The choice of a player, and its explanation. */
export interface Choice extends Explanation {
  /** The name of the player. */
  player: string;
  choice: string;
}

/** The choice of an option of the opening rule. */
export interface ChooseMessage extends GameMessage {
  type: "choose";
  option: string;
  /** The number of moves before it. */
  ply: number;
}

/** The result of a conversion. */
export interface Conversion {
  /** Games. */
  read: number;
  /** Games. */
  written: number;
  files: string[];
  problems: ConversionProblem[];
  /** What the format does not hold; null if it holds everything. */
  not_kept: string | null;
}

/** A problem or an assumption of a conversion. */
export interface ConversionProblem {
  /** The number of the game, from 1; 0 where it concerns the whole file. */
  game: number;
  problem: string;
  missing: Missing;
  lost: boolean;
}

/** The stones on a line that can still win. */
export interface Counter {
  points: string[];
  /** Stones of Black less those of White. */
  value: number;
}

/** The replies that stop a win by threats. */
export interface Defences extends Attack {
  /** Whether the attacker would win if it were to move; null if unknown. */
  wins: boolean | null;
  /** The attacker, if it would win. */
  winner: ColourName | null;
  /** The attacker's win. */
  line: string[];
  stops: string[];
  loses: string[];
  /** The points that a limit has left undecided. */
  open: string[];
  /** The points that would not stop it if fouls lost instead of being forbidden; left out without any. */
  if_fouls_lose?: string[];
}

/** The progress of a search for defences. */
export interface DefencesProgress extends SearchTime {
  /** Points that are decided. */
  settled: number;
  /** Points in all. */
  points: number;
}

/** A request for the moves that stop a win by continuous fours, or by fours and threes. */
export interface DefencesRequest extends AnalysisRequest {
  do: "defences";
  colour?: ColourName | null;
  threats?: "fours" | "threes";
  seconds?: number;
}

/** The preparation of the engine. */
export interface EngineStatus {
  status: string;
  /** From 0 to 1. */
  done: number;
}

/** An error: the body of every response with a status from 400 on, and part of a socket's message. */
export interface ErrorBody {
  error: Sentence;
  /** The sentence in English. */
  text: string;
}

/** The proven value of a position, for the side to move. */
export interface Exact {
  /** 1 for a win, 0 for a draw, -1 for a loss; null if a limit was reached first. */
  value: number | null;
  best: string[];
  /** Whether `best` is complete. */
  complete: boolean;
  /** Plies to the end of the game; null if unknown. */
  distance: number | null;
  positions: number;
  /** The least and the greatest value that are not ruled out. */
  bounds: [number, number];
  seconds: number;
}

/** The move of a player, and its explanation. */
export interface ExplainedMove extends Explanation {
  /** Null if the game is over, or the explanation took too long. */
  point: string | null;
  score: Score | null;
  /** Of players that count stones on lines, on the smallest boards; else left out. */
  counters?: Counter[];
}

/** An explanation, with points by name. */
export interface Explanation {
  summary: Sentence;
  weights: Record<string, number>;
  parts: Record<string, Part[]>;
  /** Lines worth playing through. */
  lines: string[][];
  tree: Branch | null;
  heatmaps: Heatmap[];
}

/** A game, as returned by an import, and the format to export it in. */
export interface ExportRequest {
  record: Record<string, any>;
  format: string;
}

/** A foul, and the lines that make it. */
export interface Foul {
  kind: FoulKind;
  lines: string[][];
}

/** Puzzles that were found in games. */
export interface FoundPuzzles {
  puzzles: Puzzle[];
}

/** A message to a game; fields that it does not know are ignored. */
export interface GameMessage {
  id?: string | number | null;
}

/** A new occupant for a seat: ``human``, or a player's spec. */
export interface HandOverMessage extends GameMessage {
  type: "hand_over";
  participant: 1 | 2;
  occupant: string;
}

/** The health of the server. */
export interface Health {
  /** `database` while the database does not answer. */
  status: "ok" | "database";
  version: string;
  /** The status of the engine. */
  engine: string;
}

/** Other numbers of the same points. */
export interface Heatmap {
  name: string;
  title: Sentence;
  summary: Sentence;
  /** How the numbers come about. */
  note: Sentence;
  /** Below 0: against the side to move. */
  weights: Record<string, number>;
  parts: Record<string, Part[]>;
  /** What the number of the whole position is made of. */
  total: Part[];
}

/** A client's first message, with its seat tokens. */
export interface HelloMessage {
  type: "hello";
  tokens?: string[];
}

/** The games of a file or of a pasted text; of a proof, one for each side that it makes a claim for. */
export interface Import {
  /** The games in Tengen's own format; `tengen.formats.jsonformat` describes it. */
  records: Record<string, any>[];
  problems: ImportProblem[];
  /** The proven claim; left out, as `ply` is, where the file is no proof. */
  proven?: Sentence;
  /** The number of moves before the proof begins. */
  ply?: number;
}

/** A problem or an assumption of an import. */
export interface ImportProblem extends Sentence {
  /** Whether anything is lost by it. */
  lost: boolean;
}

/** A pasted text of games, and the rules for moves without rules. */
export interface ImportRequest {
  text: string;
  rules?: string | Record<string, any> | null;
  size?: number | [number, number] | string | null;
}

/** A good move, with what the search has found out about it; the score is as in `ScoreData`. */
export interface Info {
  point: string;
  win_rate: number;
  value: number;
  mate: number | null;
  depth: number;
  nodes: number;
  /** Nodes per second. */
  nps: number;
  seconds: number;
  /** The principal variation, beginning with the move. */
  line: string[];
}

/** A player in the list of all players. */
export interface ListedPlayer {
  name: string;
  presets: string[];
  summary: string;
}

/** A point to play, offer or select. */
export interface MoveMessage extends GameMessage {
  type: "move";
  point: string;
  /** The number of moves before it. */
  ply: number;
}

/** The answer to a query that was terminated before anything was found. */
export interface NoResults extends QueryAnswer {
  noResults: true;
}

/** The outcome of a game. */
export interface Outcome {
  /** Null for a draw. */
  winner: ColourName | null;
  reason: Reason;
  /** The row that won. */
  line: string[];
  foul: Foul | null;
}

/** The minimum number of seconds per computer move. */
export interface PaceMessage extends GameMessage {
  type: "pace";
  seconds: number;
}

/** A part of a weight; the parts add up to it. */
export interface Part {
  label: Sentence;
  /** The points that it comes from. */
  points: string[];
  value: number;
}

/** A position, and the options of its picture. */
export interface PictureRequest extends PositionRequest {
  format?: Picture;
  numbers?: boolean | number;
  theme?: "wood" | "plain" | "dark" | "slate" | "contrast" | "print";
  marks?: Record<any, string>;
  heat?: Record<any, number>;
  coordinates?: boolean;
  coordinate_style?: CoordinateStyle;
  lang?: "en" | "zh";
}

/** All players. */
export interface PlayerList {
  players: ListedPlayer[];
}

/** A setting of a player, as a field of a form. */
export interface PlayerParameter {
  name: string;
  /** Null where there is no such value. */
  default: string | boolean | number | null;
  kind: "int" | "float" | "bool" | "text";
  /** The least number; left out for texts, as `most` is. */
  least?: number;
  most?: number;
  /** All texts that can be chosen; left out where any text can be written. */
  choices?: string[];
}

/** A player, with the keys of its spec. */
export interface PlayerSettings {
  /** The spec. */
  player: string;
  presets: string[];
  summary: string;
  settings: Setting[];
}

/** A position, and what is to be seen in it. */
export interface Position extends Board {
  /** Whether alternate play with Black first can lead to these numbers of stones. */
  legal: boolean;
  threats: Record<ColourName, Threat[]>;
}

/** A position with the moves that led to it. */
export interface PositionRequest extends RulesRequest {
  setup?: SetupRequest | null;
  moves?: string | string[];
}

/** A puzzle: the moves up to its position, and all correct moves with their continuations. */
export interface Puzzle extends PuzzleSummary {
  /** In bits: the solution is found by chance once in 2 ** difficulty times. */
  difficulty: number;
  moves: string;
  turn: PuzzleTurn;
  /** The moves by which the other side would win; left out by commands. */
  threat?: string;
}

/** Puzzles, the easiest first. */
export interface PuzzleList {
  puzzles: PuzzleSummary[];
}

/** What follows a right move. */
export interface PuzzleReply {
  /** The answer of the other side as move text; of a solved puzzle, the moves of both sides to the end. */
  moves: string;
  /** The solver's next turn; null if the puzzle is solved. */
  turn: PuzzleTurn | null;
}

/** A puzzle in a list, without any part of its solution. */
export interface PuzzleSummary {
  name: string;
  /** Their name, or all fields of rules without a name. */
  rules: string | Rules;
  /** Columns and rows; left out where the name of the rules says them. */
  size?: [number, number];
  kind: PuzzleKind;
  /** From 1, easy, to 4, very hard. */
  level: number;
  /** The least number of the solver's moves. */
  length: number;
}

/** A turn of the solver. */
export interface PuzzleTurn {
  /** The moves that solve the puzzle, each with what follows. */
  right: Record<string, PuzzleReply>;
  /** The other plausible moves, as move text. */
  wrong: string;
}

/** The answer to a query, or, where it is not final, a report of one depth. */
export interface QueryAnswer {
  id: string | number;
  final: boolean;
}

/** A message that does not change the game: ask for a hint, hurry the computer, or ping. */
export interface QueryMessage extends GameMessage {
  type: "hint" | "hurry" | "ping";
}

/** The answer to a query that cannot be answered. */
export interface QueryRefused {
  /** Left out where the query has none. */
  id?: string | number;
  error: string;
}

/** The end of a review: the verdict on the first position, which comes last, and the summary. */
export interface Review extends ReviewedPosition {
  /** The accuracy of each side that has moved, from 0 to 100. */
  accuracy: Record<ColourName, number>;
  /** The ply from which one side was far ahead to the end; null if there is none. */
  turning_point: number | null;
}

/** A review that is not finished. */
export interface ReviewProgress {
  /** The number of positions of the game. */
  total: number;
}

/** A request for a review of a whole game. */
export interface ReviewRequest extends AnalysisRequest {
  do: "review";
  nodes?: number;
}

/** The verdict on a position, and on the move that led to it. */
export interface ReviewedPosition extends ReviewProgress {
  /** The number of moves before the position. */
  ply: number;
  /** Black's, from 0 to 1. */
  win_rate: number;
  /** Plies to a proven end, below 0 if White wins; null if unproven. */
  mate: number | null;
  /** Null if the game is over. */
  best: string | null;
  /** The principal variation, beginning with the best move. */
  line: string[];
  /** What the move lost of its player's win rate; null at the beginning. */
  loss: number | null;
  /** Null without criticism. */
  judgement: Judgement | null;
  reason: JudgementReason | null;
  /** Whether the move gave up a proven win. */
  missed_win: boolean;
}

/** The rules of a game; the fields are those of `tengen.Rules`. */
export interface Rules {
  width: number;
  height: number;
  /** Stones in an unbroken row that win. */
  k: number;
  /** The effect of a longer row. */
  overline: Overline;
  /** Whether two threes at once are a foul of Black's. */
  double_three: boolean;
  /** Whether two fours at once are a foul of Black's. */
  double_four: boolean;
  /** The effect of a row with enemy stones at both ends. */
  blocked_five: BlockedFive;
  passing: boolean;
  /** The enforcement of fouls. */
  fouls: Fouls;
}

/** Rules: the name of a preset, ``mnk:M,N,K``, or all fields of rules as in a state. */
export interface RulesRequest {
  rules?: string | Record<string, any>;
  size?: number | [number, number] | string | null;
  fouls?: Fouls | null;
}

/** A ready-made phrase for all clients of the game; it is broadcast but not stored. */
export interface SayMessage extends GameMessage {
  type: "say";
  phrase: Phrase;
}

/** A score for the side to move. */
export interface Score {
  /** From 0 to 1. */
  win_rate: number;
  /** In hundredths of a unit; even is 0. */
  value: number;
  /** Plies to a proven end, below 0 where the side to move loses; null if unproven. */
  mate: number | null;
}

/** A search that was stopped; what it had found stands beside. */
export interface SearchStopped {
  stopped: true;
}

/** The progress of a search for a win. */
export interface SearchTime {
  /** The time of the search so far. */
  seconds: number;
}

/** The reason why a search has not begun. */
export interface SearchWaiting {
  waiting: Sentence;
}

/** A sentence of the catalogue, which the client says in its reader's language. */
export interface Sentence {
  /** The key of the catalogue. */
  key: string;
  /** What goes into it by name: texts, numbers, sentences, and lists of them. */
  values: Record<string, any>;
}

/** What a page has to know of the server. */
export interface Server {
  version: string;
  /** The version of the models, `tengen.schemas.VERSION`. */
  schema_version: number;
  /** The addresses to share; none if only this machine can reach the server. */
  addresses: string[];
  engine: EngineStatus;
  /** The parts that are switched off. */
  off: string[];
  /** The days after which a game that nobody has changed or opened is deleted; 0 for never. */
  days_kept: number;
}

/** A key of a player's spec. */
export interface Setting {
  name: string;
  /** Null where there is no such value. */
  default: string | boolean | number | null;
  required: boolean;
}

/** A set-up position: the stones, and the colour to move. */
export interface Setup {
  black: string[];
  white: string[];
  turn: ColourName;
}

/** A set-up position: the stones and the colour to move. */
export interface SetupRequest {
  black?: string[];
  white?: string[];
  turn?: ColourName | null;
}

/** The result of a search for a win by threats. */
export interface Solution extends Attack {
  winner: ColourName | null;
  /** The moves of both sides in turn, the winning five included. */
  line: string[];
  /** Plies of the line. */
  length: number;
  /** The attacker's fours, the five not counted. */
  fours: number;
  /** Whether no win takes fewer plies; left out unless the shortest was asked for. */
  shortest?: boolean;
  /** The line by which White would win if fouls lost instead of being forbidden; left out without one. */
  if_fouls_lose?: string[];
}

/** One move of a paused game between computers. */
export interface StepMessage extends GameMessage {
  type: "step";
}

/** A request to stop the analysis with this id, or all analyses without an id. */
export interface StopRequest {
  id?: number | string | null;
  do: "stop";
}

/** A winning row, or a threat to make one. */
export interface Threat {
  kind: ThreatKind;
  /** The stones of the row, in order along the line. */
  points: string[];
  /** The empty points where one more stone carries the threat out. */
  gains: string[];
}

/** A request for a win by continuous fours (VCF). */
export interface VcfRequest extends AnalysisRequest {
  do: "vcf";
  colour?: ColourName | null;
  shortest?: boolean;
  seconds?: number;
}

/** A request for a win by continuous fours and open threes (VCT). */
export interface VctRequest extends AnalysisRequest {
  do: "vct";
  colour?: ColourName | null;
  seconds?: number;
}

/** A message whose only argument is the version of the game that it refers to. */
export interface VersionedMessage extends GameMessage {
  type: "take_back" | "resign" | "draw" | "claim" | "pause" | "resume" | "swap_sides" | "undo_seats" | "abort" | "claim_draw";
  version: number;
}

/** The first moves by which an attacker wins. */
export interface WinningPoints extends Attack {
  points: string[];
  /** The points that a limit has left undecided. */
  open: string[];
  /** The points that would win if fouls lost instead of being forbidden; left out if there are none. */
  if_fouls_lose?: string[];
}

/** Rules, with what follows from them beside: the base of what is played or shown under rules. */
export interface WithRules {
  rules: Rules;
  /** A preset, `mnk:M,N,K`, or `custom`. */
  rules_name: string;
  /** Whether any move can be a foul. */
  has_fouls: boolean;
  /** The opening rules that can be played with these rules. */
  opening_names: string[];
  /** The enforcement of fouls, as in the rules. */
  fouls_mode: Fouls;
}
