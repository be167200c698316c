"""Root moves of a win by threats: the first moves that win, and the replies that refute a win.

Each root move is decided by a proof-number search; the searches share one transposition table, and a limit.
The verdicts are proven for the set of threats in question; moves that a limit leaves undecided are listed
apart. Of root moves that are symmetric to each other, only one is searched.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tengen.engine.board.conversion import cell, point_of, position_of, stopped_in_time
from tengen.engine.board.position import make, unmake
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.engine.threats.vcf_kernel import may_play
from tengen.game.arguments import check_kind
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.fives import fives
from tengen.game.player import Limit, check_search
from tengen.game.points import EMPTY, Colour, Point, opponent
from tengen.game.symmetry import representatives
from tengen.solver.limits import (
    ALL_NODES,
    THREAT_MEMORY,
    attacker_of,
    check_memory,
    check_threat_rules,
    check_threats,
)
from tengen.solver.results import Defences, PointsProgress, WinningPoints, remaining_limit
from tengen.solver.threats.df_pn import THREAT_SETS, where_fouls_lose
from tengen.solver.threats.vct import solve_vct

_FIRST_NODES, _NODE_GROWTH = 1_000, 4
"""Nodes for each root move in the first round, and the factor by which they grow from round to round."""

_ANSWER_MEMORY = 1
"""Megabytes of the table where nothing is searched: the least possible."""

_NODE_MARGIN = 2
"""Nodes of its bound that a search may leave, because it makes several moves at a time."""


def winning_points(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = THREAT_MEMORY,
    progress: PointsProgress | None = None,
) -> WinningPoints:
    """Find all first moves by which an attacker wins by threats.

    Args:
        board: a game that is not over.
        limit: bounds of the whole search: `seconds`, `nodes`, and `depth` in plies, the five included.
        colour: the attacker, which moves first; the side to move if None.
        stop: ends the search when set.
        threats: the attacker's moves, the first included; see `tengen.solver.threats.vct.solve_vct`.
        memory_mb: megabytes for the transposition table.
        progress: updated while the search runs.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, set of threats, or amount of memory, or an argument of the wrong type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("g8 h8 i8", "g7 h9", turn=tengen.BLACK)
        >>> [board.name(point) for point in tengen.winning_points(board).points]
        ['f8', 'j8']

        A five that can be made comes before everything else:

        >>> board.push("f8")
        >>> found = tengen.winning_points(board, colour=tengen.BLACK)
        >>> [board.name(point) for point in found.points]
        ['e8', 'j8']
    """
    _check_arguments(board, limit, stop, progress)
    began = time.perf_counter()
    attacker = attacker_of(colour, board.turn)
    question = _RootMoveQuestion(board, attacker, attacker, threats, memory_mb)
    search = _RootMoveSearch(question, limit or Limit(), progress)
    if own_fives := fives(board, attacker):
        return WinningPoints(attacker, own_fives, (), 0, time.perf_counter() - began)
    wins, fails, undecided = _by_verdict(search.decide(search.threats(), stop))
    drawn = search.wins_if_fouls_lose(fails, stop)
    seconds = time.perf_counter() - began
    return WinningPoints(attacker, wins, undecided, search.nodes, seconds, fails, drawn)


def defences(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = THREAT_MEMORY,
    progress: PointsProgress | None = None,
) -> Defences:
    """Find all moves of the defender, which is to move, that refute a win by threats.

    Args:
        board: a game that is not over.
        limit: bounds of the whole search: `seconds`, `nodes`, and `depth` in plies, counted from the
            attacker's first move.
        colour: the attacker; the other side moves first. The side not to move if None.
        stop: ends the search when set.
        threats: the attacker's moves; see `tengen.solver.threats.vct.solve_vct`.
        memory_mb: megabytes for the transposition table.
        progress: updated while the search runs.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, set of threats, or amount of memory, or an argument of the wrong type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("g8 h8 i8", "g7 h9", turn=tengen.WHITE)
        >>> [board.name(point) for point in tengen.defences(board).stops]
        ['f8', 'j8']

        Without a win to refute there are none:

        >>> tengen.defences(tengen.Board.from_moves("h8")).win.winner is None
        True
    """
    _check_arguments(board, limit, stop, progress)
    began = time.perf_counter()
    attacker = attacker_of(colour, opponent(board.turn))
    limit = limit or Limit()
    win = solve_vct(board, limit, attacker, stop, threats=threats, memory_mb=memory_mb)
    if win.winner is None:
        return Defences(win, (), (), (), win.nodes, time.perf_counter() - began)
    defender = opponent(attacker)
    question = _RootMoveQuestion(board, attacker, defender, threats, memory_mb)
    search = _RootMoveSearch(question, remaining_limit(limit, win), progress)
    own_fives = set(fives(board, defender))
    # Points of the winning line are likelier to refute it, so they come first.
    points = sorted(search.playable(), key=lambda point: (point not in win.line, point))
    verdicts = search.decide([point for point in points if point not in own_fives], stop)
    verdicts |= dict.fromkeys(own_fives, False) | dict.fromkeys(search.losing_fouls(), True)
    loses, stops, undecided = _by_verdict(verdicts)
    drawn = search.wins_if_fouls_lose([point for point in stops if point not in own_fives], stop)
    seconds = time.perf_counter() - began
    return Defences(win, stops, loses, undecided, win.nodes + search.nodes, seconds, drawn)


def answers(board: Board, threats: str = "threes") -> tuple[Point, ...]:
    """Return the moves that may answer the threat just made; all others lose at once.

    Args:
        board: a game that is not over, in which the last move was such a threat.
        threats: the attacker's moves; see `tengen.solver.threats.vct.solve_vct`.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no set of threats.
    """
    question = _RootMoveQuestion(board, opponent(board.turn), board.turn, threats, _ANSWER_MEMORY)
    return _RootMoveSearch(question, Limit(), None).answers()


def _check_arguments(
    board: Board, limit: Limit | None, stop: threading.Event | None, progress: PointsProgress | None
) -> None:
    check_search(board, limit, stop)
    if progress is not None:
        check_kind("progress", progress, PointsProgress, "argument.points_progress")


@dataclass(frozen=True, slots=True)
class _RootMoveQuestion:
    """The question that each root move is searched for.

    Attributes:
        board: the position before the root moves.
        attacker: the side that wins, or does not.
        mover: the side that makes the root move.
        threats: the set of threats.
        memory_mb: megabytes for the transposition table.
    """

    board: Board
    attacker: Colour
    mover: Colour
    threats: str
    memory_mb: int


class _RootMoveSearch:
    """The searches after each root move, which share a table and a limit.

    Args:
        question: the question; its `threats` and `memory_mb` are checked here.
        limit: bounds of all searches together.
        progress: updated while they run.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no set of threats, or amount of memory.
    """

    def __init__(self, question: _RootMoveQuestion, limit: Limit, progress: PointsProgress | None) -> None:
        check_threats(question.threats)
        check_memory(question.memory_mb)
        self._question, self._limit = question, limit
        self._board, attacker, self._mover = question.board, question.attacker, question.mover
        if self._board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        self._progress = progress or PointsProgress()
        self._began, self._further_nodes = time.perf_counter(), 0
        check_threat_rules(self._board.rules)
        self._state, self._tables = position_of(self._board, self._mover)
        self._most_nodes = ALL_NODES if limit.nodes is None else limit.nodes
        # The depth counts from the attacker's move: a reply before it is one ply more.
        plies = None if limit.depth is None else limit.depth + (self._mover != attacker)
        self._search = PnSearch(
            self._state,
            self._tables,
            new_pn_table(question.memory_mb),
            plies,
            threats=THREAT_SETS[question.threats],
            attacker=attacker - 1,
        )

    @property
    def nodes(self) -> int:
        """Moves made so far."""
        return int(self._state[0]["nodes"]) + self._further_nodes

    def threats(self) -> list[Point]:
        """Return the points where the attacker may make a threat."""
        return [point_of(self._board, cell) for cell in self._search.attacks()]

    def answers(self) -> tuple[Point, ...]:
        """Return the points where the defender may answer the threat that has been made."""
        points = (point_of(self._board, cell) for cell in self._search.answers())
        return tuple(point for point in points if self._may_play(point))

    def playable(self) -> list[Point]:
        """Return the points where the mover may play without losing by the move itself."""
        return [point for point in self._board.stones(EMPTY) if self._may_play(point)]

    def losing_fouls(self) -> list[Point]:
        """Return the points where the mover may play and loses by a foul."""
        if self._board.rules.fouls == "forbidden":
            return []
        return [point for point in self._board.stones(EMPTY) if not self._may_play(point)]

    def decide(self, points: Iterable[Point], stop: threading.Event | None) -> dict[Point, bool | None]:
        """Return for each root move whether the attacker wins after it; None if undecided at the limit."""
        verdicts: dict[Point, bool | None] = dict.fromkeys(points)
        first = representatives(self._board)
        symmetric: dict[Point, list[Point]] = {}
        for point in verdicts:
            symmetric.setdefault(first[point], []).append(point)
        self._progress.points = len(verdicts)
        record, waiting, nodes = self._state[0], list(symmetric.values()), _FIRST_NODES
        with stopped_in_time(record, self._limit.seconds, stop):
            while waiting:
                undecided, waiting = waiting, []
                for group in undecided:
                    if record["stop"] or self.nodes >= self._most_nodes:
                        return verdicts
                    most = record["most_nodes"] = min(self._most_nodes, self.nodes + nodes)
                    make(self._state, self._tables, cell(self._board, group[0]))
                    record["nodes"] += 1
                    wins = self._search.search()
                    unmake(self._state, self._tables)
                    verdicts |= dict.fromkeys(group, wins)
                    if wins is None and self.nodes + _NODE_MARGIN >= most:
                        waiting.append(group)
                    else:
                        self._progress.settled += len(group)
                nodes *= _NODE_GROWTH
        return verdicts

    def wins_if_fouls_lose(
        self, points: Sequence[Point], stop: threading.Event | None
    ) -> tuple[Point, ...]:
        """Return those of some refuted root moves after which the attacker would win if fouls lost.

        There are such moves only if the search has come to a draw because Black had nothing but fouls left.
        """
        if not points or not self._state[0]["stuck"]:
            return ()
        seconds = self._limit.seconds
        left = replace(
            self._limit,
            seconds=None if seconds is None else max(seconds - time.perf_counter() + self._began, 0.0),
            nodes=self._most_nodes - self.nodes,
        )
        search = _RootMoveSearch(replace(self._question, board=where_fouls_lose(self._board)), left, None)
        wins, _, _ = _by_verdict(search.decide(points, stop))
        self._further_nodes += search.nodes
        return wins

    def _may_play(self, point: Point) -> bool:
        return bool(may_play(self._state, self._tables, self._mover - 1, cell(self._board, point)))


def _by_verdict(
    verdicts: dict[Point, bool | None],
) -> tuple[tuple[Point, ...], tuple[Point, ...], tuple[Point, ...]]:
    """Return the points whose verdict is True, False and None, each in order."""
    wins, fails, undecided = (
        tuple(sorted(point for point, verdict in verdicts.items() if verdict is answer))
        for answer in (True, False, None)
    )
    return wins, fails, undecided
