"""A file of parameters fills the records of a search as Python does."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.records import NETWORKS, STATE, TABLES, new_record
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH
from tengen.engine.evaluation.parameter_file import FORMAT, PARAMETERS, set_up
from tengen.engine.evaluation.weights import FAMILIES
from tengen.engine.tables import CLASSES_ALONE, parameter_file, prepared, prepared_networks

pytestmark = pytest.mark.usefixtures("compiled")

LARGEST = 120_000
"""Bytes of a file, compressed."""

NAMES = {name: Rules.named(name) for name in FAMILIES}


def filled(content, size):
    """The state, the tables and the networks that a file fills, and whether it was one."""
    records = new_record(STATE), new_record(TABLES), new_record(NETWORKS)
    known = set_up(np.frombuffer(bytearray(content), PARAMETERS), size, *records, new_record(LINE_SCRATCH))
    return *records, known


def assert_equal(one, other):
    for name in one.dtype.names:
        assert np.array_equal(one[0][name], other[0][name]), name


# Caro's network is for 15x15 and larger.
@pytest.mark.parametrize(
    "rules", [*NAMES.values(), Rules.named("freestyle", 20), Rules.named("caro", 12)], ids=str
)
def test_records_are_those_that_python_fills(rules):
    state, tables, networks, known = filled(parameter_file(rules), rules.width)
    assert known
    for ours, theirs in zip((state, tables), prepared(rules), strict=True):
        assert_equal(ours, theirs)
    assert_equal(networks, prepared_networks(rules))


@pytest.mark.parametrize(
    "rules", [Rules.named("renju", fouls="loses"), Rules.named("standard", double_four=True)]
)
def test_a_file_is_for_its_rules(rules):
    _, tables, _, _ = filled(parameter_file(rules), 15)
    assert_equal(tables, prepared(rules)[1])


def test_weights_alone():
    content = parameter_file(NAMES["caro"], CLASSES_ALONE)
    assert not filled(content, 15)[2][0]["network"]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_small(name):
    content = parameter_file(NAMES[name])
    assert len(content) == PARAMETERS.itemsize
    assert content[:8] == b"TENGEN\0\1" == FORMAT.to_bytes(8, "little")
    assert len(gzip.compress(content)) < LARGEST


def test_something_else_is_refused():
    state, tables, networks, known = filled(bytes(PARAMETERS.itemsize), 15)
    assert not known
    assert not state[0]["size"]
    assert not tables[0]["patterns"].any()
    assert not networks[0]["network"]


def test_numbers_lie_where_their_length_divides_the_offset():
    def check(kind, start):
        for field, offset in (each[:2] for each in kind.fields.values()):
            if field.names:
                check(field, start + offset)
            else:
                assert (start + offset) % (64 if field.itemsize >= 64 else field.base.itemsize) == 0
                assert field.base.byteorder in "=|<"

    check(PARAMETERS, 0)
