"""The engine as a player and an analyser: from a board to moves and scores, within a limit."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen.engine.board.conversion import centre_of, is_empty, point_of, position_of, score_of
from tengen.engine.board.playable import check_rules
from tengen.engine.board.position import look_up, make
from tengen.engine.board.records import Record, copy_of
from tengen.engine.board.techniques import named
from tengen.engine.defaults import FULL, MEMORY, MOST_MEMORY, MOST_THREADS, NODES, SEED, THREADS
from tengen.engine.evaluation.value_shares import value_shares
from tengen.engine.handicap import handicap, overlook
from tengen.engine.handicap_kernel import overlook_rows
from tengen.engine.heatmaps import heatmaps, policy
from tengen.engine.info import Info, Ranking
from tengen.engine.kernels.declarations import build
from tengen.engine.search.deepening import THREAT_NODES, DepthResult, SearchTask, run
from tengen.engine.search.deepening_kernel import correct_result, fall_back, fill_table, next_result
from tengen.engine.search.first_moves import FirstMoves
from tengen.engine.search.table import new_table
from tengen.engine.search.timing import time_budget
from tengen.engine.tables import check_folder, prepared, prepared_networks, version_of
from tengen.engine.threats.pn_table import new_pn_table
from tengen.executors import ended_in_time, report
from tengen.executors.running_search import Search
from tengen.game.arguments import (
    MOST_NODES,
    MOST_SECONDS,
    check_flag,
    check_kind,
    check_text,
    is_whole,
    shown,
    wrong,
)
from tengen.game.board import Board, Move
from tengen.game.errors import GameOver, TengenError
from tengen.game.last_reply import with_block
from tengen.game.player import Choice, Explanation, Heatmap, Limit, Score, check_search, player_repr
from tengen.game.points import BLACK, Point
from tengen.game.rules import Rules
from tengen.words import Message

_EXPLAINED = 5
"""Moves that an explanation compares."""

_ROWS = 3
"""Overlooked rows that it names."""

THREAT_SECONDS = 3
"""Seconds of a limit for which the nodes of the search for a win by threats increase."""

ENTRIES_PER_NODE = 2
"""Entries of the transposition table for each node of a limit."""

ENTRY_BYTES = 16
"""Bytes of an entry."""

PN_TABLE_DIVISOR = 8
"""The table of the proof-number search has so many times fewer megabytes."""

_Tables = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The transposition tables of the search and of the proof-number search."""


