"""The kinds of analysis: best moves, forced wins, defences, and reviews of whole games.

An analysis runs in a worker of `tengen.web.computing.search_pool`. It can be interrupted at any time and
resumed later, except a search for continuous fours or threats, which would have to restart. It goes to its
worker and back for each run, by pickle where the worker is another process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, TypeVar

from tengen.engine.board.playable import check_analysable
from tengen.engine.info import Info, Ranking
from tengen.executors import report
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Colour, Point
from tengen.schemas.analysis import BestMovesData, DefencesProgress, InfoData, SearchTime
from tengen.schemas.base import Schema
from tengen.schemas.review import ReviewData, ReviewedPositionData, ReviewProgress
from tengen.schemas.solution import DefencesData, SolutionData, ThreatSet
from tengen.solver.results import Defences, PointsProgress, Solution
from tengen.study.review import (
    ReviewedPosition,
    Reviewer,
    check_reviewable,
    evaluator,
    summary,
)
from tengen.web.computing.cached_players import cached_player

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

Reporter: TypeAlias = Callable[[Schema], object]
"""A callback that receives intermediate results, in the thread of the search."""

_ENGINE = "engine,memory_mb=32"
"""The spec of each worker's engine, with its own transposition table."""

_threads = 1

_MOST_A_POSITION = 10.0
"""The most seconds per position of a review; the limit of nodes is reached long before."""


class Analysis(Protocol):
    """An analysis of a board.

    Attributes:
        urgency: the priority, smaller first, among a connection's analyses, of which one runs at a time.
        interruptible: whether an interrupted analysis can resume where it stopped.
    """

    urgency: ClassVar[int]
    interruptible: ClassVar[bool]

    def work(self, stop: threading.Event, report: Reporter) -> bool:
        """Search until the analysis is finished or `stop` is set.

        Args:
            stop: the signal to interrupt the search.
            report: receives intermediate results.

        Returns:
            True if the analysis is finished.
        """
        ...

    def note(self, reported: Schema) -> None:
        """Note an intermediate result that a worker has reported."""
        ...

    def progress(self, seconds: float) -> Schema | None:
        """Return a progress message to send after some seconds of running; None for none."""
        ...

    def result(self) -> Schema:
        """Return the result known so far, whether the analysis has finished or was stopped."""
        ...


A = TypeVar("A", bound=Analysis)


def run_slice(analysis: A, *, stop: threading.Event) -> tuple[bool, A]:
    """Run an analysis until it is finished or the signal is set; this is the work of a search, in a worker.

    Its intermediate results are reported.

    Returns:
        Whether it is finished, and the analysis as it is now.
    """
    return analysis.work(stop, report), analysis


def use_threads(count: int) -> None:
    """Have each engine of this process search with some threads: nothing else needs the processors."""
    global _threads  # noqa: PLW0603 - of the process
    _threads = count


def worker_engine() -> Engine:
    """Return this worker's engine, which may take a moment to load."""
    from tengen.engine.engine import Engine

    engine = cached_player(_ENGINE if _threads == 1 else f"{_ENGINE},threads={_threads}")
    assert isinstance(engine, Engine)
    return engine


