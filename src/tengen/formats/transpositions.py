"""Positions of a record that several of its lines reach."""

from __future__ import annotations

import itertools
import random
from array import array
from collections.abc import Iterator, Sequence

from tengen.game.points import PASS
from tengen.game.record import Node, Record


def transpositions(record: Record) -> Iterator[list[Node]]:
    """Yield the positions that several lines of a record reach, each as its nodes in order.

    A library holds the continuations of such a position once, behind one of the nodes: the others are often
    leaves. Positions are equal if stones and side to move are; symmetric ones are different. The search
    needs about 50 bytes a node, and finds every transposition and nothing else.
    """
    rng = random.Random(0)
    # Keys after Zobrist, "A New Hashing Method with Application for Game Playing" (1970), which few
    # different positions share; bit 0 is the side to move. Positions with equal keys are compared exactly.
    keys = [[rng.getrandbits(63) & ~1 for _ in range(record.rules.points)] for _ in range(2)]
    ordered = sorted(array("Q", (key for _, key in _keyed(record, keys))))
    twice = {key for key, following in itertools.pairwise(ordered) if key == following}
    del ordered
    if not twice:
        return
    size = record.rules.points
    exact = [[2 << colour * size + point for point in range(size)] for colour in range(2)]
    groups: dict[int, list[Node]] = {}
    walk = zip(_keyed(record, keys), _keyed(record, exact), strict=True)
    for (node, key), (_, position) in walk:
        if key in twice:
            groups.setdefault(position, []).append(node)
    yield from (nodes for nodes in groups.values() if len(nodes) > 1)


def _keyed(record: Record, keys: Sequence[Sequence[int]]) -> Iterator[tuple[Node, int]]:
    """Iterate over all nodes, like `Record.nodes`, with the keys of their positions."""
    waiting = [(record.root, 0)]
    while waiting:
        node, key = waiting.pop()
        yield node, key
        mine = keys[key & 1]
        for child in reversed(node.children):
            point = child.point
            stone = 0 if point is None or point == PASS else mine[point]
            waiting.append((child, key ^ stone ^ 1))
