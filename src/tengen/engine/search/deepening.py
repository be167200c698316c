"""Iterative deepening: the same search again, one ply deeper each time, until the time is up.

Several threads run the same loop on one table (lazy SMP): what one has found, the others need not search.
They differ in the depth they begin with, and the first of them answers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
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
from tengen.engine.threats.vcf_kernel import fours, may_play, winning_cell

_ALL_NODES = 1 << 62
_WINDOW = 30
"""Half of the first window around the score of the depth before."""

_FOUR_NODES = 20_000
"""Nodes spent on a win by fours before anything else is looked at."""

_LONGEST_LINE = 60
_LINE_NODES = 5_000
_AGAIN_NODES = 20_000
"""Nodes spent on showing how a win ends."""


@dataclass(frozen=True, slots=True)
class DepthResult:
    """What one depth has found for one of the lines asked for.

    Attributes:
        number: which of the lines, from 0.
        cell: the best move.
        score: for the side to move.
        depth: plies searched.
        nodes: stones put down so far, by all threads.
        seconds: since the beginning.
        line: cells, the best move first.
        complete: whether the depth was searched to its end.
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
    """What is to be searched, and when to stop.

    Attributes:
        state: the position; each thread takes a copy.
        tables: the tables of its rules.
        table: the shared transposition table.
        threads: how many threads.
        lines: how many different first moves are wanted.
        most_nodes: stones to put down at most, by all threads; None is no bound.
        most_depth: plies.
        threat_nodes: nodes spent on a win by threats before the search, at most.
        soft_seconds: no new depth is begun after so long; None is no bound.
        proofs: what is known of wins by threats; see `tengen.engine.threats.pn_search`.
        sampling: of the positions whose static score matters to the first thread one in so many is kept, a
            power of two; 0 for none.
        samples: these, as the cells played, when it has ended.
        stopped: set to end it.
    """

    state: Record
    tables: Record
    table: npt.NDArray[np.int64]
    threads: int = 1
    lines: int = 1
    most_nodes: int | None = None
    most_depth: int | None = None
    threat_nodes: int = 100_000
    soft_seconds: float | None = None
    proofs: npt.NDArray[np.int64] = field(default_factory=lambda: new_pn_table(1))
    sampling: int = 0
    samples: list[tuple[int, ...]] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)
    state_ref: list[Record] = field(default_factory=list)
    stopped: bool = False

    def stop(self) -> None:
        """End it; all threads return within a millisecond or so."""
        self.stopped = True
        for state in self.state_ref:
            state[0]["stop"] = 1

    @property
    def nodes(self) -> int:
        """Stones put down so far, by all threads."""
        return sum(int(state[0]["nodes"]) for state in self.state_ref)

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self.began


def run(task: SearchTask) -> Iterator[DepthResult]:
    """Search deeper and deeper; what each depth has found, line by line, as it is found.

    A depth that was broken off reports what it has found as long as that is worth something.
    """
    most = _ALL_NODES if task.most_nodes is None else min(max(task.most_nodes, 0), _ALL_NODES)
    threads = max(min(task.threads, most), 1)
    for _ in range(threads):
        state = copy_of(task.state)
        state[0]["nodes"] = state[0]["stop"] = state[0]["ended"] = 0
        state[0]["most_nodes"] = most // threads
        task.state_ref.append(state)
    if task.stopped:
        task.stop()
    helpers = [
        threading.Thread(target=_help, args=(task, number), daemon=True) for number in range(1, threads)
    ]
    for helper in helpers:
        helper.start()
    try:
        yield from _lead(task)
    finally:
        task.stop()
        for helper in helpers:
            helper.join()


def _new_work(state: Record, tables: Record) -> Record:
    scratch = new_record(SCRATCH)
    scratch[0]["root"] = state[0]["ply"]
    if tables[0]["network"]:
        begin(state, tables, scratch)
    return scratch


def _help(task: SearchTask, number: int) -> None:
    """Fill the table from another depth on."""
    state = task.state_ref[number]
    scratch = _new_work(state, task.tables)
    score = 0
    for depth in range(1 + number % 2, DEEPEST - 20):
        score = _windowed(task, state, scratch, depth, score)
        if state[0]["ended"]:
            return


def _lead(task: SearchTask) -> Iterator[DepthResult]:
    state = task.state_ref[0]
    scratch = _new_work(state, task.tables)
    scratch[0]["sampling"] = task.sampling
    try:
        yield from _deepened(task, state, scratch)
    finally:
        task.samples = samples_of(scratch)


def _deepened(task: SearchTask, state: Record, scratch: Record) -> Iterator[DepthResult]:
    scores, cells = [0] * task.lines, [0] * task.lines
    if task.lines == 1 and (won := _won(task, state, scratch)) is not None:
        yield won
        return
    deepest = min(DEEPEST if task.most_depth is None else task.most_depth, DEEPEST - 20)
    settled = False
    for depth in range(1, deepest + 1):
        scratch[0]["skip"] = 0
        for number in range(task.lines):
            found = _one(task, state, scratch, depth, number, scores[number], cells[number])
            if found is None:
                break
            scores[number], cells[number] = found.score, found.cell
            yield found
            if not found.complete:
                return
            skip = int(scratch[0]["skip"])
            scratch[0]["skipped"][skip] = found.cell
            scratch[0]["skip"] = skip + 1
            # A loss that lies beyond the depth may be put off yet.
            near = WIN - abs(found.score) <= depth
            settled = number == 0 and (found.score > MATE or (found.score < -MATE and near))
        late = task.soft_seconds is not None and task.seconds >= task.soft_seconds
        if state[0]["ended"] or late or (settled and task.lines == 1):
            return