class BestMoves:
    """A search for the best moves of a position by iterative deepening.

    Args:
        board: the position.
        lines: the number of moves.
        seconds: the limit of search time, without interruptions.
        nodes: the limit of nodes; None for no limit.
        depth: plies of the last iteration; None for no limit.
        allow: the only moves to consider; None for all.
        avoid: moves not to consider.
    """

    urgency: ClassVar[int] = 2
    interruptible: ClassVar[bool] = True

    def __init__(
        self,
        board: Board,
        lines: int,
        seconds: float,
        nodes: int | None,
        depth: int | None = None,
        allow: Collection[Point] | None = None,
        avoid: Collection[Point] = (),
    ) -> None:
        check_analysable(board)
        self._depth = depth
        self._allow, self._avoid = allow, avoid
        self._board = board
        self._lines = max(min(lines, len(board.legal_points())), 1)
        self._seconds = seconds
        self._nodes = nodes
        self._spent = 0.0
        self._spent_nodes = 0
        self._best: list[Info] = []
        self._noted: BestMovesData | None = None

    def work(self, stop: threading.Event, report: Reporter) -> bool:
        """Implement `Analysis.work`."""
        engine = worker_engine()
        began = time.perf_counter()
        ranking, nodes = Ranking(self._lines), 0
        nodes_left = None if self._nodes is None else max(self._nodes - self._spent_nodes, 1)
        limit = Limit(max(self._seconds - self._spent, 0.05), nodes_left, self._depth)
        for info in engine.infos(
            self._board, limit, self._lines, stop, allow=self._allow, avoid=self._avoid
        ):
            ranking.add(info)
            nodes = info.nodes
            if ranking.complete and self._is_reportable(ranking.infos):
                self._best = ranking.infos
                report(self._data(nodes, time.perf_counter() - began))
        if not self._best:
            self._best = ranking.infos
        self._spent += time.perf_counter() - began
        self._spent_nodes += nodes
        return not stop.is_set()

    def _is_reportable(self, infos: list[Info]) -> bool:
        """Return whether the search is at least as deep as before its interruption, or has found a mate."""
        return not self._best or infos[0].depth >= self._best[0].depth or infos[0].score.mate is not None

    def _data(self, nodes: int = 0, seconds: float = 0.0) -> BestMovesData:
        """Return the best moves; nodes and seconds are totals of the whole search with all its lines."""
        nodes, seconds = nodes + self._spent_nodes, seconds + self._spent
        spent = {
            "nodes": nodes,
            "nps": int(nodes / seconds) if seconds > 0 else 0,
            "seconds": round(seconds, 4),
        }
        rules = self._board.rules
        return BestMovesData(infos=tuple(InfoData.of(rules, info, **spent) for info in self._best))

    def note(self, reported: Schema) -> None:
        """Keep the best moves of the last report."""
        assert isinstance(reported, BestMovesData)
        self._noted = reported

    def progress(self, seconds: float) -> Schema | None:
        """Return None: each completed depth is reported by `work`."""
        return None

    def result(self) -> BestMovesData:
        """Return the best moves of the last report; after a run, with the totals of the search."""
        return self._data() if self._best or self._noted is None else self._noted


class ForcedWin:
    """A search for a forced win by continuous fours, or by continuous fours and open threes.

    Args:
        board: the position.
        attacker: the side that is to win.
        threats: the threats that it may make.
        limit: the limit of the search.
        shortest: whether the shortest win is wanted, by fours.
    """

    urgency: ClassVar[int] = 0
    interruptible: ClassVar[bool] = False

    def __init__(
        self, board: Board, attacker: Colour, threats: ThreatSet, limit: Limit, *, shortest: bool = False
    ) -> None:
        check_analysable(board)
        self._board, self._attacker, self._threats, self._shortest = board, attacker, threats, shortest
        self._limit = limit
        self._found = Solution(None, False, (), 0, 0, 0, 0.0)

    def work(self, stop: threading.Event, report: Reporter) -> bool:
        """Implement `Analysis.work`."""
        from tengen.solver.threats.vcf import solve_vcf
        from tengen.solver.threats.vct import solve_vct

        if self._threats == "fours":
            self._found = solve_vcf(self._board, self._limit, self._attacker, self._shortest, stop)
        else:
            self._found = solve_vct(self._board, self._limit, self._attacker, stop, threats=self._threats)
        return True

    def note(self, reported: Schema) -> None:
        """Do nothing: it reports nothing."""

    def progress(self, seconds: float) -> Schema | None:
        """Return the search time in seconds."""
        return SearchTime(seconds=round(seconds, 1))

    def result(self) -> Schema:
        """Return the result of the search."""
        return SolutionData.of(
            self._board, self._found, self._attacker, self._threats, shortest=self._shortest
        )


