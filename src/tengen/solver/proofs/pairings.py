"""Pairing strategies: pairs of free points by which a side stops the other from completing any line.

`tengen.solver.exact.bounds` describes them, and decides during the search only whether a pairing exists.
This module returns the pairs, found by the same method: lines on one straight of the board share a pair as
long as they can, and augmenting paths find the two points of each (C. Berge 1957). Where none is found
there may still be one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tengen.game.points import Point
from tengen.game.rows import windows

Pairs = tuple[tuple[Point, Point], ...]
Straights = tuple[tuple[frozenset[Point], ...], ...]


@lru_cache(maxsize=8)
def straights(width: int, height: int, k: int) -> Straights:
    """Return the points of every k in a row, grouped by straights of the board, in order."""
    rows = windows(width, height, k)
    later = {row: range(row.start + row.step, row.stop + row.step, row.step) for row in rows}
    chains = []
    for row in later.keys() - later.values():
        chain = [row]
        while later[chain[-1]] in later:
            chain.append(later[chain[-1]])
        chains.append(chain)
    return tuple(
        tuple(map(frozenset, chain)) for chain in sorted(chains, key=lambda chain: rows.index(chain[0]))
    )


def pairing(lines: Straights, own: set[Point], free: set[Point]) -> Pairs | None:
    """Find two free points for each line without a stone of `own`, no point in two pairs.

    Args:
        lines: the lines of the board; see `straights`.
        own: the stones of the side that holds by the pairs, the other to move.
        free: the free points.

    Returns:
        The pairs, each once; None if no pairing is found.
    """
    groups: list[frozenset[Point]] = []
    for straight in lines:
        common: frozenset[Point] = frozenset()
        for line in straight:
            if line.isdisjoint(own):
                left = line & free
                if len(left) < 2:
                    return None
                if len(common & left) >= 2:
                    common = groups[-1] = common & left
                else:
                    common = left
                    groups.append(left)
    if 2 * len(groups) > len(free):
        return None
    owners: dict[Point, int] = {}
    choices = [sorted(group) for group in groups]
    for number in range(2 * len(groups)):
        if not _augment(choices, owners, number // 2, set()):
            return None
    pairs: list[list[Point]] = [[] for _ in groups]
    for point, owner in sorted(owners.items()):
        pairs[owner].append(point)
    return tuple((first, second) for first, second in pairs)


def _augment(
    choices: Sequence[Sequence[Point]], owners: dict[Point, int], group: int, visited: set[Point]
) -> bool:
    """Find another point for a group by an augmenting path; return whether there is one."""
    for point in choices[group]:
        if point not in visited:
            visited.add(point)
            if point not in owners or _augment(choices, owners, owners[point], visited):
                owners[point] = group
                return True
    return False
