"""Positions that wait for their search, by priority."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import count

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Colour, Point
from tengen.schemas.queries import WaitingQueryData, WinKind


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Query:
    """One position of a query, with everything that its answer needs.

    Attributes:
        id: the identifier given by the client.
        turn: the number of moves before the position; None unless the client has asked for turns.
        board: the position.
        limit: the limit of the search.
        lines: the number of moves to return.
        allow: the only moves to consider; None for all.
        avoid: moves not to consider.
        report: whether to report each depth.
        report_every: seconds between two reports; None for none.
        report_first: seconds before the first of them.
        priority: queries of higher priority are processed first.
        policy: whether the probabilities of moves are wanted.
        heat: whether the static evaluation is wanted.
        threats: whether the threats on the board are wanted.
        win: the forced win to search for; None for none.
        attacker: the side that is to win by force.
    """

    id: str | int
    turn: int | None
    board: Board
    limit: Limit
    lines: int
    allow: Collection[Point] | None
    avoid: Collection[Point]
    report: bool
    report_every: float | None
    report_first: float | None
    priority: int
    policy: bool
    heat: bool
    threats: bool
    win: WinKind | None
    attacker: Colour


class QueryQueue:
    """Queries by descending priority, and among equals in the order of arrival."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Query]] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Query]:
        """Yield the queries, the next one first."""
        return (query for _, _, query in sorted(self._heap))

    def add(self, query: Query) -> None:
        """Add a query."""
        heapq.heappush(self._heap, (-query.priority, next(self._numbers), query))

    def take(self) -> Query:
        """Remove the next query, and return it."""
        return heapq.heappop(self._heap)[2]

    def remove(self, wanted: Callable[[Query], bool]) -> list[Query]:
        """Remove some queries, and return them."""
        removed = [query for query in self if wanted(query)]
        gone = set(removed)
        self._heap = [item for item in self._heap if item[2] not in gone]
        heapq.heapify(self._heap)
        return removed

    def waiting(self) -> tuple[WaitingQueryData, ...]:
        """Return the queries as data, the next one first."""
        return tuple(
            WaitingQueryData(id=query.id, turn=query.turn, priority=query.priority) for query in self
        )
