"""Rules for ending a game whose opponent has not begun or has left.

A game that one side has not begun can be aborted. Later, if there is no clock, a player whose opponent has
been away for ten minutes may end the game as a draw or abort it; a win on time comes only from a clock,
which runs out by itself. In a tournament only the clock ends abandoned games.
"""

from __future__ import annotations

from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.games.room_state import BOTH, RoomState
from tengen.web.transport.http_errors import Refused

PATIENCE = 600.0
"""Seconds of the opponent's absence after which a player may end the game."""


def has_begun(session: Session) -> bool:
    """Return whether both sides have played a move or chosen an option."""
    return {action.by for action in session.actions} == set(BOTH)


def check_abort(session: Session, room_state: RoomState, by: int, away: float | None) -> None:
    """Check that a participant may abort a game.

    Args:
        session: the game.
        room_state: the state of its room.
        by: the participant who asks.
        away: seconds since the opponent disconnected; None if the opponent is connected.

    Raises:
        Refused: the game has begun, and it has a clock or the opponent has not been away for long enough;
            the opponent is a computer; or the game belongs to a tournament.
    """
    _check_people(session, room_state, by)
    if has_begun(session):
        _check_away(session, away)


def check_draw_claim(session: Session, room_state: RoomState, by: int, away: float | None) -> None:
    """Check that a participant may end a game as a draw because its opponent has left.

    Args:
        session: the game.
        room_state: the state of its room.
        by: the participant who asks.
        away: seconds since the opponent disconnected; None if the opponent is connected.

    Raises:
        Refused: the game has a clock or the opponent has not been away for long enough; the opponent is a
            computer; or the game belongs to a tournament.
    """
    _check_people(session, room_state, by)
    _check_away(session, away)


def _check_people(session: Session, room_state: RoomState, by: int) -> None:
    if room_state.tournament is not None:
        raise Refused("error.web.left.tournament")
    if session.seats[FIRST + SECOND - by].occupant != HUMAN:
        raise Refused("error.web.left.nobody")


def _check_away(session: Session, away: float | None) -> None:
    if session.control is not None:
        raise Refused("error.web.left.clock")
    if away is None:
        raise Refused("error.web.left.here")
    if away < PATIENCE:
        raise Refused("error.web.left.soon", minutes=round(PATIENCE / 60))
