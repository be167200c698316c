"""A game's state as its clients see it, and what has changed between two states."""

from __future__ import annotations

from itertools import takewhile

from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session_state import HUMAN
from tengen.schemas.base import Json
from tengen.schemas.game import (
    ClockData,
    DecisionData,
    GameStateData,
    OpeningData,
    RatingData,
    RequestData,
    SeatData,
)
from tengen.schemas.game_messages import MovesChange
from tengen.schemas.points import COLOURS, named
from tengen.schemas.position import board_fields
from tengen.schemas.sentence import Sentence
from tengen.web.games.game import Game

_FROM_MOVES = ("moves", "stones")


def game_state(game: Game) -> GameStateData:
    """Return the whole state of a game, with the present times of its clocks."""
    session, settings = game.session, game.settings
    board, result, actor, request = session.board, session.result, session.actor, session.request
    unaided, opening, decision = game.is_unaided, session.opening, session.decision
    fields = board_fields(board, result)
    # Where fouls must be claimed, players have to notice them without help.
    overlooked = unaided and board.rules.fouls == "claimed"
    if overlooked:
        fields["fouls"] = {}
    claimable = not overlooked and result in (None, board.outcome()) and board.claimable() is not None
    return GameStateData(
        **fields,
        id=game.id,
        version=game.version,
        claimable=claimable,
        offered=() if opening is None else named(board.rules, opening.offered),
        opening=None
        if opening is None or decision is None
        else OpeningData(name=opening.name, decision=DecisionData.of(board.rules, decision)),
        opening_rule=session.opening_name,
        seats=(_seat(game, FIRST), _seat(game, SECOND)),
        actor=actor,
        take_backs={
            name: session.seats[session.player_of(colour)].take_backs for colour, name in COLOURS.items()
        },
        take_backs_each=session.take_backs,
        control=None if session.control is None else str(session.control),
        request=None if request is None else RequestData.of(request),
        paused=session.paused or settings.stepping,
        preparing=settings.preparing,
        pace=settings.pace,
        thinking=actor is not None and not session.paused and actor not in game.humans,
        events=len(session.events),
        created=game.created,
        updated=game.updated,
        watchers=game.presence.watchers,
        again=settings.again,
        rematch=settings.rematch,
        rated=settings.rated,
        tournament=settings.organiser,
        begun=game.has_begun,
        unaided=unaided,
        undoable=settings.before is not None,
        notice=None if settings.notice is None else Sentence.of(settings.notice),
    )


def _seat(game: Game, who: int) -> SeatData:
    session, holder = game.session, game.settings.holders[who]
    seat, left, clock = session.seats[who], session.time_left(who), session.clock(who)
    human = seat.occupant == HUMAN
    running = who == session.actor and not session.paused and not game.settings.stepping
    return SeatData(
        participant=who,
        colour=COLOURS[session.colour_of(who)],
        occupant=seat.name,
        name=holder.name if human else None,
        rating=RatingData(**holder.rating) if human and holder.rating is not None else None,
        take_backs=seat.take_backs,
        clock=None
        if clock is None or left is None
        else ClockData(left=round(left, 3), periods=clock.periods, running=running),
        open=game.settings.open == who,
        connected=who in game.presence.connected,
    )


def changed_fields(before: GameStateData, after: GameStateData) -> Json:
    """Return the fields that have another value in the second of two states, except moves and stones."""
    names = {
        name
        for name in GameStateData.model_fields
        if name not in _FROM_MOVES and getattr(before, name) != getattr(after, name)
    }
    return after.model_dump(mode="json", include=names)


def changed_moves(before: GameStateData, after: GameStateData) -> MovesChange | None:
    """Return how the moves of the second of two states follow from those of the first; None if equal."""
    if before.moves == after.moves:
        return None
    pairs = zip(before.moves, after.moves, strict=False)
    keep = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return MovesChange(keep=keep, add=after.moves[keep:])
