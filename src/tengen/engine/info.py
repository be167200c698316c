"""What a search says: the best move so far, the best moves in order, and both as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tengen.game.board import Board
from tengen.game.player import Score
from tengen.game.points import Point


@dataclass(frozen=True, slots=True)
class Info:
    """What a search has found so far.

    Attributes:
        point: the best move.
        score: for the side to move.
        depth: plies searched.
        nodes: stones put down.
        nps: nodes in a second.
        seconds: since the beginning.
        line: the moves expected, the best one first.
        number: which of the lines asked for, from 0.
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
    """The best moves so far, whatever depth each of them has come from.

    A search for several lines gives a depth line by line: until it is complete, the moves that it has not
    come to yet are those of the depth before.

    Attributes:
        lines: how many moves are wanted.
    """

    def __init__(self, lines: int = 1) -> None:
        self.lines = lines
        self._before: list[Info] = []
        self._now: list[Info] = []

    def add(self, info: Info) -> None:
        """Take in what the search says."""
        if info.number == 0:
            self._before, self._now = self.infos, []
        self._now.append(info)

    @property
    def complete(self) -> bool:
        """Whether the depth has all its lines."""
        return len(self._now) == self.lines

    @property
    def infos(self) -> list[Info]:
        """The best move first, no move twice."""
        points = {info.point for info in self._now}
        rest = [info for info in self._before if info.point not in points]
        if self.complete:
            # One line may turn out better than the line before it.
            return sorted(self._now, key=lambda info: -info.score.value)
        return [*self._now, *rest][: self.lines]


def info_json(board: Board, info: Info) -> dict[str, Any]:
    """What a search has found as JSON-ready data, points by name; `board` is where it has searched."""
    return {
        "point": board.name(info.point),
        **score_json(info.score),
        "depth": info.depth,
        "nodes": info.nodes,
        "nps": info.nps,
        "seconds": round(info.seconds, 4),
        "line": [board.name(point) for point in info.line],
    }


def score_json(score: Score) -> dict[str, Any]:
    """How good a position is for the side to move, as JSON-ready data."""
    return {"win_rate": round(score.win_rate, 4), "value": score.value, "mate": score.mate}
