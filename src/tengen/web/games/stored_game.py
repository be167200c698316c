"""The stored form of a game, and the columns that lists of games show."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The columns of a game that lists display and search.

    Attributes:
        rules: the name of the rules, such as ``"renju"``.
        size: the board's size as text, such as ``"15x15"``.
        opening: the opening rule; empty for none.
        black: Black's occupant, ``"human"`` or a player's spec.
        white: White's occupant, ``"human"`` or a player's spec.
        result: ``"black"``, ``"white"``, ``"draw"`` or ``"aborted"``; empty while the game is running.
        reason: the reason of the result, such as ``"five"``; empty while the game is running.
        plies: the number of stones played.
        black_name: the name of the person who plays Black; empty for none.
        white_name: the name of the person who plays White; empty for none.
        black_participant: the participant who plays Black, 1 or 2; 0 if one person has both seats or the
            participant is unknown.
    """

    rules: str
    size: str
    opening: str
    black: str
    white: str
    result: str
    reason: str
    plies: int
    black_name: str = ""
    white_name: str = ""
    black_participant: int = 0


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a rated game.

    Attributes:
        pool: the rating pool.
        black: the visitor who played Black.
        white: the visitor who played White.
        score: Black's score, 1, 0.5 or 0.
    """

    pool: str
    black: str
    white: str
    score: float


@dataclass(frozen=True, slots=True)
class Storer:
    """An account to which limited storage is charged; see `tengen.web.games.storage`.

    Attributes:
        visitor: the visitor's id.
        address: a keyed hash of the visitor's address.
        days: the number of days for which things created from the address count.
    """

    visitor: str
    address: str
    days: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game.

    Attributes:
        id: 128 random bits in URL-safe characters.
        version: a number that grows by one with every change.
        session: the session, as made by `Session.to_json`.
        room: the rest of the game as JSON: hashes of tokens, open seats and so on.
        summary: the columns that lists display and search.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        rated: the result to be rated; None for a running or unrated game.
        visitors: the visitors that the game refers to, as owners of seats or as the creator; None if they
            are unchanged in the table `game_visitors`, and in a loaded game.
        storer: the account to which a new game is charged; None for no charge.
    """

    id: str
    version: int
    session: str
    room: str
    summary: GameSummary
    created: float
    updated: float
    rated: RatedResult | None = None
    visitors: frozenset[str] | None = field(default=None, compare=False)
    storer: Storer | None = field(default=None, compare=False)
