"""Unbroken rows of stones, and which of them win.

The functions examine the axes of one point as if a stone of the given colour stood there, whether or
not one does. `cells` holds the colour of every point, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tengen.game.points import EMPTY, Axis, Colour, Grid, Point, axes, opponent
from tengen.game.rules import Rules


def run(cells: Sequence[Colour], ray: range, colour: Colour) -> int:
    """Count the stones of `colour` at the beginning of `ray`, up to the first other point."""
    length = 0
    for point in ray:
        if cells[point] != colour:
            break
        length += 1
    return length


def row_through(cells: Sequence[Colour], point: Point, axis: Axis, colour: Colour) -> tuple[Point, ...]:
    """Return the points of the unbroken row of `colour` through `point`, in the axis's direction."""
    before = axis.backward[: run(cells, axis.backward, colour)]
    after = axis.forward[: run(cells, axis.forward, colour)]
    return (*reversed(before), point, *after)


def ends(cells: Sequence[Colour], axis: Axis, colour: Colour) -> list[Point]:
    """Return the points next to the row through the axis's point; fewer than two at an edge."""
    rays = axis.forward, axis.backward
    return [ray[length] for ray in rays if (length := run(cells, ray, colour)) < len(ray)]


def wins_along(rules: Rules, cells: Sequence[Colour], axis: Axis, colour: Colour) -> bool:
    """Return whether the row of `colour` through the axis's point wins."""
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
    """Return all winning rows of `colour` through `point`, in the order of the axes."""
    rows = [
        row_through(cells, point, axis, colour) for axis in axes if wins_along(rules, cells, axis, colour)
    ]
    # With k = 1 the same single stone is a row on every axis.
    return tuple(dict.fromkeys(rows))


def five_points(
    rules: Rules, cells: Sequence[Colour], grid: Grid, points: Iterable[Point], colour: Colour
) -> list[Point]:
    """Return the empty points among `points` where a stone of `colour` would win."""
    return [
        point
        for point in points
        if cells[point] == EMPTY and any(wins_along(rules, cells, axis, colour) for axis in grid[point])
    ]


def five_points_beside(
    rules: Rules, cells: Sequence[Colour], grid: Grid, point: Point, colour: Colour
) -> list[Point]:
    """Return the points where a stone of `colour` would win by a row that includes `point`.

    Such a point is next to a row through `point`. So as long as stones of `colour` are only added, all its
    winning points are those from before and those beside each new stone.
    """
    return [
        end
        for number, axis in enumerate(grid[point])
        for end in ends(cells, axis, colour)
        if cells[end] == EMPTY and wins_along(rules, cells, grid[end][number], colour)
    ]


def can_still_win(rules: Rules, cells: Sequence[Colour], colour: Colour) -> bool:
    """Return whether some k points in a row are free of the enemy: without them `colour` can never win.

    A necessary condition only: the row may still be out of reach, or too long by then.
    """
    enemy = opponent(colour)
    return any(
        all(cells[point] != enemy for point in window)
        for window in windows(rules.width, rules.height, rules.k)
    )


@lru_cache(maxsize=64)
def windows(width: int, height: int, k: int) -> tuple[range, ...]:
    """Return every window of a board, k points in a row, in the order of their first points.

    A winning row fills at least one window.
    """
    # A dict serves as an ordered set: with k = 1 the four directions give the same window.
    unique: dict[range, None] = {}
    for point, lines in enumerate(axes(width, height)):
        for axis in lines:
            ray = axis.forward[: k - 1]
            if len(ray) == k - 1:
                unique[range(point, point + ray.step * k, ray.step)] = None
    return tuple(unique)
