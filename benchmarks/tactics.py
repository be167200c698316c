"""What the search sees: forced wins proven, and losing moves avoided, at a given number of nodes.

The positions are of engine matches, judged by another program at 100,000 nodes (``tests/data/README.md``);
each is searched from an empty table. ``--overlooked`` takes wins that long searches overlook instead.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.command_line import parser
from tengen import Board, Engine, Limit, Rules
from tengen.solver.warmup import warm_up

DATA = Path(__file__).parent.parent / "tests" / "data" / "tactics.jsonl"
OVERLOOKED = DATA.with_name("overlooked.jsonl")
NODES = (10_000, 100_000, 1_000_000)
NODES_OVERLOOKED = (400_000, 1_600_000)
KINDS = {"win": "wins proven", "avoid": "losing moves avoided"}
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


def main(limits: Sequence[int] = NODES, data: Path = DATA) -> None:
    warm_up()
    rows = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    for nodes in limits:
        found = list(searched(rows, nodes))
        goal = f"  (goal: {GOALS[nodes]} of both)" if data == DATA and nodes in GOALS else ""
        depths = [one.depth for one in found if one.depth is not None]
        print(f"{nodes:,} nodes a position{goal}")
        for kind, name in KINDS.items():
            if any(one.kind == kind for one in found):
                print(f"  {name:20} {share(found, kind)}")
        print(f"  median depth where no end was seen: {statistics.median(depths):.0f} plies")


if __name__ == "__main__":
    options = parser("benchmarks.tactics", __doc__)
    options.add_argument("--overlooked", action="store_true", help="wins that long searches overlook")
    options.add_argument("--nodes", type=int, nargs="+", metavar="N", help="one after the other")
    options.add_argument(
        "--quick", action="store_true", help="the last and largest number of nodes left out"
    )
    given = options.parse_args()
    usual, data = (NODES_OVERLOOKED, OVERLOOKED) if given.overlooked else (NODES, DATA)
    main(given.nodes or (usual[:-1] if given.quick else usual), data)
