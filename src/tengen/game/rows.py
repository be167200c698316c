"""Unbroken rows of stones, and which of them win.

Everything here looks at the four axes of one point and counts a stone of the colour asked about as
standing on that point, whether it does or not. `cells` holds the colour of every point, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tengen.game.points import EMPTY, Axis, Colour, Grid, Point, axes, opponent
from tengen.game.rules import Rules


def run(cells: Sequence[Colour], ray: range, colour: Colour) -> int:
    """How many stones of `colour` stand next to each other at the beginning of `ray`."""
    length = 0
    for point in ray:
        if cells[point] != colour:
            break
        length += 1
    return length


def row_through(cells: Sequence[Colour], point: Point, axis: Axis, colour: Colour) -> tuple[Point, ...]:
    """The points of the unbroken row of `colour` through `point`, in the axis's direction."""
    before = axis.backward[: run(cells, axis.backward, colour)]
    after = axis.forward[: run(cells, axis.forward, colour)]
    return (*reversed(before), point, *after)


def ends(cells: Sequence[Colour], axis: Axis, colour: Colour) -> list[Point]:
    """The points next to the row through the axis's point; fewer than two at an edge."""
    rays = axis.forward, axis.backward
    return [ray[length] for ray in rays if (length := run(cells, ray, colour)) < len(ray)]


def wins_along(rules: Rules, cells: Sequence[Colour], axis: Axis, colour: Colour) -> bool:
    """Whether the row of `colour` through the axis's point is a winning one."""
    forward, backward = axis
    after = run(cells, forward, colour)
    before = run(cells, backward, colour)
    length = before + 1 + after
    if length < rules.k:
        return False
    if length > rules.k:
        return rules.overline_wins(colour)
    if rules.blocked_five == "wins":
        return True
    enemy = opponent(colour)
    # The ray ends at the edge, and the edge is no enemy.
    return not (
        after < len(forward)
        and before < len(backward)
        and cells[forward[after]] == cells[backward[before]] == enemy
    )


def winning_rows(
    rules: Rules, cells: Sequence[Colour], point: Point, axes: tuple[Axis, ...], colour: Colour
) -> tuple[tuple[Point, ...], ...]:
    """All winning rows of `colour` through `point`, each whole, in the order of the axes."""
    rows = [
        row_through(cells, point, axis, colour) for axis in axes if wins_along(rules, cells, axis, colour)
    ]
    # With k = 1 the same single stone is a row on every axis.
    return tuple(dict.fromkeys(rows))


def five_points(
    rules: Rules, cells: Sequence[Colour], grid: Grid, points: Iterable[Point], colour: Colour
) -> list[Point]:
    """Those of the points that are empty and where a stone of `colour` would win."""
    return [
        point
        for point in points
        if cells[point] == EMPTY and any(wins_along(rules, cells, axis, colour) for axis in grid[point])
    ]


def five_points_beside(
    rules: Rules, cells: Sequence[Colour], grid: Grid, point: Point, colour: Colour
) -> list[Point]:
    """Where a stone of `colour` would win by a row that the one on `point` belongs to.

    Such a point is next to a row through `point`. So where stones of `colour` are only added, all points
    where it would win are among those from before and those that each stone has brought.
    """
    return [
        end
        for number, axis in enumerate(grid[point])
        for end in ends(cells, axis, colour)
        if cells[end] == EMPTY and wins_along(rules, cells, grid[end][number], colour)
    ]


def can_still_win(rules: Rules, cells: Sequence[Colour], colour: Colour) -> bool:
    """Whether some k points in a row are free of the enemy: without them `colour` can never win.

    A necessary condition only: the row may still be out of reach, or too long by then.
    """
    enemy = opponent(colour)
    return any(
        all(cells[point] != enemy for point in window)
        for window in windows(rules.width, rules.height, rules.k)
    )


@lru_cache(maxsize=64)
def windows(width: int, height: int, k: int) -> tuple[range, ...]:
    """Every k points in a row of a board, in the order of their first points.

    A row that wins fills at least one.
    """
    # A dict for a set that keeps its order: with k = 1 the four directions give the same window.
    found: dict[range, None] = {}
    for point, lines in enumerate(axes(width, height)):
        for axis in lines:
            ray = axis.forward[: k - 1]
            if len(ray) == k - 1:
                found[range(point, point + ray.step * k, ray.step)] = None
    return tuple(found)
