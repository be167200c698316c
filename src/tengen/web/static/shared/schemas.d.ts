// What the server sends and accepts: version 1 of tengen.schemas.
// Made by `make types`; not to be edited.

export type BlockedFive = "wins" | "no_win";

export type ChosenColour = "black" | "white" | "random";

export type ColourName = "black" | "white";

export type CoordinateStyle = "letters" | "chinese";

export type DecisionKind = "place" | "offer" | "select" | "choice";

export type ExplanationPart = "weights" | "parts" | "lines" | "tree";

export type FoulKind = "overline" | "double-four" | "double-three";

export type Fouls = "forbidden" | "loses" | "claimed";

export type Judgement = "inaccuracy" | "mistake" | "blunder";

export type JudgementReason = "missed_win_at_once" | "missed_win" | "ignored_win_at_once" | "ignored_threat" | "slower_win" | "faster_loss" | "win_rate";

export type Missing = "game" | "moves" | "variation" | "detail" | "nothing";

export type Overline = "wins" | "no_win" | "foul";

export type ParticipantNumber = 1 | 2;

export type Phrase = "hello" | "good_luck" | "nice_move" | "one_moment" | "no_rush" | "sorry" | "thanks" | "well_played" | "good_game" | "bye";

export type Picture = "svg" | "png" | "gif";

export type PuzzleKind = "vcf" | "vct" | "defence";

export type Reason = "five" | "foul" | "full" | "passes" | "resigned" | "time" | "agreed" | "abandoned" | "aborted";

export type ThreatKind = "five" | "open-four" | "four" | "open-three";

export type ThreatSet = "fours" | "threes" | "any";

export type TournamentKind = "round-robin" | "swiss";

export type TournamentStatus = "open" | "running" | "over";

export type WinKind = "vcf" | "vct";

/** The answer to `AgainMessage`: the next game, or null if it is only offered. */
export interface AgainAnswer extends AnsweredMessage {
  game: string | null;
  seats?: SeatTokens;
}

/** A request for another game with the same settings; `swap` exchanges the seats. */
export interface AgainMessage extends GameMessage {
  type: "again";
  version?: number | null;
  swap?: boolean;
}

/** Another game with the same settings; `swap` exchanges the seats. */
export interface AgainRequest {
  swap?: boolean;
}

