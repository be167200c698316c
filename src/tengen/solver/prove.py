"""Writes the proof of a win by threats to a file, for `tengen.solver.verify` to check.

The win is found as by `tengen.solver.vct`. Then the proof is written from the end: for each move of the
winner's every reply is looked at that the checker would look at. What has refuted another reply to the same
move is tried first, by the checker itself, and only where that fails the search is asked (Y. Kawano, "Using
similar positions to search game trees", 1996). So most replies to an open three share one refutation, the
node's default. A position that has been written already, or a symmetric one, is referred to; so is a node
that would say the same as another.

Where threats alone do not win, quiet moves may be tried as well (`tengen.solver.quiet_wins`).

The finished file is checked once more before it gets its name.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tengen.executors import Workers, open_workers
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit
from tengen.game.points import Colour, Point, axes, opponent
from tengen.game.rows import five_points_beside
from tengen.game.symmetry import canonical, inverse, products, symmetries
from tengen.solver.limits import MOST_CANDIDATES
from tengen.solver.proof_file import Node, ProofWriter, Ref, Unproven
from tengen.solver.quiet_wins import Asked, QuietWins, Step
from tengen.solver.vcf import ALL_NODES, Solution, solve_vcf
from tengen.solver.vct import MEMORY, check_asked, fours_first, left_after, set_number
from tengen.solver.verify import Attack, Checker, Points, Verdict, verify

if TYPE_CHECKING:
    from tengen.engine.proofs import Proof
    from tengen.engine.search_state import Record

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")

_REMEMBERED = 1 << 18
"""Positions, and nodes, that are known to be written already; of more, the oldest are forgotten."""

_BEFORE_QUIET = 1_000_000
"""Nodes spent on a win by threats before quiet moves are tried."""

_TRIED = 6
"""Refutations of other replies that are tried, ..."""

_TRIAL = 2_000
"""... and positions that each may take."""


@dataclass(slots=True)
class Progress:
    """How far a proof is; changed while it is made.

    Attributes:
        stage: ``"search"`` for a win by threats, ``"quiet"`` for one with quiet moves, ``"write"`` the
            proof, or ``"check"`` it.
        expanded: positions in which quiet moves have been tried.
        open: about how many of them have to be won yet; `tengen.solver.limits.NEVER` where no win is to
            be found among these moves.
        nodes: that have been written.
        size: bytes that have been written.
        positions: that have been checked, while it was written or afterwards.
    """

    stage: str = "search"
    expanded: int = 0
    open: int = 1
    nodes: int = 0
    size: int = 0
    positions: int = 0


@dataclass(frozen=True, slots=True)
class Proven:
    """What has become of a proof.

    Attributes:
        winner: the side to move if it wins; None otherwise.
        proven: whether that is certain; False where a limit was reached first.
        verdict: what the file proves; None where none was written, because there is no win, or a limit was
            reached.
        nodes: stones that the search put down.
        written: nodes of the proof.
        size: bytes of the file.
        seconds: how long it took.
    """

    winner: Colour | None
    proven: bool
    verdict: Verdict | None
    nodes: int
    written: int
    size: int
    seconds: float


class _Ended(Exception):
    """A limit has been reached, or somebody wants no more."""


class _TooLong(Exception):
    """A trial takes too many positions."""


def prove(
    board: Board,
    path: str | Path,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    threats: str = "threes",
    memory_mb: int = MEMORY,
    progress: Progress | None = None,
    candidates: int = 0,
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
        threats: which moves the winner makes; see `tengen.solver.vct.solve_vct`.
        memory_mb: megabytes for the positions that the search remembers. What has been written is
            remembered besides, in some hundred megabytes at most.
        progress: where to tell how far it is.
        candidates: how many of the engine's moves are tried in a position that threats do not win, be they
            quiet; 0 for none. Where no win is found among them, nothing is proven.
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
    check_asked(threats, memory_mb)
    _check_candidates(candidates, threats)
    began = time.perf_counter()
    target = _target(path)
    progress = progress or Progress()
    limit = limit or Limit()
    found, left = _by_fours(board, threats, limit, stop)
    if threats == "fours" and found.winner is None:
        return Proven(None, found.proven, None, found.nodes, 0, 0, time.perf_counter() - began)
    tree = None
    if candidates:
        tree = QuietWins(board, Asked(candidates), None if resume is None else Path(resume))
    from tengen.engine.bridge import position_of, stopped_in_time
    from tengen.engine.proof_table import new_proof_table
    from tengen.engine.proofs import Proof

    state, tables = position_of(board)
    record, most_nodes, over = state[0], ALL_NODES if left.nodes is None else left.nodes, threading.Event()
    search = Proof(state, tables, new_proof_table(memory_mb), threats=set_number(threats))

    def end() -> None:
        record["stop"] = 1
        over.set()

    def ended(winner: Colour | None, proven: bool, verdict: Verdict | None = None) -> Proven:
        nodes = found.nodes + int(record["nodes"]) + (tree.nodes if tree else 0)
        seconds = time.perf_counter() - began
        return Proven(winner, proven, verdict, nodes, progress.nodes, progress.size, seconds)

    with stopped_in_time(end, left.seconds, stop):
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
        verdict = _written(board, target, (state, tables, search), found.line, most_nodes, progress, tree)
    return ended(board.turn, True, verdict)


def _by_fours(
    board: Board, threats: str, limit: Limit, stop: threading.Event | None
) -> tuple[Solution, Limit]:
    """What is found by fours alone, and the limit that it leaves."""
    if threats != "fours":
        return fours_first(board, board.turn, Limit(limit.seconds, limit.nodes), stop)
    found = solve_vcf(board, limit, board.turn, stop=stop)
    return found, left_after(found, limit)


def _written(
    board: Board,
    target: Path,
    engine: tuple[Record, Record, Proof],
    line: Sequence[Point],
    most_nodes: int,
    progress: Progress,
    tree: QuietWins | None,
) -> Verdict | None:
    """What the proof of a win says, written and checked; None where a limit was reached before."""
    from tengen.engine.bridge import cell

    quiet = tree.steps() if tree is not None and tree.open == 0 else {}
    beside = target.with_name(f".{target.name}.part")
    try:
        progress.stage = "write"
        with beside.open("w+b") as file:
            writer = ProofWriter(file, board)
            builder = _Builder(board, engine, writer, most_nodes, progress, quiet)
            builder.build(tuple(cell(board, point) for point in line))
        progress.stage = "check"
        verdict = verify(beside, builder.heard)
        beside.replace(target)
    except _Ended:
        return None
    finally:
        beside.unlink(missing_ok=True)
    return verdict


def _check_candidates(count: int, threats: str) -> None:
    if not 0 <= count <= MOST_CANDIDATES:
        raise TengenError("error.prove.candidates", value=str(count), most=MOST_CANDIDATES)
    if threats == "fours" and count:
        raise TengenError("error.prove.fours")


def _target(path: str | Path) -> Path:
    """The file to write; raises OSError where there can be none."""
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return target


def _by_quiet_moves(
    tree: QuietWins,
    workers: Workers | None,
    stop: threading.Event,
    most_nodes: int | None,
    progress: Progress,
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


class _Builder:
    """Writes the nodes of a proof; one for one file."""

    def __init__(
        self,
        board: Board,
        engine: tuple[Record, Record, Proof],
        writer: ProofWriter,
        most_nodes: int,
        progress: Progress,
        quiet: Mapping[bytes, Step],
    ) -> None:
        self._board, self._quiet = board.copy(), quiet
        self._state, self._tables, self._search = engine
        self._writer, self._most_nodes, self._progress = writer, most_nodes, progress
        self._winner, self._loser = board.turn, opponent(board.turn)
        self._grid = axes(board.width, board.height)
        self._checker = Checker(self._board, writer.node, self.heard)
        self._most_positions: int | None = None
        self._positions: dict[int, tuple[int, int]] = {}
        self._nodes: dict[Hashable, int] = {}
        self._turns = turns = symmetries(board.width, board.height)
        self._products = products(board.width, board.height)
        self._inverses = [turns.index(inverse(turn)) for turn in turns]
        self._images = [
            tuple(
                sum(colour << 2 * turn[point] for point, colour in enumerate(board.position))
                for turn in turns
            )
        ]

    def build(self, line: tuple[int, ...]) -> None:
        """Write all nodes, and the end.

        Args:
            line: the cells of a win by fours; empty where the search has to be asked.

        Raises:
            _Ended: a limit has been reached.
            Unproven: the rules do not agree.
        """
        own, other = self._checker.fives()
        offset, _ = self._win(own, other, line)
        self._writer.finish(offset)
        self._told()

    def heard(self, positions: int) -> None:
        """A position is looked at by the checker."""
        self._progress.positions = positions
        if positions % 64 == 0 and self._state[0]["stop"]:
            raise _Ended
        if self._most_positions is not None and positions > self._most_positions:
            raise _TooLong

    def _win(self, own: Points, other: Points, line: tuple[int, ...]) -> Ref:
        """Write what wins in the position on the board, the winner to move; see `Attack` for the points."""
        from tengen.engine.bridge import point_of

        image = min(self._images[-1])
        turn = self._images[-1].index(image)
        if (known := self._positions.get(image)) is not None:
            offset, was = known
            # The written position goes to its image, and that to the one on the board.
            return offset, self._products[self._inverses[turn]][was]
        step = self._step()
        if step is None and not line:
            line = () if self._state[0]["stop"] else self._search.attack(self._most_nodes)
            if not line:
                raise _Ended
        point = point_of(self._board, line[0]) if step is None else step.point
        after = self._checker.attack(point, own, other)
        refs: dict[Point, Ref] = {}
        if after is not None and after.replies:
            self._put(point, self._winner)
            refs = self._answers(after, line[1:], step)
            self._take()
        self._board.pop()
        offset = self._written(point, refs)
        _remember(self._positions, image, (offset, turn))
        return offset, 0

    def _step(self) -> Step | None:
        """The quiet move that wins in the position on the board, if threats alone do not."""
        if not self._quiet:
            return None
        key, symmetry = canonical(self._board)
        step = self._quiet.get(key)
        return None if step is None else step.turned(inverse(symmetry))

    def _answers(self, after: Attack, line: tuple[int, ...], step: Step | None) -> dict[Point, Ref]:
        """Write what answers the replies to a move; for each that needs an answer, where."""
        from tengen.engine.bridge import point_of

        board = self._board
        hard: set[Point] = set()
        if step is not None:
            hard = set(step.replies)
        elif not after.fives:
            hard = {point_of(board, each) for each in self._search.answers()}
        refs: dict[Point, Ref] = {}
        uses: Counter[Ref] = Counter()
        # Those that stop nothing come first: what beats them is good for all of them, and for others.
        for reply in sorted(after.replies, key=lambda point: point in hard):
            tries = [ref for ref, _ in uses.most_common(_TRIED)]
            good, ref = self._tried(reply, tries or [None], after)
            if not good:
                ref = self._anew(reply, after, line)
            if ref is not None:
                refs[reply] = ref
                uses[ref] += 1
        return refs

    def _anew(self, reply: Point, after: Attack, line: tuple[int, ...]) -> Ref:
        """Write what wins after a reply."""
        from tengen.engine.bridge import cell

        board = self._board
        board.push(reply)
        beside = five_points_beside(board.rules, board.position, self._grid, reply, self._loser)
        self._put(reply, self._loser)
        rest = line[1:] if line and line[0] == cell(board, reply) else ()
        ref = self._win(after.own, (*after.other, *beside), rest)
        self._take()
        board.pop()
        return ref

    def _tried(self, reply: Point, tries: Sequence[Ref | None], after: Attack) -> tuple[bool, Ref | None]:
        """Whether one of these refutes a reply, and which."""
        board = self._board
        ply = board.ply
        for ref in tries:
            self._most_positions = self._checker.positions + _TRIAL
            try:
                self._checker.refuted(reply, ref, after)
            except (Unproven, _TooLong):
                while board.ply > ply:
                    board.pop()
            else:
                return True, ref
            finally:
                self._most_positions = None
        return False, None

    def _written(self, point: Point, refs: dict[Point, Ref]) -> int:
        """Where a node begins that says this; written, unless there is one."""
        default = Counter(refs.values()).most_common(1)[0][0] if refs else None
        listed = {reply: ref for reply, ref in sorted(refs.items()) if ref != default}
        key = point, default, tuple(listed.items())
        offset = self._nodes.get(key)
        if offset is None:
            offset = self._writer.add(Node(point, default, listed))
            _remember(self._nodes, key, offset)
            self._told()
        return offset

    def _put(self, point: Point, colour: Colour) -> None:
        """Have the search and the images follow a move that has been made on the board."""
        from tengen.engine.bridge import cell
        from tengen.engine.position import make

        make(self._state, self._tables, cell(self._board, point))
        images = zip(self._images[-1], self._turns, strict=True)
        self._images.append(tuple(image | colour << 2 * turn[point] for image, turn in images))

    def _take(self) -> None:
        """Take it back."""
        from tengen.engine.position import unmake

        unmake(self._state, self._tables)
        self._images.pop()

    def _told(self) -> None:
        self._progress.nodes, self._progress.size = self._writer.nodes, self._writer.size


def _remember(known: dict[_K, _V], key: _K, value: _V) -> None:
    """Add to what is known; if that is too much, the oldest of it is forgotten."""
    if len(known) >= _REMEMBERED:
        known.pop(next(iter(known)))
    known[key] = value
