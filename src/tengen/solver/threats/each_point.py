"""What each point does to a win by threats: which first points win, and which replies stop one.

Every point is settled by the search of `tengen.solver.threats.vct`, with one table of positions for them
all: what is told of a point is proven, for the set of threats asked for, and what a limit has left
    unsettled is told
apart. Where a position is symmetric, only one of the points that mirror each other is searched.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tengen.game.arguments import check_kind
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Limit, check_search
from tengen.game.points import EMPTY, Colour, Point, axes, opponent
from tengen.game.rows import five_points
from tengen.game.symmetry import representatives
from tengen.solver.limits import attacker_of
from tengen.solver.solution import ALL_NODES, Solution, left_after
from tengen.solver.threats.threat_search import MEMORY, set_number, where_fouls_lose
from tengen.solver.threats.vct import check_asked, solve_vct

_SHARE, _SHARE_GROWTH = 1_000, 4
"""Nodes that each point may take at first, and how many times more in each round after that."""

_ANSWER_MEMORY = 1
"""Megabytes for what is remembered where nothing is searched: the least that there can be."""

_MARGIN = 2
"""Nodes that a search may leave of what it may spend, because it takes several at a time."""


@dataclass(frozen=True, slots=True)
class WinningPoints:
    """The first points by which an attacker wins.

    Attributes:
        attacker: who moves first.
        points: those that win, in order. Where a five can be made, the points of fives alone.
        open: those of which a limit has left it unknown.
        nodes: stones put down.
        seconds: how long it took.
        fails: the attacker's other threats, by which it does not win so, in order; none where a five can be
            made.
        if_fouls_lose: those of `fails` that would win if fouls could be played and lost, instead of being
            forbidden: they end with Black left with nothing but fouls, which is a draw.
    """

    attacker: Colour
    points: tuple[Point, ...]
    open: tuple[Point, ...]
    nodes: int
    seconds: float
    fails: tuple[Point, ...] = ()
    if_fouls_lose: tuple[Point, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether these are all."""
        return not self.open


