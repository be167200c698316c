"""Wrong arguments of the game: one sentence, and nothing has changed."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tengen.game import arguments
from tengen.game.board import Board
from tengen.game.errors import NotationError, RulesError, TengenError
from tengen.game.player import Limit, check_search
from tengen.game.record import Record
from tengen.game.rules import Rules, parse_size
from tengen.game.session import Session


def wrong(value: object) -> Any:
    """Pass a value where the types would refuse it."""
    return value


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (arguments.check_whole, (1, 7), (0, 1.0, True, "1", None, 10**9)),
        (arguments.check_seconds, (0.5, 1), (0, -1, math.nan, math.inf, True, "1")),
        (arguments.check_number, (0, -1.5), (math.nan, -math.inf, True, "1", None)),
        (arguments.check_flag, (True, False), (0, "yes", None)),
        (arguments.check_text, ("", "h8"), (b"h8", 8, None)),
        (arguments.check_colour, (1, 2), (0, 3, True, "black")),
        (arguments.check_callable, (print, Board), (1, "print", None)),
    ],
)
def test_checks(check: Callable[[str, object], None], good: tuple[Any, ...], bad: tuple[Any, ...]):
    for value in good:
        check("speed", value)
    for value in bad:
        with pytest.raises(TengenError) as error:
            check("speed", value)
        assert "speed" in str(error.value)
        assert repr(value) in str(error.value)


def test_values_are_quoted_on_one_short_line():
    assert arguments.shown("h8") == "'h8'"
    assert arguments.shown(Unprintable()) == "<Unprintable>"
    assert len(arguments.shown("two\nlines" * 100)) <= 23


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: Board().stones(3), TengenError),
        (lambda: Board().point(True), NotationError),
        (lambda: Board().point(wrong(7.0)), NotationError),
        (lambda: Board(rules=wrong(3)), RulesError),
        (lambda: Rules.from_dict(wrong("renju")), RulesError),
        (lambda: Rules.named("renju").overline_wins(0), TengenError),
        (lambda: parse_size(wrong(15)), RulesError),
        (lambda: Rules.named("renju", wrong((15,))), RulesError),
        (lambda: Rules.named("renju", wrong((15.0, 15))), RulesError),
        (lambda: Rules.named("renju", "15x15x15"), RulesError),
        (lambda: check_search(Board(), Limit(nodes=1), wrong("soon")), TengenError),
        (lambda: check_search("h8", None, threading.Event()), TengenError),
        (lambda: Record(Rules.named("renju"), headers=wrong("Black")), TengenError),
        (lambda: Record(Rules.named("renju"), headers=wrong({"Black": 1})), TengenError),
        (
            lambda: Record(Rules.named("renju")).add("h8", after=Record(Rules.named("renju")).root),
            TengenError,
        ),
        (
            lambda: Session(Rules.named("renju"), "human", "human").hint(adviser=wrong("level:1")),
            TengenError,
        ),
    ],
)
def test_wrong_arguments(call: Callable[[], object], error: type[TengenError]):
    with pytest.raises(error):
        call()
