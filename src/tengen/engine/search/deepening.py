"""Iterative deepening: the same search, one ply deeper each time, until the time is up.

Several threads deepen on one transposition table (lazy SMP): what one has found, the others need not
search. They differ in the depth at which they begin; the first of them reports the results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tengen.engine.board.fouls import is_forbidden
from tengen.engine.board.position import make
from tengen.engine.board.records import DEEPEST, SCRATCH, Kind, Record, copy_of, new_record
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.network_kernel import begin
from tengen.engine.search.alpha_beta import search
from tengen.engine.search.sampling import samples_of
from tengen.engine.search.table import known_move
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.engine.threats.vcf_kernel import find_vcf, may_play, winning_cell

_ALL_NODES = 1 << 62
"""Nodes; no bound."""

THREAT_NODES = 100_000
"""Nodes of the search for a win by threats (VCT) before the search itself, at most."""

_VCT_SHARE = 8
"""It may spend one part in so many of the search's nodes."""

_VCF_NODES = 20_000
"""Nodes of the search for a win by fours (VCF) before that, at most."""

_VCF_SHARE = 10
"""It may spend one part in so many of the search's nodes."""

_LAST_DEPTH = DEEPEST - 20
"""Plies of the last iteration; the rest is left to extensions."""

_ASPIRATION_DEPTH = 4
"""Plies from which on an iteration begins with an aspiration window."""

_WINDOW = 30
"""Half the width of the first aspiration window, in centi-units."""

_WINDOW_FACTOR = 4
"""The failing side of an aspiration window grows by this factor, ..."""

_WIDEST_WINDOW = 1000
"""... until it is so wide, in centi-units; after that it is open."""

_LONGEST_LINE = 60
"""Plies of a principal variation, at most."""

_LINE_NODES = 5_000
"""Nodes of a search for the shortest VCF that ends a line."""

_RESEARCH_NODES = 20_000
"""Nodes for searching again a position of a line whose table entry was replaced."""


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
        most_nodes: stones to put down at most, by all threads; None is no bound.
        most_depth: plies of the last iteration; None is no bound.
        threat_nodes: nodes of the search for a win by threats before the search itself, at most.
        soft_seconds: no iteration begins after so long; None is no bound.
        pn_table: the table of that search for a win by threats (`tengen.engine.threats.pn_table`).
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
    most_nodes: int | None = None
    most_depth: int | None = None
    threat_nodes: int = THREAT_NODES
    soft_seconds: float | None = None
    pn_table: npt.NDArray[np.int64] = field(default_factory=lambda: new_pn_table(1))
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


def run(task: SearchTask) -> Iterator[DepthResult]:
    """Search deeper and deeper; yield the result of each iteration, line by line.

    An iteration that is broken off yields its best move so far, if it has searched any move to the end.
    """
    with _threads_of(task) as (state, scratch):
        if task.lines == 1 and (won := _win_by_threats(task, state, scratch)) is not None:
            yield won
            return
        scores, cells = [0] * task.lines, [0] * task.lines
        last = _LAST_DEPTH if task.most_depth is None else min(task.most_depth, _LAST_DEPTH)
        settled = False
        for depth in range(1, last + 1):
            scratch[0]["skip"] = 0
            for number in range(task.lines):
                result = _search_line(task, state, scratch, depth, number, scores[number], cells[number])
                if result is None:
                    break
                scores[number], cells[number] = result.score, result.cell
                yield result
                if not result.complete:
                    return
                skip = int(scratch[0]["skip"])
                scratch[0]["skipped"][skip] = result.cell
                scratch[0]["skip"] = skip + 1
                # A loss beyond the depth may still be put off.
                near = WIN - abs(result.score) <= depth
                settled = number == 0 and (result.score > MATE or (result.score < -MATE and near))
            late = task.soft_seconds is not None and task.seconds >= task.soft_seconds
            if state[0]["ended"] or late or (settled and task.lines == 1):
                return


