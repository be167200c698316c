from __future__ import annotations

import io

import pytest

import tengen
from tengen import Rules
from tengen.players.levels import LEVELS
from tengen.terminal.menu import FRIENDLY, ask_opponent


def ask(typed: str, lang: str = "en", rules: str = "freestyle") -> tuple[str | None, str]:
    out = io.StringIO()
    return ask_opponent(lang, io.StringIO(typed), out, Rules.named(rules)), out.getvalue()


@pytest.mark.parametrize(
    ("typed", "spec"),
    [
        ("0\n", "human"),
        ("1\n", "level:1"),
        (" 3 \n", "level:3"),
        ("10\n", "level:10"),
        ("\n", FRIENDLY),
        ("", None),
    ],
)
def test_the_answer_names_the_opponent(typed, spec):
    assert ask(typed)[0] == spec


def test_another_answer_is_asked_for_again():
    spec, shown = ask("11\nhelp\n1\n")
    assert spec == "level:1"
    assert shown.count("expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10") == 2


def test_levels_that_do_not_play_by_the_rules_are_not_offered():
    spec, shown = ask("4\n3\n", rules="tictactoe")
    assert spec == "level:3"
    assert shown.count("expected one of 0, 1, 2, 3") == 1
    assert "level 4" not in shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_level_is_offered_and_can_be_made(lang):
    shown = ask("", lang)[1]
    assert all(f"  {level:>2}  " in shown for level in ("0", *LEVELS))
    assert all(tengen.player(f"level:{level}").name == f"level:{level}" for level in LEVELS)
