"""What somebody may do whose opponent does not begin, or has left.

A game that one side has not begun can be called off. Later, where there is no clock, whoever is left alone
for ten minutes may end the game as a draw, or without a result; a win comes only from a clock, which runs
out by itself. In a tournament the clock decides alone.
"""

from __future__ import annotations

from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.games.room_state import BOTH, RoomState
from tengen.web.server.http_errors import Refused

PATIENCE = 600.0
"""Seconds for which the opponent has to have been away."""


def has_begun(session: Session) -> bool:
    """Whether both sides have played or chosen something."""
    return {action.by for action in session.actions} == set(BOTH)


def check_abort(session: Session, room_state: RoomState, by: int, away: float | None) -> None:
    """Refuse to end a game without a result.

    Args:
        session: the game.
        room_state: who owns its seats.
        by: the participant who asks.
        away: seconds for which nobody of the other side has been connected; None if somebody is.

    Raises:
        Refused: it has begun, and the opponent has not been away for so long, or there is a clock; nobody
            else plays; or it is a game of a tournament.
    """
    _check_people(session, room_state, by)
    if has_begun(session):
        _check_away(session, away)


def check_draw_claim(session: Session, room_state: RoomState, by: int, away: float | None) -> None:
    """Refuse to end a game as a draw; arguments as for `check_abort`.

    Raises:
        Refused: the opponent has not been away for so long, or there is a clock; nobody else plays; or it
            is a game of a tournament.
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
