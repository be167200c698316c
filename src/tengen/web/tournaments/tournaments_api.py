"""The HTTP and WebSocket API of tournaments: creating, entering, starting and watching them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Request, Response, WebSocket

from tengen.game.board import Board
from tengen.schemas.game_messages import RefusedMessage
from tengen.schemas.sentence import ErrorBody
from tengen.schemas.tournament import (
    ComputerRequest,
    EntryRequest,
    TournamentData,
    TournamentList,
    TournamentRequest,
    WithdrawRequest,
)
from tengen.web.games.senders import storer
from tengen.web.games.terms import GameTerms
from tengen.web.games.visitor_names import checked_name, composed, is_readable
from tengen.web.tournaments.online_tournament import MOST_ROUNDS, OnlineTournament, TournamentOptions
from tengen.web.tournaments.tournaments import Tournaments, tournament_data
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import SwitchedOff, WrongFields
from tengen.web.transport.http_errors import answer_of
from tengen.web.transport.limits import costs
from tengen.web.transport.request_bodies import validated
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


def entrant_of(request: TournamentRequest) -> str:
    """Return the name under which a tournament's creator enters; empty if it does not enter.

    Raises:
        WrongFields: the name is invalid.
    """
    return "" if request.entry is None else _checked(request.entry)


def _checked(name: str) -> str:
    checked = checked_name(name)
    if not checked:
        raise WrongFields("error.web.tournament.name")
    return checked


def options_of(request: TournamentRequest) -> TournamentOptions:
    """Return the validated options of a new tournament.

    Raises:
        WrongFields: the rules or the name are invalid, there is no clock, or there are too many rounds.
    """
    name = composed(request.name)
    if not name or not is_readable(name) or len(name) > LONGEST_TITLE:
        raise WrongFields("error.web.tournament.title", most=LONGEST_TITLE)
    if request.rounds > (most := MOST_ROUNDS[request.kind]):
        raise WrongFields("error.web.tournament.rounds", most=most, rounds=request.rounds)
    if not request.clock:
        # A clock is required so that absent players lose on time.
        raise WrongFields("error.web.tournament.clock")
    # Games of tournaments have no take-backs.
    terms = GameTerms.of(request, Board(validated(request.parsed_rules)), 0)
    return TournamentOptions(name, request.kind, request.rounds, terms, request.listed)


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
    return answer_of(tournament_data(tournament, visitor_id), status)


@router.get("", response_model=TournamentList)
async def mine(tournaments: All, name: Visitor) -> Response:
    """Return the tournaments that the visitor has created or entered, and the other listed ones."""
    own = await tournaments.of_visitor(name)
    known = {tournament.id for tournament in own}
    others = [tournament for tournament in await tournaments.listed() if tournament.id not in known]
    return answer_of(
        TournamentList(
            tournaments=tuple(tournament_data(tournament, name) for tournament in own),
            listed=tuple(tournament_data(tournament, name) for tournament in others),
        )
    )


@router.post(
    "", response_model=TournamentData, status_code=201, dependencies=[costs("create"), Depends(check_names)]
)
async def create(options: TournamentRequest, request: Request, tournaments: All, name: Renewed) -> Response:
    """Create a tournament, and enter it if a name is given; other visitors can enter by its URL."""
    entrant = entrant_of(options)
    made = await tournaments.create(name, options_of(options), storer(request, name), entrant)
    return _answer(made, name, 201)


@router.get("/{tournament}", response_model=TournamentData)
async def read(tournament: str, tournaments: All, name: Visitor) -> Response:
    """Return a tournament."""
    return _answer(await tournaments.find(tournament), name)


@router.post(
    "/{tournament}/join",
    response_model=TournamentData,
    dependencies=[costs("create", "name"), Depends(check_names)],
)
async def join(
    tournament: str, entry: EntryRequest, request: Request, tournaments: All, name: Renewed
) -> Response:
    """Enter the tournament; a visitor who has entered already is renamed."""
    entrant = _checked(entry.name)
    return _answer(await tournaments.enter(tournament, name, entrant, storer(request, name)), name)


@router.post("/{tournament}/computers", response_model=TournamentData, dependencies=[costs("create")])
async def add_computer(
    tournament: str, computer: ComputerRequest, tournaments: All, name: Visitor
) -> Response:
    """Enter a computer; only the tournament's creator may."""
    return _answer(await tournaments.add_computer(tournament, name, computer.player), name)


@router.post("/{tournament}/start", response_model=TournamentData, dependencies=[costs("create")])
async def start(tournament: str, request: Request, tournaments: All, name: Visitor) -> Response:
    """Start the first round; only the tournament's creator may."""
    return _answer(await tournaments.begin(tournament, name, storer(request, name)), name)


@router.post("/{tournament}/withdraw", response_model=TournamentData)
async def withdraw(
    tournament: str, tournaments: All, name: Visitor, withdrawal: WithdrawRequest | None = None
) -> Response:
    """Withdraw from the tournament; its creator may withdraw any entrant."""
    entrant = None if withdrawal is None else withdrawal.entrant
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
        await watcher.close(_NONE, RefusedMessage(**dict(ErrorBody.of(error))).to_json())
        return
    try:
        await watcher.serve()
    finally:
        tournaments.detach(tournament, watcher)
