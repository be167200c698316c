"""Pairs are disjoint, free, and on every line that is open."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.rows import windows
from tengen.solver.proofs.pairings import pairing, straights

SIZES = [(3, 3, 3), (5, 5, 5), (6, 4, 4), (1, 5, 3), (4, 4, 1), (2, 2, 3), (8, 8, 5)]


@pytest.mark.parametrize(("width", "height", "k"), SIZES)
def test_straights_hold_every_line_once(width, height, k):
    lines = [line for straight in straights(width, height, k) for line in straight]
    assert sorted(map(sorted, lines)) == sorted(map(sorted, windows(width, height, k)))
    for straight in straights(width, height, k):
        for line, following in pairwise(straight):
            assert len(line & following) == k - 1


@pytest.mark.parametrize(("size", "count"), [((5, 5, 5), 12), ((6, 6, 6), 14), ((2, 2, 3), 0)])
def test_games_that_a_second_player_holds_by_pairs(size, count):
    found = pairing(straights(*size), set(), set(range(size[0] * size[1])))
    assert found is not None
    assert len(found) == count


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 4, 3), (2, 2, 2)])
def test_games_that_no_second_player_holds_by_pairs(size):
    assert pairing(straights(*size), set(), set(range(size[0] * size[1]))) is None


@given(st.data())
def test_pairs_are_what_they_are_said_to_be(data):
    width, height, k = data.draw(st.sampled_from(SIZES))
    cells = data.draw(st.lists(st.sampled_from("mof"), min_size=width * height, max_size=width * height))
    mine, free = ({point for point, cell in enumerate(cells) if cell == kind} for kind in "mf")
    found = pairing(straights(width, height, k), mine, free)
    open_lines = [set(line) for line in windows(width, height, k) if mine.isdisjoint(line)]
    if found is None:
        assert open_lines
        return
    points = [point for pair in found for point in pair]
    assert len(set(points)) == len(points)
    assert free.issuperset(points)
    for line in open_lines:
        assert any(line.issuperset(pair) for pair in found)
