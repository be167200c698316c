"""The HTTP API of games: creating, reading, playing, joining and rematches; and a visitor's list of games.

`tengen.web.games.live` is the WebSocket API. Both pass the same messages to the room.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import asdict
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from tengen.formats import jsonformat
from tengen.formats.files import FORMATS
from tengen.game.notation import shorten
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.record import Record
from tengen.game.session_state import HUMAN
from tengen.schemas.files import GameRecord
from tengen.schemas.game import (
    AgainRequest,
    GameList,
    GameRequest,
    GameStateData,
    GameSummaryData,
    HintData,
    JoinedGame,
    ListedGameData,
    MoveRequest,
    OfferedGame,
    StartedGame,
)
from tengen.schemas.game_messages import QueryMessage
from tengen.schemas.points import COLOURS
from tengen.web.computing.job_queue import while_connected
from tengen.web.computing.record_files import record_file
from tengen.web.database.repository import Repository
from tengen.web.games import game_lists
from tengen.web.games.client_messages import ClientMessage, perform
from tengen.web.games.commands import Move
from tengen.web.games.game import Game, Sender, hashed
from tengen.web.games.game_lists import ListedGame
from tengen.web.games.rooms import Rooms
from tengen.web.games.senders import charge, sender
from tengen.web.games.terms import GameTerms
from tengen.web.transport.errors import WrongFields
from tengen.web.transport.http_errors import answer_of, file_responses
from tengen.web.transport.limits import costs
from tengen.web.transport.request_bodies import validated
from tengen.web.transport.services import service_of
from tengen.web.transport.visitors import renew_visitor, visitor, visitor_of

router = APIRouter(prefix="/api/games", tags=["games"])

_LISTED = 30
_LONG = 100
"""The number of initial moves (or characters of them) above which validation runs in a thread."""

Visitor: TypeAlias = Annotated[str, Depends(visitor)]


def rooms_of(request: Request) -> Rooms:
    """Return this process's games."""
    return service_of(request, Rooms)


def sender_of(
    request: Request, name: Visitor, authorization: Annotated[str | None, Header(max_length=500)] = None
) -> Sender:
    """Return the sender of a request: its visitor, with the bearer token of the Authorization header."""
    kind, _, token = (authorization or "").partition(" ")
    hashes = (hashed(token.strip()),) if kind.lower() == "bearer" and token.strip() else ()
    return sender(request, name, hashes)


Who: TypeAlias = Annotated[Sender, Depends(sender_of)]
LiveRooms: TypeAlias = Annotated[Rooms, Depends(rooms_of)]


