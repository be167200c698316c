"""Games that the page has begun before Python was there, which go on in rooms as if they had begun there.

The page has given such a game its id and tokens, and has played by the kernels alone
(`static/browser/early_game.js`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field, StrictInt, StrictStr

from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.player import Score
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.schemas.base import Schema
from tengen.schemas.game import GameRequest, SeatTokens, StartedGame
from tengen.schemas.position import MOST_MOVES, PointText
from tengen.web.computing.spec_policy import allowed_occupant, spec_player
from tengen.web.games.game import Game, Settings, hashed
from tengen.web.games.games_api import LiveRooms
from tengen.web.games.senders import sender
from tengen.web.games.terms import GameTerms
from tengen.web.transport.errors import NoSuchGame, WrongFields
from tengen.web.transport.http_errors import answer_of
from tengen.web.transport.limits import costs
from tengen.web.transport.request_bodies import validated
from tengen.web.transport.visitors import renew_visitor

router = APIRouter()

_LONGEST = 1e6
"""The most seconds of a move."""

_MOST_CENTI_UNITS = 1_000_000

_Id = Annotated[StrictStr, Field(pattern=r"^[\w-]{22}$")]


class EarlyMove(Schema):
    """A move of an early game, by whoever was to move."""

    point: PointText
    seconds: Annotated[float, Field(ge=0, le=_LONGEST)]
    """The time used for it."""
    value: Annotated[StrictInt, Field(ge=-_MOST_CENTI_UNITS, le=_MOST_CENTI_UNITS)] | None = None
    """A computer's score, in centi-units; null for a move of a person."""
    mate: Annotated[StrictInt, Field(ge=-MOST_MOVES, le=MOST_MOVES)] | None = None
    """Plies to a proven end, below 0 for a loss; the value does not matter then."""

    @property
    def score(self) -> Score | None:
        """The computer's score."""
        if self.mate is not None:
            return Score.win_in(self.mate) if self.mate > 0 else Score.loss_in(-self.mate)
        return None if self.value is None else Score(self.value)


class EarlyGame(Schema):
    """A game that the page has begun."""

    id: _Id
    game: GameRequest
    """The request by which it was begun."""
    seats: SeatTokens
    """The tokens that the page has given to its people."""
    moves: tuple[EarlyMove, ...] = Field(max_length=MOST_MOVES)


@router.post(
    "/api/games/early", status_code=201, response_model=StartedGame, dependencies=[costs("create")]
)
async def take_over(
    early: EarlyGame, request: Request, rooms: LiveRooms, name: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Go on with a game that the page has begun; one that goes on already is answered as it stands."""
    who = sender(request, name)
    with suppress(NoSuchGame), rooms.room(early.id) as room:
        started = StartedGame(id=early.id, seats=early.seats, state=await room.state(who))
        return answer_of(started, 201)
    game = validated(lambda: _game(early, name))
    tokens = {FIRST: early.seats.black, SECOND: early.seats.white}
    return answer_of(await rooms.begin(game, tokens, who), 201)


def _game(early: EarlyGame, visitor: str) -> Game:
    """Return an early game after its moves.

    Raises:
        TengenError: it is no game that a visitor may begin, or a move is not legal.
        WrongFields: a seat of a person has no token, or another seat has one.
    """
    request, settings = early.game, Settings(creator=visitor)
    terms = GameTerms.of(request, request.board(), request.take_backs)
    for who, spec, token in (
        (FIRST, request.black, early.seats.black),
        (SECOND, request.white, early.seats.white),
    ):
        if (spec == HUMAN) != (token is not None):
            raise WrongFields("error.web.field_missing", field="seats")
        if token is not None:
            holder = settings.holders[who]
            holder.visitor, holder.tokens = visitor, [hashed(token)]
    first, second = (allowed_occupant(spec, terms.rules) for spec in (request.black, request.white))
    session = _after(terms.session(first, second, consent=False), early.moves)
    return Game(early.id, session, settings, version=1 + len(early.moves))


def _after(session: Session, moves: tuple[EarlyMove, ...]) -> Session:
    """Return a game that has just begun after some moves, each of which has taken its seconds.

    Raises:
        TengenError: a move is not legal.
    """
    elapsed = 0.0
    played = Session.from_json(session.to_json(), spec_player, lambda: elapsed)
    for move in moves:
        elapsed += move.seconds
        played.play(move.point, played.actor, move.score)
    return Session.from_json(played.to_json(), spec_player)
