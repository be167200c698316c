"""The records of a search: where they lie in memory, and what their tables say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Rules
from tengen.engine.board.patterns import SIDE_CODES, pattern_table, possible_codes
from tengen.engine.board.point_classes import class_table
from tengen.engine.board.records import (
    CACHE_LINE,
    SCRATCH,
    SIDES,
    STATE,
    TABLES,
    Kind,
    copy_of,
    empty_state,
    new_record,
    new_tables,
)

CODES = possible_codes()
FIVE_IN_A_ROW = ("freestyle", "standard", "renju", "caro")


@pytest.mark.parametrize("kind", [STATE, TABLES, SCRATCH], ids=["state", "tables", "work"])
def test_a_record_and_its_long_arrays_begin_with_a_cache_line(kind):
    record = new_record(kind)
    assert record.shape == (1,)
    assert not record.view(np.uint8).any()
    assert record.ctypes.data % CACHE_LINE == 0
    long = [name for name in kind.names or () if kind[name].itemsize >= CACHE_LINE]
    assert long
    for name in long:
        assert record[name].ctypes.data % CACHE_LINE == 0, name


def test_fields_do_not_overlap():
    for kind in (STATE, TABLES, SCRATCH):
        end = 0
        for name in kind.names or ():
            assert kind.fields
            field, offset = kind.fields[name][:2]
            assert offset >= end
            end = offset + field.itemsize
        assert kind.itemsize >= end


def test_a_copy_is_a_record_of_its_own():
    state = empty_state(Rules.named("freestyle"))
    copy = copy_of(state)
    assert copy.ctypes.data % CACHE_LINE == 0
    for name in STATE.names or ():
        assert np.array_equal(copy[name], state[name]), name
    copy["ply"] = 7
    assert state[0]["ply"] == 0


@pytest.mark.parametrize("name", FIVE_IN_A_ROW)
def test_the_patterns_of_every_line_in_a_smaller_table(name):
    rules = Rules.named(name)
    tables = new_tables(rules)[0]
    place = tables["behind"][CODES & (SIDE_CODES - 1)] + tables["ahead"][CODES // SIDE_CODES]
    assert len(np.unique(place)) == len(CODES) == SIDES**2
    assert np.array_equal(tables["patterns"][place], pattern_table(rules)[CODES])


@given(st.permutations(range(4)), st.lists(st.integers(0, 14), min_size=4, max_size=4))
def test_a_class_does_not_know_directions(order, patterns):
    number = sum(pattern << (4 * place) for place, pattern in enumerate(patterns))
    turned = sum(patterns[place] << (4 * at) for at, place in enumerate(order))
    assert class_table()[number] == class_table()[turned]


def test_kinds_differ_by_colour_where_only_black_has_fouls():
    tables = new_tables(Rules.named("renju"))[0]
    overline = class_table()[14]
    assert tables["kinds"][0, overline] == Kind.FOUL
    assert tables["kinds"][1, overline] != Kind.FOUL
    two_fours = class_table()[0x00AA]
    assert tables["kinds"][0, two_fours] == Kind.FOUL
    assert tables["kinds"][1, two_fours] == Kind.OPEN_FOUR
