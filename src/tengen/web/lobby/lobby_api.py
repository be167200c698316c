"""The lobby's HTTP and WebSocket API: listing, opening, withdrawing and accepting challenges."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request, Response, WebSocket
from pydantic import Field, StrictBool, StrictInt, StrictStr

from tengen.game.board import Board
from tengen.schemas.position import RulesRequest
from tengen.web.games.ratings import LEAST, pool_of
from tengen.web.games.senders import sender
from tengen.web.games.terms import GameTerms
from tengen.web.lobby.challenges import ChallengeOptions
from tengen.web.lobby.lobby import Lobby
from tengen.web.transport.channel import Channel
from tengen.web.transport.http_errors import WrongFields, json_answer
from tengen.web.transport.limits import costs
from tengen.web.transport.services import service_of
from tengen.web.transport.visitors import renew_visitor, visitor

router = APIRouter(prefix="/api/challenges", tags=["lobby"])


class ChallengeRequest(RulesRequest):
    """The options of a challenge."""

    opening: Annotated[StrictStr, Field(max_length=40)] | None = None
    clock: Annotated[StrictStr, Field(max_length=40)] | None = None
    take_backs: Annotated[StrictInt, Field(ge=0, le=1000)] | None = 5
    colour: Literal["black", "white", "random"] = "random"
    rated: StrictBool = False

    def options(self) -> ChallengeOptions:
        """Return the validated options of the game.

        Raises:
            WrongFields: the rules are invalid; or the game is rated and its rules have no rating pool, or
                it has no clock.
        """
        opening = None if self.opening in ("", "free") else self.opening
        rules = self.parsed_rules()
        pool = pool_of(rules) if self.rated else None
        if self.rated and pool is None:
            raise WrongFields("error.web.rated.rules", least=LEAST)
        if self.rated and not self.clock:
            # Without a clock, a losing player could leave and the game would never end.
            raise WrongFields("error.web.rated.clock")
        # Rated games have no take-backs.
        take_backs = 0 if self.rated else self.take_backs
        terms = GameTerms(Board(rules), opening, self.clock or None, take_backs)
        return ChallengeOptions(terms, self.colour, pool)


def lobby_of(request: Request) -> Lobby:
    """Return this process's lobby."""
    return service_of(request, Lobby)


TheLobby = Annotated[Lobby, Depends(lobby_of)]


@router.get("")
async def listed(lobby: TheLobby) -> Response:
    """Return the open challenges, oldest first."""
    return json_answer({"challenges": await lobby.described(await lobby.challenges())})


@router.post("", status_code=201, dependencies=[costs("create")])
async def offer(
    challenge: ChallengeRequest, lobby: TheLobby, name: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Open a challenge; it stays open while its maker is connected to the lobby."""
    options = challenge.options()
    (told,) = await lobby.described([await lobby.open(name, options)])
    return json_answer(told, 201)


@router.delete("", status_code=204)
async def withdraw(lobby: TheLobby, name: Annotated[str, Depends(visitor)]) -> Response:
    """Delete the visitor's challenge; makers call it too once they have opened the resulting game."""
    await lobby.withdraw(name)
    return Response(status_code=204)


@router.post("/{challenge}/accept", status_code=201, dependencies=[costs("create")])
async def accept(
    challenge: str, request: Request, lobby: TheLobby, name: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Accept a challenge and begin its game."""
    made = await lobby.accept(challenge, name, sender(request, name))
    return json_answer(made.to_dict(), 201)


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
