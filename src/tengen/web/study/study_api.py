"""The HTTP API of study: the catalogue of players, positions with threats, and explanations."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field, StrictStr
from starlette.concurrency import run_in_threadpool

from tengen.game.rules import parse_size
from tengen.players.allowed import EXPLANATION_SECONDS
from tengen.players.levels import needs_engine
from tengen.schemas.explanation import ExplainedMove
from tengen.schemas.game import LONGEST_SPEC
from tengen.schemas.players import Catalogue
from tengen.schemas.position import PositionData, PositionRequest, read_rules
from tengen.web.computing import thinking_costs
from tengen.web.computing.job_queue import JobQueues
from tengen.web.computing.search_pool import SearchPool
from tengen.web.computing.spec_policy import allowed_player
from tengen.web.study.catalogue import catalogue
from tengen.web.study.explanations import explained
from tengen.web.study.positions import position_text
from tengen.web.transport.http_errors import answer_of
from tengen.web.transport.limits import spend
from tengen.web.transport.request_bodies import validated
from tengen.web.transport.services import service_of

router = APIRouter(prefix="/api", tags=["study"])


class ExplainRequest(PositionRequest):
    """A position, and the spec of the player to explain its move."""

    player: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_SPEC)]


@router.get("/catalogue", response_model=Catalogue)
def get_catalogue(
    rules: Annotated[str, Query(max_length=40)] = "freestyle",
    size: Annotated[str | None, Query(max_length=12)] = None,
) -> Response:
    """Return the players with their parameters, the levels and the opening rules for a game."""

    def found() -> Catalogue:
        return catalogue(read_rules(rules, None if size is None else parse_size(size)))

    return answer_of(validated(found))


@router.post("/position", response_model=PositionData)
async def post_position(position: PositionRequest, request: Request) -> Response:
    """Return a position's stones, side to move, result, fouls, and threats of both colours."""
    if cost := thinking_costs.fouls(position.parsed_rules()):
        spend(request, "think", cost)
        text = await service_of(request, JobQueues).players.do(request, position_text, position)
    else:
        text = await run_in_threadpool(position_text, position)
    return Response(text, media_type="application/json")


@router.post("/explain", response_model=ExplainedMove)
async def post_explain(explain: ExplainRequest, request: Request) -> Response:
    """Return a player's move in a position and its explanation: weights, their parts, lines and tree.

    If it takes too long, the answer is the explanation found so far, without a move.
    """
    board = await run_in_threadpool(validated, explain.board)
    spec = allowed_player(explain.player, board.rules).name
    spend(request, "think", thinking_costs.explanation(spec))
    queues = service_of(request, JobQueues)
    jobs = queues.players
    if needs_engine(spec):
        service_of(request, SearchPool).warmup.check()
        jobs = queues.engine
    limit = thinking_costs.explanation_limit(spec)
    longest = EXPLANATION_SECONDS
    text = await jobs.do(request, explained, spec, board, limit, hurry_after=longest)
    return Response(text, media_type="application/json")
