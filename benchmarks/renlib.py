"""RenLib libraries: nodes a second read and written, memory, and the search for transpositions.

The library is made here: lines of up to 20 moves that leave earlier ones at any place, with comments,
marks and texts on some nodes.
"""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable
from typing import TypeVar

from benchmarks.command_line import parser
from tengen import Record
from tengen.formats import renlib
from tengen.formats.transpositions import transpositions
from tengen.game.points import distance
from tengen.game.record import Mark, Node

_T = TypeVar("_T")

NODES = 1_000_000
SIDE = 15
CENTRE = 112
LINE = 20
COMMENTS = ("Black wins by VCF", "黑棋必胜", "white defends\nand then attacks", "?")


def library(count: int, seed: int = 1) -> Record:
    """A record of so many nodes, most of them near the centre of the board."""
    chance = random.Random(seed)
    points = sorted(range(SIDE * SIDE), key=lambda point: distance(point, CENTRE, SIDE))
    record = Record("renju")
    nodes = [record.root.add(CENTRE)]
    while len(nodes) < count:
        node = nodes[int(len(nodes) * chance.random() ** 2)]
        taken = set(node.path())
        for _ in range(min(LINE, count - len(nodes))):
            point = points[int(120 * chance.random() ** 2)]
            if point in taken or node.child(point) is not None:
                break
            taken.add(point)
            node = node.add(point)
            nodes.append(node)
            _decorate(node, chance)
    return record


def _decorate(node: Node, chance: random.Random) -> None:
    what = chance.random()
    if what < 0.02:
        node.comment = chance.choice(COMMENTS)
    elif what < 0.03 and node.point is not None:
        node.marks = (Mark(node.point, "circle"),)
    elif what < 0.04:
        node.marks = (Mark(chance.randrange(SIDE * SIDE), "label", chance.choice("ABC")),)


def timed(work: Callable[[], _T], repeat: int = 3) -> tuple[float, _T]:
    """The least processor seconds that it took, and what came out."""
    best = float("inf")
    for _ in range(repeat):
        began = time.process_time()
        result = work()
        best = min(best, time.process_time() - began)
    return best, result


def pace(name: str, count: int, seconds: float) -> None:
    print(f"  {name:16}{count / seconds:>12,.0f} nodes/s")


def reading_and_writing(made: Record, count: int) -> bytes:
    seconds, data = timed(lambda: renlib.write([made]))
    print(f"{count:,} nodes, {len(data) / 1e6:.2f} MB")
    pace("write", count, seconds)
    seconds, games = timed(lambda: renlib.read(data))
    pace("read", count, seconds)
    seconds, groups = timed(lambda: list(transpositions(games.records[0])))
    pace("transpositions", count, seconds)
    print(f"  {len(groups):,} positions are reached by several lines")
    return data


def memory(data: bytes, count: int) -> None:
    tracemalloc.start()
    record = renlib.read(data).records[0]
    held, peak = tracemalloc.get_traced_memory()
    print(f"  memory: {held / count:.0f} bytes a node held, {peak / count:.0f} at the peak of reading")
    tracemalloc.reset_peak()
    for _ in transpositions(record):
        pass
    peak = tracemalloc.get_traced_memory()[1] - held
    print(f"  memory for transpositions: {peak / count:.0f} bytes a node at the peak")
    tracemalloc.stop()


def main(count: int = NODES) -> None:
    memory(reading_and_writing(library(count), count), count)


if __name__ == "__main__":
    options = parser("benchmarks.renlib", __doc__)
    options.add_argument(
        "--count", type=int, default=NODES, metavar="N", help="nodes, a million if left out"
    )
    main(options.parse_args().count)