@router.post("", status_code=201, response_model=StartedGame, dependencies=[costs("create")])
async def create(
    game: GameRequest, request: Request, rooms: LiveRooms, name: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Begin a game."""
    # Validating many moves takes a while and must not block the event loop.
    long = len(game.moves) > _LONG
    start = await asyncio.to_thread(validated, game.board) if long else validated(game.board)
    made = await rooms.create(
        GameTerms.of(game, start, game.take_backs),
        sender(request, name),
        black=game.black,
        white=game.white,
        open_seat=_open_seat(game),
        pace=game.pace,
    )
    return answer_of(made, 201)


def _open_seat(game: GameRequest) -> int | None:
    if game.open != "random":
        return {"black": FIRST, "white": SECOND, None: None}[game.open]
    people = [who for who, spec in ((FIRST, game.black), (SECOND, game.white)) if spec == HUMAN]
    return secrets.choice(people or [FIRST])


@router.get("", response_model=GameList)
async def mine(
    request: Request,
    name: Visitor,
    q: Annotated[str, Query(max_length=200)] = "",
    status: Literal["all", "running", "over"] = "all",
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Return the visitor's games, most recently changed first."""
    read = service_of(request, Repository).read
    found, total = await read(game_lists.games_of, name, q, status, offset, _LISTED)
    return answer_of(GameList(games=tuple(map(_listed, found)), total=total))


def _listed(game: ListedGame) -> ListedGameData:
    return ListedGameData(
        id=game.id,
        summary=GameSummaryData(**asdict(game.summary)),
        created=game.created,
        updated=game.updated,
        participant=game.participant,
        colour=game.colour,
    )


@router.get("/{game}", response_model=GameStateData)
async def state(game: str, request: Request, rooms: LiveRooms) -> Response:
    """Return a game's state."""
    with rooms.room(game) as room:
        return answer_of(await room.state(sender(request, visitor_of(request))))


@router.delete("/{game}", status_code=204)
async def forget(game: str, request: Request, name: Visitor) -> Response:
    """Remove a game from the visitor's list; the game itself stays."""
    await service_of(request, Repository).write(game, game_lists.forget, game, name)
    return Response(status_code=204)


@router.get(
    "/{game}/record",
    response_model=GameRecord,
    responses=file_responses("application/octet-stream"),
    dependencies=[costs("heavy")],
)
async def record(
    game: str, rooms: LiveRooms, name: Annotated[str, Query(alias="format", max_length=20)] = "sgf"
) -> Response:
    """Return the game as a file of any format; the format ``tengen`` is JSON with the record itself."""
    with rooms.room(game) as room:
        made = await room.read(named_record)
    if name == "tengen":
        return answer_of(GameRecord(record=jsonformat.game_data(made)))
    if f".{name.lower()}" not in FORMATS:
        formats = ("tengen", *(suffix[1:] for suffix in FORMATS))
        raise WrongFields("error.web.format", format=shorten(name), formats=formats)
    data, lost = await asyncio.to_thread(record_file, made, f".{name.lower()}")
    headers = {"Content-Disposition": f'attachment;filename="tengen-{game[:6]}.{name.lower()}"', **lost}
    return Response(data, 200, headers, "application/octet-stream")


def named_record(game: Game) -> Record:
    """Return a game's record with its players' names; scores are removed while help is not allowed."""
    named = ((colour, game.name(game.session.player_of(colour))) for colour in COLOURS)
    record = game.session.record({COLOURS[colour]: name for colour, name in named if name})
    if game.is_unaided:
        # A computer's evaluation would help the players.
        for node in record.main_line():
            node.score = None
    return record


@router.post("/{game}/moves", response_model=GameStateData, dependencies=[costs("message")])
async def play(game: str, move: MoveRequest, rooms: LiveRooms, who: Who) -> Response:
    """Play a point."""
    message = Move(type="move", point=move.point, ply=move.ply)
    with rooms.room(game) as room:
        await room.apply(message, who)
        return answer_of(await room.state())


@router.post("/{game}/actions", response_model=GameStateData | HintData)
async def act(game: str, message: ClientMessage, request: Request, rooms: LiveRooms, who: Who) -> Response:
    """Apply a message of the kinds that the WebSocket accepts."""
    charge(request, message.type)
    with rooms.room(game) as room:
        if isinstance(message, QueryMessage) and message.type == "hint":
            return answer_of(await while_connected(request, room.hint(who)))
        await perform(message, rooms, game, who)
        return answer_of(await room.state())


@router.post("/{game}/join", response_model=JoinedGame)
async def join(game: str, rooms: LiveRooms, who: Who) -> Response:
    """Take the open seat."""
    return answer_of(await rooms.join(game, who))


@router.post(
    "/{game}/again",
    status_code=201,
    response_model=StartedGame,
    responses={202: {"model": OfferedGame}},
    dependencies=[costs("create")],
)
async def again(game: str, rooms: LiveRooms, who: Who, next_game: AgainRequest | None = None) -> Response:
    """Begin another game with the same settings; 202 if it is only offered to the opponent."""
    made = await rooms.again(game, who, swap=next_game is not None and next_game.swap)
    if made is None:
        return answer_of(OfferedGame(), 202)
    return answer_of(made, 201)
