"""The engine measured and prepared: benchmark and warm-up."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.benchmark import BenchResult, speed
from tengen.schemas.base import Schema
from tengen.schemas.points import named
from tengen.solver.warmup import Warmed


class BenchPosition(Schema):
    """The search of one position of a benchmark."""

    rules: str
    size: str
    moves: tuple[str, ...]
    best: str
    depth: int
    nodes: int
    seconds: float


class BenchData(Schema):
    """The result of a benchmark."""

    nodes: int
    seconds: float
    nodes_per_second: int
    signature: str | None
    """A word that changes with the search; null for several threads."""
    positions: tuple[BenchPosition, ...]
    kernels: str
    """The target for which the kernels were compiled ahead of time, or `jit`."""

    @classmethod
    def of(cls, measured: Sequence[BenchResult], signature: str | None, kernels: str) -> BenchData:
        """Return the result of a benchmark as data."""
        nodes, spent = sum(search.nodes for search in measured), sum(search.seconds for search in measured)
        return cls(
            nodes=nodes,
            seconds=round(spent, 4),
            nodes_per_second=speed(nodes, spent),
            signature=signature,
            positions=tuple(map(_position, measured)),
            kernels=kernels,
        )


def _position(search: BenchResult) -> BenchPosition:
    rules = search.board.rules
    return BenchPosition(
        rules=rules.name,
        size=rules.size_text,
        moves=named(rules, search.board.moves),
        best=search.board.name(search.point),
        depth=search.depth,
        nodes=search.nodes,
        seconds=round(search.seconds, 4),
    )


class WarmupData(Schema):
    """The result of a warm-up."""

    functions: int
    """Functions that were compiled."""
    tables: int = 0
    """Always 0: tables are not kept."""
    seconds: float
    folder: str | None
    """The folder of the compiled functions; null if none can be written."""

    @classmethod
    def of(cls, done: Warmed) -> WarmupData:
        """Return the result of a warm-up as data."""
        return cls(
            functions=done.functions,
            seconds=round(done.seconds, 3),
            folder=None if done.folder is None else str(done.folder),
        )
