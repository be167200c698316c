"""The records of a search: where they lie in memory, and what their tables say."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.position import new_position
from tengen.engine.board.records import (
    CACHE_LINE,
    SCRATCH,
    STATE,
    TABLES,
    borrowed_record,
    copy_of,
    new_record,
)


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


def test_a_borrowed_record_is_all_zeros_and_nobody_elses():
    with borrowed_record(SCRATCH) as one, borrowed_record(SCRATCH) as other:
        assert not np.shares_memory(one, other)
        one.view(np.uint8)[:] = other.view(np.uint8)[:] = 1
    with borrowed_record(SCRATCH) as again, borrowed_record(STATE) as state:
        assert np.shares_memory(again, one) or np.shares_memory(again, other)
        assert not again.view(np.uint8).any()
        assert state.dtype == STATE


def test_what_is_borrowed_comes_back_after_an_error():
    with pytest.raises(RuntimeError), borrowed_record(STATE) as lent:
        raise RuntimeError
    with borrowed_record(STATE) as again:
        assert np.shares_memory(lent, again)


def test_a_copy_is_a_record_of_its_own():
    state, _ = new_position(Rules.named("freestyle"))
    copy = copy_of(state)
    assert copy.ctypes.data % CACHE_LINE == 0
    for name in STATE.names or ():
        assert np.array_equal(copy[name], state[name]), name
    copy["ply"] = 7
    assert state[0]["ply"] == 0
