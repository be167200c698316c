"""Analysis: the best moves of a position, requests, and the messages of the analysis socket.

Every answer of the socket is an `AnalysisEnvelope` together with one or more of the other models, all
their fields in one object.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StrictBool, StrictInt, StrictStr

from tengen.engine.info import Info
from tengen.game.board import Board
from tengen.game.player import Score
from tengen.game.rules import Rules
from tengen.schemas.base import Schema
from tengen.schemas.points import ColourName, named, point_names
from tengen.schemas.position import PositionRequest
from tengen.schemas.sentence import Sentence

# -- results


class ScoreData(Schema):
    """A score for the side to move."""

    win_rate: float
    """From 0 to 1."""
    value: int
    """In hundredths of a unit; even is 0."""
    mate: int | None
    """Plies to a proven end, below 0 where the side to move loses; null if unproven."""

    @classmethod
    def of(cls, score: Score) -> ScoreData:
        """Return a score as data."""
        return cls(win_rate=round(score.win_rate, 4), value=score.value, mate=score.mate)


class InfoData(Schema):
    """A good move, with the results of its search; the score is as in `ScoreData`."""

    point: str
    win_rate: float
    value: int
    mate: int | None
    depth: int
    nodes: int
    nps: int
    """Nodes per second."""
    seconds: float
    line: tuple[str, ...]
    """The principal variation, beginning with the move."""

    @classmethod
    def of(cls, rules: Rules, info: Info, **spent: Any) -> InfoData:
        """Return a result of a search as data.

        Args:
            rules: the rules of the position.
            info: the result.
            spent: `nodes`, `nps` and `seconds`, if they are not those of the result.
        """
        names = point_names(rules)
        return cls(
            point=names[info.point],
            **dict(ScoreData.of(info.score)),
            depth=info.depth,
            line=tuple(names[point] for point in info.line),
            **{"nodes": info.nodes, "nps": info.nps, "seconds": round(info.seconds, 4), **spent},
        )


class AnalysisData(Schema):
    """The best moves of a position, the best first."""

    moves: tuple[str, ...]
    rules: str
    """The name of the rules."""
    size: str
    best: str
    infos: tuple[InfoData, ...]

    @classmethod
    def of(cls, board: Board, infos: Iterable[Info]) -> AnalysisData:
        """Return the results of a search as data."""
        rules = board.rules
        found = tuple(InfoData.of(rules, info) for info in infos)
        return cls(
            moves=named(rules, board.moves),
            rules=rules.name,
            size=rules.size_text,
            best=found[0].point,
            infos=found,
        )


# -- requests of the socket

RequestId: TypeAlias = StrictInt | Annotated[StrictStr, Field(max_length=64)]
"""A request's id, chosen by the client."""

Seconds: TypeAlias = Annotated[float, Field(gt=0, le=600)]


class AnalysisRequest(PositionRequest):
    """The base of all requests for an analysis: a position, and an id."""

    id: RequestId
    do: str


class BestMovesRequest(AnalysisRequest):
    """A request for the best moves of a position."""

    do: Literal["analyse"]
    lines: Annotated[StrictInt, Field(ge=1, le=10)] = 3
    seconds: Seconds = 60.0
    nodes: Annotated[StrictInt, Field(ge=1, le=1_000_000_000)] | None = None


class VcfRequest(AnalysisRequest):
    """A request for a win by continuous fours (VCF)."""

    do: Literal["vcf"]
    colour: ColourName | None = None
    shortest: StrictBool = False
    seconds: Seconds = 60.0


class VctRequest(AnalysisRequest):
    """A request for a win by continuous fours and open threes (VCT)."""

    do: Literal["vct"]
    colour: ColourName | None = None
    seconds: Seconds = 60.0


class DefencesRequest(AnalysisRequest):
    """A request for the moves that stop a win by continuous fours, or by fours and threes."""

    do: Literal["defences"]
    colour: ColourName | None = None
    threats: Literal["fours", "threes"] = "fours"
    seconds: Seconds = 60.0


class ReviewRequest(AnalysisRequest):
    """A request for a review of a whole game."""

    do: Literal["review"]
    nodes: Annotated[StrictInt, Field(ge=100, le=1_000_000)] = 30_000


class StopRequest(Schema):
    """A request to stop the analysis with this id, or all analyses without an id."""

    id: RequestId | None = None
    do: Literal["stop"]


AnyAnalysisRequest: TypeAlias = Annotated[
    BestMovesRequest | VcfRequest | VctRequest | DefencesRequest | ReviewRequest | StopRequest,
    Field(discriminator="do"),
]
"""Any request of a client, discriminated by ``do``."""


# -- answers of the socket


class AnalysisEnvelope(Schema):
    """The fields of every answer of the socket."""

    id: str | int | None
    """The request's; null where it has none."""
    done: bool
    """True if this is the last answer to the request."""


class SearchWaiting(Schema):
    """The reason why a search has not begun."""

    waiting: Sentence


class SearchStopped(Schema):
    """A search that was stopped; the models of its results stand beside."""

    stopped: Literal[True] = True


class BestMovesData(Schema):
    """The best moves so far, the best first."""

    infos: tuple[InfoData, ...]


class SearchTime(Schema):
    """The progress of a search for a win."""

    seconds: float
    """The time of the search so far."""


class DefencesProgress(SearchTime):
    """The progress of a search for defences."""

    settled: int
    """Points that are decided."""
    points: int
    """Points in all."""
