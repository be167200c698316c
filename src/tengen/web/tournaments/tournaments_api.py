"""The HTTP and WebSocket API of tournaments: creating, entering, starting and watching them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Depends, Request, Response, WebSocket
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tengen.game.board import Board
from tengen.schemas.position import RulesRequest
from tengen.web.computing.spec_policy import LONGEST
from tengen.web.games.senders import storer
from tengen.web.games.terms import GameTerms
from tengen.web.games.visitor_names import checked_name, composed, is_readable
from tengen.web.tournaments.online_tournament import MOST_ROUNDS, OnlineTournament, TournamentOptions
from tengen.web.tournaments.tournaments import Tournaments, tournament_json
from tengen.web.transport.channel import Channel, packed
from tengen.web.transport.http_errors import SwitchedOff, WrongFields, error_body, json_answer
from tengen.web.transport.limits import costs
from tengen.web.transport.services import service_of
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitors import renew_visitor, visitor
from tengen.words import TengenError

router = APIRouter(prefix="/api/tournaments", tags=["tournaments"])

LONGEST_TITLE = 60
"""The most characters in a tournament's name."""

_NONE = 4004
"""The WebSocket close code for a tournament that does not exist, as for games."""

Visitor: TypeAlias = Annotated[str, Depends(visitor)]
Renewed: TypeAlias = Annotated[str, Depends(renew_visitor)]


class TournamentRequest(RulesRequest):
    """A request for a new tournament."""

    name: Annotated[StrictStr, Field(max_length=200)]
    kind: Literal["round-robin", "swiss"] = "round-robin"
    rounds: Annotated[StrictInt, Field(ge=1)] = 1
    opening: Annotated[StrictStr, Field(max_length=40)] | None = None
    clock: Annotated[StrictStr, Field(max_length=40)] = "300+5"
    listed: StrictBool = False
    entry: Annotated[StrictStr, Field(max_length=200)] | None = None

    def entrant(self) -> str:
        """Return the name under which the creator enters; empty if it does not enter.

        Raises:
            WrongFields: the name is invalid.
        """
        if self.entry is None:
            return ""
        called = checked_name(self.entry)
        if not called:
            raise WrongFields("error.web.tournament.name")
        return called

    def options(self) -> TournamentOptions:
        """Return the validated options of the tournament.

        Raises:
            WrongFields: the rules or the name are invalid, there is no clock, or there are too many rounds.
        """
        name = composed(self.name)
        if not name or not is_readable(name) or len(name) > LONGEST_TITLE:
            raise WrongFields("error.web.tournament.title", most=LONGEST_TITLE)
        if self.rounds > (most := MOST_ROUNDS[self.kind]):
            raise WrongFields("error.web.tournament.rounds", most=most, rounds=self.rounds)
        if not self.clock:
            # A clock is required so that absent players lose on time.
            raise WrongFields("error.web.tournament.clock")
        opening = None if self.opening in ("", "free") else self.opening
        # Games of tournaments have no take-backs.
        terms = GameTerms(Board(self.parsed_rules()), opening, self.clock, 0)
        return TournamentOptions(name, self.kind, self.rounds, terms, self.listed)


class EntryRequest(BaseModel):
    """A request to enter under a name, which becomes the visitor's name."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[StrictStr, Field(max_length=200)]


class ComputerRequest(BaseModel):
    """A request to enter a computer, by its spec."""

    model_config = ConfigDict(extra="forbid")

    player: Annotated[StrictStr, Field(max_length=LONGEST)]


class WithdrawRequest(BaseModel):
    """A request to withdraw an entrant, or the visitor itself if `entrant` is None."""

    model_config = ConfigDict(extra="forbid")

    entrant: StrictInt | None = None


def tournaments_of(request: Request) -> Tournaments:
    """Return this process's tournaments."""
    return service_of(request, Tournaments)


def check_names(request: Request) -> None:
    """Refuse tournaments on servers without names, because a table identifies entrants by name.

    Raises:
        SwitchedOff: names are switched off on this server.
    """
    if not service_of(request, ServerSettings).names:
        raise SwitchedOff("error.web.off.tournaments")


All: TypeAlias = Annotated[Tournaments, Depends(tournaments_of)]


def _answer(tournament: OnlineTournament, visitor_id: str, status: int = 200) -> Response:
    return json_answer(tournament_json(tournament, visitor_id), status)


@router.get("")
async def mine(tournaments: All, name: Visitor) -> Response:
    """Return the tournaments that the visitor has created or entered, and the other listed ones."""
    own = await tournaments.of_visitor(name)
    known = {one.id for one in own}
    others = [one for one in await tournaments.listed() if one.id not in known]
    return json_answer(
        {
            "tournaments": [tournament_json(one, name) for one in own],
            "listed": [tournament_json(one, name) for one in others],
        }
    )


@router.post("", status_code=201, dependencies=[costs("create"), Depends(check_names)])
async def create(wanted: TournamentRequest, request: Request, tournaments: All, name: Renewed) -> Response:
    """Create a tournament, and enter it if a name is given; other visitors can enter by its URL."""
    entrant = wanted.entrant()
    made = await tournaments.create(name, wanted.options(), storer(request, name), entrant)
    return _answer(made, name, 201)


@router.get("/{tournament}")
async def look(tournament: str, tournaments: All, name: Visitor) -> Response:
    """Return a tournament."""
    return _answer(await tournaments.find(tournament), name)


@router.post("/{tournament}/join", dependencies=[costs("create", "name"), Depends(check_names)])
async def join(
    tournament: str, entry: EntryRequest, request: Request, tournaments: All, name: Renewed
) -> Response:
    """Enter the tournament; a visitor who has entered already is renamed."""
    called = checked_name(entry.name)
    if not called:
        raise WrongFields("error.web.tournament.name")
    return _answer(await tournaments.enter(tournament, name, called, storer(request, name)), name)


@router.post("/{tournament}/computers", dependencies=[costs("create")])
async def add_computer(
    tournament: str, wanted: ComputerRequest, tournaments: All, name: Visitor
) -> Response:
    """Enter a computer; only the tournament's creator may."""
    return _answer(await tournaments.add_computer(tournament, name, wanted.player), name)


@router.post("/{tournament}/start", dependencies=[costs("create")])
async def start(tournament: str, request: Request, tournaments: All, name: Visitor) -> Response:
    """Start the first round; only the tournament's creator may."""
    return _answer(await tournaments.begin(tournament, name, storer(request, name)), name)


@router.post("/{tournament}/withdraw")
async def withdraw(
    tournament: str, tournaments: All, name: Visitor, wanted: WithdrawRequest | None = None
) -> Response:
    """Withdraw from the tournament; its creator may withdraw any entrant."""
    entrant = None if wanted is None else wanted.entrant
    return _answer(await tournaments.withdraw(tournament, name, entrant), name)


@router.websocket("/{tournament}/live")
async def live(socket: WebSocket, tournament: str) -> None:
    """Send a tournament whenever it changes; answer any message with a sign of life."""
    await socket.accept()
    tournaments = service_of(socket, Tournaments)
    watcher = Channel(socket)
    try:
        await tournaments.attach(tournament, watcher)
    except TengenError as error:
        await watcher.close(_NONE, packed({"type": "refused", **error_body(error)}))
        return
    try:
        await watcher.serve()
    finally:
        tournaments.detach(tournament, watcher)
