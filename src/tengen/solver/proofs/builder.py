"""Construction of a proof's graph, written from the leaves up, for `tengen.solver.proofs.verify` to check.

After each move of the proving side, the builder answers every reply that the checker would play. It first
tries the answers to other replies to the same move, by means of the checker, and asks a *guide*, which
knows what to play, only where they fail (Y. Kawano, "Using similar positions to search game trees", 1996).
So most replies to an open three share one answer, the node's default. A position that has been written
already, or a symmetric one, is referred to, and equal nodes are written once.

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

_MOST_CACHED = 1 << 18
"""Capacity of the caches of written positions, and of written nodes; the oldest entries are dropped."""

_MOST_TRIALS = 6
"""Answers to other replies that are tried on a reply, the most used first."""


@dataclass(slots=True)
class ProofProgress:
    """The progress of a proof; updated while it is made.

    Attributes:
        stage: ``"search"`` (for a win by threats), ``"quiet"`` (for one with quiet moves), ``"value"``
            (exact value), ``"write"`` or ``"check"``.
        expanded: positions in which quiet moves have been tried.
        open: estimated number of positions that still have to be won; `tengen.solver.limits.NEVER` if the
            candidate moves cannot win.
        nodes: nodes written.
        size: bytes written.
        positions: positions checked, while the proof is written or afterwards; positions visited, while the
            exact value is searched.
    """

    stage: str = "search"
    expanded: int = 0
    open: int = 1
    nodes: int = 0
    size: int = 0
    positions: int = 0


@dataclass(frozen=True, slots=True)
class ProofResult:
    """The result of an attempt to prove something.

    Attributes:
        winner: the side that is known to win; None otherwise.
        proven: whether the claims are decided; False if a limit was reached first.
        verdict: the checker's verdict on the file; None if none was written, because the claims are false
            or a limit was reached.
        nodes: moves made, or positions visited, by the search.
        written: nodes of the proof.
        size: bytes of the file.
        seconds: duration of it all.
        holds: the sides that are known to hold, of those claimed to.
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
    """A limit has been reached, or the caller has stopped the proof."""


class _TrialTooLong(Exception):
    """A trial has reached its bound of positions."""


class PlannedMove(NamedTuple):
    """A guide's move.

    Attributes:
        point: the move.
        pairs: the pairs by which the side holds after the move, if it does so; see
            `tengen.solver.proofs.checker`.
    """

    point: Point
    pairs: Pairs = ()


class Guide(Protocol):
    """The source of a proof's moves, which follows the moves on the board.

    Attributes:
        trial_positions: positions that one trial of an answer on another reply may take.
    """

    trial_positions: int

    @property
    def stopped(self) -> bool:
        """True if a limit is reached, or the caller has stopped the proof."""

    def plan(self) -> PlannedMove:
        """Return the move of the proving side, which is to move.

        Raises:
            ProofEnded: a limit was reached first.
        """

    def pairs(self) -> Pairs | None:
        """Return the pairs by which the side holds with the other to move; None if it does not hold so."""

    def hard_replies(self, fives: Points) -> set[Point]:
        """Return the replies to the last move that are likely to need answers of their own.

        Args:
            fives: the points where the side completes a five next.
        """

    def push(self, point: Point) -> None:
        """Follow a move."""

    def pop(self) -> None:
        """Take back the last move."""


def target_of(path: str | Path) -> Path:
    """Return the resolved path of the file to write.

    Raises:
        OSError: there can be no such file.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return target


def write_proof(
    board: Board, target: Path, guides: Mapping[Claim, Guide], progress: ProofProgress
) -> Verdict | None:
    """Write a proof and check it.

    Args:
        board: the position.
        target: the file, which is written completely or not at all.
        guides: the guide of each claim.
        progress: updated meanwhile.

    Returns:
        The checker's verdict; None if a limit was reached first.

    Raises:
        Unproven: a guide's move fails by the rules.
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
        verdict = verify(beside, _position_callback(progress, list(guides.values())))
        beside.replace(target)
    except ProofEnded:
        return None
    finally:
        beside.unlink(missing_ok=True)
    return verdict


def _position_callback(
    progress: ProofProgress, guides: Sequence[Guide], before: int = 0
) -> Callable[[int], None]:
    """Return a callback for the checker that counts positions, and raises `ProofEnded` at a limit."""

    def on_position(positions: int) -> None:
        progress.positions = before + positions
        if positions % 64 == 0 and any(guide.stopped for guide in guides):
            raise ProofEnded

    return on_position


