"""Where players, the engine and the solver think for visitors, a few at a time and each visitor in turn.

Textbook players and the levels that they play think in processes or on a cluster. The engine and its
levels think in threads of this process, because its compiled code lets other threads run meanwhile.
Analysis has as many threads of its own, which the operating system prefers less, so that one visitor's deep
analysis does not delay another's move.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from tengen.executors import Caller, Workers
from tengen.game.player import Player
from tengen.players.levels import needs_engine
from tengen.players.registry import player
from tengen.web.server.engine_warmup import Warmup
from tengen.web.server.metrics import Metrics
from tengen.web.server.shares import Shares

PATIENCE = 30.0
"""Seconds that a player thinks over a move before it is hurried."""

NICENESS = 10
"""How much less the threads of analysis are preferred than those in which players think; see nice(1)."""

_KEPT = 4
"""Players that a worker keeps ready."""

_UNATTENDED = "unattended"


class SearchPool:
    """The workers in which a server process lets others think.

    Args:
        engine_workers: threads, for the engine.
        player_workers: processes or a cluster, for all other players.
        analysis_workers: threads, for analysis.
        warmup: tells whether the engine is ready.
        patience: seconds that a player thinks over a move before it is hurried.
        metrics: where searches are counted; None for nowhere.

    Attributes:
        analysts: the connections that may ask for an analysis, by address.
        analyses_waiting: the analyses that wait for a worker, by address.
    """

    def __init__(
        self,
        engine_workers: Workers,
        player_workers: Workers,
        analysis_workers: Workers,
        warmup: Warmup,
        patience: float = PATIENCE,
        metrics: Metrics | None = None,
    ) -> None:
        self.engine_workers = engine_workers
        self.player_workers = player_workers
        self.analysis_workers = analysis_workers
        self.warmup = warmup
        self.patience = patience
        self.metrics = metrics or Metrics()
        self.analysts = Shares()
        self.analyses_waiting = Shares()
        self._unattended = {
            workers: workers.caller(_UNATTENDED) for workers in (engine_workers, player_workers)
        }

    def caller(self, spec: str, queue: str | None) -> Caller:
        """A way to the workers in which the player of a spec thinks.

        Args:
            spec: the player.
            queue: who asks; every queue has its turn. None for games that no person plays in: all of them
                together are one queue, so that they do not hold up those who wait for a move.
        """
        workers = self.engine_workers if needs_engine(spec) else self.player_workers
        return self._unattended[workers] if queue is None else workers.caller(queue)


class _Players(threading.local):
    """The players of one worker; an engine thinks about one thing at a time, so none is shared."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Player] = OrderedDict()

    def get(self, spec: str) -> Player:
        made = self._kept.pop(spec, None)
        if made is None:
            while len(self._kept) >= _KEPT:
                self._kept.popitem(last=False)
            made = player(spec)
        self._kept[spec] = made
        return made


_players = _Players()


def kept_player(spec: str) -> Player:
    """The player of a spec, for the worker that calls this; it may have been made before.

    Raises:
        SpecError: the spec names no player.
    """
    return _players.get(spec)