class DefenceSearch:
    """A search for the moves that stop a side's forced win, with the other side to move.

    Args:
        board: the position.
        attacker: the colour that threatens to win.
        threats: the threats that it may make.
        limit: the limit of the search.
    """

    urgency: ClassVar[int] = 0
    interruptible: ClassVar[bool] = False

    def __init__(self, board: Board, attacker: Colour, threats: ThreatSet, limit: Limit) -> None:
        check_analysable(board)
        self._board, self._attacker, self._threats, self._limit = board, attacker, threats, limit
        self._progress = DefencesProgress(seconds=0.0, settled=0, points=0)
        unknown = Solution(None, False, (), 0, 0, 0, 0.0)
        self._found = Defences(unknown, (), (), (), 0, 0.0)

    def work(self, stop: threading.Event, report: Reporter) -> bool:
        """Implement `Analysis.work`."""
        from tengen.solver.threats.root_moves import defences

        progress = _ReportedProgress(report)
        self._found = defences(
            self._board, self._limit, self._attacker, stop, threats=self._threats, progress=progress
        )
        return True

    def note(self, reported: Schema) -> None:
        """Keep the number of settled points, and of all points."""
        assert isinstance(reported, DefencesProgress)
        self._progress = reported

    def progress(self, seconds: float) -> Schema | None:
        """Return the search time in seconds, the number of settled points, and the number of all points."""
        return self._progress.model_copy(update={"seconds": round(seconds, 1)})

    def result(self) -> Schema:
        """Return the result of the search."""
        return DefencesData.of(self._board, self._found, self._attacker, self._threats)


class _ReportedProgress(PointsProgress):
    """The progress of a search for defences, reported whenever a point is settled.

    Args:
        report: receives it.
    """

    def __init__(self, report: Reporter) -> None:
        self._report, self._began = report, time.perf_counter()
        super().__init__()

    def __setattr__(self, name: str, value: object) -> None:
        """Report the new value of an attribute of the progress."""
        super().__setattr__(name, value)
        if name in ("settled", "points") and hasattr(self, "points"):
            seconds = round(time.perf_counter() - self._began, 1)
            self._report(DefencesProgress(seconds=seconds, settled=self.settled, points=self.points))


class GameReview:
    """A review of a game; see `tengen.study.review`.

    Args:
        board: the game's final position.
        nodes: the engine's limit of nodes for each position of the game.

    Raises:
        RulesError: games with these rules or on this board cannot be reviewed.
    """

    urgency: ClassVar[int] = 1
    interruptible: ClassVar[bool] = True

    def __init__(self, board: Board, nodes: int) -> None:
        check_reviewable(board.rules)
        self._board = board
        self._nodes = nodes
        self._reviewer = Reviewer(board)
        self._found: list[ReviewedPosition] = []

    def work(self, stop: threading.Event, report: Reporter) -> bool:
        """Implement `Analysis.work`."""
        # With a limit of time as well, the engine keeps its knowledge of earlier positions.
        evaluate = evaluator(self._board.rules, Limit(_MOST_A_POSITION, self._nodes), stop, worker_engine)
        while not self._reviewer.done:
            complete = None if stop.is_set() else self._reviewer.step(evaluate)
            if complete is None:
                return False
            self._found += complete
            for position in complete:
                if position.ply:
                    report(ReviewedPositionData.of(self._board, position, self._reviewer.total))
        return True

    def note(self, reported: Schema) -> None:
        """Do nothing: only the end of a review has a result."""

    def progress(self, seconds: float) -> Schema | None:
        """Return None: each reviewed position is reported by `work`."""
        return None

    def result(self) -> Schema:
        """Return the first position's verdict, which comes last, with the summary of the game.

        An unfinished review returns only the total number of positions.
        """
        total = self._reviewer.total
        if not self._reviewer.done:
            return ReviewProgress(total=total)
        return ReviewData.of_review(self._board, summary(self._board, self._found), total)
