"""Iterative deepening: the same search, one ply deeper each time, until the time is up.

Several threads deepen on one transposition table (lazy SMP): what one has found, the others need not
search. They differ in the depth at which they begin; the first of them reports the results. The search
itself is compiled (`tengen.engine.search.deepening_kernel`); this module runs the threads, the clock and
the stop flag.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import SCRATCH, Record, borrowed_record, copy_of
from tengen.engine.search.deepening_kernel import (
    DEEPENING,
    correct_result,
    fall_back,
    fill_table,
    next_result,
)
from tengen.engine.search.sampling import samples_of
from tengen.engine.threats.pn_kernel import UNBOUNDED
from tengen.engine.threats.pn_table import new_pn_table
from tengen.executors.stopping import has_threads

THREAT_NODES = 100_000
"""Nodes of the search for a win by threats (VCT) before the search itself, at most."""


@dataclass(frozen=True, slots=True)
class DepthResult:
    """The result of one iteration for one of the lines.

    Attributes:
        number: of the line, from 0.
        cell: the best move.
        score: in centi-units, for the side to move.
        depth: plies searched.
        nodes: stones put down so far, by all threads.
        seconds: since the beginning.
        line: the principal variation, cells.
        complete: false if the iteration was broken off.
    """

    number: int
    cell: int
    score: int
    depth: int
    nodes: int
    seconds: float
    line: tuple[int, ...]
    complete: bool = True


class HelperWorkers(Protocol):
    """Workers that have been started outside Python, and that run kernels."""

    def free(self) -> int:
        """Return the number of those that do nothing."""

    def fill_table(self, *arguments: Any) -> Callable[[], object]:
        """Have one call the kernel `fill_table`; return what waits until it has ended."""


@dataclass(slots=True)
class SearchTask:
    """A position to search, its limits, and the state of the search.

    Attributes:
        state: the position; each thread takes a copy.
        tables: the tables of its rules.
        networks: the networks of its rules.
        table: the shared transposition table.
        threads: the number of threads.
        lines: the number of different first moves to report (multi-PV).
        root_cells: the first moves that alone may be searched, the most plausible first; empty for all.
        most_nodes: stones to put down at most, by all threads; None is no bound.
        most_depth: plies of the last iteration; None is no bound.
        threat_nodes: nodes of the search for a win by threats before the search itself, at most.
        soft_seconds: no iteration begins after so long; None is no bound.
        pn_table: the table of that search for a win by threats (`tengen.engine.threats.pn_table`).
        position: the position as it is, where `state` may hide rows of it. Results are corrected by it, and
            there is at least one. None: results are those of the search.
        sampling: one in so many positions whose static score matters to the first thread is sampled, a
            power of two; 0 for none.
        samples: the sampled positions as the cells played, once the search has ended.
        began: when it began, as `time.perf_counter` counts.
        thread_states: the states of the threads.
        stopped: true once it has been stopped.
    """

    state: Record
    tables: Record
    networks: Record
    table: npt.NDArray[np.int64]
    threads: int = 1
    lines: int = 1
    root_cells: Sequence[int] = ()
    most_nodes: int | None = None
    most_depth: int | None = None
    threat_nodes: int = THREAT_NODES
    soft_seconds: float | None = None
    pn_table: npt.NDArray[np.int64] = field(default_factory=lambda: new_pn_table(1))
    position: Record | None = None
    sampling: int = 0
    samples: list[tuple[int, ...]] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)
    thread_states: list[Record] = field(default_factory=list)
    stopped: bool = False

    def stop(self) -> None:
        """End the search; all threads return within a millisecond or so."""
        self.stopped = True
        for state in self.thread_states:
            state[0]["stop"] = 1

    @property
    def nodes(self) -> int:
        """Stones put down so far, by all threads."""
        return sum(int(state[0]["nodes"]) for state in self.thread_states)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self.began


def run(task: SearchTask) -> Generator[DepthResult, None, None]:
    """Search deeper and deeper; yield the result of each iteration, line by line.

    An iteration that is broken off yields its best move so far, if it has searched any move to the end.
    """
    position = task.position
    with borrowed_record(DEEPENING) as deepening, _threads_of(task) as (state, scratch):
        _begin(task, deepening)
        records = state, task.tables, task.networks, scratch, task.table, task.pn_table, deepening
        while next_result(*records):
            if position is not None:
                correct_result(position, task.tables, deepening)
            yield _result_of(task, deepening)
            deepening[0]["seconds"] = task.seconds
        if position is not None and not deepening[0]["length"]:
            fall_back(position, task.tables, deepening)
            yield _result_of(task, deepening)


def _begin(task: SearchTask, deepening: Record) -> None:
    """Write the limits of a search into its record, which is all zeros."""
    record = deepening[0]
    record["lines"], record["threat_nodes"] = task.lines, task.threat_nodes
    record["root_count"] = len(task.root_cells)
    record["root_cells"][: len(task.root_cells)] = task.root_cells
    record["most_depth"] = UNBOUNDED if task.most_depth is None else min(task.most_depth, UNBOUNDED)
    record["soft_seconds"] = math.inf if task.soft_seconds is None else task.soft_seconds
    record["line_state"][0] = task.state[0]


def _result_of(task: SearchTask, deepening: Record) -> DepthResult:
    record = deepening[0]
    number, cell, score, depth = (int(record[name]) for name in ("number", "cell", "score", "depth"))
    line = tuple(record["line"][: record["length"]].tolist())
    return DepthResult(number, cell, score, depth, task.nodes, task.seconds, line, bool(record["complete"]))


@contextmanager
def _threads_of(task: SearchTask) -> Iterator[tuple[Record, Record]]:
    """Start the helper threads of a search, and end them when the context ends.

    Yields:
        The state and the scratch record of the thread that reports, which is the caller's.
    """
    most = UNBOUNDED if task.most_nodes is None else min(max(task.most_nodes, 0), UNBOUNDED)
    threads = max(min(task.threads, most, _most_threads()), 1)
    for _ in range(threads):
        state = copy_of(task.state)
        state[0]["nodes"] = state[0]["stop"] = state[0]["ended"] = 0
        state[0]["most_nodes"] = most // threads
        task.thread_states.append(state)
    if task.stopped:
        task.stop()
    with ExitStack() as memory:
        first, *others = [memory.enter_context(borrowed_record(SCRATCH)) for _ in range(threads)]
        first[0]["sampling"] = task.sampling
        waits = [_start_helper(task, number, scratch) for number, scratch in enumerate(others, 1)]
        try:
            yield task.thread_states[0], first
        finally:
            task.samples = samples_of(first)
            task.stop()
            for wait in waits:
                wait()


_workers: list[HelperWorkers] = []


def help_by(workers: HelperWorkers) -> None:
    """Have these workers help from now on, where threads cannot be started."""
    _workers[:] = [workers]


def _most_threads() -> int:
    """Return how many threads may search now, the caller's among them."""
    if has_threads():
        return UNBOUNDED
    return 1 + (_workers[0].free() if _workers else 0)


def _start_helper(task: SearchTask, number: int, scratch: Record) -> Callable[[], object]:
    """Deepen in a helper thread; return what waits for its end."""
    arguments = task.thread_states[number], task.tables, task.networks, scratch, task.table, 1 + number % 2
    if not has_threads():
        return _workers[0].fill_table(*arguments)
    helper = threading.Thread(target=fill_table, args=arguments, daemon=True)
    helper.start()
    return helper.join
