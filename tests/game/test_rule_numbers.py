"""Rules by the numbers of the Gomocup protocol."""

from __future__ import annotations

import pytest

from tengen import Rules
from tengen.game.rule_numbers import nearest, number_of, rules_of

NUMBERED = [
    (0, Rules.named("freestyle")),
    (1, Rules.named("standard")),
    (4, Rules.named("renju")),
    (8, Rules.named("caro", overline="wins")),
    (9, Rules.named("caro")),
]


@pytest.mark.parametrize(("number", "rules"), NUMBERED)
def test_numbers_both_ways(number, rules):
    assert rules_of(number) == rules
    assert number_of(rules) == number


def test_five_is_four():
    assert rules_of(5, (20, 15)) == Rules.named("renju", (20, 15))


@pytest.mark.parametrize("number", [2, 3, 6, 7, 12, 13, 16, -1, -8, 10**9])
def test_numbers_of_no_rules(number):
    assert rules_of(number) is None


@pytest.mark.parametrize(("number", "left"), [(2, 0), (3, 1), (6, 4), (20, 4), (12, None), (-1, None)])
def test_the_nearest_rules_that_are_played_here(number, left):
    assert nearest(number) == left


def test_size_and_enforcement_do_not_matter():
    assert number_of(Rules.named("renju", (9, 12), fouls="claimed", passing=True)) == 4


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("tictactoe"),
        Rules.mnk(15, 15, 6),
        Rules.named("renju", double_four=False),
        Rules.named("freestyle", overline="foul"),
    ],
)
def test_rules_without_a_number(rules):
    assert number_of(rules) is None