def _won(task: SearchTask, state: Record, scratch: Record) -> DepthResult | None:
    """A win by fours, or by threats, from the position itself, if a part of what may be spent finds one."""
    record = state[0]
    kept = int(record["most_nodes"])
    record["most_nodes"] = min(kept // 10, _FOUR_NODES)
    length = int(fours(state, task.tables, scratch, record["ply"], _LONGEST_LINE))
    record["ended"] = 0
    line = tuple(int(cell) for cell in scratch[0]["line"][:length])
    without = int(task.tables[0]["without"])
    if not length and not task.tables[0]["closed"] and not without & Technique.VCT:
        record["most_nodes"] = int(record["nodes"]) + min(kept // 8, task.threat_nodes)
        proof = PnSearch(state, task.tables, task.proofs)
        if proof.search():
            spent = int(record["nodes"])
            line = proof.line(_AGAIN_NODES)
            length = max(len(line), proof.plies())
            record["nodes"] = spent  # showing how a win ends is not counted
        record["ended"] = 0
    record["most_nodes"] = kept
    if not line:
        return None
    return DepthResult(0, line[0], WIN - length, length, task.nodes, task.seconds, line)


def _one(
    task: SearchTask, state: Record, scratch: Record, depth: int, number: int, guess: int, before: int
) -> DepthResult | None:
    """One depth for one of the lines; None where it was broken off too early, or no move is left.

    The best move of the depth before is tried first, and stays until another is shown to be better.
    """
    skipped = scratch[0]["skipped"][: int(scratch[0]["skip"])]
    scratch[0]["best"] = 0 if before in skipped else before
    score = _windowed(task, state, scratch, depth, guess)
    cell = int(scratch[0]["best"])
    complete = not state[0]["ended"]
    if cell == 0 and complete and number == 0:
        cell = _any_move(state, task.tables)  # all that would help are fouls
    if cell <= 0 or cell in skipped:
        return None
    if not complete:
        score = guess
    line = line_of(task, cell, score)
    return DepthResult(number, cell, score, depth, task.nodes, task.seconds, line, complete)


def _windowed(task: SearchTask, state: Record, scratch: Record, depth: int, guess: int) -> int:
    """Search one depth in a window around what the last one has found, wider until it fits."""
    if depth < 4 or int(task.tables[0]["without"]) & Technique.ASPIRATION:
        return int(search(state, task.tables, scratch, task.table, depth, -WIN, WIN, 0))
    below = above = _WINDOW
    while True:
        alpha, beta = max(guess - below, -WIN), min(guess + above, WIN)
        score = int(search(state, task.tables, scratch, task.table, depth, alpha, beta, 0))
        # A win that is at least so near is a win: a wider window might only lose it again.
        if state[0]["ended"] or alpha < score < beta or score > MATE:
            return score
        if score <= alpha:
            if alpha == -WIN:
                return score
            below = below * 4 if below < 1000 else 2 * WIN
        else:
            if beta == WIN:
                return score
            above = above * 4 if above < 1000 else 2 * WIN


def line_of(task: SearchTask, cell: int, score: int) -> tuple[int, ...]:
    """The moves expected after the first one: those of the table, and for a win its end."""
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
            cell = _towards_the_end(state, tables, line, wins=wins) or cell or _found_again(task, state)
    return tuple(line)


def _found_again(task: SearchTask, state: Record) -> int:
    """The best move of a small search, where the table has forgotten it; 0 if there is no time."""
    record = state[0]
    if task.stopped:
        return 0
    scratch = _new_work(state, task.tables)
    record["most_nodes"] = int(record["nodes"]) + _AGAIN_NODES
    cell = 0
    for depth in range(1, DEEPEST - 20):
        scratch[0]["best"] = 0
        score = int(search(state, task.tables, scratch, task.table, depth, -WIN, WIN, 0))
        if record["ended"]:
            break
        cell = int(scratch[0]["best"])
        if abs(score) > MATE:
            break
    record["ended"] = 0
    return cell


def _any_move(state: Record, tables: Record) -> int:
    """A cell that the side to move may play on; -1 if there is none."""
    record = state[0]
    free = (int(cell) for cell in np.flatnonzero(record["cells"] == 0))
    return next((cell for cell in free if may_play(state, tables, int(record["turn"]), cell)), -1)


def _towards_the_end(state: Record, tables: Record, line: list[int], *, wins: bool) -> int:
    """The move that has to be made now, if any; a win by fours is added to the line at once."""
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
        length = int(fours(state, tables, scratch, record["ply"], most))
        if length or record["ended"]:
            break
    record["ended"] = 0
    line.extend(int(cell) for cell in scratch[0]["line"][:length])
    return -1 if length else 0
