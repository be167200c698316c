"""Players kept between games, so that a program is started once and not for every game.

A game borrows its players and returns them; no other game has them meanwhile. An idle player waits in
this process until the next game asks for the same spec, or until `close_players`. A player that remembers
its former moves has a method `clear`, and forgets them before the next game, so that no game depends on
those that happened to be played before it in the same process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tengen.game.player import Player
from tengen.players.registry import player

_MOST = 8
"""Players that wait at once; beyond it the one that has waited longest goes."""

_lock = threading.Lock()
_waiting: list[tuple[str, Player]] = []


@contextmanager
def borrowed(spec: str) -> Iterator[Player]:
    """A player of this spec, for this game alone.

    Raises:
        SpecError: the spec names no player.
    """
    made = _taken(spec) or player(spec)
    try:
        yield made
    except BaseException:
        # Nobody knows what state it is in.
        close_player(made)
        raise
    with _lock:
        _waiting.append((spec, made))
        gone = _waiting[:-_MOST]
        del _waiting[:-_MOST]
    for _, old in gone:
        close_player(old)


def close_players() -> None:
    """End the programs behind all players of this process that no game has now."""
    with _lock:
        gone = _waiting[:]
        _waiting.clear()
    for _, old in gone:
        close_player(old)


def _taken(spec: str) -> Player | None:
    with _lock:
        place = next((place for place, (waiting, _) in enumerate(_waiting) if waiting == spec), None)
        if place is None:
            return None
        _, made = _waiting.pop(place)
    clear = getattr(made, "clear", None)
    if callable(clear):
        clear()
    return made


def close_player(made: Player) -> None:
    """End the program of a player, if it has one."""
    close = getattr(made, "close", None)
    if callable(close):
        close()
