"""Queries: positions that a program wants analysed, and their answers.

They are lines of ``tengen analyse --stdin`` and messages of the WebSocket ``/api/queries``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StrictBool, StrictInt, StrictStr

from tengen.schemas.analysis import AnalysisData, ScoreData
from tengen.schemas.base import Schema
from tengen.schemas.board import SetupData
from tengen.schemas.points import ColourName
from tengen.schemas.position import SetupRequest, ThreatData
from tengen.schemas.solution import SolutionData

WinKind: TypeAlias = Literal["vcf", "vct"]
"""A forced win: by continuous fours, or by continuous fours and threes."""

QueryId: TypeAlias = StrictStr | StrictInt

_Points: TypeAlias = StrictStr | tuple[StrictStr, ...]
_Seconds: TypeAlias = Annotated[float, Field(gt=0, le=1_000_000, strict=True)]
_Count: TypeAlias = Annotated[StrictInt, Field(ge=1, lt=1 << 62)]


class AnalysisQuery(Schema):
    """A query: positions and the limits of their analysis; missing fields have the program's defaults."""

    id: QueryId
    moves: _Points = ""
    """Move text, or a list of points."""
    rules: StrictStr | None = None
    """A preset, or `mnk:M,N,K`."""
    size: StrictStr | StrictInt | tuple[Any, ...] | None = None
    setup: SetupRequest | None = None
    """The stones before the first move, and the colour to move."""
    turns: tuple[Annotated[StrictInt, Field(ge=0)], ...] | Literal["all"] | None = None
    """The positions to analyse, each by the number of moves before it; null for that after all moves."""
    allow: _Points | None = None
    """The only moves to consider; null for all."""
    avoid: _Points = ()
    """Moves not to consider."""
    seconds: _Seconds | None = None
    nodes: _Count | None = None
    depth: _Count | None = None
    lines: _Count | None = None
    """The number of moves to return."""
    report: StrictBool = False
    """True if each depth is reported."""
    report_every: _Seconds | None = None
    """Seconds between two reports."""
    report_first: _Seconds | None = None
    """Seconds before the first report, if not those between two."""
    priority: StrictInt = 0
    """Queries of a higher priority come first."""
    priorities: tuple[StrictInt, ...] | None = None
    """The priority of each of `turns` instead."""
    policy: StrictBool = False
    """True if the probabilities of moves are wanted."""
    heat: StrictBool = False
    """True if the static evaluation and its distribution over the points are wanted."""
    threats: StrictBool = False
    """True if the threats on the board are wanted."""
    win: WinKind | None = None
    """The forced win to search for besides, again within the seconds and nodes of the query."""
    attacker: ColourName | None = None
    """The side that is to win by force; the side to move if null."""


_LEFT_OUT: Any = Field(default=None, exclude_if=lambda value: value is None)
"""A field that is left out of an answer unless it was asked for."""


class QueryAnswer(Schema):
    """The answer to a query, or, where it is not final, a report of the search so far."""

    id: str | int
    final: bool
    turn: int | None = _LEFT_OUT
    """The number of moves before the position; left out unless the query has `turns`."""


class StaticData(Schema):
    """Data of a position that take no search; each is left out unless it was asked for."""

    evaluation: ScoreData | None = _LEFT_OUT
    """The static evaluation, for the side to move."""
    heat: dict[str, float] | None = _LEFT_OUT
    """The share of each point in it, in hundredths of a unit: below 0 against the side to move."""
    policy: dict[str, float] | None = _LEFT_OUT
    """How probably each move is the best one, of those that a search would generate; they add up to 1."""
    threats: dict[ColourName, tuple[ThreatData, ...]] | None = _LEFT_OUT


class AnalysisAnswer(StaticData, AnalysisData, QueryAnswer):
    """An answer with the moves found."""

    setup: SetupData | None = _LEFT_OUT
    """The position before the first move; left out for an empty board."""
    win: SolutionData | None = _LEFT_OUT
    """The result of the search for a forced win; left out of reports, and unless it was asked for."""
    limited: str | None = _LEFT_OUT
    """The reason why a server has ended the search early; left out unless it has."""


class NoResults(QueryAnswer):
    """The answer to a query that was terminated before anything was found."""

    noResults: Literal[True] = True  # noqa: N815 (KataGo's name)


class QueryRefused(Schema):
    """The answer to a query that cannot be answered."""

    id: str | int | None = Field(default=None, exclude_if=lambda value: value is None)
    """Left out where the query has none."""
    turn: int | None = _LEFT_OUT
    """Left out unless the query has `turns`, and only this one cannot be answered."""
    error: str


class RunningQueryData(Schema):
    """A position that is being searched."""

    id: str | int
    turn: int | None = _LEFT_OUT
    seconds: float
    """Since the search has begun."""
    depth: int
    nodes: int


class WaitingQueryData(Schema):
    """A position that waits to be searched."""

    id: str | int
    turn: int | None = _LEFT_OUT
    priority: int


class QueriesData(Schema):
    """The answer to ``query_running``: what runs and what waits, the next one first."""

    workers: int
    """The number of searches that may run at once."""
    running: tuple[RunningQueryData, ...]
    waiting: tuple[WaitingQueryData, ...]
