"""Seats that change hands in a game, and how that is taken back.

Whoever decides for the whole table may let a computer play on, play for one, or change sides with it. A
computer moves at once, and two of them would end a game before anybody has seen a move of theirs. So two
that come to play each other take their time; and the change can be taken back, with all that has happened
since, until somebody plays by hand again.
"""

from __future__ import annotations

from collections.abc import Iterable

from tengen.game.errors import NotAllowed
from tengen.game.session import Session
from tengen.game.session_state import Occupant
from tengen.web.games.room_state import RoomState, SeatsBefore, humans
from tengen.web.server.spec_policy import spec_player

PACE = 1.0
"""Seconds a move, at least, where computers come to play each other: slow enough to be stopped."""


def hand_over(
    session: Session,
    room_state: RoomState,
    who: int,
    occupant: Occupant,
    owner: tuple[str | None, Iterable[str]] | None,
) -> None:
    """Let somebody else sit on a seat.

    Args:
        session: the game; changed.
        room_state: who owns its seats; changed.
        who: the participant whose seat it is.
        occupant: ``"human"``, or a player.
        owner: whose seat it is from now on, a visitor and the hashes of its tokens; None where that stays.
    """
    before = _before(session, room_state, swapped=False)
    if owner is not None:
        room_state.give(who, *owner)
    if room_state.open == who:
        close_seat(session, room_state)
    if session.seats[who].occupant == occupant:
        return
    session.hand_over(who, occupant)
    room_state.before = before
    if not humans(session):
        room_state.pace = max(room_state.pace, PACE)


def swap_sides(session: Session, room_state: RoomState) -> None:
    """Let the two exchange their seats."""
    before = _before(session, room_state, swapped=True)
    session.swap_sides()
    room_state.swap()
    room_state.before = before


def undo(session: Session, room_state: RoomState) -> None:
    """Take the last change of seats back: the game stands as it did before.

    Raises:
        NotAllowed: there is none that could be.
    """
    before = room_state.before
    if before is None:
        raise NotAllowed("error.web.undo")
    session.restore(before.session, spec_player)
    if before.swapped:
        room_state.swap()
    room_state.open, room_state.pace = before.open, before.pace
    room_state.stepping, room_state.before = False, None
    if before.preparing and not room_state.preparing:
        session.resume()  # the engine has come to be ready meanwhile


def close_seat(session: Session, room_state: RoomState) -> None:
    """Nobody is waited for any more; a game that stood still until then goes on."""
    room_state.open = None
    if session.paused:
        session.resume()


def _before(session: Session, room_state: RoomState, *, swapped: bool) -> SeatsBefore:
    return SeatsBefore(session.moment(), swapped, room_state.open, room_state.pace, room_state.preparing)