/** An answer with the moves found. */
export interface AnalysisAnswer extends Static, Analysis, QueryAnswer {
  /** The position before the first move; left out for an empty board. */
  setup?: Setup;
  /** The result of the search for a forced win; left out of reports, and unless it was asked for. */
  win?: Solution;
  /** The reason why a server has ended the search early; left out unless it has. */
  limited?: string;
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

/** The fields of every answer of the socket. */
export interface AnalysisEnvelope {
  /** The request's; null where it has none. */
  id: string | number | null;
  /** True if this is the last answer to the request. */
  done: boolean;
}

/** A query: positions and the limits of their analysis; missing fields have the program's defaults. */
export interface AnalysisQuery {
  id: string | number;
  /** Move text, or a list of points. */
  moves?: string | string[];
  /** A preset, or `mnk:M,N,K`. */
  rules?: string | null;
  size?: string | number | any[] | null;
  /** The stones before the first move, and the colour to move. */
  setup?: SetupRequest | null;
  /** The positions to analyse, each by the number of moves before it; null for that after all moves. */
  turns?: number[] | "all" | null;
  /** The only moves to consider; null for all. */
  allow?: string | string[] | null;
  /** Moves not to consider. */
  avoid?: string | string[];
  seconds?: number | null;
  nodes?: number | null;
  depth?: number | null;
  /** The number of moves to return. */
  lines?: number | null;
  /** True if each depth is reported. */
  report?: boolean;
  /** Seconds between two reports. */
  report_every?: number | null;
  /** Seconds before the first report, if not those between two. */
  report_first?: number | null;
  /** Queries of a higher priority come first. */
  priority?: number;
  /** The priority of each of `turns` instead. */
  priorities?: number[] | null;
  /** True if the probabilities of moves are wanted. */
  policy?: boolean;
  /** True if the static evaluation and its distribution over the points are wanted. */
  heat?: boolean;
  /** True if the threats on the board are wanted. */
  threats?: boolean;
  /** The forced win to search for besides, again within the seconds and nodes of the query. */
  win?: WinKind | null;
  /** The side that is to win by force; the side to move if null. */
  attacker?: ColourName | null;
}

/** The base of all requests for an analysis: a position, and an id. */
export interface AnalysisRequest extends PositionRequest {
  id: number | string;
  do: string;
}

/** A game, move by move, for a client that draws it; lengths in pixels. */
export interface Animation {
  width: number;
  height: number;
  /** Colours, as in CSS, that few pixels have and that a palette must not lose. */
  accents: string[];
  frames: Frame[];
}

/** A game, and the options of its animation. */
export interface AnimationRequest extends PositionRequest {
  numbers?: boolean | number;
  theme?: "wood" | "plain" | "dark" | "slate" | "contrast" | "print";
  coordinates?: boolean;
  coordinate_style?: CoordinateStyle;
}

/** The answer to the opponent's request; answering no to one's own rematch offer withdraws it. */
export interface AnswerMessage extends GameMessage {
  type: "answer";
  accept: boolean;
  version: number;
}

/** The answer to a message that has been carried out. */
export interface AnsweredMessage {
  type: "done";
  id: string | number | null;
}

/** The base of all results of searches for wins by threats. */
export interface Attack {
  attacker: ColourName;
  threats: ThreatSet;
  /** True if the result is certain; false if a limit was reached first. */
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

/** A board after some moves: the base of positions and game states. */
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

/** The notice to a maker that the challenge has become the game with this id. */
export interface CalledMessage {
  type: "game";
  id: string;
}

/** The players, levels and opening rules for some rules. */
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
  /** The parts of its explanations besides the summary. */
  explains: ExplanationPart[];
}

/** A game that a visitor offers; of its maker it has only the name and rating. */
export interface Challenge extends WithRules {
  id: string;
  name: string | null;
  opening: string | null;
  clock: string | null;
  /** The number for each side; null for no limit. */
  take_backs: number | null;
  /** The maker's colour. */
  colour: ChosenColour;
  /** The rating pool of a rated game. */
  rated: string | null;
  /** The maker's rating, where the game is rated. */
  rating: Rating | null;
  created: number;
}

/** The open challenges, oldest first. */
export interface ChallengeList {
  challenges: Challenge[];
}

/** A game to offer. */
export interface ChallengeRequest extends RulesRequest, TermsRequest {
  take_backs?: number | null;
  colour?: ChosenColour;
  rated?: boolean;
}

/** The list of challenges, sent whenever it changes, with the id of the client's own challenge. */
export interface ChallengesMessage extends ChallengeList {
  type: "challenges";
  own: string | null;
}

/** The changes of a state; stones follow from the moves, and presence has messages of its own. */
export interface ChangeMessage extends GameUpdate {
  type: "change";
  /** The version that has changed. */
  since: number;
  /** Left out if the moves are the same. */
  moves?: MovesChange;
  /** The fields of `GameStateData`, except moves and stones, that have new values. */
  state: Record<string, any>;
}

/** The answer to a message that changes the game. */
export interface ChangedMessage extends AnsweredMessage {
  version: number;
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

/** A clock at the moment of the message. */
export interface Clock {
  /** Seconds left in the main time or the running period. */
  left: number;
  periods: number;
  running: boolean;
}

/** The entry of a computer, by its spec. */
export interface ComputerRequest {
  player: string;
}

/** The result of a conversion. */
export interface Conversion {
  /** Games. */
  read: number;
  /** Games. */
  written: number;
  files: string[];
  problems: ConversionProblem[];
  /** The data that the format cannot hold; null if it holds everything. */
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

/** A decision that an opening rule asks for. */
export interface Decision {
  by: ParticipantNumber;
  kind: DecisionKind;
  message: Sentence;
  points: string[];
  options: Option[];
}

/** The replies that stop a win by threats. */
export interface Defences extends Attack {
  /** True if the attacker would win if it were to move; null if unknown. */
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

/** The state of the engine. */
export interface EngineStatus {
  /** `ready`, `compiling` or `failed`. */
  status: string;
  /** 1 when it is ready, 0 before. */
  done: number;
}

/** An entrant: a person with a name, or a computer. */
export interface Entrant {
  id: number;
  name: string | null;
  /** `human`, or the spec of a computer player. */
  occupant: string;
  withdrawn: boolean;
}

/** One entrant's row of the table. */
export interface EntrantRow {
  entrant: number;
  place: number;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  buchholz: number;
  sonneborn_berger: number;
}

/** An entry under a name, which becomes the visitor's name. */
export interface EntryRequest {
  name: string;
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
  /** True if `best` is complete. */
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

/** A computer is thinking, with its results so far. */
export interface FindingMessage extends Info {
  type: "thinking";
  by: ParticipantNumber | null;
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

/** One position of an animation. */
export interface Frame {
  /** The time that it is shown. */
  milliseconds: number;
  /** In the first frame and in the last, one that is all of it. */
  patches: Patch[];
}

/** A page of a visitor's games. */
export interface GameList {
  games: ListedGame[];
  total: number;
}

/** A message to a game; fields that it does not know are ignored. */
export interface GameMessage {
  id?: string | number | null;
}

/** A game in Tengen's own format; `tengen.formats.jsonformat` describes it. */
export interface GameRecord {
  record: Record<string, any>;
}

/** A new game: its initial position, its players and its terms. */
export interface GameRequest extends PositionRequest, TermsRequest {
  black?: string;
  white?: string;
  take_backs?: number | null;
  /** The seat that waits for somebody by link. */
  open?: ChosenColour | null;
  pace?: number;
}

/** The whole state of a game. */
export interface GameState extends Board {
  id: string;
  /** Grows by one with every change. */
  version: number;
  /** True if White can claim a foul. */
  claimable: boolean;
  /** The points that are offered in the opening. */
  offered: string[];
  opening: Opening | null;
  /** The opening rule by which the game began. */
  opening_rule: string | null;
  seats: [Seat, Seat];
  /** The participant to act; null after the end. */
  actor: ParticipantNumber | null;
  take_backs: Record<ColourName, number | null>;
  /** The number that each side began with; null for no limit. */
  take_backs_each: number | null;
  /** The time control. */
  control: string | null;
  request: Request | null;
  paused: boolean;
  /** True if the clocks wait until the engine is ready. */
  preparing: boolean;
  /** The minimum seconds between the moves of computers. */
  pace: number;
  /** True if a computer is to act. */
  thinking: boolean;
  /** The number of events so far. */
  events: number;
  created: number;
  updated: number;
  /** The number of spectators. */
  watchers: number;
  /** The id of the next game. */
  again: string | null;
  /** The participant who offers a rematch. */
  rematch: ParticipantNumber | null;
  /** The rating pool of a rated game. */
  rated: string | null;
  /** The id of the tournament that the game belongs to. */
  tournament: string | null;
  /** True if both sides have played a move or chosen an option. */
  begun: boolean;
  /** True if the game forbids help. */
  unaided: boolean;
  /** True if a change of seats can be undone. */
  undoable: boolean;
  /** A notice for all clients of the game. */
  notice: Sentence | null;
}

/** A game's columns in a list of games; the result and its reason are empty while it is running. */
export interface GameSummary {
  rules: string;
  size: string;
  opening: string;
  black: string;
  white: string;
  result: string;
  reason: string;
  plies: number;
  black_name: string;
  white_name: string;
  /** The participant who plays Black; 0 if one person has both seats. */
  black_participant: number;
}

/** The base of messages with the state of a game. */
export interface GameUpdate {
  /** The seats of the client; left out if they have not changed. */
  you?: ParticipantNumber[];
}

/** A new occupant for a seat: ``human``, or a player's spec. */
export interface HandOverMessage extends GameMessage {
  type: "hand_over";
  participant: ParticipantNumber;
  occupant: string;
}

/** The health of the server. */
export interface Health {
  /** `database` while the database does not answer. */
  status: "ok" | "database";
  version: string;
  /** The status of the engine: `ready`, `compiling` or `failed`. */
  engine: string;
}

/** Other numbers of the same points. */
export interface Heatmap {
  name: string;
  title: Sentence;
  summary: Sentence;
  /** The way in which the numbers are computed. */
  note: Sentence;
  /** Below 0: against the side to move. */
  weights: Record<string, number>;
  parts: Record<string, Part[]>;
  /** The parts of the number of the whole position. */
  total: Part[];
}

/** A client's first message, with its seat tokens. */
export interface HelloMessage {
  type: "hello";
  tokens?: string[];
}

/** The answer to the request for a hint. */
export interface HintAnswer extends AnsweredMessage, Hint {
}

/** A strong player's suggestion: a point with its score, or an option of the opening. */
export interface Hint {
  point: string | null;
  score: Score | null;
  option: string | null;
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
  /** True if data are lost by it. */
  lost: boolean;
}

/** A pasted text of games, and the rules for moves without rules. */
export interface ImportRequest {
  text: string;
  rules?: string | Record<string, any> | null;
  size?: number | [number, number] | string | null;
}

/** A good move, with the results of its search; the score is as in `ScoreData`. */
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

/** A seat in a game, and the token that gives access to it. */
export interface JoinedGame {
  participant: ParticipantNumber;
  token: string;
  state: GameState;
}

/** A game on a visitor's list. */
export interface ListedGame {
  id: string;
  summary: GameSummary;
  created: number;
  updated: number;
  /** The visitor's seat; null for a spectator. */
  participant: ParticipantNumber | null;
  colour: ColourName | null;
}

/** A player in the list of all players. */
export interface ListedPlayer {
  name: string;
  presets: string[];
  summary: string;
}

/** A meeting of two entrants; the first one moves first. */
export interface Meeting {
  first: number;
  second: number;
  game: string | null;
  /** The first one's points. */
  points: number | null;
  /** The reason of the result, `walkover` and `void` included; null while it is running. */
  reason: string | null;
}

/** A point to play, offer or select. */
export interface MoveMessage extends GameMessage {
  type: "move";
  point: string;
  /** The number of moves before it. */
  ply: number;
}

/** A point to play, offer or select. */
export interface MoveRequest {
  point: string;
  /** The number of moves before it. */
  ply: number;
}

/** A change of the list of moves: its first `keep` moves stay, and `add` follows. */
export interface MovesChange {
  keep: number;
  add: string[];
}

/** The answer to a query that was terminated before anything was found. */
export interface NoResults extends QueryAnswer {
  noResults: true;
}

/** The answer where the next game is only offered to the opponent. */
export interface OfferedGame {
  id: null;
}

/** An opening in progress. */
export interface Opening {
  name: string;
  decision: Decision;
}

/** An option of a choice that an opening rule gives. */
export interface Option {
  value: string;
  message: Sentence;
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

/** A part of a frame that differs from the frame before; lengths in pixels. */
export interface Patch {
  left: number;
  top: number;
  width: number;
  height: number;
  svg: string;
}

/** A phrase sent by a player. */
export interface PhraseMessage {
  type: "phrase";
  by: ParticipantNumber;
  phrase: Phrase;
}

/** A position, and the options of its picture. */
export interface PictureRequest extends AnimationRequest {
  format?: Picture;
  marks?: Record<any, string>;
  heat?: Record<any, number>;
  lang?: "en" | "zh" | "vi";
}

/** All players. */
export interface PlayerList {
  players: ListedPlayer[];
}

/** A setting of a player, as a field of a form. */
export interface PlayerParameter {
  name: string;
  /** Null without such a value. */
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

/** The answer to a ping. */
export interface PongMessage {
  type: "pong";
  id: string | number | null;
  now: number;
}

/** A position with its result, fouls and threats. */
export interface Position extends Board {
  /** True if alternate play with Black first can lead to these numbers of stones. */
  legal: boolean;
  threats: Record<ColourName, Threat[]>;
}

/** A position with the moves that led to it. */
export interface PositionRequest extends RulesRequest {
  setup?: SetupRequest | null;
  moves?: string | string[];
}

/** The clients that are connected; it changes `watchers` and the seats' `connected` of the state. */
export interface PresenceMessage {
  type: "presence";
  connected: ParticipantNumber[];
  watchers: number;
  /** Seconds since the last client of each other participant left. */
  away: Record<string, number>;
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

/** The continuation after a correct move. */
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

/** The answer to ``query_running``: what runs and what waits, the next one first. */
export interface Queries {
  /** The number of searches that may run at once. */
  workers: number;
  running: RunningQuery[];
  waiting: WaitingQuery[];
}

/** The answer to a query, or, where it is not final, a report of the search so far. */
export interface QueryAnswer {
  id: string | number;
  final: boolean;
  /** The number of moves before the position; left out unless the query has `turns`. */
  turn?: number;
}

/** A message that changes nothing: ask for a hint or the whole state, hurry the computer, or ping. */
export interface QueryMessage extends GameMessage {
  type: "hint" | "hurry" | "ping" | "state";
}

/** The answer to a query that cannot be answered. */
export interface QueryRefused {
  /** Left out where the query has none. */
  id?: string | number;
  /** Left out unless the query has `turns`, and only this one cannot be answered. */
  turn?: number;
  error: string;
}

/** A rating, rounded for display. */
export interface Rating {
  rating: number;
  deviation: number;
  provisional: boolean;
}

/** The answer to a message that is refused, and the last message to a client that cannot be served. */
export interface RefusedMessage extends ErrorBody {
  type: "refused";
  id: string | number | null;
}

/** A request to the other side that waits for an answer. */
export interface Request {
  kind: "draw" | "take_back";
  by: ParticipantNumber;
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
  /** The loss of win rate by the move; null at the beginning. */
  loss: number | null;
  /** Null without criticism. */
  judgement: Judgement | null;
  reason: JudgementReason | null;
  /** True if the move gave up a proven win. */
  missed_win: boolean;
}

/** A round, and the entrant with a bye. */
export interface Round {
  meetings: Meeting[];
  bye: number | null;
}

/** The rules of a game; the fields are those of `tengen.Rules`. */
export interface Rules {
  width: number;
  height: number;
  /** Stones in an unbroken row that win. */
  k: number;
  /** The effect of a longer row. */
  overline: Overline;
  /** True if two threes at once are a foul of Black's. */
  double_three: boolean;
  /** True if two fours at once are a foul of Black's. */
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

/** A position that is being searched. */
export interface RunningQuery {
  id: string | number;
  turn?: number;
  /** Since the search has begun. */
  seconds: number;
  depth: number;
  nodes: number;
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

/** A search that was stopped; the models of its results stand beside. */
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

/** One side of the table. */
export interface Seat {
  participant: ParticipantNumber;
  colour: ColourName;
  /** `human`, or the spec of a computer player. */
  occupant: string;
  /** The name of the person who sits there. */
  name: string | null;
  /** The rating before the game, where it is rated. */
  rating: Rating | null;
  /** The number left; null for no limit. */
  take_backs: number | null;
  clock: Clock | null;
  /** True if the seat is open to the first visitor who joins by the link. */
  open: boolean;
  connected: boolean;
}

/** Tokens that give access to the seats of a game; null for a seat of somebody else. */
export interface SeatTokens {
  black: string | null;
  white: string | null;
}

/** A sentence of the catalogue, which the client formats in its reader's language. */
export interface Sentence {
  /** The key of the catalogue. */
  key: string;
  /** The values in it by name: texts, numbers, sentences, and lists of them. */
  values: Record<string, any>;
}

/** The data of the server that pages need. */
export interface Server {
  version: string;
  /** The version of the models, `tengen.schemas.VERSION`. */
  schema_version: number;
  /** The addresses to share; empty if only this machine can reach the server. */
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
  /** Null without such a value. */
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
  /** True if no win takes fewer plies; left out unless the shortest was asked for. */
  shortest?: boolean;
  /** The line by which White would win if fouls lost instead of being forbidden; left out without one. */
  if_fouls_lose?: string[];
}

/** A game that has begun. */
export interface StartedGame {
  id: string;
  seats: SeatTokens;
  state: GameState;
}

/** The answer to the request for the whole state. */
export interface StateAnswer extends AnsweredMessage {
  state: GameState;
}

/** The whole state of a game. */
export interface StateMessage extends GameUpdate {
  type: "state";
  state: GameState;
  /** True if the client has made the game; only in the first message. */
  made?: boolean;
  /** The server's time in Unix seconds; only in the first message. */
  now?: number;
}

/** Data of a position that take no search; each is left out unless it was asked for. */
export interface Static {
  /** The static evaluation, for the side to move. */
  evaluation?: Score;
  /** The share of each point in it, in hundredths of a unit: below 0 against the side to move. */
  heat?: Record<string, number>;
  /** How probably each move is the best one, of those that a search would generate; they add up to 1. */
  policy?: Record<string, number>;
  threats?: Record<ColourName, Threat[]>;
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

/** The terms besides rules and position: of a game, of a challenge, and of a tournament's games. */
export interface TermsRequest {
  opening?: string | null;
  clock?: string | null;
}

/** A computer is thinking; its results are left out where help is forbidden. */
export interface ThinkingMessage {
  type: "thinking";
  by: ParticipantNumber | null;
}

/** A winning row, or a threat to make one. */
export interface Threat {
  kind: ThreatKind;
  /** The stones of the row, in order along the line. */
  points: string[];
  /** The empty points where one more stone carries out the threat. */
  gains: string[];
}

/** A tournament, as one visitor sees it. */
export interface Tournament extends WithRules {
  id: string;
  version: number;
  name: string;
  kind: TournamentKind;
  rounds: number;
  opening: string | null;
  clock: string | null;
  /** True if it is listed for all visitors. */
  listed: boolean;
  status: TournamentStatus;
  /** The last round during which one may still enter; 0 if entries close at the start. */
  last_entry: number;
  created: number;
  entrants: Entrant[];
  /** The rounds that have begun. */
  played: Round[];
  table: EntrantRow[];
  /** The visitor's own entrant. */
  you: number | null;
  /** True if the visitor has created it. */
  made: boolean;
}

/** The visitor's own tournaments, and the other listed ones. */
export interface TournamentList {
  tournaments: Tournament[];
  listed: Tournament[];
}

/** The message with a tournament, sent whenever it changes. */
export interface TournamentMessage {
  type: "tournament";
  tournament: Tournament;
}

/** A new tournament; with a name in `entry` its creator enters it. */
export interface TournamentRequest extends RulesRequest, TermsRequest {
  clock?: string;
  name: string;
  kind?: TournamentKind;
  rounds?: number;
  listed?: boolean;
  entry?: string | null;
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

/** A visitor's name, and its ratings by pool if it has turned ratings on. */
export interface VisitorProfile {
  name: string;
  rated: boolean;
  ratings: Record<string, Rating>;
}

/** A change of a visitor's data; fields that are left out stay as they are. */
export interface VisitorRequest {
  /** The name that others see; empty for none. */
  name?: string | null;
  /** True if the visitor plays rated games. */
  rated?: boolean | null;
}

/** A computer waits until it can think. */
export interface WaitingMessage extends ThinkingMessage {
  message: Sentence;
}

/** A position that waits to be searched. */
export interface WaitingQuery {
  id: string | number;
  turn?: number;
  priority: number;
}

/** The first moves by which an attacker wins. */
export interface WinningPoints extends Attack {
  points: string[];
  /** The points that a limit has left undecided. */
  open: string[];
  /** The points that would win if fouls lost instead of being forbidden; left out if there are none. */
  if_fouls_lose?: string[];
}

/** Rules with the data derived from them: the base of all that is played or shown under rules. */
export interface WithRules {
  rules: Rules;
  /** A preset, `mnk:M,N,K`, or `custom`. */
  rules_name: string;
  /** True if any move can be a foul. */
  has_fouls: boolean;
  /** The opening rules that can be played with these rules. */
  opening_names: string[];
  /** The enforcement of fouls, as in the rules. */
  fouls_mode: Fouls;
}

/** The withdrawal of an entrant; of the visitor itself if `entrant` is null. */
export interface WithdrawRequest {
  entrant?: number | null;
}
