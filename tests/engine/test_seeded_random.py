"""Kernels draw the numbers that Python draws for the same seed."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tengen.engine import seeded_random
from tengen.engine.board.records import Record, new_record
from tengen.engine.seeded_random import MOST_TEXT, RANDOM
from tests.engine.helpers import called

seed_with_text = called(seeded_random.seed_with_text)
next_random = called(seeded_random.next_random)


def seeded(text: bytes) -> Record:
    """A generator with a text as its seed."""
    record = new_record(RANDOM)
    record[0]["text"][: len(text)] = np.frombuffer(text, np.uint8)
    record[0]["length"] = len(text)
    seed_with_text(record[0])
    return record


@settings(max_examples=60)
@given(st.text(max_size=300))
@example("")
@example("\0")
@example("\0\0\0\0\0a")
def test_the_numbers_are_those_of_python(text):
    record, numbers = seeded(text.encode()), random.Random(text)
    assert [next_random(record[0]) for _ in range(20)] == [numbers.random() for _ in range(20)]


@pytest.mark.parametrize("length", [0, 111, 112, 127, 128, 239, 240, 2496, 2500, MOST_TEXT])
def test_a_text_of_any_length_has_its_digest(length):
    """Where the padding needs another block, and where the key is longer than the twister's state."""
    text = bytes(97 + place % 26 for place in range(length))
    record, numbers = seeded(text), random.Random(text.decode())
    assert record[0]["digest"].astype(">i8").tobytes() == hashlib.sha512(text).digest()
    assert [next_random(record[0]) for _ in range(3)] == [numbers.random() for _ in range(3)]


def test_the_numbers_go_on_after_the_state_has_been_used_up():
    record, numbers = seeded(b"7 taste"), random.Random("7 taste")
    assert [next_random(record[0]) for _ in range(2000)] == [numbers.random() for _ in range(2000)]
