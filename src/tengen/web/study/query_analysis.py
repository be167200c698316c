"""The analysis of one position of a query."""

from __future__ import annotations

import threading
from typing import ClassVar

from tengen.queries.query_queue import Query
from tengen.queries.search import answer_of, forced_win, static_data
from tengen.schemas.analysis import BestMovesData, InfoData
from tengen.schemas.base import Schema
from tengen.schemas.queries import AnalysisAnswer, NoResults, StaticData
from tengen.schemas.solution import SolutionData
from tengen.web.study.analyses import BestMoves, Reporter, worker_engine

MOST_SECONDS = 600
"""The longest time of a search whose query does not limit it otherwise."""


class QueryAnalysis:
    """An `tengen.web.study.analyses.Analysis` of a query: its static data, best moves, and forced win.

    Args:
        query: the query.
    """

    urgency: ClassVar[int] = 2
    interruptible: ClassVar[bool] = True

    def __init__(self, query: Query) -> None:
        limit = query.limit
        seconds = MOST_SECONDS if limit.seconds is None else limit.seconds
        self.query = query
        self._static: StaticData | None = None
        self._moves = BestMoves(
            query.board, query.lines, seconds, limit.nodes, limit.depth, query.allow, query.avoid
        )
        self._moves_found = False
        self._latest: BestMovesData | None = None
        self._win: SolutionData | None = None

    @property
    def seeks_win(self) -> bool:
        """True while it searches for a forced win, which would have to restart after an interruption."""
        return self._moves_found

    @property
    def infos(self) -> tuple[InfoData, ...]:
        """The best moves so far, the best first."""
        if self._latest is None or self._moves_found:
            return self._moves.result().infos
        return self._latest.infos

    def work(self, stop: threading.Event, report: Reporter) -> bool:
        """Implement `Analysis.work`."""
        if self._static is None:
            self._static = static_data(worker_engine(), self.query)
            report(self._static)
        self._moves_found = self._moves_found or self._moves.work(stop, report)
        if not self._moves_found:
            return False
        self._win = forced_win(self.query, stop)
        return True

    def note(self, reported: Schema) -> None:
        """Keep what takes no search, and the best moves of the last report."""
        if isinstance(reported, StaticData):
            self._static = reported
        elif isinstance(reported, BestMovesData):
            self._latest = reported

    def progress(self, seconds: float) -> Schema | None:
        """Return None: each completed depth is reported by `work`."""
        return None

    def result(self) -> Schema:
        """Return the last answer, or none if nothing was found."""
        return self.answer(final=True) or NoResults(id=self.query.id, turn=self.query.turn, final=True)

    def answer(self, *, final: bool, limited: str | None = None) -> AnalysisAnswer | None:
        """Return an answer with what is known so far; None if that is nothing.

        Args:
            final: false for a report.
            limited: the reason why the search has been ended early.
        """
        infos = self.infos
        if not any(info.depth for info in infos):
            return None
        static = self._static or StaticData()
        win = self._win if final else None
        return answer_of(self.query, infos, static, final=final, win=win, limited=limited)