@contextmanager
def _threads_of(task: SearchTask) -> Iterator[tuple[Record, Record]]:
    """Start the helper threads of a search, and end them when the context ends.

    Yields:
        The state and the scratch record of the thread that reports, which is the caller's.
    """
    most = _ALL_NODES if task.most_nodes is None else min(max(task.most_nodes, 0), _ALL_NODES)
    threads = max(min(task.threads, most), 1)
    for _ in range(threads):
        state = copy_of(task.state)
        state[0]["nodes"] = state[0]["stop"] = state[0]["ended"] = 0
        state[0]["most_nodes"] = most // threads
        task.thread_states.append(state)
    if task.stopped:
        task.stop()
    state = task.thread_states[0]
    scratch = _new_scratch(state, task.networks)
    scratch[0]["sampling"] = task.sampling
    helpers = [
        threading.Thread(target=_fill_table, args=(task, number), daemon=True)
        for number in range(1, threads)
    ]
    for helper in helpers:
        helper.start()
    try:
        yield state, scratch
    finally:
        task.samples = samples_of(scratch)
        task.stop()
        for helper in helpers:
            helper.join()


def _new_scratch(state: Record, networks: Record) -> Record:
    scratch = new_record(SCRATCH)
    scratch[0]["root"] = state[0]["ply"]
    if networks[0]["network"]:
        begin(state, networks, scratch)
    return scratch


def _fill_table(task: SearchTask, number: int) -> None:
    """Deepen in a helper thread, for the entries that it leaves in the table."""
    state = task.thread_states[number]
    scratch = _new_scratch(state, task.networks)
    score = 0
    for depth in range(1 + number % 2, _LAST_DEPTH):
        score = _search_window(task, state, scratch, depth, score)
        if state[0]["ended"]:
            return


