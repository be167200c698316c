"""Proofs of wins by threats, written to a file for `tengen.solver.proofs.verify` to check.

The win is found as by `tengen.solver.threats.vct`; `tengen.solver.proofs.builder` writes it. Where threats
alone do not win, quiet moves may be tried as well (`tengen.solver.threats.quiet_search`). The values of
small games, draws included, are proven by `tengen.solver.proofs.prove_exact`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tengen.engine.board.conversion import cell, point_of, position_of, stopped_in_time
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import Record
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.executors import Workers, ended_in_time, open_workers
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit, check_search
from tengen.game.points import Colour, Point
from tengen.game.symmetry import canonical, inverse
from tengen.solver.limits import ALL_NODES, MOST_CANDIDATES, THREAT_MEMORY, check_memory, check_threats
from tengen.solver.proofs.builder import (
    PlannedMove,
    ProofEnded,
    ProofProgress,
    ProofResult,
    target_of,
    write_proof,
)
from tengen.solver.proofs.checker import Points
from tengen.solver.proofs.file import WINS, Claim
from tengen.solver.proofs.verify import Verdict
from tengen.solver.results import Solution, remaining_limit
from tengen.solver.threats.df_pn import THREAT_SETS
from tengen.solver.threats.quiet_moves import CandidateSettings, QuietMove
from tengen.solver.threats.quiet_search import QuietWinSearch
from tengen.solver.threats.vcf import solve_vcf
from tengen.solver.threats.vct import fours_first

__all__ = ["ProofProgress", "ProofResult", "prove"]

_NODES_BEFORE_QUIET = 1_000_000
"""Nodes of the search for a win by threats, before quiet moves are tried."""

_TRIAL_POSITIONS = 2_000
"""Positions that one trial of an answer on another reply may take."""


def prove(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = THREAT_MEMORY,
    progress: ProofProgress | None = None,
    candidates: int = 0,
    unthreatening: int = 0,
    resume: str | Path | None = None,
    workers: Workers | None = None,
) -> ProofResult:
    """Find a win of the side to move, and write its proof.

    The file is written completely or not at all, and replaces one of the same name.

    Args:
        board: a game that is not over.
        path: the file.
        limit: `seconds` for everything; `nodes` for the search, and for each search that has to be
            repeated while the proof is written, because the table has lost its positions. None is no
            limit.
        stop: ends the search, or the writing, when set.
        threats: the winner's moves; see `tengen.solver.threats.vct.solve_vct`.
        memory_mb: megabytes for the transposition table. The caches of what has been written take some
            hundred megabytes more at most.
        progress: updated meanwhile.
        candidates: number of the engine's best moves, quiet ones included, that are tried in a position
            that threats do not win; 0 for none. If none of them wins, nothing is proven.
        unthreatening: number of candidates that are tried where none threatens to win by threats, as in
            an opening.
        resume: the file that keeps the results of candidates, to continue from.
        workers: run the candidates' tasks; processes of this machine if None.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no set of threats, amount of memory or number of candidates, or candidates with fours
            alone; `FileError` if the file to resume from cannot be read or written; `ProofError` if the
            rules give the loser a way out that the search does not know (a foul that stands and may still
            be claimed).
        OSError: the proof cannot be written.
    """
    check_search(board, limit, stop)
    check_threats(threats)
    check_memory(memory_mb)
    _check_candidates(candidates, threats)
    _check_candidates(unthreatening, threats)
    began = time.perf_counter()
    target = target_of(path)
    progress, limit = progress or ProofProgress(), limit or Limit()
    by_fours, left = _solve_fours(board, threats, limit, stop, memory_mb)
    if threats == "fours" and by_fours.winner is None:
        seconds = time.perf_counter() - began
        return ProofResult(None, by_fours.proven, None, by_fours.nodes, 0, 0, seconds)
    quiet = None
    if candidates:
        settings = CandidateSettings(candidates, unthreatening=unthreatening)
        quiet = QuietWinSearch(board, settings, None if resume is None else Path(resume))
    state, tables = position_of(board)
    search = PnSearch(state, tables, new_pn_table(memory_mb), threats=THREAT_SETS[threats])
    attempt = _Attempt(board, state, tables, search, by_fours, quiet, left, progress)
    winner, proven, verdict = attempt.run(target, workers, stop)
    nodes = by_fours.nodes + int(state[0]["nodes"]) + (quiet.nodes if quiet else 0)
    seconds = time.perf_counter() - began
    return ProofResult(winner, proven, verdict, nodes, progress.nodes, progress.size, seconds)


def _solve_fours(
    board: Board, threats: str, limit: Limit, stop: threading.Event | None, memory_mb: int
) -> tuple[Solution, Limit]:
    """Search for a win by fours alone, and return what is left of the limit."""
    if threats != "fours":
        return fours_first(board, board.turn, Limit(limit.seconds, limit.nodes), stop)
    solution = solve_vcf(board, limit, board.turn, stop=stop, memory_mb=memory_mb)
    return solution, remaining_limit(limit, solution)


def _check_candidates(count: int, threats: str) -> None:
    if not 0 <= count <= MOST_CANDIDATES:
        raise TengenError("error.prove.candidates", value=str(count), most=MOST_CANDIDATES)
    if threats == "fours" and count:
        raise TengenError("error.prove.fours")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt to find a win by threats, or by quiet moves, and to write its proof.

    Attributes:
        board: the position.
        state: the engine's state of it.
        tables: the engine's tables of its rules.
        search: the proof-number search for a win by threats.
        by_fours: the result of the search for a win by fours alone.
        quiet: the search for quiet wins, if they are to be tried.
        limit: bounds that are left.
        progress: updated meanwhile.
    """

    board: Board
    state: Record
    tables: Record
    search: PnSearch
    by_fours: Solution
    quiet: QuietWinSearch | None
    limit: Limit
    progress: ProofProgress

    def run(
        self, target: Path, workers: Workers | None, stop: threading.Event | None
    ) -> tuple[Colour | None, bool, Verdict | None]:
        """Search, and write the proof; return `winner`, `proven` and `verdict` of `ProofResult`."""
        record, board, over = self.state[0], self.board, threading.Event()
        most_nodes = ALL_NODES if self.limit.nodes is None else self.limit.nodes
        with ended_in_time(over.set, self.limit.seconds, stop), stopped_in_time(record, None, over):
            wins: bool | None = self.by_fours.winner is not None
            if not wins:
                record["most_nodes"] = (
                    most_nodes if self.quiet is None else min(most_nodes, _NODES_BEFORE_QUIET)
                )
                wins = self.search.search()
            if not wins and self.quiet is not None:
                # A failure of the candidates proves nothing: another move may win.
                wins = _search_quiet(self.quiet, workers, over, self.limit.nodes, self.progress) or None
            if not wins:
                return None, wins is False, None
            record["most_nodes"] = most_nodes
            won_quietly = self.quiet is not None and self.quiet.open == 0
            quiet_moves = self.quiet.winning_moves() if self.quiet is not None and won_quietly else {}
            engine = self.state, self.tables, self.search
            guide = _ThreatGuide(board, engine, self.by_fours.line, most_nodes, quiet_moves)
            verdict = write_proof(board, target, {Claim(board.turn, WINS): guide}, self.progress)
        return board.turn, True, verdict


