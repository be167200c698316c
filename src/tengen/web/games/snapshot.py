"""A game in memory: what is kept of it, unpacked, and packed again."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tengen.game.session import Session
from tengen.web.games.ownership import Seating
from tengen.web.games.state_json import COLOURS
from tengen.web.games.tables import Saved, Summary
from tengen.web.server.spec_policy import guest


@dataclass(slots=True)
class Loaded:
    """A game in memory: a copy of what is kept.

    Attributes:
        id: of the game.
        session: the game.
        seating: who owns its seats.
        version: grows by one with every change.
        created: in Unix seconds.
        updated: likewise.
    """

    id: str
    session: Session
    seating: Seating
    version: int
    created: float
    updated: float

    @classmethod
    def unpack(cls, kept: Saved, started: float) -> Loaded:
        """A game that was kept.

        Args:
            kept: the game.
            started: when the server was, in Unix seconds: the time that it was down is nobody's.
        """
        away = max(0.0, time.time() - max(kept.updated, started))
        session = Session.from_json(kept.session, guest, away=away)
        seating = Seating.from_json(kept.room)
        return cls(kept.id, session, seating, kept.version, kept.created, kept.updated)

    def pack(self) -> Saved:
        """The game as it is kept."""
        text, room = self.session.to_json(), self.seating.to_json()
        shown = summary(self.session)
        return Saved(self.id, self.version, text, room, shown, self.created, self.updated)


def summary(session: Session) -> Summary:
    """What a list of games shows of one."""
    rules, result = session.rules, session.result
    black, white = (session.seats[session.player_of(colour)].name for colour in COLOURS)
    winner = "" if result is None else "draw" if result.winner is None else COLOURS[result.winner]
    reason = "" if result is None else result.reason
    opening = session.opening_name or ""
    return Summary(rules.name, rules.size_text, opening, black, white, winner, reason, session.board.ply)