class Engine:
    """A player and analyser of five in a row on square boards from 5 to 22, with any fouls and overlines.

    Args:
        threads: the number of search threads.
        memory_mb: megabytes for the transposition table; the proof-number search takes an eighth more.
        nodes: stones put down for a move without a limit.
        without: techniques to leave out, joined by ``+``; see `tengen.engine.board.techniques`.
        weights: the folder of the numbers to evaluate by; empty for those that come with Tengen, and
            ``classes`` for those without the network.
        strength: from 0 to 100, full strength; see `tengen.engine.handicap`.
        seed: of the oversights and evaluation errors below full strength; any whole number.

    Attributes:
        name: the spec.

    Within a limit of nodes or depth, and with one thread, the same position gives the same answer. Within a
    limit of time the tables of former moves are used. Below full strength they are not, one thread
    searches, and a limit can only shorten the search.

    Several threads can use it at once, and it can be asked again while a caller iterates over the results
    of a search: among searches within a limit of time the first uses the tables of former moves, the others
    tables of their own.

    Examples:
        >>> import tengen
        >>> engine = tengen.Engine()
        >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
        >>> choice = engine.choose(board, tengen.Limit(nodes=1000))
        >>> board.name(choice.point), choice.score.mate
        ('i8', 5)
        >>> tengen.Engine(threads=2, strength=50).name
        'engine,threads=2,strength=50'
        >>> tengen.Engine(threads=1, memory_mb=64, strength=100).name  # these are the defaults
        'engine'
        >>> tengen.Engine(strength=200)
        Traceback (most recent call last):
            ...
        tengen.words.TengenError: strength is 200: expected at most 100
    """

    def __init__(
        self,
        threads: int = THREADS,
        memory_mb: int = MEMORY,
        nodes: int = NODES,
        without: str = "",
        weights: str = "",
        strength: int = FULL,
        seed: int = SEED,
    ) -> None:
        for key, value, least, most in (
            ("threads", threads, 1, MOST_THREADS),
            ("memory_mb", memory_mb, 1, MOST_MEMORY),
            ("nodes", nodes, 1, MOST_NODES),
            ("strength", strength, 0, FULL),
        ):
            if not (isinstance(value, int) and is_whole(value) and value >= least):
                raise TengenError("error.parameter.whole", name=key, value=shown(value), least=least)
            if value > most:
                raise TengenError("error.engine.most", name=key, value=shown(value), most=most)
        if not (isinstance(seed, int) and is_whole(seed)):
            raise TengenError("error.spec.seed", value=shown(seed))
        check_text("without", without)
        check_kind("weights", weights, (str, Path), "argument.text")
        if "\0" in str(weights):  # no folder can be called so
            raise wrong("weights", weights, "argument.text")
        self._threads = threads
        self._memory = memory_mb
        self._nodes = nodes
        self._without = named(without)
        self._weights = str(weights)
        self._handicap = handicap(strength)
        self._seed = seed
        self._tables = _new_tables(1)
        self._tables_of: tuple[Rules, tuple[int, ...]] | None = None
        self._tables_lock = threading.Lock()
        settings = {
            "threads": (threads, THREADS),
            "memory_mb": (memory_mb, MEMORY),
            "nodes": (nodes, NODES),
            "without": (without, ""),
            "weights": (weights, ""),
            "strength": (strength, FULL),
            "seed": (seed, SEED),
        }
        self._settings = tuple(value for value, _ in settings.values())
        check_folder(self._weights)
        changed = [f"{key}={value}" for key, (value, default) in settings.items() if value != default]
        self.name = ",".join(["engine", *changed])

    def __reduce__(self) -> tuple[type[Engine], tuple[object, ...]]:
        # Pickled are the settings; the tables of former moves stay behind.
        return Engine, self._settings

    __repr__ = player_repr

    def prepare(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> None:
        """Compile the kernels and make the tables of a game's rules, before any clock runs.

        Raises:
            RulesError: rules or a board that the engine does not play.
            TengenError: its folder has no numbers for these rules, or a file there is damaged.
        """
        check_search(board, limit, stop)
        check_rules(board.rules)
        load_kernels()
        self._prepared(board.rules)
        self._networks(board.rules)

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Return the best move found within the limit.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            TengenError: an argument of another kind.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9h9i8h10i10h11")
            >>> choice = tengen.Engine().choose(board, tengen.Limit(depth=4))
            >>> board.name(choice.point) in ("h7", "h12"), choice.score.mate  # one of two fives is stopped
            (True, -2)
        """
        best = self.analyse(board, limit, stop=stop, playing=True)[0]
        return Choice(best.point, best.score, best.line, best.nodes, best.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Return the best moves with their winning chances, the principal variation, and heatmaps.

        It searches twice: for its move, within the limit of `choose`, and for the alternatives. The two
        searches share the time of a limit; each has all of its nodes.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
            >>> reasons = tengen.Engine().explain(board, tengen.Limit(nodes=1000))
            >>> str(reasons.summary).split(" (")[0]
            'i8 wins for Black in 3 moves'
            >>> [heatmap.name for heatmap in reasons.heatmaps]
            ['value', 'policy']
        """
        check_search(board, limit, stop)
        if board.outcome() is not None or not board.legal_points():
            return Explanation(Message("explain.nothing"))
        if limit is not None and limit.seconds is not None:
            limit = replace(limit, seconds=limit.seconds / 2)
        best = self.analyse(board, limit, stop=stop)[0]
        why = _summary(board, best)
        state, tables = self._position(board)
        rows: tuple[tuple[Point, ...], ...] = ()
        if self._handicap is not None:
            rows = overlook(state, tables, board, self._handicap.oversight, self._seed)
        if rows:
            stones = tuple(" ".join(map(board.name, row)) for row in rows[:_ROWS])
            why = Message("explain.engine.overlooked", {"why": why, "rows": stones})
        # A search for several lines has fewer nodes for each: it scores the alternatives and decides
        # nothing.
        most = best.score.win_rate
        others = self.analyse(board, limit, _EXPLAINED, stop)
        weights = {info.point: 100 * min(info.score.win_rate, most) for info in others}
        weights[best.point] = 100 * most
        maps = heatmaps(board, state, tables, self._networks(board.rules))
        return Explanation(why, weights, lines=(best.line,), heatmaps=maps)

    def heatmaps(self, board: Board) -> tuple[Heatmap, ...]:
        """Return the static evaluation, point by point, and the probabilities of moves, without a search.

        The heatmap ``value`` adds up to what `evaluate` returns, and ``policy`` has the probabilities of
        `policy`, in hundredths.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9g7")
            >>> for heatmap in tengen.Engine().heatmaps(board):
            ...     print(heatmap.name, heatmap.title, len(heatmap.weights) > 0, sep=", ")
            value, What the network sees, True
            policy, What it would play at a glance, True
        """
        state, tables = self._seen_position(board)
        return heatmaps(board, state, tables, self._networks(board.rules))

    def analyse(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        stop: threading.Event | None = None,
        *,
        playing: bool = False,
        allow: str | Iterable[Move] | None = None,
        avoid: str | Iterable[Move] = (),
    ) -> list[Info]:
        """Return the best moves, the best first.

        In a task (`tengen.executors`) each `Info` of `infos` is reported as it is found; see
        `tengen.executors.running_search.Search`.

        Args:
            board: a game that is not over.
            limit: of the search; the engine's own number of nodes if None.
            lines: the number of moves to return.
            stop: an event that ends the search when it is set.
            playing: true if a move is to be made: time is saved then where the move is clear.
            allow: the only moves to consider; illegal ones are ignored. None for all.
            avoid: moves not to consider.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            NotationError: text in `allow` or `avoid` that is no point.
            OffBoard: a point there that is not on this board.
            TengenError: no number of lines, no move left to consider, or an argument of another kind.

        Examples:
            >>> import tengen
            >>> engine = tengen.Engine()
            >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
            >>> infos = engine.analyse(board, tengen.Limit(depth=4), lines=3)
            >>> len(infos), infos[0].score.mate, " ".join(map(board.name, infos[0].line))
            (3, 5, 'i8 j8 i7 i6 i11')
            >>> infos[0].score.value > infos[2].score.value
            True

            Moves can be left out, or be the only ones:

            >>> (info,) = engine.analyse(board, tengen.Limit(depth=4), avoid="i8 f6")
            >>> board.name(info.point) not in ("i8", "f6")
            True
            >>> (info,) = engine.analyse(board, tengen.Limit(depth=4), allow="h9")
            >>> board.name(info.point)
            'h9'
        """
        ranking = Ranking(lines)
        for info in self.infos(board, limit, lines, stop, playing=playing, allow=allow, avoid=avoid):
            ranking.add(info)
            report(info)
        return ranking.infos

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        *,
        allow: str | Iterable[Move] | None = None,
        avoid: str | Iterable[Move] = (),
    ) -> Search[list[Info]]:
        """Search in the background; a context manager that yields each `Info` as it is found.

        The search begins at once, and ends with the context.

        Args:
            board: a game that is not over; it may be changed meanwhile.
            limit: of the search; None is until it is stopped.
            lines: the number of moves to find.
            allow: the only moves to consider, as for `analyse`.
            avoid: moves not to consider.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            NotationError: text in `allow` or `avoid` that is no point.
            OffBoard: a point there that is not on this board.
            TengenError: no number of lines, no move left to consider, or an argument of another kind.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
            >>> with tengen.Engine().analysis(board, tengen.Limit(nodes=1000)) as search:
            ...     for info in search:
            ...         if info.score.mate is not None:
            ...             break
            >>> board.name(info.point), info.score.win_rate
            ('i8', 1.0)
        """
        check_search(board, limit, None)
        allow, avoid = None if allow is None else board.parse_moves(allow), board.parse_moves(avoid)
        # Wrong arguments are refused here, not in the background.
        self.infos(board, limit, lines, allow=allow, avoid=avoid)
        limit = limit or Limit(seconds=MOST_SECONDS)
        return Search.start(self.analyse, board.copy(), limit, lines, allow=allow, avoid=avoid)

    def evaluate(self, board: Board) -> Score:
        """Return the static evaluation of a position for the side to move, without a search.

        It is the sum of the weights of all empty points, by the patterns of stones around them, and of the
        threats on the board, corrected by the value network where there is one for the rules and the size.

        Args:
            board: a game that is not over.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            TengenError: an argument of another kind.

        Examples:
            >>> import tengen
            >>> engine = tengen.Engine()
            >>> board = tengen.Board.from_moves("h8a1h9")
            >>> engine.evaluate(board).win_rate < 0.5
            True
            >>> engine.evaluate(tengen.Board.from_moves("h8a1h9o15")).win_rate > 0.5
            True
        """
        state, tables = self._seen_position(board)
        return Score(round(value_shares(state, tables, self._networks(board.rules)).value))

    def policy(self, board: Board) -> dict[Point, float]:
        """Return how probably each move is the best one, of those that a search would generate.

        The probabilities add up to 1. They come, without a search, from the learned order of moves, and
        from the policy network where there is one. A search generates the points within two of a stone
        that are no fouls; where a five has to be made or stopped, only those that do so; and on an empty
        board only the centre. All other moves are left out: their probability is 0.

        Args:
            board: a game that is not over.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            TengenError: an argument of another kind.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8a1h9a3")
            >>> policy = tengen.Engine().policy(board)
            >>> round(sum(policy.values()), 6), all(map(board.is_legal, policy))
            (1.0, True)
            >>> policy[board.point("h10")] > policy.get(board.point("k12"), 0)
            True
        """
        state, tables = self._seen_position(board)
        return policy(board, state, tables, self._networks(board.rules))

    def clear(self) -> None:
        """Forget the tables of former moves."""
        self._tables_of = None

    def infos(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        stop: threading.Event | None = None,
        *,
        playing: bool = False,
        allow: str | Iterable[Move] | None = None,
        avoid: str | Iterable[Move] = (),
    ) -> Iterator[Info]:
        """Search, and yield the result of each iteration as it is found; see `analyse`.

        Examples:
            >>> import tengen
            >>> board = tengen.Board.from_moves("h8i9g7")
            >>> [info.depth for info in tengen.Engine().infos(board, tengen.Limit(depth=3))]
            [1, 2, 3]
        """
        check_search(board, limit, stop)
        if board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        check_rules(board.rules)
        if not (isinstance(lines, int) and is_whole(lines) and lines >= 1):
            raise TengenError("error.engine.lines", lines=shown(lines))
        check_flag("playing", playing)
        choice = FirstMoves.of(board, allow, avoid)
        return self._search(board, limit or Limit(), lines, stop, playing=playing, first_moves=choice)

    def _search(
        self,
        board: Board,
        limit: Limit,
        lines: int,
        stop: threading.Event | None,
        *,
        playing: bool,
        first_moves: FirstMoves | None,
    ) -> Iterator[Info]:
        """Yield the results of a search whose arguments have been checked."""
        if first_moves is None and is_empty(board):
            centre = centre_of(board)
            yield Info(centre, Score(0), 1, 0, 0, 0.0, (centre,))
            return
        time = time_budget(limit, board, playing=playing)
        if time.hard is None and limit.nodes is None and limit.depth is None:
            limit = Limit(nodes=self._nodes)
        if self._handicap is not None:
            limit = self._handicap.limited(limit)
        with self._tables_for(board.rules, limit) as (table, pn_table):
            position, tables = self._position(board)
            visible, threads = position, self._threads
            if self._handicap is not None:
                visible, threads = copy_of(position), 1
                overlook(visible, tables, board, self._handicap.oversight, self._seed)
            root_cells = () if first_moves is None else first_moves.cells(board, position, tables)
            task = SearchTask(
                visible,
                tables,
                self._networks(board.rules),
                table,
                threads=threads,
                lines=min(lines, len(root_cells) or len(board.legal_points())),
                root_cells=root_cells,
                most_nodes=limit.nodes,
                most_depth=limit.depth,
                threat_nodes=_threat_nodes(time.hard),
                soft_seconds=time.soft,
                pn_table=pn_table,
                position=position,
            )
            with ended_in_time(task.stop, time.hard, stop):
                for result in run(task):
                    yield _info_of(board, result)

    @contextmanager
    def _tables_for(self, rules: Rules, limit: Limit) -> Iterator[_Tables]:
        """Provide the tables to search with: those of former moves, or empty ones for repeatable answers.

        They are empty, too, while another search uses those of former moves. Waiting for its end could take
        for ever: the thread that waits may be the one that iterates over the results of the other search.
        """
        if self._handicap is not None or (limit.seconds is None and limit.time is None):
            megabytes = self._memory
            if limit.nodes is not None:
                needed = limit.nodes * ENTRIES_PER_NODE * ENTRY_BYTES >> 20
                megabytes = min(max(needed, 1), megabytes)
            yield _new_tables(megabytes)
        elif not self._tables_lock.acquire(blocking=False):
            yield _new_tables(self._memory)
        else:
            try:
                wanted = rules, version_of(rules, self._weights)
                if self._tables_of != wanted:
                    self._tables = _new_tables(self._memory)
                    self._tables_of = wanted
                yield self._tables
            finally:
                self._tables_lock.release()

    def _seen_position(self, board: Board) -> tuple[Record, Record]:
        """Return the position of a caller's board, checked, without what this player overlooks."""
        check_search(board, None, None)
        if board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        check_rules(board.rules)
        state, tables = self._position(board)
        if self._handicap is not None:
            overlook(state, tables, board, self._handicap.oversight, self._seed)
        return state, tables

    def _position(self, board: Board) -> tuple[Record, Record]:
        """Return the state of a board, and tables with the numbers that this player evaluates by."""
        load_kernels()
        return position_of(board, prepared=self._prepared(board.rules))

    def _prepared(self, rules: Rules) -> tuple[Record, Record]:
        """Return an empty board and its tables, with the numbers of this player's strength."""
        without, distortion = self._without, 0.0
        if self._handicap is not None:
            without, distortion = without | self._handicap.without, self._handicap.distortion
        return prepared(rules, without, self._weights, distortion, self._seed if distortion else 0)

    def _networks(self, rules: Rules) -> Record:
        """Return the networks that this player evaluates by."""
        return prepared_networks(rules, self._weights)


