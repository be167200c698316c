"""A game in memory: deserialised from its stored form, and serialised again."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from tengen.game.points import BLACK
from tengen.game.session import Session
from tengen.web.computing.board_json import COLOURS
from tengen.web.computing.spec_policy import spec_player
from tengen.web.games.left_alone import has_begun
from tengen.web.games.repository import GameRepository
from tengen.web.games.room_state import BOTH, RoomState, seat_name
from tengen.web.games.tables import GameSummary, RatedResult, StoredGame


@dataclass(slots=True)
class Snapshot:
    """A game in memory, as a copy of the stored game.

    Attributes:
        id: the game's id.
        session: the game.
        room_state: the state of its room.
        version: a number that grows by one with every change.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        named: the visitors that the database lists for this game, as in `RoomState.visitors`; None if
            unknown.
    """

    id: str
    session: Session
    room_state: RoomState
    version: int
    created: float
    updated: float
    named: frozenset[str] | None = None

    @classmethod
    def from_stored(cls, kept: StoredGame, started: float) -> Snapshot:
        """Return a snapshot of a stored game.

        Args:
            kept: the stored game.
            started: the start of the server, in Unix seconds; downtime before it is not charged to clocks.
        """
        away = max(0.0, time.time() - max(kept.updated, started))
        session = Session.from_json(kept.session, spec_player, away=away)
        room_state = RoomState.from_json(kept.room)
        named = room_state.visitors()
        return cls(kept.id, session, room_state, kept.version, kept.created, kept.updated, named)

    async def save_in(self, repository: GameRepository) -> None:
        """Save the game as its next version; the snapshot's version changes only after that succeeds.

        Raises:
            Conflict: another process has saved that version.
            StoreError: the database does not answer.
        """
        now, named = time.time(), self.room_state.visitors()
        changed = None if named == self.named else named
        stored = replace(self.to_stored(), version=self.version + 1, updated=now, visitors=changed)
        await repository.save(stored, self.version)
        self.version, self.updated, self.named = self.version + 1, now, named

    def to_stored(self) -> StoredGame:
        """Return the game in its stored form."""
        text, room = self.session.to_json(), self.room_state.to_json()
        shown = summary(self.session, self.room_state)
        rated = rated_result(self.session, self.room_state)
        stored = StoredGame(self.id, self.version, text, room, shown, self.created, self.updated, rated)
        return replace(stored, visitors=self.room_state.visitors())


def rated_result(session: Session, room_state: RoomState) -> RatedResult | None:
    """Return the result to be rated; None for a running, unrated or aborted game.

    A game counts for ratings only after both players have played a move or chosen an option.
    """
    result = session.result
    if room_state.rated is None or result is None or result.reason == "aborted" or not has_begun(session):
        return None
    black, white = (room_state.owners[session.player_of(colour)] for colour in COLOURS)
    if black is None or white is None or black == white:
        return None
    score = {BLACK: 1.0, None: 0.5}.get(result.winner, 0.0)
    return RatedResult(room_state.rated, black, white, score)


def summary(session: Session, room_state: RoomState) -> GameSummary:
    """Return the columns of a game that lists display and search."""
    rules, result = session.rules, session.result
    players = [session.player_of(colour) for colour in COLOURS]
    black, white = (session.seats[who].name for who in players)
    black_name, white_name = (seat_name(session, room_state, who) or "" for who in players)
    reason = "" if result is None else result.reason
    winner = "" if result is None else "draw" if result.winner is None else COLOURS[result.winner]
    winner = "aborted" if reason == "aborted" else winner
    opening = session.opening_name or ""
    first, second = (room_state.owners[who] for who in BOTH)
    shared = first is not None and first == second
    return GameSummary(
        rules.name,
        rules.size_text,
        opening,
        black,
        white,
        winner,
        reason,
        session.board.ply,
        black_name,
        white_name,
        0 if shared else players[0],
    )
