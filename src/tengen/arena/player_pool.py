"""A pool of players, so that an external program is started once and not for every game.

A game borrows a player, and no other game uses it until it is returned. An idle player stays in the pool of
this process until a game asks for its spec, or until `close_players`. A player that remembers earlier games
has a method `clear`, which is called before its next game: a game must not depend on the games played
before it in this process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tengen.game.player import Player
from tengen.players import registry

_MAX_IDLE = 8
"""The most idle players in the pool; beyond it the player that has been idle longest is closed."""

_lock = threading.Lock()
_idle: list[tuple[str, Player]] = []
"""Specs and players, the longest idle first."""


@contextmanager
def borrowed(spec: str) -> Iterator[Player]:
    """Lend a player of this spec to one game.

    Raises:
        SpecError: the spec names no player.
    """
    player = _take_idle(spec) or registry.player(spec)
    try:
        yield player
    except BaseException:
        # The player may be in the middle of a move, so it is not used again.
        close_player(player)
        raise
    with _lock:
        _idle.append((spec, player))
        evicted = _idle[:-_MAX_IDLE]
        del _idle[:-_MAX_IDLE]
    _close(evicted)


def close_players() -> None:
    """Close all idle players of this process, and end the programs behind them."""
    with _lock:
        idle = _idle[:]
        _idle.clear()
    _close(idle)


def close_player(player: Player) -> None:
    """Close a player that has a method `close`: this ends the program behind it."""
    close = getattr(player, "close", None)
    if callable(close):
        close()


def clear_player(player: Player) -> None:
    """Let a player that has a method `clear` forget the games played before."""
    clear = getattr(player, "clear", None)
    if callable(clear):
        clear()


def _take_idle(spec: str) -> Player | None:
    """Take an idle player of this spec out of the pool, cleared for a new game."""
    with _lock:
        index = next((index for index, (idle_spec, _) in enumerate(_idle) if idle_spec == spec), None)
        if index is None:
            return None
        _, player = _idle.pop(index)
    clear_player(player)
    return player


def _close(entries: list[tuple[str, Player]]) -> None:
    for _, player in entries:
        close_player(player)
