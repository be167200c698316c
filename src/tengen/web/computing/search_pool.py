"""The workers in which players, the engine and the solver think for visitors, a few at a time and in turn.

Textbook players, and the levels that use them, run in processes or on a cluster. The engine and its levels
run in threads of this process, because its compiled code releases the GIL. Analysis has as many threads of
its own, with a lower priority, so that one visitor's deep analysis does not delay another's move.
"""

from __future__ import annotations

from tengen.executors import Caller, Workers
from tengen.players.levels import needs_engine
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.shares import Shares
from tengen.web.transport.metrics import Metrics

PATIENCE = 30.0
"""Seconds after which a player that still thinks over a move is hurried."""

NICENESS = 10
"""The niceness of the threads for analysis, above that of the threads in which players think; see
nice(1)."""

_UNATTENDED = "unattended"


class SearchPool:
    """The workers in which a server process runs its searches.

    Args:
        engine_workers: threads, for the engine.
        player_workers: processes or a cluster, for all other players.
        analysis_workers: threads, for analysis.
        warmup: the preparation of the engine.
        patience: seconds after which a player that still thinks over a move is hurried.
        metrics: the metrics that count searches; None for none.

    Attributes:
        analysts: the connections that may request an analysis, counted by address.
        analyses_waiting: the analyses that wait for a worker, counted by address.
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
        """Return a caller of the workers in which the player of a spec thinks.

        Args:
            spec: the player.
            queue: the name of the queue; the queues are served in turn. None for games in which no person
                plays: these share one queue, so that they do not delay people who wait for a move.
        """
        workers = self.engine_workers if needs_engine(spec) else self.player_workers
        return self._unattended[workers] if queue is None else workers.caller(queue)
