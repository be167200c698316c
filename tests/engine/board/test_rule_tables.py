"""The tables of some rules: where the pattern of a line is, and what a class of points means."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.patterns import REACH, SIDE_CODES, SIDES
from tengen.engine.board.records import Kind
from tengen.engine.board.rule_tables import new_tables
from tests.engine.board.codes import possible_codes

pytestmark = pytest.mark.usefixtures("compiled")


def test_every_line_has_a_place_of_its_own():
    tables, codes = new_tables(Rules.named("caro"))[0], possible_codes()
    place = tables["behind"][codes & (SIDE_CODES - 1)] + tables["ahead"][codes // SIDE_CODES]
    assert np.array_equal(np.sort(place), np.arange(SIDES**2))
    assert not tables["patterns"][SIDES**2 :].any()


def closed(side, places):
    """A side as an edge closes it: all beyond is off the board. The places are the nearest first."""
    points = [(side >> (2 * place)) & 3 for place in places]
    edge = points.index(3) if 3 in points else len(points)
    return side | sum(3 << (2 * place) for place in places[edge:])


def test_whatever_lies_beyond_an_edge_is_off_the_board():
    tables, nearest_first = new_tables(Rules.named("renju"))[0], list(range(REACH))
    for name, places in (("ahead", nearest_first), ("behind", nearest_first[::-1])):
        table = tables[name].tolist()
        assert table == [table[closed(side, places)] for side in range(SIDE_CODES)]
        assert len(set(table)) == SIDES


def test_the_numbers_of_the_rules():
    names = ("overline_wins", "overlines", "double_fours", "double_threes", "closed", "barred")

    def numbers(name, **changed):
        tables = new_tables(Rules.named(name, **changed))[0]
        return tuple(int(tables[each]) for each in names)

    assert numbers("freestyle") == (1, 0, 0, 0, 0, 0)
    assert numbers("standard", double_four=True) == (0, 0, 1, 0, 0, 1)
    assert numbers("renju") == (0, 1, 1, 1, 0, 1)
    assert numbers("renju", fouls="loses") == (0, 1, 1, 1, 0, 0)
    assert numbers("caro") == (0, 0, 0, 0, 1, 0)


def test_kinds_differ_by_colour_where_only_black_has_fouls():
    tables = new_tables(Rules.named("renju"))[0]
    overline, two_fours = tables["classes"][14], tables["classes"][0x00AA]
    assert tables["kinds"][0, overline] == Kind.FOUL
    assert tables["kinds"][1, overline] != Kind.FOUL
    assert tables["kinds"][0, two_fours] == Kind.FOUL
    assert tables["kinds"][1, two_fours] == Kind.OPEN_FOUR
