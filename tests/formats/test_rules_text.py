"""Rules as a short text."""

from __future__ import annotations

import pytest
from hypothesis import given

from tengen import Rules
from tengen.formats.rules_text import format_rules, name_of_rules, parse_rules, preset_of
from tests import strategies
from tests.errors import key_of


@given(strategies.rules())
def test_rules_come_back(rules):
    assert parse_rules(format_rules(rules)) == rules
    assert parse_rules(format_rules(rules, size=False), (rules.width, rules.height)) == rules


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules.named("renju"), "renju 15x15"),
        (Rules.named("tictactoe"), "tictactoe 3x3"),
        (Rules.named("caro", (20, 15), passing=True), "caro 20x15 passing=true"),
        (Rules.mnk(7, 6, 4), "freestyle 7x6 k=4"),
        (Rules.named("renju", 12, fouls="loses"), "renju 12x12 fouls=loses"),
    ],
)
def test_how_rules_are_written(rules, text):
    assert format_rules(rules) == text


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (Rules.named("renju"), "renju 15x15"),
        (Rules.named("freestyle", 9), "freestyle 9x9"),
        (Rules.named("tictactoe"), "tictactoe 3x3"),
        (Rules.mnk(4, 4, 3), "mnk:4,4,3"),
        (Rules.mnk(7, 6, 4), "mnk:7,6,4"),
        (Rules.mnk(8, 8, 5), "freestyle 8x8"),
        (Rules.named("tictactoe", 4, passing=True), "tictactoe 4x4 passing=true"),
    ],
)
def test_how_rules_are_told(rules, name):
    assert name_of_rules(rules) == name
    assert parse_rules(name) == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("renju", Rules.named("renju")),
        ("  renju\t20 ", Rules.named("renju", 20)),
        ("tictactoe", Rules.named("tictactoe")),
        ("mnk:7,6,4", Rules.mnk(7, 6, 4)),
        ("mnk:7,6,4 passing=true", Rules(7, 6, 4, passing=True)),
        ("standard passing=false k=6", Rules.named("standard", k=6)),
    ],
)
def test_what_people_write(text, rules):
    assert parse_rules(text) == rules


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "error.rules.name"),
        ("go", "error.rules.name"),
        ("renju 51", "error.rules.size"),
        ("renju small", "error.rules.word"),
        ("renju komi=6", "error.rules.field"),
        ("renju k=five", "error.rules.integer"),
        ("renju passing=1", "error.rules.flag"),
        ("mnk:7,6", "error.rules.mnk"),
    ],
)
def test_what_is_no_rules(text, key):
    assert key_of(parse_rules, text) == key


def test_the_preset_that_is_nearest():
    assert preset_of(Rules.named("renju", k=6, fouls="claimed")) == "renju"
    assert preset_of(Rules.mnk(5, 5, 4)) == "freestyle"
    assert preset_of(Rules.mnk(3, 3, 3)) == "tictactoe"