def _search_quiet(
    search: QuietWinSearch,
    workers: Workers | None,
    stop: threading.Event,
    most_nodes: int | None,
    progress: ProofProgress,
) -> bool | None:
    """Run a search for quiet wins, with progress; see `QuietWinSearch.search`."""
    if workers is None:
        with open_workers() as own:
            return _search_quiet(search, own, stop, most_nodes, progress)

    progress.stage = "quiet"

    def on_progress() -> None:
        progress.expanded, progress.open = search.expanded, search.open

    with workers.caller("proof") as caller:
        return search.search(caller, workers.slots, stop, most_nodes, on_progress)


class _ThreatGuide:
    """A guide to a win by threats, or by quiet moves found before; see `Guide`.

    Args:
        board: the position.
        engine: its state, the tables of its rules, and the search that has won it.
        line: the points of a win by fours; empty if the search knows the win.
        most_nodes: nodes of each search that has to be repeated, because the table has lost its positions.
        quiet: the winning quiet moves, by the position's key.
    """

    trial_positions = _TRIAL_POSITIONS

    def __init__(
        self,
        board: Board,
        engine: tuple[Record, Record, PnSearch],
        line: Sequence[Point],
        most_nodes: int,
        quiet: Mapping[bytes, QuietMove],
    ) -> None:
        self._board, self._quiet = board.copy(), quiet
        self._state, self._tables, self._search = engine
        self._most_nodes = most_nodes
        self._lines = [tuple(line)]
        self._quiet_move: QuietMove | None = None

    @property
    def stopped(self) -> bool:
        return bool(self._state[0]["stop"])

    def plan(self) -> PlannedMove:
        self._quiet_move = self._known_quiet_move()
        if self._quiet_move is not None:
            return PlannedMove(self._quiet_move.point)
        if not self._lines[-1]:
            cells = () if self.stopped else self._search.attack(self._most_nodes)
            self._lines[-1] = tuple(point_of(self._board, cell) for cell in cells)
        if not self._lines[-1]:
            raise ProofEnded
        return PlannedMove(self._lines[-1][0])

    def pairs(self) -> None:
        return None

    def hard_replies(self, fives: Points) -> set[Point]:
        if self._quiet_move is not None:
            return set(self._quiet_move.replies)
        return set() if fives else {point_of(self._board, cell) for cell in self._search.answers()}

    def push(self, point: Point) -> None:
        make(self._state, self._tables, cell(self._board, point))
        self._board.push(point)
        line = self._lines[-1]
        self._lines.append(line[1:] if line[:1] == (point,) else ())

    def pop(self) -> None:
        unmake(self._state, self._tables)
        self._board.pop()
        self._lines.pop()

    def _known_quiet_move(self) -> QuietMove | None:
        """Return the quiet move that wins the position, if threats alone do not."""
        if not self._quiet:
            return None
        key, symmetry = canonical(self._board)
        move = self._quiet.get(key)
        return None if move is None else move.mapped(inverse(symmetry))
