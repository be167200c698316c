"""Point classes are sets of four patterns, and the kind of a point follows from its class."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.point_classes import CLASSES, PATTERNS, class_patterns
from tengen.engine.board.records import Kind
from tengen.engine.board.rule_tables import new_tables

pytestmark = pytest.mark.usefixtures("compiled")


def test_a_class_does_not_know_directions():
    classes, joined = new_tables(Rules.named("freestyle"))[0]["classes"], 16 ** np.arange(4)
    members = class_patterns()
    assert members.shape == (CLASSES, 4)
    for order in permutations(range(4)):
        assert np.array_equal(classes[members[:, order] @ joined], np.arange(CLASSES))


def test_what_is_no_pattern_counts_as_the_last():
    classes = new_tables(Rules.named("freestyle"))[0]["classes"]
    assert classes[0xF0F3] == classes[0xE0E3] == classes[0x0EE3]
    assert classes.max() == CLASSES - 1 == classes[0xFFFF]
    assert Pattern.OVERLINE == PATTERNS - 1


def kind_by_definition(patterns, overlines, double_fours, double_threes):
    """The strongest threat of a point, of a colour that has fouls or has none."""
    held = Counter(Pattern(pattern) for pattern in patterns)
    fours = held[Pattern.FOUR] + held[Pattern.OPEN_FOUR] + 2 * held[Pattern.DOUBLE_FOUR]
    open_threes = held[Pattern.OPEN_THREE] + held[Pattern.SLIM_OPEN_THREE]
    threes = held[Pattern.THREE] + held[Pattern.WIDE_THREE]
    open_twos = held[Pattern.OPEN_TWO] + held[Pattern.SLIM_TWO]
    cases = (
        (held[Pattern.FIVE], Kind.FIVE),
        (overlines and held[Pattern.OVERLINE], Kind.FOUL),
        (double_fours and fours >= 2, Kind.FOUL),
        (double_threes and open_threes >= 2, Kind.SUSPECT),
        (held[Pattern.OPEN_FOUR] or fours >= 2, Kind.OPEN_FOUR),
        (fours and open_threes, Kind.FOUR_THREE),
        (fours and threes + open_twos, Kind.FOUR_AND_MORE),
        (fours, Kind.FOUR),
        (open_threes >= 2, Kind.DOUBLE_THREE),
        (open_threes and threes + open_twos, Kind.THREE_AND_MORE),
        (open_threes, Kind.OPEN_THREE),
        (threes, Kind.THREE),
        (open_twos >= 2, Kind.TWO_OPEN_TWOS),
        (open_twos, Kind.OPEN_TWO),
    )
    return next((kind for holds, kind in cases if holds), Kind.NOTHING)


@pytest.mark.parametrize(
    ("rules", "fouls"),
    [
        (Rules.named("freestyle"), (0, 0, 0)),
        (Rules.named("renju"), (1, 1, 1)),
        (Rules.named("standard", double_four=True), (0, 1, 0)),
        (Rules.named("caro", double_three=True), (0, 0, 1)),
        (Rules.named("caro", overline="foul"), (1, 0, 0)),
    ],
    ids=str,
)
def test_the_kind_of_every_class(rules, fouls):
    kinds = new_tables(rules)[0]["kinds"]
    for number, patterns in enumerate(class_patterns().tolist()):
        assert kinds[0, number] == kind_by_definition(patterns, *fouls)
        assert kinds[1, number] == kind_by_definition(patterns, 0, 0, 0)