class ProofBuilder:
    """A builder of the nodes of one claim of one file."""

    def __init__(
        self, board: Board, claim: Claim, guide: Guide, writer: ProofWriter, progress: ProofProgress
    ) -> None:
        self._board, self._claim, self._guide = board.copy(), claim, guide
        self._writer, self._progress = writer, progress
        self._enemy = opponent(claim.side)
        self._grid = axes(board.width, board.height)
        self._count_position = _position_callback(progress, [guide], progress.positions)
        self._checker = Checker(self._board, claim, writer.node, self._on_position)
        self._most_positions: int | None = None
        self._positions: dict[int, tuple[int, int]] = {}
        self._nodes: dict[bytes, int] = {}
        self._symmetries = images = symmetries(board.width, board.height)
        self._products = products(board.width, board.height)
        self._inverses = [images.index(inverse(image)) for image in images]
        self._images = [
            tuple(
                sum(colour << 2 * image[point] for point, colour in enumerate(board.position))
                for image in images
            )
        ]

    def build(self) -> int:
        """Write all nodes, and return the offset of the root.

        Raises:
            ProofEnded: a limit has been reached.
            Unproven: a guide's move fails by the rules.
        """
        own, other = self._checker.fives()
        if self._board.turn == self._claim.side:
            offset, _ = self._add_position(own, other)
        else:
            after, pairs = self._checker.threats_faced(own, other), self._guide.pairs()
            refs = self._add_answers(after) if pairs is None else {}
            offset = self._add_node(PASS, refs, pairs or ())
        self._report_size()
        return offset

    def _on_position(self, positions: int) -> None:
        """Count a position of the checker's, and end a trial at its bound."""
        self._count_position(positions)
        if self._most_positions is not None and positions > self._most_positions:
            raise _TrialTooLong

    def _add_position(self, own: Points, other: Points) -> Ref:
        """Write the node of the position on the board, the side to move.

        Args:
            own: the points among which all fives of the side's are.
            other: the points among which all fives of the enemy's are.
        """
        image = min(self._images[-1])
        symmetry = self._images[-1].index(image)
        if (known := self._positions.get(image)) is not None:
            offset, written = known
            # The written position maps to its image, and the image to the position on the board.
            return offset, self._products[self._inverses[symmetry]][written]
        plan = self._guide.plan()
        after = self._checker.play_move(plan.point, own, other)
        refs: dict[Point, Ref] = {}
        if after is not None and after.replies and not plan.pairs:
            self._push(plan.point, self._claim.side)
            refs = self._add_answers(after)
            self._pop()
        self._board.pop()
        offset = self._add_node(plan.point, refs, plan.pairs if after is not None else ())
        _cache(self._positions, image, (offset, symmetry))
        return offset, 0

    def _add_answers(self, after: MoveThreats) -> dict[Point, Ref]:
        """Write the answers to the replies to a move, and return a reference for each that needs one."""
        hard = self._guide.hard_replies(after.fives)
        refs: dict[Point, Ref] = {}
        uses: Counter[Ref] = Counter()
        # Replies that stop nothing come first: one answer beats them all, and others too.
        for reply in sorted(after.replies, key=lambda point: point in hard):
            tries = [ref for ref, _ in uses.most_common(_MOST_TRIALS)]
            answered, ref = self._try(reply, tries or [None], after)
            if not answered:
                ref = self._add_answer(reply, after)
            if ref is not None:
                refs[reply] = ref
                uses[ref] += 1
        return refs

    def _add_answer(self, reply: Point, after: MoveThreats) -> Ref:
        """Write the answer to a reply."""
        board = self._board
        board.push(reply)
        beside = five_points_beside(board.rules, board.position, self._grid, reply, self._enemy)
        self._push(reply, self._enemy)
        ref = self._add_position(after.own, (*after.other, *beside))
        self._pop()
        board.pop()
        return ref

    def _try(
        self, reply: Point, tries: Sequence[Ref | None], after: MoveThreats
    ) -> tuple[bool, Ref | None]:
        """Return whether one of some answers refutes a reply, and which."""
        board = self._board
        ply = board.ply
        for ref in tries:
            self._most_positions = self._checker.positions + self._guide.trial_positions
            try:
                self._checker.check_reply(reply, ref, after)
            except (Unproven, _TrialTooLong):
                while board.ply > ply:
                    board.pop()
            else:
                return True, ref
            finally:
                self._most_positions = None
        return False, None

    def _add_node(self, point: Point, refs: dict[Point, Ref], pairs: Pairs = ()) -> int:
        """Write a node unless there is an equal one, and return its offset."""
        default = Counter(refs.values()).most_common(1)[0][0] if refs else None
        listed = {reply: ref for reply, ref in sorted(refs.items()) if ref != default}
        # Nodes may be large, so their digests are compared; a collision would fail the final check.
        key = hashlib.blake2b(repr((point, default, listed, pairs)).encode(), digest_size=16).digest()
        offset = self._nodes.get(key)
        if offset is None:
            offset = self._writer.add(ProofNode(point, default, listed, pairs))
            _cache(self._nodes, key, offset)
            self._report_size()
        return offset

    def _push(self, point: Point, colour: Colour) -> None:
        """Have the guide and the images follow a move that has been made on the board."""
        self._guide.push(point)
        images = zip(self._images[-1], self._symmetries, strict=True)
        self._images.append(tuple(image | colour << 2 * symmetry[point] for image, symmetry in images))

    def _pop(self) -> None:
        """Have the guide and the images take back the last move."""
        self._guide.pop()
        self._images.pop()

    def _report_size(self) -> None:
        self._progress.nodes, self._progress.size = self._writer.nodes, self._writer.size


def _cache(cache: dict[_K, _V], key: _K, value: _V) -> None:
    """Add an entry to a cache; if it is full, the oldest entry is dropped."""
    if len(cache) >= _MOST_CACHED:
        cache.pop(next(iter(cache)))
    cache[key] = value
