"""First moves that are allowed or avoided: which of them a search considers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tengen.engine.board.conversion import cell
from tengen.engine.board.records import Record
from tengen.engine.search.forced_moves import forced_moves
from tengen.engine.search.moves import candidates
from tengen.game.board import Board, Move
from tengen.game.errors import TengenError
from tengen.game.points import BLACK, Point


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """The first moves that a search may consider.

    Attributes:
        points: legal moves, none of which is a foul.
        every: true if each of them is to be considered, false if those suffice that a search generates.
    """

    points: frozenset[Point]
    every: bool

    @classmethod
    def of(
        cls, board: Board, allow: str | Iterable[Move] | None, avoid: str | Iterable[Move]
    ) -> FirstMoves | None:
        """Return the moves that are allowed and not avoided; None if these are all moves.

        Args:
            board: a game that is not over.
            allow: the only moves to consider; illegal ones are ignored. None for all.
            avoid: moves not to consider.

        Raises:
            NotationError: text that is no point.
            OffBoard: a point that is not on this board.
            TengenError: no move is left, or an argument of another kind.
        """
        allowed, avoided = None if allow is None else board.parse_moves(allow), board.parse_moves(avoid)
        if allowed is None and not avoided:
            return None
        legal = frozenset(board.legal_points())
        points = legal.difference(avoided).intersection(legal if allowed is None else allowed)
        if board.turn == BLACK and board.rules.fouls != "forbidden":
            points = points.difference(board.fouls())
        if not points:
            raise TengenError("error.engine.no_move")
        return None if points == legal else cls(points, every=allowed is not None)

    def cells(self, board: Board, state: Record, tables: Record) -> list[int]:
        """Return the cells to search, the most plausible first.

        Args:
            board: the position.
            state: its state; as before when this returns.
            tables: the tables of its rules.
        """
        middle = (board.width - 1) / 2
        ordered = sorted(self.points, key=lambda point: _distance(board, point, middle))
        every = [cell(board, point) for point in ordered]
        plausible = forced_moves(state, tables) or candidates(state, tables)
        first = [each for each in plausible if each in every]
        if not self.every and first:
            return first
        return [*first, *(each for each in every if each not in first)]


def _distance(board: Board, point: Point, middle: float) -> float:
    y, x = divmod(point, board.width)
    return max(abs(x - middle), abs(y - middle))