@dataclass(frozen=True, slots=True)
class Defences:
    """What stops a win by threats.

    Attributes:
        win: what the attacker would win by, if it were to move; without a winner there is nothing to stop,
            or, where that is not `proven`, nothing is known of it.
        stops: the defender's points after which the attacker has no win by such threats, in order; a five
            of the defender's own among them.
        loses: those after which it has one.
        open: those of which a limit has left it unknown.
        nodes: stones put down.
        seconds: how long it took.
        if_fouls_lose: those of `stops` that would not stop it if fouls could be played and lost, instead of
            being forbidden; see `WinningPoints`.
    """

    win: Solution
    stops: tuple[Point, ...]
    loses: tuple[Point, ...]
    open: tuple[Point, ...]
    nodes: int
    seconds: float
    if_fouls_lose: tuple[Point, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether every point is settled, or there is nothing to stop."""
        return self.win.proven and not self.open


@dataclass(slots=True)
class PointsProgress:
    """How many points are settled, and of how many; changed meanwhile."""

    settled: int = 0
    points: int = 0


def winning_points(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = MEMORY,
    progress: PointsProgress | None = None,
) -> WinningPoints:
    """Find all first points by which an attacker wins by threats.

    Args:
        board: a game that is not over.
        limit: for all points together: `seconds`, `nodes`, and `depth` in plies, the five included.
        colour: who attacks, and moves first; whose turn it is if None.
        stop: when set, ends it.
        threats: which moves the attacker may make, the first included; see
            `tengen.solver.threats.vct.solve_vct`.
        memory_mb: megabytes for the positions to remember.
        progress: where to tell how far it is.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, set of threats, or amount of memory, or an argument of another kind.
    """
    check_search(board, limit, stop)
    if progress is not None:
        check_kind("progress", progress, PointsProgress, "argument.points_progress")
    began = time.perf_counter()
    attacker = attacker_of(colour, board.turn)
    search = _EachPointSearch(board, attacker, attacker, limit or Limit(), threats, memory_mb, progress)
    made = fives(board, attacker)
    if made:
        return WinningPoints(attacker, made, (), 0, time.perf_counter() - began)
    found = search.after(search.attacks(), stop)
    wins, fails, unknown = _sorted(found)
    drawn = search.won_if_fouls_lose(fails, stop)
    seconds = time.perf_counter() - began
    return WinningPoints(attacker, wins, unknown, search.nodes, seconds, fails, drawn)


def defences(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = MEMORY,
    progress: PointsProgress | None = None,
) -> Defences:
    """Find all points of the defender's, who is to move, that stop a win by threats.

    Args:
        board: a game that is not over.
        limit: for all of it together: `seconds`, `nodes`, and `depth` in plies from the attacker's move on.
        colour: who attacks; the other side moves first. Who is not to move if None.
        stop: when set, ends it.
        threats: which moves the attacker may make; see `tengen.solver.threats.vct.solve_vct`.
        memory_mb: megabytes for the positions to remember.
        progress: where to tell how far it is.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, set of threats, or amount of memory, or an argument of another kind.
    """
    check_search(board, limit, stop)
    if progress is not None:
        check_kind("progress", progress, PointsProgress, "argument.points_progress")
    began = time.perf_counter()
    attacker = attacker_of(colour, opponent(board.turn))
    limit = limit or Limit()
    win = solve_vct(board, limit, attacker, stop, threats=threats, memory_mb=memory_mb)
    if win.winner is None:
        return Defences(win, (), (), (), win.nodes, time.perf_counter() - began)
    defender = opponent(attacker)
    left = left_after(win, limit)
    search = _EachPointSearch(board, attacker, defender, left, threats, memory_mb, progress)
    saving = set(fives(board, defender))
    # What meets the line is likelier to be a defence, and so is settled first.
    points = sorted(search.legal(), key=lambda point: (point not in win.line, point))
    found = search.after([point for point in points if point not in saving], stop)
    found |= dict.fromkeys(saving, False) | dict.fromkeys(search.losing_fouls(), True)
    loses, stops, unknown = _sorted(found)
    drawn = search.won_if_fouls_lose([point for point in stops if point not in saving], stop)
    seconds = time.perf_counter() - began
    return Defences(win, stops, loses, unknown, win.nodes + search.nodes, seconds, drawn)


def fives(board: Board, colour: Colour) -> tuple[Point, ...]:
    """Where a colour completes a five, in order."""
    grid = axes(board.width, board.height)
    return tuple(sorted(five_points(board.rules, board.position, grid, board.stones(EMPTY), colour)))


def answers(board: Board, threats: str = "threes") -> tuple[Point, ...]:
    """The moves that may answer a threat, made by the side that has just moved; all others lose at once.

    Args:
        board: a game that is not over, in which the last move was such a threat.
        threats: which moves the attacker may make; see `tengen.solver.threats.vct.solve_vct`.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no set of threats.
    """
    attacker = opponent(board.turn)
    search = _EachPointSearch(board, attacker, board.turn, Limit(), threats, _ANSWER_MEMORY, None)
    return search.answers()


class _EachPointSearch:
    """The searches after one move each, which share a table and a limit."""

    def __init__(
        self,
        board: Board,
        attacker: Colour,
        first: Colour,
        limit: Limit,
        threats: str,
        memory_mb: int,
        progress: PointsProgress | None,
    ) -> None:
        check_asked(threats, memory_mb)
        if board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        from tengen.engine.board.conversion import position_of
        from tengen.engine.threats.pn_search import PnSearch
        from tengen.engine.threats.pn_table import new_pn_table

        self._board, self._attacker, self._first = board, attacker, first
        self._threats, self._memory_mb, self._limit = threats, memory_mb, limit
        self._progress = progress or PointsProgress()
        self._began, self._further_nodes = time.perf_counter(), 0
        self._state, self._tables = position_of(board, first)
        self._most_nodes = ALL_NODES if limit.nodes is None else limit.nodes
        # The plies are the attacker's: a reply before them is one more.
        plies = None if limit.depth is None else limit.depth + (first != attacker)
        self._proof = PnSearch(
            self._state,
            self._tables,
            new_pn_table(memory_mb),
            plies,
            threats=set_number(threats),
            attacker=attacker - 1,
        )

    @property
    def nodes(self) -> int:
        """Stones put down so far."""
        return int(self._state[0]["nodes"]) + self._further_nodes

    def attacks(self) -> list[Point]:
        """The points where the attacker may make a threat."""
        from tengen.engine.board.conversion import point_of

        return [point_of(self._board, cell) for cell in self._proof.attacks()]

    def answers(self) -> tuple[Point, ...]:
        """The points where the defender may answer the threat that has been made."""
        from tengen.engine.board.conversion import point_of

        points = (point_of(self._board, cell) for cell in self._proof.answers())
        return tuple(point for point in points if self._may_play(point))

    def legal(self) -> list[Point]:
        """The points where the first mover may play and does not lose by the move itself."""
        return [point for point in self._board.stones(EMPTY) if self._may_play(point)]

    def losing_fouls(self) -> list[Point]:
        """The points where the first mover may play and loses by it."""
        if self._board.rules.fouls == "forbidden":
            return []
        return [point for point in self._board.stones(EMPTY) if not self._may_play(point)]

    def after(self, points: Iterable[Point], stop: threading.Event | None) -> dict[Point, bool | None]:
        """Whether the attacker wins after each of these moves; None where a limit was reached before."""
        from tengen.engine.board.conversion import cell, stopped_in_time
        from tengen.engine.board.position import make, unmake

        record = self._state[0]
        found: dict[Point, bool | None] = dict.fromkeys(points)
        first = representatives(self._board)
        alike: dict[Point, list[Point]] = {}
        for point in found:
            alike.setdefault(first[point], []).append(point)
        self._progress.points = len(found)

        waiting, share = list(alike.values()), _SHARE
        with stopped_in_time(record, self._limit.seconds, stop):
            while waiting:
                unsettled, waiting = waiting, []
                for points_alike in unsettled:
                    if record["stop"] or self.nodes >= self._most_nodes:
                        return found
                    most = record["most_nodes"] = min(self._most_nodes, self.nodes + share)
                    make(self._state, self._tables, cell(self._board, points_alike[0]))
                    record["nodes"] += 1
                    wins = self._proof.search()
                    unmake(self._state, self._tables)
                    found |= dict.fromkeys(points_alike, wins)
                    if wins is None and self.nodes + _MARGIN >= most:
                        waiting.append(points_alike)
                    else:
                        self._progress.settled += len(points_alike)
                share *= _SHARE_GROWTH
        return found

    def won_if_fouls_lose(self, points: Sequence[Point], stop: threading.Event | None) -> tuple[Point, ...]:
        """The moves, of some that do not win, after which the attacker would win if fouls lost, in order.

        Only where the search has come to a draw because Black had nothing but fouls left is there anything
        to look for.
        """
        if not points or not self._state[0]["stuck"]:
            return ()
        seconds = self._limit.seconds
        left = replace(
            self._limit,
            seconds=None if seconds is None else max(seconds - time.perf_counter() + self._began, 0.0),
            nodes=self._most_nodes - self.nodes,
        )
        board = where_fouls_lose(self._board)
        search = _EachPointSearch(
            board, self._attacker, self._first, left, self._threats, self._memory_mb, None
        )
        wins, _, _ = _sorted(search.after(points, stop))
        self._further_nodes += search.nodes
        return wins

    def _may_play(self, point: Point) -> bool:
        from tengen.engine.board.conversion import cell
        from tengen.engine.threats.vcf_kernel import may_play

        return bool(may_play(self._state, self._tables, self._first - 1, cell(self._board, point)))


def _sorted(
    found: dict[Point, bool | None],
) -> tuple[tuple[Point, ...], tuple[Point, ...], tuple[Point, ...]]:
    """The points of each answer in order: True, False, and None."""
    wins, none, unknown = (
        tuple(sorted(point for point, is_won in found.items() if is_won is answer))
        for answer in (True, False, None)
    )
    return wins, none, unknown
