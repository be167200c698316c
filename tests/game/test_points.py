from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE
from tengen.game.points import DIRECTIONS, axes, distance, opponent, stars
from tests import oracle

SIDES = st.integers(1, 12)


def test_the_opponent_of_each_colour():
    assert opponent(BLACK) == WHITE
    assert opponent(WHITE) == BLACK


def test_the_axes_of_a_point_in_the_middle():
    row, column, rising, falling = axes(3, 3)[4]
    assert (list(row.forward), list(row.backward)) == ([5], [3])
    assert (list(column.forward), list(column.backward)) == ([7], [1])
    assert (list(rising.forward), list(rising.backward)) == ([8], [0])
    assert (list(falling.forward), list(falling.backward)) == ([2], [6])


def test_rays_stop_at_the_edge():
    # O5 kept a one-dimensional board whose lines went on in the next row.
    row, column, rising, falling = axes(5, 4)[4]  # e1, the bottom right corner
    assert (list(row.forward), list(row.backward)) == ([], [3, 2, 1, 0])
    assert (list(column.forward), list(column.backward)) == ([9, 14, 19], [])
    assert (list(rising.forward), list(rising.backward)) == ([], [])
    assert (list(falling.forward), list(falling.backward)) == ([], [8, 12, 16])


@given(SIDES, SIDES)
def test_rays_are_the_points_one_step_apart_up_to_the_edge(width, height):
    grid = axes(width, height)
    assert len(grid) == width * height
    for point, lines in enumerate(grid):
        y, x = divmod(point, width)
        for (dx, dy), axis in zip(DIRECTIONS, lines, strict=True):
            for ray, sign in ((axis.forward, 1), (axis.backward, -1)):
                steps = ((x + sign * n * dx, y + sign * n * dy) for n in range(1, width + height))
                on_board = [y * width + x for x, y in steps if 0 <= x < width and 0 <= y < height]
                assert list(ray) == on_board


@given(SIDES, SIDES)
def test_the_two_rays_of_an_axis_make_a_whole_line(width, height):
    known = {frozenset(line) for line in oracle.lines(width, height)}
    for point, lines in enumerate(axes(width, height)):
        for axis in lines:
            assert {point, *axis.forward, *axis.backward} in known


@given(SIDES, SIDES, st.integers(0, 6))
def test_a_star_holds_the_points_on_the_axes_within_its_radius(width, height, radius):
    for point, star in enumerate(stars(width, height, radius)):
        near = {
            other
            for line in oracle.lines_through(width, height, point)
            for other in line
            if 0 < distance(point, other, width) <= radius
        }
        assert set(star) == near
        assert len(star) == len(near)


@pytest.mark.parametrize(
    ("a", "b", "moves"), [(0, 0, 0), (0, 4, 4), (4, 5, 4), (0, 24, 4), (12, 18, 1), (2, 21, 4)]
)
def test_distance_counts_kings_moves(a, b, moves):
    assert distance(a, b, width=5) == moves
    assert distance(b, a, width=5) == moves
