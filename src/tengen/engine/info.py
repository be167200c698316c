"""Results of a search: the best move so far, and the best moves in order."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.player import Score
from tengen.game.points import Point


@dataclass(frozen=True, slots=True)
class Info:
    """The result of one iteration of a search for one of its lines.

    Attributes:
        point: the best move.
        score: for the side to move.
        depth: plies searched.
        nodes: stones put down.
        nps: nodes per second.
        seconds: since the beginning.
        line: the principal variation.
        number: of the line, from 0.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
        >>> (info,) = tengen.Engine().analyse(board, tengen.Limit(nodes=1000))
        >>> board.name(info.point), info.score.mate, info.point == info.line[0]
        ('i8', 5, True)
        >>> info.nodes <= 1000, info.number
        (True, 0)
    """

    point: Point
    score: Score
    depth: int
    nodes: int
    nps: int
    seconds: float
    line: tuple[Point, ...]
    number: int = 0


class Ranking:
    """The best moves so far, collected from iterations.

    A search for several lines finds the moves of an iteration one by one. Until the iteration is complete,
    the missing moves are those of the iteration before.

    Attributes:
        lines: the number of lines.
    """

    def __init__(self, lines: int = 1) -> None:
        self.lines = lines
        self._before: list[Info] = []
        self._now: list[Info] = []

    def add(self, info: Info) -> None:
        """Add a result of the search."""
        if info.number == 0:
            self._before, self._now = self.infos, []
        self._now.append(info)

    @property
    def complete(self) -> bool:
        """True if the iteration has all of its lines."""
        return len(self._now) == self.lines

    @property
    def infos(self) -> list[Info]:
        """The best moves, the best first, without duplicates."""
        points = {info.point for info in self._now}
        rest = [info for info in self._before if info.point not in points]
        if self.complete:
            # A line may turn out better than the line before it.
            return sorted(self._now, key=lambda info: -info.score.value)
        return [*self._now, *rest][: self.lines]
