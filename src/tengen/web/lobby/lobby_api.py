"""The lobby's HTTP and WebSocket API: listing, opening, withdrawing and accepting challenges."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response, WebSocket

from tengen.game.board import Board
from tengen.schemas.game import StartedGame
from tengen.schemas.lobby import ChallengeData, ChallengeList, ChallengeRequest
from tengen.web.games.ratings import LEAST, pool_of
from tengen.web.games.senders import sender
from tengen.web.games.terms import GameTerms
from tengen.web.lobby.challenges import ChallengeOptions
from tengen.web.lobby.lobby import Lobby
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import WrongFields
from tengen.web.transport.http_errors import answer_of
from tengen.web.transport.limits import costs
from tengen.web.transport.request_bodies import validated
from tengen.web.transport.services import service_of
from tengen.web.transport.visitors import renew_visitor, visitor

router = APIRouter(prefix="/api/challenges", tags=["lobby"])


def options_of(request: ChallengeRequest) -> ChallengeOptions:
    """Return the validated options of a game that a visitor offers.

    Raises:
        WrongFields: the rules are invalid; or the game is rated and its rules have no rating pool, or
            it has no clock.
    """
    rules = validated(request.parsed_rules)
    pool = pool_of(rules) if request.rated else None
    if request.rated and pool is None:
        raise WrongFields("error.web.rated.rules", least=LEAST)
    if request.rated and not request.clock:
        # Without a clock, a losing player could leave and the game would never end.
        raise WrongFields("error.web.rated.clock")
    # Rated games have no take-backs.
    take_backs = 0 if request.rated else request.take_backs
    terms = GameTerms.of(request, Board(rules), take_backs)
    return ChallengeOptions(terms, request.colour, pool)


def lobby_of(request: Request) -> Lobby:
    """Return this process's lobby."""
    return service_of(request, Lobby)


TheLobby = Annotated[Lobby, Depends(lobby_of)]


@router.get("", response_model=ChallengeList)
async def listed(lobby: TheLobby) -> Response:
    """Return the open challenges, oldest first."""
    return answer_of(ChallengeList(challenges=await lobby.described(await lobby.challenges())))


@router.post("", status_code=201, response_model=ChallengeData, dependencies=[costs("create")])
async def offer(
    challenge: ChallengeRequest, lobby: TheLobby, name: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Open a challenge; it stays open while its maker is connected to the lobby."""
    opened = await lobby.open(name, options_of(challenge))
    (data,) = await lobby.described([opened])
    return answer_of(data, 201)


@router.delete("", status_code=204)
async def withdraw(lobby: TheLobby, name: Annotated[str, Depends(visitor)]) -> Response:
    """Delete the visitor's challenge; makers call it too once they have opened the resulting game."""
    await lobby.withdraw(name)
    return Response(status_code=204)


@router.post(
    "/{challenge}/accept", status_code=201, response_model=StartedGame, dependencies=[costs("create")]
)
async def accept(
    challenge: str, request: Request, lobby: TheLobby, name: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Accept a challenge and begin its game."""
    return answer_of(await lobby.accept(challenge, name, sender(request, name)), 201)


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Send the list of challenges whenever it changes; answer any message with a sign of life."""
    await socket.accept()
    lobby = service_of(socket, Lobby)
    watcher = Channel(socket)
    try:
        await lobby.attach(watcher)
        await watcher.serve()
    finally:
        lobby.detach(watcher)
