"""What the search sees: forced wins proven, and losing moves avoided, at a given number of nodes.

``python -m benchmarks.tactics --quick`` leaves out the million. The positions are of engine matches, judged
by another program at 100,000 nodes (``tests/data/README.md``); each is searched from an empty table.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tengen import Board, Engine, Limit, Rules
from tengen.engine.warmup import warm_up

DATA = Path(__file__).parent.parent / "tests" / "data" / "tactics.jsonl"
NODES = (10_000, 100_000, 1_000_000)
GOALS = {100_000: "90 %", 1_000_000: "98 %"}


@dataclass(frozen=True, slots=True)
class Found:
    """What the search of one position has found.

    Attributes:
        rules: their name.
        kind: "win" or "avoid".
        good: whether the win was proven, or another move than the losing one chosen.
        depth: plies; None where the end was seen.
    """

    rules: str
    kind: str
    good: bool
    depth: int | None


def find(row: dict[str, Any], nodes: int) -> Found:
    """Search one position."""
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
    info = Engine().analyse(board, Limit(nodes=nodes))[0]
    mate = info.score.mate
    good = mate is not None and mate > 0 if row["kind"] == "win" else board.name(info.point) != row["loses"]
    return Found(row["rule"], row["kind"], good, info.depth if mate is None else None)


def searched(rows: Sequence[dict[str, Any]], nodes: int) -> Iterator[Found]:
    """Search all positions, as many at once as there are processors."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        yield from processes.map(find, rows, [nodes] * len(rows), chunksize=4)


def share(found: Sequence[Found], kind: str) -> str:
    """How many of a kind were good, in all and under each of the rules."""

    def counted(some: Sequence[Found]) -> str:
        return f"{sum(one.good for one in some)} of {len(some)}"

    some = [one for one in found if one.kind == kind]
    names = sorted({one.rules for one in some})
    each = ", ".join(f"{name} {counted([one for one in some if one.rules == name])}" for name in names)
    percent = 100 * sum(one.good for one in some) / len(some)
    return f"{counted(some)}, {percent:.0f} % ({each})"


def main(most: int = NODES[-1]) -> None:
    warm_up()
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    for nodes in NODES:
        if nodes > most:
            break
        found = list(searched(rows, nodes))
        goal = f"  (goal: {GOALS[nodes]} of both)" if nodes in GOALS else ""
        depths = [one.depth for one in found if one.depth is not None]
        print(f"{nodes:,} nodes a position{goal}")
        print(f"  wins proven          {share(found, 'win')}")
        print(f"  losing moves avoided {share(found, 'avoid')}")
        print(f"  median depth where no end was seen: {statistics.median(depths):.0f} plies")


if __name__ == "__main__":
    main(100_000 if "--quick" in sys.argv[1:] else NODES[-1])
