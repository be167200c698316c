"""The games of a page as data, to be saved to a file and read in another browser.

The page's JavaScript adds settings and progress, which it keeps itself, and makes the file
(`static/browser/data_file.js`).
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, StrictBool, StrictInt, StrictStr
from sqlalchemy.engine import Connection

from tengen.game.errors import GameOver, NotAllowed
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.schemas.base import Json, Schema
from tengen.web.computing.spec_policy import allowed_occupant, spec_player
from tengen.web.games import game_lists, game_rows
from tengen.web.games.game import BOTH, Game, Settings
from tengen.web.games.game_storage import from_stored, to_stored
from tengen.web.games.games_api import LiveRooms, Visitor
from tengen.web.games.rooms import Rooms
from tengen.web.transport.http_errors import answer_of
from tengen.web.transport.request_bodies import validated

router = APIRouter(prefix="/api/data")

_MOST = 1_000_000
"""More games than a browser keeps."""

_SLOWEST = 3600.0
"""The most seconds between the moves of computers."""

_Id = Annotated[StrictStr, Field(pattern=r"^[\w-]{22}$")]
_Time = Annotated[float, Field(ge=0, le=1e11)]


class PortableGame(Schema):
    """A game without what belongs to one browser: there is one person, who has made it and sits there."""

    id: _Id
    version: Annotated[StrictInt, Field(ge=1, le=_MOST)]
    created: _Time
    updated: _Time
    session: Json
    """The game itself, as a session saves it: players, clocks, requests, and all that has happened."""
    seats: tuple[Annotated[StrictInt, Field(ge=1, le=2)], ...] = Field(max_length=2)
    """The participants whose seats are the person's."""
    pace: Annotated[float, Field(ge=0, le=_SLOWEST)] = 0.0
    """The fewest seconds between the moves of computers."""
    stepping: StrictBool = False
    """Whether a paused game between computers runs for one move."""
    again: _Id | None = None
    """The next game."""

    @classmethod
    def of(cls, game: Game) -> PortableGame:
        """Return a game as data."""
        settings = game.settings
        return cls(
            id=game.id,
            version=game.version,
            created=game.created,
            updated=game.updated,
            session=json.loads(game.session.to_json()),
            seats=tuple(who for who in BOTH if settings.holders[who].visitor is not None),
            pace=settings.pace,
            stepping=settings.stepping,
            again=settings.again,
        )

    def game(self, visitor: str) -> Game:
        """Return the game, whose clocks stand still until the person goes on with it.

        Args:
            visitor: the person in this browser.

        Raises:
            TengenError: the session is damaged, or a seat has a player that is not allowed.
        """
        session = Session.from_json(json.dumps(self.session), spec_player)
        for seat in session.seats.values():
            if seat.occupant != HUMAN:
                allowed_occupant(seat.name, session.rules)
        settings = Settings(creator=visitor, pace=self.pace, stepping=self.stepping, again=self.again)
        if session.control is not None:
            with suppress(GameOver, NotAllowed):
                session.pause()
                settings.stepping = False
        for who in self.seats:
            settings.holders[who].visitor = visitor
        # A clock that was wrong must not make a game newer than all that comes.
        updated = min(self.updated, time.time())
        return Game(self.id, session, settings, self.version, self.created, updated)


class PortableGames(Schema):
    """All games of a browser."""

    games: tuple[PortableGame, ...] = Field(max_length=_MOST)


class ReadGames(Schema):
    """The ids of games that were read."""

    added: tuple[str, ...]
    """Those that were not there."""
    renewed: tuple[str, ...]
    """Those that were there as they had been earlier."""


@router.get("", response_model=PortableGames)
async def save(rooms: LiveRooms, visitor: Visitor) -> Response:
    """Return all games on the person's list."""
    listed, _ = await rooms.repository.read(game_lists.games_of, visitor, limit=_MOST)
    games = [await _as_it_stands(game.id, rooms) for game in listed]
    return answer_of(PortableGames(games=tuple(game for game in games if game is not None)))


async def _as_it_stands(game: str, rooms: Rooms) -> PortableGame | None:
    """Return a game with the time that its clock has run since its last move; None if it is gone."""
    with rooms.room(game) as room:
        if room.version:
            return await room.read(PortableGame.of)
    # One that nobody looks at need not start its computers.
    stored = await rooms.repository.read(game_rows.load, game)
    return None if stored is None else PortableGame.of(from_stored(stored, spec_player))


@router.post("", response_model=ReadGames)
async def add(given: PortableGames, rooms: LiveRooms, visitor: Visitor) -> Response:
    """Add games to the person's, all or none; of two states of a game the newer one stays."""
    games = validated(lambda: [game.game(visitor) for game in given.games])
    found = await rooms.repository.write("", _write, games, visitor)
    for game in found.renewed:
        with rooms.room(game) as room:
            await room.refresh()
    return answer_of(found)


def _write(connection: Connection, games: list[Game], visitor: str) -> ReadGames:
    added, renewed = [], []
    for game in games:
        stored, known = to_stored(game), game_rows.load(connection, game.id)
        if known is None:
            game_rows.create(connection, stored)
            added.append(game.id)
        elif known.updated < stored.updated:
            version = max(known.version + 1, stored.version)
            game_rows.save(connection, replace(stored, version=version), known.version)
            renewed.append(game.id)
        own = next((who for who in BOTH if game.settings.holders[who].visitor), None)
        game_lists.join(connection, game.id, visitor, own)
    return ReadGames(added=tuple(added), renewed=tuple(renewed))
