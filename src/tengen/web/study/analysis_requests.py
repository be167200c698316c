"""The requests of the WebSocket API of analysis, and the analyses that answer them."""

from __future__ import annotations

from functools import partial

from pydantic import TypeAdapter

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import opponent
from tengen.schemas.analysis import (
    AnalysisRequest,
    AnyAnalysisRequest,
    BestMovesRequest,
    DefencesRequest,
    ReviewRequest,
    StopRequest,
    VcfRequest,
    VctRequest,
)
from tengen.schemas.base import Json
from tengen.schemas.points import SIDES
from tengen.web.study.analyses import Analysis, BestMoves, DefenceSearch, ForcedWin, GameReview
from tengen.web.transport.request_bodies import read_message, validated

_ADAPTER: TypeAdapter[AnalysisRequest | StopRequest] = TypeAdapter(AnyAnalysisRequest)


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
        self.analysis = _analysis(request)


def _analysis(request: AnalysisRequest) -> Analysis:
    """Return the analysis that answers a request.

    Raises:
        TengenError: the position is invalid or cannot be analysed.
    """
    board = request.board()
    match request:
        case BestMovesRequest():
            return BestMoves(board, request.lines, request.seconds, request.nodes)
        case VcfRequest() | VctRequest():
            return _forced_win(request, board)
        case DefencesRequest():
            return _defences(request, board)
        case ReviewRequest():
            return GameReview(board, request.nodes)
        case _:
            raise TypeError(request)


def _forced_win(request: VcfRequest | VctRequest, board: Board) -> ForcedWin:
    colour, limit = SIDES.get(request.colour or "", board.turn), Limit(request.seconds)
    if isinstance(request, VctRequest):
        return ForcedWin(board, colour, "threes", limit)
    return ForcedWin(board, colour, "fours", limit, shortest=request.shortest)


def _defences(request: DefencesRequest, board: Board) -> DefenceSearch:
    attacker, limit = SIDES.get(request.colour or "", opponent(board.turn)), Limit(request.seconds)
    return DefenceSearch(board, attacker, request.threats, limit)


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
