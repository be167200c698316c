"""The benchmark: the engine's speed on fixed positions, and a signature of its results.

The positions are openings of the sets that ship, continued by the engine itself at 20,000 nodes a move; a
search of 300,000 nodes finds no win in any of them. On one thread the results are the same on every
machine. `signature` is their hash: it shows that a change of the code did not change the search.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tengen.engine.engine import Engine
from tengen.engine.info import Info
from tengen.engine.kernels import library
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Point
from tengen.game.rules import Rules

LIMITS = (Limit(depth=7), Limit(nodes=30_000))
"""Limits of the searches of each position by default: first a depth, then a number of nodes."""

MEMORY = 16
"""Megabytes of the transposition table; fixed, because the number of nodes depends on it."""

POSITIONS = (
    ("freestyle", 15, "g7i5l4j6k7h4l6g3f2j8"),
    ("freestyle", 15, "f8g8f10g11d8h11i6i11f11f9g10h10h9i8f12e12"),
    ("freestyle", 15, "h6i7i6i8h7j5k6j6k5j4j3j8j7k8h8h5f6h10l8e6e5g7l5k4"),
    ("freestyle", 15, "h10g10h11i12h12h9h13h14f11g11g8i11g12i14i13f13k13l13j14d9j13g13d12e11f12e12d11j9"),
    ("freestyle", 20, "i10i11g13k9g12j9e14l9m9h11g14g11j11h9"),
    ("freestyle", 20, "n11n12o13o11r14p14q13p10m13p13p12n14m14m16m12m11o16o10o14o15p15n13n15p17k12l13"),
    ("standard", 15, "g7i5l4j6k6k7h4l8m9k9m7k10g5l10"),
    ("standard", 15, "h8i10k11k9g9f10g8g7f8e8i11h10g10j11k12j8g11g12j9l10m11k10j10l12l11n11"),
    ("renju", 15, "h8i8j8k10k11i10l10j9l11l12j11m11"),
    ("renju", 15, "h8h6g8i7i6f9k5g5j8f8k8i8f7e6f4e5h5j7k7k6"),
    ("renju", 15, "h8j6e11h7h6j5i5g7j7i6k4g8f9f10g10k6e8h11l7c6g5e9l6e4f5f4e5h5d5c5"),
    ("caro", 15, "g7f9g8e8h11g4f12g10d7f7d9e5"),
    ("caro", 15, "j8i7h6j7i9f7k8h8k5g7h7k7l7l8j5k6l5m5h5i5j6g8h4h3"),
)  # fmt: skip
"""Rules, size and moves."""


@dataclass(frozen=True, slots=True)
class BenchResult:
    """The search of one position.

    Attributes:
        board: the position.
        infos: the results of its iterations.
        seconds: of the search alone.
    """

    board: Board
    infos: tuple[Info, ...]
    seconds: float

    @property
    def point(self) -> Point:
        """The best move found."""
        return self.infos[-1].point

    @property
    def depth(self) -> int:
        """Plies searched."""
        return self.infos[-1].depth

    @property
    def nodes(self) -> int:
        """Stones put down, those inside threat searches included."""
        return self.infos[-1].nodes

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return speed(self.nodes, self.seconds)


def speed(nodes: int, seconds: float) -> int:
    """Return nodes per second, rounded."""
    return round(nodes / max(seconds, 1e-9))


def boards(rules: str | None = None) -> list[Board]:
    """Return the positions, or those of some rules."""
    return [
        Board.from_moves(moves, Rules.named(name, size))
        for name, size, moves in POSITIONS
        if rules in (None, name)
    ]


def measure(
    positions: Sequence[Board], limits: Sequence[Limit] = LIMITS, threads: int = 1, weights: str = ""
) -> Iterator[BenchResult]:
    """Search each position within each limit, with empty tables.

    The engine has to be compiled before, or compilation is measured, too: see `tengen.solver.warmup`.

    Args:
        positions: games that are not over.
        limits: of the searches; all positions are searched within one limit before the next.
        threads: the number of search threads.
        weights: the folder of the numbers to evaluate by; see `tengen.engine.engine.Engine`.
    """
    for limit in limits:
        for board in positions:
            engine = Engine(threads=threads, memory_mb=MEMORY, weights=weights)
            engine.analyse(board, Limit(nodes=1))  # the tables of the rules, made once
            began = time.perf_counter()
            infos = tuple(engine.infos(board, limit))
            yield BenchResult(board, infos, time.perf_counter() - began)


def kernels_in_use() -> str:
    """Return the target of the library that kernels run from; ``jit`` if they are compiled just in time."""
    selected = library.selected()
    return "jit" if selected is None else selected.manifest.target


def signature(measured: Iterable[BenchResult]) -> str:
    """Return a hash of the results of searches by one thread: 12 hexadecimal digits.

    It covers the best move, score, depth, nodes and line of each iteration. Equal searches have equal
    signatures on every machine.
    """
    digest = hashlib.sha256()
    for result in measured:
        for info in result.infos:
            fields = (info.point, info.score.value, info.score.mate, info.depth, info.nodes, *info.line)
            digest.update(f"{fields}\n".encode())
    return digest.hexdigest()[:12]
