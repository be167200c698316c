"""Positions that several lines of a record reach."""

from __future__ import annotations

import random
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from tengen import PASS, Record, Rules
from tengen.formats.transpositions import transpositions
from tengen.game.notation import parse_moves


def node_at(record, moves):
    """The node after these moves."""
    found = record.root
    for point in parse_moves(moves, 15, 15):
        found = found.child(point)
    return found


def brute_force(record):
    groups = defaultdict(list)
    for each in record.nodes():
        stones = {}
        for ply, point in enumerate(each.path()):
            if point != PASS:
                stones[point] = ply % 2
        groups[frozenset(stones.items()), len(each.path()) % 2].append(each)
    return [found for found in groups.values() if len(found) > 1]


def test_transpositions():
    record = Record("renju")
    with_more = record.add("h8i9h9g7").parent
    leaf = record.add("h9i9h8")
    record.add("h9i9g8h8")
    assert list(transpositions(record)) == [[with_more, leaf]]


def test_symmetric_positions_are_different():
    record = Record("renju")
    record.add("h8h9")
    record.add("h8i8")
    assert list(transpositions(record)) == []


def test_the_side_to_move_counts():
    record = Record(Rules.named("renju", passing=True))
    record.add("h8h9i10--i9")
    record.add("h8h9i10i9")
    assert list(transpositions(record)) == []


def test_positions_that_share_a_key_are_compared(monkeypatch):
    """With only two different keys nearly all positions share one."""
    record = Record("renju")
    record.add("h8i9h9g7")
    record.add("h9i9h8g8")
    monkeypatch.setattr(random.Random, "getrandbits", lambda *_: 2)
    assert list(transpositions(record)) == [[node_at(record, "h8i9h9"), node_at(record, "h9i9h8")]]


@given(st.lists(st.permutations(range(5)), max_size=12), st.booleans())
def test_transpositions_are_all_found(orders, passes):
    record = Record("freestyle")
    for order in orders:
        found = record.root
        for point in order:
            found = found.add(PASS if passes and point == 4 else point)
    assert list(transpositions(record)) == brute_force(record)
