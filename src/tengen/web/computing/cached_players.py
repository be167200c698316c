"""The players that a worker keeps ready; workers import this without anything of the server."""

from __future__ import annotations

import threading
from collections import OrderedDict

from tengen.game.player import Player
from tengen.players.registry import player

_KEPT = 4
"""The most players that a worker keeps ready."""


class _Players(threading.local):
    """The players of one worker, not shared because an engine can run only one search at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Player] = OrderedDict()

    def get(self, spec: str) -> Player:
        found = self._kept.pop(spec, None)
        if found is None:
            while len(self._kept) >= _KEPT:
                self._kept.popitem(last=False)
            found = player(spec)
        self._kept[spec] = found
        return found


_players = _Players()


def cached_player(spec: str) -> Player:
    """Return the player of a spec for the calling worker, which keeps it for later calls.

    Raises:
        SpecError: the spec names no player.
    """
    return _players.get(spec)
