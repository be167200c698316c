"""Pairs of free points by which a side keeps the other from every line.

`tengen.solver.exact.bounds` describes them, and says while searching only whether there are any. Here they
are named, found in the same way: lines on one straight of the board share a pair as long as they can, and
augmenting paths find the two points of each (C. Berge 1957). Where none are found there may still be some.
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
    """The points of every k in a row of a board, those on one straight of it together, in order."""
    rows = windows(width, height, k)
    later = {row: range(row.start + row.step, row.stop + row.step, row.step) for row in rows}
    found = []
    for row in later.keys() - later.values():
        chain = [row]
        while later[chain[-1]] in later:
            chain.append(later[chain[-1]])
        found.append(chain)
    return tuple(
        tuple(map(frozenset, chain)) for chain in sorted(found, key=lambda chain: rows.index(chain[0]))
    )


def pairing(lines: Straights, mine: set[Point], free: set[Point]) -> Pairs | None:
    """Two free points for each line without a stone of `mine`, no point in two pairs.

    Args:
        lines: of the board; see `straights`.
        mine: the stones of the side that holds by them, the other to move.
        free: the free points.

    Returns:
        The pairs, each once; None where none are found.
    """
    groups: list[frozenset[Point]] = []
    for straight in lines:
        common: frozenset[Point] = frozenset()
        for line in straight:
            if line.isdisjoint(mine):
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
    choices: Sequence[Sequence[Point]], owners: dict[Point, int], group: int, seen: set[Point]
) -> bool:
    """Find one point more for a group; others may have to change theirs for that."""
    for point in choices[group]:
        if point not in seen:
            seen.add(point)
            if point not in owners or _augment(choices, owners, owners[point], seen):
                owners[point] = group
                return True
    return False
