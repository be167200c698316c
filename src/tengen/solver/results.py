"""Results of the solvers, and the progress that they report.

The module imports no engine, so that commands and web pages can name these types without loading it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.player import Limit
from tengen.game.points import Colour, Point
from tengen.solver.limits import ALL_NODES


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a search for a win by threats.

    Attributes:
        winner: the attacker if it wins, otherwise None.
        proven: whether the result is certain; False if a limit was reached first.
        line: the winning moves of both sides in turn, the five included; empty without a win. If the
            defender has no defence left, it blocks one of the fives (`tengen.game.last_reply`). If only
            fouls are left, and may be played, a foul ends the line.
        length: plies of the line.
        fours: the attacker's fours in the line, the five not counted.
        nodes: moves made by the search.
        seconds: duration of the search.
        shortest: whether no win by such threats takes fewer plies; False unless the search was asked for
            the shortest win.
        if_fouls_lose: the line by which White would win if a foul could be played and lost, where the only
            obstacle is that Black is left with nothing but forbidden fouls, which is a draw. Otherwise
            empty.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
        >>> solution = tengen.solve_vcf(board)
        >>> solution.winner == tengen.BLACK, solution.length, solution.fours
        (True, 5, 2)
        >>> " ".join(board.name(point) for point in solution.line)
        'i8 j8 i7 i6 i11'
        >>> for point in solution.line:
        ...     board.push(point)
        >>> board.outcome().reason
        'five'
    """

    winner: Colour | None
    proven: bool
    line: tuple[Point, ...]
    length: int
    fours: int
    nodes: int
    seconds: float
    shortest: bool = False
    if_fouls_lose: tuple[Point, ...] = ()


def remaining_limit(limit: Limit, spent: Solution) -> Limit:
    """Return the limit less what a search has spent; without a bound of nodes, `ALL_NODES` less them."""
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    return Limit(limit.seconds, nodes, limit.depth).after(spent.seconds, spent.nodes)


@dataclass(frozen=True, slots=True)
class WinningPoints:
    """The first moves by which an attacker wins.

    Attributes:
        attacker: the side that moves first.
        points: the winning points, in order; if a five can be made, the points of fives alone.
        open: the points that a limit has left undecided.
        nodes: moves made by the search.
        seconds: duration of the search.
        fails: the other points that were tried as threats, which do not win by such threats, in order;
            empty if a five can be made. Some may threaten nothing, as a move that stops a five.
        if_fouls_lose: the points among `fails` that would win if fouls could be played and lost instead of
            being forbidden: they leave Black with nothing but fouls, which is a draw.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("g8 h8 i8", "g7 h9", turn=tengen.BLACK)
        >>> found = tengen.winning_points(board)
        >>> [board.name(point) for point in found.points], [board.name(point) for point in found.fails]
        (['f8', 'j8'], ['e8', 'k8'])
        >>> found.proven
        True
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
        """True if `points` is complete."""
        return not self.open


@dataclass(frozen=True, slots=True)
class Defences:
    """The replies that refute a win by threats.

    Attributes:
        win: the attacker's win if it were to move. Without a winner there is nothing to refute, or, if the
            solution is not `proven`, no win is known.
        stops: the defender's points after which the attacker has no win by such threats, in order, the
            defender's own fives among them.
        loses: the points after which it has one.
        open: the points that a limit has left undecided.
        nodes: moves made by the search.
        seconds: duration of the search.
        if_fouls_lose: the points among `stops` that would not refute the win if fouls could be played and
            lost instead of being forbidden; see `WinningPoints`.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("g8 h8 i8", "g7 h9", turn=tengen.WHITE)
        >>> found = tengen.defences(board)
        >>> found.win.winner == tengen.BLACK, found.win.length
        (True, 3)
        >>> [board.name(point) for point in found.stops], len(found.loses), found.proven
        (['f8', 'j8'], 218, True)
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
        """True if every point is decided, or there is nothing to refute."""
        return self.win.proven and not self.open


@dataclass(slots=True)
class PointsProgress:
    """The progress of a search for `WinningPoints` or `Defences`; updated while it runs.

    Attributes:
        settled: points decided so far.
        points: points in all.
    """

    settled: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Exact:
    """The proven value of a position, for the side to move.

    Attributes:
        value: 1 for a win, 0 for a draw, -1 for a loss, with best play of both sides; None if a limit was
            reached first.
        best: points that keep the value, in order; in a lost position, all free points.
        complete: whether `best` is complete; False if a limit was reached first.
        distance: exact plies to the end of the game. Of a win, the fewest within which the winner forces
            its line against every defence; of a draw, all free points, because a draw ends on a full
            board. None if unknown.
        positions: positions visited.
        bounds: the least and the greatest value that are not ruled out.
        seconds: duration of the search.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("b2b1", "tictactoe")
        >>> exact = tengen.solve(board)
        >>> exact.value, exact.distance, exact.complete
        (1, 5, True)
        >>> [board.name(point) for point in exact.best]
        ['a1', 'c1', 'a2', 'c2', 'a3', 'c3']
    """

    value: int | None
    best: tuple[Point, ...]
    complete: bool
    distance: int | None
    positions: int
    bounds: tuple[int, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class ExactProgress:
    """The progress of an exact search, reported now and then (`tengen.executors.report`).

    Attributes:
        aim: ``"value"``, ``"distance"`` or ``"best"``.
        plies: depth of the current iteration; None for the whole game.
        share: estimated share of the iteration that is done, from 0 to 1; later ones may take far longer.
        left: estimated seconds to the end of the iteration; None without an estimate.
        positions: positions visited.
    """

    aim: str
    plies: int | None
    share: float
    left: float | None
    positions: int
