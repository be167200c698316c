"""Changes of seats during a game, and undoing them.

The client that controls the table may hand a seat to a computer, take over a computer's seat, or exchange
sides with it. A computer moves at once, and two of them would end a game before their moves could be seen.
Therefore two computers that come to play each other move at a minimum pace; and the change can be undone,
together with everything since, until a human plays again.
"""

from __future__ import annotations

from collections.abc import Iterable

from tengen.game.errors import NotAllowed
from tengen.game.session import Session
from tengen.game.session_state import Occupant
from tengen.web.computing.spec_policy import spec_player
from tengen.web.games.room_state import RoomState, SeatsBefore, humans

PACE = 1.0
"""Minimum seconds per move where two computers come to play each other: slow enough to be stopped."""


def hand_over(
    session: Session,
    room_state: RoomState,
    who: int,
    occupant: Occupant,
    owner: tuple[str | None, Iterable[str]] | None,
) -> None:
    """Give a seat to a new occupant.

    Args:
        session: the game; modified.
        room_state: the state of its room; modified.
        who: the participant whose seat it is.
        occupant: ``"human"``, or a player.
        owner: the seat's new owner, as a visitor and the hashes of its tokens; None to leave it unchanged.
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
    """Exchange the seats of the two participants."""
    before = _before(session, room_state, swapped=True)
    session.swap_sides()
    room_state.swap()
    room_state.before = before


def undo(session: Session, room_state: RoomState) -> None:
    """Undo the last change of seats and restore the game's state before it.

    Raises:
        NotAllowed: there is no change that can be undone.
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
        session.resume()  # the engine has become ready meanwhile


def close_seat(session: Session, room_state: RoomState) -> None:
    """Close the open seat, and resume a game that was paused until it was taken."""
    room_state.open = None
    if session.paused:
        session.resume()


def _before(session: Session, room_state: RoomState, *, swapped: bool) -> SeatsBefore:
    return SeatsBefore(session.moment(), swapped, room_state.open, room_state.pace, room_state.preparing)
