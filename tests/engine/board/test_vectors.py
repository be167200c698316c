"""What is compared many at once is what comparing one after another finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from tengen.engine.board.records import KINDS, ROW
from tengen.engine.board.vectors import (
    AT_ONCE,
    LEAST,
    bits_of_equal,
    bits_of_greater,
    largest,
    read_counts,
    with_kinds,
    without_kinds,
    write_counts,
)

NUMBER = st.integers(LEAST + 1, -LEAST - 1)


@njit
def largest_of(numbers, at, count):
    return largest(numbers, at, count)


@njit
def equal_and_greater(array, at, number):
    return bits_of_equal(array, at, number), bits_of_greater(array, at, number)


@njit
def recount(counts, at, came, went):
    found = read_counts(counts, at)
    for black, white in came:
        found = with_kinds(found, black, white)
    for black, white in went:
        found = without_kinds(found, black, white)
    write_counts(counts, at, found)


@given(st.lists(NUMBER, min_size=1, max_size=3 * AT_ONCE), st.integers(0, 5), NUMBER)
def test_the_largest_number(numbers, at, other):
    room = np.full(at + 3 * AT_ONCE, LEAST, np.int32)
    room[:at] = other  # what lies before does not count
    room[at : at + len(numbers)] = numbers
    assert largest_of(room, at, len(numbers)) == max(numbers)


def test_the_largest_of_numbers_that_are_all_taken():
    assert largest_of(np.full(AT_ONCE, LEAST, np.int32), 0, 7) == LEAST


@given(st.lists(st.integers(0, 15), min_size=ROW, max_size=ROW), st.integers(0, 3), st.integers(0, 15))
def test_a_bit_for_each_byte(row, at, number):
    array = np.array([number, number + 1, 0, *row], np.uint8)[3 - at :]
    equal, greater = equal_and_greater(array, at, number)
    assert equal == sum(1 << place for place, byte in enumerate(row) if byte == number)
    assert greater == sum(1 << place for place, byte in enumerate(row) if byte > number)


@pytest.mark.parametrize("byte", [0, 127, 128, 255])
def test_bytes_have_no_sign(byte):
    array = np.full(ROW, byte, np.uint8)
    everywhere = (1 << ROW) - 1
    assert equal_and_greater(array, 0, byte) == (everywhere, 0)
    assert equal_and_greater(array, 0, 126)[1] == (everywhere if byte > 126 else 0)


PAIRS = st.lists(st.tuples(st.integers(0, KINDS - 1), st.integers(0, KINDS - 1)), min_size=1)


@given(PAIRS, PAIRS, st.integers(0, 3))
def test_counts_of_kinds(came, went, at):
    counts = np.arange(at + 2 * KINDS + 1, dtype=np.int16)
    expected = counts.copy()
    for pairs, one in ((came, 1), (went, -1)):
        for black, white in pairs:
            expected[at + black] += one
            expected[at + KINDS + white] += one
    recount(counts, at, np.array(came, np.uint8), np.array(went, np.uint8))
    assert (counts == expected).all()
