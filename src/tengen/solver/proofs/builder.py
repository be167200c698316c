"""Writes the graph of a proof, from the end, for `tengen.solver.proofs.verify` to check.

For each move of the side's that the proof is about, every reply is looked at that the checker would look
at. What has answered another reply to the same move is tried first, by the checker itself, and only where
that fails a *guide*, who knows what to play, is asked (Y. Kawano, "Using similar positions to search game
trees", 1996). So most replies to an open three share one answer, the node's default. A position that has
been written already, or a symmetric one, is referred to; so is a node that would say the same as another.

The finished file is checked once more before it gets its name.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from tengen.game.board import Board
from tengen.game.points import PASS, Colour, Point, axes, opponent
from tengen.game.rows import five_points_beside
from tengen.game.symmetry import inverse, products, symmetries
from tengen.solver.proofs.checker import Checker, MoveThreats, Points
from tengen.solver.proofs.file import Claim, ProofNode, ProofWriter, Ref, Unproven
from tengen.solver.proofs.pairings import Pairs
from tengen.solver.proofs.verify import Verdict, verify

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")

_REMEMBERED = 1 << 18
"""Positions, and nodes, that are known to be written already; of more, the oldest are forgotten."""

_TRIED = 6
"""Answers to other replies that are tried."""


@dataclass(slots=True)
class ProofProgress:
    """How far a proof is; changed while it is made.

    Attributes:
        stage: ``"search"`` for a win by threats, ``"quiet"`` for one with quiet moves, ``"value"`` for the
            exact value, ``"write"`` the proof, or ``"check"`` it.
        expanded: positions in which quiet moves have been tried.
        open: about how many of them have to be won yet; `tengen.solver.limits.NEVER` where no win is to
            be found among these moves.
        nodes: that have been written.
        size: bytes that have been written.
        positions: that have been checked, while it was written or afterwards; that have been visited, while
            the exact value is searched.
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
        winner: who is known to win; None otherwise.
        proven: whether it is certain if what was to be proven is so; False where a limit was reached first.
        verdict: what the file proves; None where none was written, because it is not so, or a limit was
            reached.
        nodes: stones that the search put down, or positions that it visited.
        written: nodes of the proof.
        size: bytes of the file.
        seconds: how long it took.
        holds: the sides that are known to hold, of those that were to.
    """

    winner: Colour | None
    proven: bool
    verdict: Verdict | None
    nodes: int
    written: int
    size: int
    seconds: float
    holds: tuple[Colour, ...] = ()


class ProofEnded(Exception):
    """A limit has been reached, or somebody wants no more."""


class _TooLong(Exception):
    """A trial takes too many positions."""


class PlannedMove(NamedTuple):
    """What a guide would play.

    Attributes:
        point: the move.
        pairs: by which the side holds after it, if it does; see `tengen.solver.proofs.checker`.
    """

    point: Point
    pairs: Pairs = ()


class Guide(Protocol):
    """Knows what to play in positions of a proof, and follows the moves to them.

    Attributes:
        trial: positions that trying an answer on another reply may take.
    """

    trial: int

    @property
    def stopped(self) -> bool:
        """Whether the limit is reached, or somebody wants no more."""

    def plan(self) -> PlannedMove:
        """What the side, to move, plays. Raises `ProofEnded`."""

    def pairs(self) -> Pairs | None:
        """Pairs by which the side holds, the other to move; None where that is not how it holds."""

    def hard(self, fives: Points) -> set[Point]:
        """The replies to the move just made that need an answer each; `fives` as in `MoveThreats`."""

    def put(self, point: Point, colour: Colour) -> None:
        """Follow a move."""

    def take(self) -> None:
        """Take it back."""


def target_of(path: str | Path) -> Path:
    """The file to write; raises OSError where there can be none."""
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return target


def write_proof(
    board: Board, target: Path, guides: Mapping[Claim, Guide], progress: ProofProgress
) -> Verdict | None:
    """Write a proof and check it: what it says; None where a limit was reached before.

    Args:
        board: the position.
        target: the file, which is written whole or not at all.
        guides: for each claim, who knows what to play.
        progress: where to tell how far it is.

    Raises:
        Unproven: the rules do not agree with a guide.
        OSError: the file cannot be written.
    """
    beside = target.with_name(f".{target.name}.part")
    try:
        progress.stage = "write"
        with beside.open("w+b") as file:
            writer = ProofWriter(file, board, tuple(guides))
            roots = [
                ProofBuilder(board, claim, guide, writer, progress).build()
                for claim, guide in guides.items()
            ]
            writer.finish(*roots)
            progress.size = writer.size
        progress.stage = "check"
        verdict = verify(beside, _heard(progress, list(guides.values())))
        beside.replace(target)
    except ProofEnded:
        return None
    finally:
        beside.unlink(missing_ok=True)
    return verdict


def _heard(progress: ProofProgress, guides: Sequence[Guide], before: int = 0) -> Callable[[int], None]:
    """What is called when the checker looks at a position."""

    def heard(positions: int) -> None:
        progress.positions = before + positions
        if positions % 64 == 0 and any(guide.stopped for guide in guides):
            raise ProofEnded

    return heard


class ProofBuilder:
    """Writes the nodes of a claim; one for one claim of one file."""

    def __init__(
        self, board: Board, claim: Claim, guide: Guide, writer: ProofWriter, progress: ProofProgress
    ) -> None:
        self._board, self._claim, self._guide = board.copy(), claim, guide
        self._writer, self._progress = writer, progress
        self._loser = opponent(claim.side)
        self._grid = axes(board.width, board.height)
        self._told_of = _heard(progress, [guide], progress.positions)
        self._checker = Checker(self._board, claim, writer.node, self._heard)
        self._most_positions: int | None = None
        self._positions: dict[int, tuple[int, int]] = {}
        self._nodes: dict[bytes, int] = {}
        self._turns = turns = symmetries(board.width, board.height)
        self._products = products(board.width, board.height)
        self._inverses = [turns.index(inverse(turn)) for turn in turns]
        self._images = [
            tuple(
                sum(colour << 2 * turn[point] for point, colour in enumerate(board.position))
                for turn in turns
            )
        ]

    def build(self) -> int:
        """Write all nodes; where the position's own begins.

        Raises:
            ProofEnded: a limit has been reached.
            Unproven: the rules do not agree.
        """
        own, other = self._checker.fives()
        if self._board.turn == self._claim.side:
            offset, _ = self._settled(own, other)
        else:
            after, pairs = self._checker.faced(own, other), self._guide.pairs()
            refs = self._answers(after) if pairs is None else {}
            offset = self._written(PASS, refs, pairs or ())
        self._told()
        return offset

    def _heard(self, positions: int) -> None:
        """A position is looked at by the checker."""
        self._told_of(positions)
        if self._most_positions is not None and positions > self._most_positions:
            raise _TooLong

    def _settled(self, own: Points, other: Points) -> Ref:
        """Write what to do in the position on the board, the side to move; points as in `MoveThreats`."""
        image = min(self._images[-1])
        turn = self._images[-1].index(image)
        if (known := self._positions.get(image)) is not None:
            offset, was = known
            # The written position goes to its image, and that to the one on the board.
            return offset, self._products[self._inverses[turn]][was]
        plan = self._guide.plan()
        after = self._checker.attack(plan.point, own, other)
        refs: dict[Point, Ref] = {}
        if after is not None and after.replies and not plan.pairs:
            self._put(plan.point, self._claim.side)
            refs = self._answers(after)
            self._take()
        self._board.pop()
        offset = self._written(plan.point, refs, plan.pairs if after is not None else ())
        _remember(self._positions, image, (offset, turn))
        return offset, 0

    def _answers(self, after: MoveThreats) -> dict[Point, Ref]:
        """Write what answers the replies to a move; for each that needs an answer, where."""
        hard = self._guide.hard(after.fives)
        refs: dict[Point, Ref] = {}
        uses: Counter[Ref] = Counter()
        # Those that stop nothing come first: what beats them is good for all of them, and for others.
        for reply in sorted(after.replies, key=lambda point: point in hard):
            tries = [ref for ref, _ in uses.most_common(_TRIED)]
            good, ref = self._tried(reply, tries or [None], after)
            if not good:
                ref = self._anew(reply, after)
            if ref is not None:
                refs[reply] = ref
                uses[ref] += 1
        return refs

    def _anew(self, reply: Point, after: MoveThreats) -> Ref:
        """Write what answers a reply."""
        board = self._board
        board.push(reply)
        beside = five_points_beside(board.rules, board.position, self._grid, reply, self._loser)
        self._put(reply, self._loser)
        ref = self._settled(after.own, (*after.other, *beside))
        self._take()
        board.pop()
        return ref

    def _tried(
        self, reply: Point, tries: Sequence[Ref | None], after: MoveThreats
    ) -> tuple[bool, Ref | None]:
        """Whether one of these answers a reply, and which."""
        board = self._board
        ply = board.ply
        for ref in tries:
            self._most_positions = self._checker.positions + self._guide.trial
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

    def _written(self, point: Point, refs: dict[Point, Ref], pairs: Pairs = ()) -> int:
        """Where a node begins that says this; written, unless there is one."""
        default = Counter(refs.values()).most_common(1)[0][0] if refs else None
        listed = {reply: ref for reply, ref in sorted(refs.items()) if ref != default}
        # What a node says may be long; two that share a digest would not pass the check at the end.
        key = hashlib.blake2b(repr((point, default, listed, pairs)).encode(), digest_size=16).digest()
        offset = self._nodes.get(key)
        if offset is None:
            offset = self._writer.add(ProofNode(point, default, listed, pairs))
            _remember(self._nodes, key, offset)
            self._told()
        return offset

    def _put(self, point: Point, colour: Colour) -> None:
        """Have the guide and the images follow a move that has been made on the board."""
        self._guide.put(point, colour)
        images = zip(self._images[-1], self._turns, strict=True)
        self._images.append(tuple(image | colour << 2 * turn[point] for image, turn in images))

    def _take(self) -> None:
        """Take it back."""
        self._guide.take()
        self._images.pop()

    def _told(self) -> None:
        self._progress.nodes, self._progress.size = self._writer.nodes, self._writer.size


def _remember(known: dict[_K, _V], key: _K, value: _V) -> None:
    """Add to what is known; if that is too much, the oldest of it is forgotten."""
    if len(known) >= _REMEMBERED:
        known.pop(next(iter(known)))
    known[key] = value