def _win_by_threats(task: SearchTask, state: Record, scratch: Record) -> DepthResult | None:
    """Return a win by fours (VCF) or by threats (VCT) from the root, if a share of the nodes finds one."""
    record = state[0]
    most_nodes = int(record["most_nodes"])
    record["most_nodes"] = min(most_nodes // _VCF_SHARE, _VCF_NODES)
    length = int(find_vcf(state, task.tables, scratch, record["ply"], _LONGEST_LINE))
    record["ended"] = 0
    line = tuple(int(cell) for cell in scratch[0]["line"][:length])
    without = int(task.tables[0]["without"])
    if not length and not task.tables[0]["closed"] and not without & Technique.VCT:
        record["most_nodes"] = int(record["nodes"]) + min(most_nodes // _VCT_SHARE, task.threat_nodes)
        vct = PnSearch(state, task.tables, task.pn_table)
        if vct.search():
            spent = int(record["nodes"])
            line = vct.line(_RESEARCH_NODES)
            length = max(len(line), vct.plies())
            record["nodes"] = spent  # the nodes that reconstruct the line are not counted
        record["ended"] = 0
    record["most_nodes"] = most_nodes
    if not line:
        return None
    return DepthResult(0, line[0], WIN - length, length, task.nodes, task.seconds, line)


def _search_line(
    task: SearchTask, state: Record, scratch: Record, depth: int, number: int, guess: int, hash_move: int
) -> DepthResult | None:
    """Search one iteration for one of the lines.

    Args:
        task: the search.
        state: the position.
        scratch: the thread's scratch record.
        depth: plies.
        number: of the line.
        guess: the line's score in the iteration before.
        hash_move: its best move there, tried first; it stays until another move is shown to be better.

    Returns:
        The result; None if it was broken off before one move was searched, or no move is left.
    """
    skipped = scratch[0]["skipped"][: int(scratch[0]["skip"])]
    scratch[0]["best"] = 0 if hash_move in skipped else hash_move
    score = _search_window(task, state, scratch, depth, guess)
    cell = int(scratch[0]["best"])
    complete = not state[0]["ended"]
    if cell == 0 and complete and number == 0:
        cell = _any_move(state, task.tables)  # every move that would help is a foul
    if cell <= 0 or cell in skipped:
        return None
    if not complete:
        score = guess
    line = line_of(task, cell, score)
    return DepthResult(number, cell, score, depth, task.nodes, task.seconds, line, complete)


def _search_window(task: SearchTask, state: Record, scratch: Record, depth: int, guess: int) -> int:
    """Search to a depth in an aspiration window around a guess, widened until the score lies inside."""
    if depth < _ASPIRATION_DEPTH or int(task.tables[0]["without"]) & Technique.ASPIRATION:
        return int(search(state, task.tables, task.networks, scratch, task.table, depth, -WIN, WIN, 0))
    below = above = _WINDOW
    while True:
        alpha, beta = max(guess - below, -WIN), min(guess + above, WIN)
        score = int(search(state, task.tables, task.networks, scratch, task.table, depth, alpha, beta, 0))
        # A win at least so near is a win: a wider window might only lose it again.
        if state[0]["ended"] or alpha < score < beta or score > MATE:
            return score
        if score <= alpha:
            if alpha == -WIN:
                return score
            below = _wider(below)
        else:
            if beta == WIN:
                return score
            above = _wider(above)


def _wider(margin: int) -> int:
    """Return the next margin of an aspiration window that has failed."""
    return margin * _WINDOW_FACTOR if margin < _WIDEST_WINDOW else 2 * WIN


def line_of(task: SearchTask, cell: int, score: int) -> tuple[int, ...]:
    """Return the principal variation after a first move, from the table; a win is shown to its end."""
    state, tables = copy_of(task.state), task.tables
    record = state[0]
    record["stop"] = record["ended"] = record["nodes"] = 0
    points = int(record["size"]) ** 2
    line: list[int] = []
    while cell > 0 and record["cells"][cell] == 0:
        if record["turn"] == 0 and is_forbidden(state, tables, cell):
            break
        five = record["kinds"][record["turn"], cell] == Kind.FIVE
        make(state, tables, cell)
        line.append(cell)
        if five or len(line) >= _LONGEST_LINE or int(record["ply"]) >= points:
            break
        cell = int(known_move(state, task.table))
        if abs(score) > MATE:
            wins = (len(line) % 2 == 0) == (score > 0)
            cell = _decisive_move(state, tables, line, wins=wins) or cell or _search_again(task, state)
    return tuple(line)


def _search_again(task: SearchTask, state: Record) -> int:
    """Return the best move by a small search, for a replaced table entry; 0 if the search was stopped."""
    record = state[0]
    if task.stopped:
        return 0
    scratch = _new_scratch(state, task.networks)
    record["most_nodes"] = int(record["nodes"]) + _RESEARCH_NODES
    cell = 0
    for depth in range(1, _LAST_DEPTH):
        scratch[0]["best"] = 0
        score = int(search(state, task.tables, task.networks, scratch, task.table, depth, -WIN, WIN, 0))
        if record["ended"]:
            break
        cell = int(scratch[0]["best"])
        if abs(score) > MATE:
            break
    record["ended"] = 0
    return cell


def _any_move(state: Record, tables: Record) -> int:
    """Return a legal cell of the side to move; -1 if there is none."""
    record = state[0]
    free = (int(cell) for cell in np.flatnonzero(record["cells"] == 0))
    return next((cell for cell in free if may_play(state, tables, int(record["turn"]), cell)), -1)


def _decisive_move(state: Record, tables: Record, line: list[int], *, wins: bool) -> int:
    """Return the move that a five, one's own or the enemy's, forces.

    Where the side to move wins by fours, the VCF is added to the line.

    Returns:
        The cell; 0 if no move is forced, -1 if the line is complete.
    """
    record = state[0]
    side = int(record["turn"])
    for colour in (side, 1 - side):
        if record["counts"][colour, Kind.FIVE] > 0:
            if colour != side and tables[0]["closed"]:
                return 0  # there may be a better place to stop it
            five = int(winning_cell(state, colour))
            if may_play(state, tables, side, five):
                return five
            return _any_move(state, tables)  # the only answer is a foul
    if not wins:
        return 0
    scratch = new_record(SCRATCH)
    record["most_nodes"] = int(record["nodes"]) + _LINE_NODES
    length = 0
    for most in range(_LONGEST_LINE // 2):
        length = int(find_vcf(state, tables, scratch, record["ply"], most))
        if length or record["ended"]:
            break
    record["ended"] = 0
    line.extend(int(cell) for cell in scratch[0]["line"][:length])
    return -1 if length else 0
