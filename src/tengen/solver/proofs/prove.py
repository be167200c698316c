"""Finds a win by threats, and writes its proof to a file, for `tengen.solver.proofs.verify` to check.

The win is found as by `tengen.solver.threats.vct`; `tengen.solver.proofs.builder` writes it. Where threats
alone do not win, quiet moves may be tried as well (`tengen.solver.threats.quiet_wins`). What small games
are worth, draws too, is proven by `tengen.solver.proofs.prove_exact`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.executors import Workers, ended_in_time, open_workers
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit, check_search
from tengen.game.points import Colour, Point
from tengen.game.symmetry import canonical, inverse
from tengen.solver.limits import MOST_CANDIDATES
from tengen.solver.proofs.builder import (
    PlannedMove,
    ProofEnded,
    ProofProgress,
    Proven,
    target_of,
    write_proof,
)
from tengen.solver.proofs.checker import Points
from tengen.solver.proofs.file import WINS, Claim
from tengen.solver.proofs.verify import Verdict
from tengen.solver.solution import ALL_NODES, Solution, left_after
from tengen.solver.threats.quiet_wins import CandidateSettings, QuietWins, Step
from tengen.solver.threats.threat_search import MEMORY, set_number
from tengen.solver.threats.vcf import solve_vcf
from tengen.solver.threats.vct import check_asked, fours_first

if TYPE_CHECKING:
    from tengen.engine.board.records import Record
    from tengen.engine.threats.pn_search import PnSearch

__all__ = ["ProofProgress", "Proven", "prove"]

_BEFORE_QUIET = 1_000_000
"""Nodes spent on a win by threats before quiet moves are tried."""

_TRIAL = 2_000
"""Positions that trying the answer to one reply on another may take."""


def prove(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = MEMORY,
    progress: ProofProgress | None = None,
    candidates: int = 0,
    unthreatening: int = 0,
    resume: str | Path | None = None,
    workers: Workers | None = None,
) -> Proven:
    """Find a win of the side to move, and write its proof.

    The file is written whole or not at all, and replaces one of its name.

    Args:
        board: a game that is not over.
        path: of the file.
        limit: `seconds` for all of it; `nodes` for the search, and for each search that has to be made
            again while the proof is written, because its positions were forgotten. None is no limit.
        stop: when set, ends it.
        threats: which moves the winner makes; see `tengen.solver.threats.vct.solve_vct`.
        memory_mb: megabytes for the positions that the search remembers. What has been written is
            remembered besides, in some hundred megabytes at most.
        progress: where to tell how far it is.
        candidates: how many of the engine's moves are tried in a position that threats do not win, be they
            quiet; 0 for none. Where no win is found among them, nothing is proven.
        unthreatening: how many of them are tried where none threatens to win by threats, as in an opening.
        resume: the file where what is found out about them is kept, to go on from.
        workers: where that is worked out; processes of this machine if None.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no set of threats, amount of memory or number of candidates, or candidates besides
            fours alone; `FileError` where what is kept cannot be read or written; `ProofError` where the
            rules give the loser a way out that the search does not know (a foul that stands and may yet be
            claimed).
        OSError: the file cannot be written.
    """
    check_search(board, limit, stop)
    check_asked(threats, memory_mb)
    _check_candidates(candidates, threats)
    _check_candidates(unthreatening, threats)
    began = time.perf_counter()
    target = target_of(path)
    progress = progress or ProofProgress()
    limit = limit or Limit()
    found, left = _by_fours(board, threats, limit, stop, memory_mb)
    if threats == "fours" and found.winner is None:
        return Proven(None, found.proven, None, found.nodes, 0, 0, time.perf_counter() - began)
    tree = None
    if candidates:
        asked = CandidateSettings(candidates, unthreatening=unthreatening)
        tree = QuietWins(board, asked, None if resume is None else Path(resume))
    from tengen.engine.board.conversion import position_of, stopped_in_time
    from tengen.engine.threats.pn_search import PnSearch
    from tengen.engine.threats.pn_table import new_pn_table

    state, tables = position_of(board)
    record, most_nodes, over = state[0], ALL_NODES if left.nodes is None else left.nodes, threading.Event()
    search = PnSearch(state, tables, new_pn_table(memory_mb), threats=set_number(threats))

    def ended(winner: Colour | None, proven: bool, verdict: Verdict | None = None) -> Proven:
        nodes = found.nodes + int(record["nodes"]) + (tree.nodes if tree else 0)
        seconds = time.perf_counter() - began
        return Proven(winner, proven, verdict, nodes, progress.nodes, progress.size, seconds)

    with ended_in_time(over.set, left.seconds, stop), stopped_in_time(record, None, over):
        wins: bool | None = found.winner is not None
        if not wins:
            record["most_nodes"] = most_nodes if tree is None else min(most_nodes, _BEFORE_QUIET)
            wins = search.search()
        if not wins and tree is not None:
            # What is not among the candidates may win.
            wins = _by_quiet_moves(tree, workers, over, left.nodes, progress) or None
        if not wins:
            return ended(None, wins is False)
        record["most_nodes"] = most_nodes
        quiet = tree.steps() if tree is not None and tree.open == 0 else {}
        guide = _ThreatGuide(board, (state, tables, search), found.line, most_nodes, quiet)
        verdict = write_proof(board, target, {Claim(board.turn, WINS): guide}, progress)
    return ended(board.turn, True, verdict)


def _by_fours(
    board: Board, threats: str, limit: Limit, stop: threading.Event | None, memory_mb: int
) -> tuple[Solution, Limit]:
    """What is found by fours alone, and the limit that it leaves."""
    if threats != "fours":
        return fours_first(board, board.turn, Limit(limit.seconds, limit.nodes), stop)
    found = solve_vcf(board, limit, board.turn, stop=stop, memory_mb=memory_mb)
    return found, left_after(found, limit)


def _check_candidates(count: int, threats: str) -> None:
    if not 0 <= count <= MOST_CANDIDATES:
        raise TengenError("error.prove.candidates", value=str(count), most=MOST_CANDIDATES)
    if threats == "fours" and count:
        raise TengenError("error.prove.fours")


def _by_quiet_moves(
    tree: QuietWins,
    workers: Workers | None,
    stop: threading.Event,
    most_nodes: int | None,
    progress: ProofProgress,
) -> bool | None:
    """Whether there is a win that quiet moves begin; see `QuietWins.search`."""
    if workers is None:
        with open_workers() as own:
            return _by_quiet_moves(tree, own, stop, most_nodes, progress)

    progress.stage = "quiet"

    def heard() -> None:
        progress.expanded, progress.open = tree.expanded, tree.open

    with workers.caller("proof") as caller:
        return tree.search(caller, workers.slots, stop, most_nodes, heard)


class _ThreatGuide:
    """Knows how to win where threats win, or quiet moves that were found before; see `Guide`.

    Args:
        board: the position.
        engine: its state, the tables of its rules, and the search that has won it.
        line: the points of a win by fours; empty where the search has to be asked.
        most_nodes: for each search that has to be made again, because its positions were forgotten.
        quiet: what quiet moves win where, by the position's key.
    """

    trial = _TRIAL

    def __init__(
        self,
        board: Board,
        engine: tuple[Record, Record, PnSearch],
        line: Sequence[Point],
        most_nodes: int,
        quiet: Mapping[bytes, Step],
    ) -> None:
        self._board, self._quiet = board.copy(), quiet
        self._state, self._tables, self._search = engine
        self._most_nodes = most_nodes
        self._lines = [tuple(line)]
        self._step: Step | None = None

    @property
    def stopped(self) -> bool:
        return bool(self._state[0]["stop"])

    def plan(self) -> PlannedMove:
        from tengen.engine.board.conversion import point_of

        self._step = self._known_step()
        if self._step is not None:
            return PlannedMove(self._step.point)
        if not self._lines[-1]:
            cells = () if self.stopped else self._search.attack(self._most_nodes)
            self._lines[-1] = tuple(point_of(self._board, each) for each in cells)
        if not self._lines[-1]:
            raise ProofEnded
        return PlannedMove(self._lines[-1][0])

    def pairs(self) -> None:
        return None

    def hard(self, fives: Points) -> set[Point]:
        from tengen.engine.board.conversion import point_of

        if self._step is not None:
            return set(self._step.replies)
        return set() if fives else {point_of(self._board, each) for each in self._search.answers()}

    def put(self, point: Point, colour: Colour) -> None:
        from tengen.engine.board.conversion import cell
        from tengen.engine.board.position import make

        make(self._state, self._tables, cell(self._board, point))
        self._board.push(point)
        line = self._lines[-1]
        self._lines.append(line[1:] if line[:1] == (point,) else ())

    def take(self) -> None:
        from tengen.engine.board.position import unmake

        unmake(self._state, self._tables)
        self._board.pop()
        self._lines.pop()

    def _known_step(self) -> Step | None:
        """The quiet move that wins in the position, if threats alone do not."""
        if not self._quiet:
            return None
        key, symmetry = canonical(self._board)
        step = self._quiet.get(key)
        return None if step is None else step.turned(inverse(symmetry))