def _summary(board: Board, best: Info) -> Message:
    """Return what a search found: its move and what that promises the side to move."""
    values = {
        "point": board.name(best.point),
        "colour": Message("black" if board.turn == BLACK else "white"),
        "depth": best.depth,
        "nodes": best.nodes,
    }
    mate = best.score.mate
    if mate is None:
        return Message("explain.engine", {**values, "chance": f"{100 * best.score.win_rate:.0f}"})
    key = "explain.engine.win" if mate > 0 else "explain.engine.loss"
    return Message(key, {**values, "moves": (abs(mate) + 1) // 2})


def _new_tables(megabytes: int) -> _Tables:
    """Return empty tables: so many megabytes for the search, an eighth for the proof-number search."""
    return new_table(megabytes), new_pn_table(max(megabytes // PN_TABLE_DIVISOR, 1))


def _threat_nodes(seconds: float | None) -> int:
    """Return the nodes of the search for a win by threats: about an eighth of what fits into the time."""
    return THREAT_NODES if seconds is None else int(THREAT_NODES * min(seconds, THREAT_SECONDS))


@lru_cache(maxsize=1)
def load_kernels() -> None:
    """Load all compiled functions, compiling them if need be, before any clock runs."""
    build(make, look_up, overlook_rows, next_result, fill_table, correct_result, fall_back)


def _info_of(board: Board, result: DepthResult) -> Info:
    line = with_block(board, [point_of(board, cell) for cell in result.line], board.turn)
    nps = int(result.nodes / result.seconds) if result.seconds > 0 else 0
    score = score_of(result.score)
    return Info(line[0], score, result.depth, result.nodes, nps, result.seconds, line, result.number)
