"""The requests of the WebSocket API of analysis."""

from __future__ import annotations

import threading
from functools import partial
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, TypeAdapter

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import opponent
from tengen.solver.results import Defences, PointsProgress, Solution
from tengen.web.computing.board_json import SIDES
from tengen.web.computing.position_request import Position
from tengen.web.study.analyses import Analysis, BestMoves, ForcedWin, GameReview, Json, WhatStops
from tengen.web.transport.request_bodies import read_message, validated

Id: TypeAlias = StrictInt | Annotated[StrictStr, Field(max_length=64)]
"""A request's id, chosen by the client."""


class AnalysisRequest(Position):
    """The base of all analysis requests: a position, and an id."""

    id: Id
    do: str

    def analysis(self) -> Analysis:
        """Return the analysis that answers the request."""
        raise NotImplementedError


class BestMovesRequest(AnalysisRequest):
    """A request for the best moves of a position."""

    do: Literal["analyse"]
    lines: Annotated[StrictInt, Field(ge=1, le=10)] = 3
    seconds: Annotated[float, Field(gt=0, le=600)] = 60.0
    nodes: Annotated[StrictInt, Field(ge=1, le=1_000_000_000)] | None = None

    def analysis(self) -> Analysis:
        """Implement `AnalysisRequest.analysis`."""
        return BestMoves(self.board(), self.lines, self.seconds, self.nodes)


class VcfRequest(AnalysisRequest):
    """A request for a win by continuous fours (VCF)."""

    do: Literal["vcf"]
    colour: Literal["black", "white"] | None = None
    shortest: StrictBool = False
    seconds: Annotated[float, Field(gt=0, le=600)] = 60.0

    def analysis(self) -> Analysis:
        """Implement `AnalysisRequest.analysis`."""
        colour, limit = SIDES.get(self.colour or ""), Limit(self.seconds)

        def find(board: Board, stop: threading.Event) -> Solution:
            from tengen.solver.threats.vcf import solve_vcf

            return solve_vcf(board, limit, colour, self.shortest, stop)

        return ForcedWin(self.board(), find)


class VctRequest(AnalysisRequest):
    """A request for a win by continuous fours and open threes (VCT)."""

    do: Literal["vct"]
    colour: Literal["black", "white"] | None = None
    seconds: Annotated[float, Field(gt=0, le=600)] = 60.0

    def analysis(self) -> Analysis:
        """Implement `AnalysisRequest.analysis`."""
        colour, limit = SIDES.get(self.colour or ""), Limit(self.seconds)

        def find(board: Board, stop: threading.Event) -> Solution:
            from tengen.solver.threats.vct import solve_vct

            return solve_vct(board, limit, colour, stop)

        return ForcedWin(self.board(), find)


class DefencesRequest(AnalysisRequest):
    """A request for the moves that stop a win by continuous fours, or by fours and threes."""

    do: Literal["defences"]
    colour: Literal["black", "white"] | None = None
    threats: Literal["fours", "threes"] = "fours"
    seconds: Annotated[float, Field(gt=0, le=600)] = 60.0

    def analysis(self) -> Analysis:
        """Implement `AnalysisRequest.analysis`."""
        board, limit = self.board(), Limit(self.seconds)
        attacker = SIDES.get(self.colour or "") or opponent(board.turn)

        def find(board: Board, stop: threading.Event, progress: PointsProgress) -> Defences:
            from tengen.solver.threats.root_moves import defences

            return defences(board, limit, attacker, stop, threats=self.threats, progress=progress)

        return WhatStops(board, attacker, find)


class ReviewRequest(AnalysisRequest):
    """A request for a review of a whole game."""

    do: Literal["review"]
    nodes: Annotated[StrictInt, Field(ge=100, le=1_000_000)] = 30_000

    def analysis(self) -> Analysis:
        """Implement `AnalysisRequest.analysis`."""
        return GameReview(self.board(), self.nodes)


class StopRequest(BaseModel):
    """A request to stop the analysis with this id, or all analyses without an id."""

    model_config = ConfigDict(extra="forbid")

    id: Id | None = None
    do: Literal["stop"]


AnyRequest: TypeAlias = (
    BestMovesRequest | VcfRequest | VctRequest | DefencesRequest | ReviewRequest | StopRequest
)
"""Any request of a client, discriminated by ``do``."""

_ADAPTER: TypeAdapter[AnyRequest] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="do")])


class PendingAnalysis:
    """A requested analysis, with the id and kind of its request.

    Args:
        request: the request.

    Raises:
        TengenError: the position is invalid or cannot be analysed.
    """

    def __init__(self, request: AnalysisRequest) -> None:
        self.id = request.id
        self.do = request.do
        self.analysis = request.analysis()


def id_of(data: Json) -> int | str | None:
    """Return a message's id if it is valid, cut to 64 characters; None otherwise."""
    given = data.get("id")
    if isinstance(given, str):
        return given[:64]
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def read_request(data: Json) -> AnalysisRequest | StopRequest:
    """Parse and validate a message as a request.

    Raises:
        WrongFields: a field is missing or wrong.
    """
    return read_message(_ADAPTER, data)


def pending_analysis(request: AnalysisRequest) -> PendingAnalysis:
    """Return the analysis for a request.

    Raises:
        WrongFields: the position is invalid or cannot be analysed.
    """
    return validated(partial(PendingAnalysis, request))
