"""Two static proofs that the defender holds, whatever the attacker does; they end most lines of a search.

Both consider the lines on which the defender has no stone, and let the defender do nothing but take points
of them; its own threats can only help it.

- *The potential* (P. Erdős and J. L. Selfridge, "On a combinatorial game", Journal of Combinatorial Theory
  A 14, 1973): the sum of 2 ** -r over these lines, where r is the number of points a line still lacks. If
  it is less than 1 and the defender is to move, the attacker never completes a line: the defender always
  takes the point of the greatest sum, and the potential never rises to 1.
- *A pairing* (A. W. Hales and R. I. Jewett, "Regularity and positional games", Transactions of the American
  Mathematical Society 106, 1963): two free points for each of these lines, no point in two pairs. Whenever
  the attacker takes one of a pair, the defender takes the other, and has a stone on each line in the end. A
  pair may serve several lines that have both points. Lines that follow each other on a straight of the
  board form a group as long as they have two free points in common; whether all groups can have pairs is a
  matching problem, solved exactly by augmenting paths (C. Berge 1957). So if `has_pairing` is False, there
  may still be a pairing.

If the depth leaves the attacker only a few stones, lines that lack more are left out, and the proof holds
for that depth only.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import count_bits, lowest_bit
from tengen.engine.kernels.declarations import inlined


@inlined
def potential(game, attacker, defender, stones):
    """Compute the potential, times 2 ** k, of the lines that at most `stones` more stones can complete.

    Returns:
        The potential; the attacker's most stones on a line without a stone of the defender's, -1 if there
        is no such line; and whether lines were left out because they lack more stones.
    """
    total, most, left_out = np.int64(0), np.int64(-1), False
    for number in range(game.lines):
        line = game.line[number & 255]
        if line & defender == 0:
            count = count_bits(line & attacker)
            most = max(most, count)
            if game.k - count > stones:
                left_out = True
            else:
                total += np.int64(1) << count
    return total, most, left_out


@inlined
def has_pairing(game, attacker, defender, free, stones):
    """Return whether all lines that at most `stones` more stones can complete have pairs.

    No line may lack a single stone only.
    """
    count = _group_lines(game, attacker, defender, free, stones)
    if count < 0:
        return False
    unowned = free
    for number in range(2 * count):
        point = _augment(game, number >> 1, unowned)
        if point < 0:
            return False
        unowned ^= np.int64(1) << point
    return True


@inlined
def _group_lines(game, attacker, defender, free, stones):
    """Fill `groups` with the free points that the lines of each group have in common.

    Returns:
        The number of groups; -1 if the board does not have two points for each.
    """
    groups, count, free_count, straight = game.groups, np.int64(0), count_bits(free), np.int64(-1)
    for number in range(game.lines):
        line = game.line[number & 255]
        if line & defender or game.k - count_bits(line & attacker) > stones:
            continue
        left = line & free
        if straight == game.straight[number & 255]:
            common = groups[(count - 1) & 255] & left
            if common & (common - 1):
                groups[(count - 1) & 255] = common
                continue
        straight = game.straight[number & 255]
        groups[count & 255] = left
        count += 1
        if 2 * count > free_count:
            return np.int64(-1)
    return count


@inlined
def _augment(game, root, unowned):
    """Find another point for a group, along an augmenting path.

    Returns:
        The point that no group had before; -1 if there is none.
    """
    groups, owner, queue = game.groups, game.owner, game.queue
    parent, through = game.parent, game.through
    queue[0], parent[root & 255] = root, -1
    head, tail, visited = np.int64(0), np.int64(1), np.int64(0)
    while head < tail:
        group = queue[head & 255]
        head += 1
        options = groups[group & 255] & ~visited
        if options & unowned:
            end = lowest_bit(options & unowned)
            point = end
            while parent[group & 255] >= 0:
                owner[point & 63] = group
                point = through[group & 255]
                group = parent[group & 255]
            owner[point & 63] = group
            return end
        visited |= options
        while options:
            point = lowest_bit(options)
            options &= options - 1
            other = owner[point & 63]
            queued = False
            for place in range(tail):
                queued |= queue[place & 255] == other
            if not queued:
                queue[tail & 255] = other
                parent[other & 255] = group
                through[other & 255] = point
                tail += 1
    return np.int64(-1)
