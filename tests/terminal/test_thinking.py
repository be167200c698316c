"""What is worked on beside the game: asked, hurried, forgotten."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Any

import pytest

from tengen.game.errors import NotAllowed, RulesError, TengenError
from tengen.game.rules import Rules
from tengen.terminal.thinking import PlayerCall, PlayerCalls


class Bench:
    """Somebody who asks, and what comes of it."""

    def __init__(self) -> None:
        self.ended: SimpleQueue[PlayerCall] = SimpleQueue()
        self.answers: list[Any] = []
        self.errors: list[TengenError] = []
        self.thinking = PlayerCalls(self.ended.put)

    def ask(self, work: Any, *, holds: bool = False) -> None:
        self.thinking.ask(work, self.answers.append, self.errors.append, holds=holds)

    def finish(self) -> None:
        """Wait for the next that has ended, and go on with it."""
        self.thinking.finish(self.ended.get(timeout=30))


@pytest.fixture
def bench():
    return Bench()


def until_told(stop: threading.Event) -> str:
    assert stop.wait(30)
    return "told"


def test_an_answer_is_handed_on(bench):
    bench.ask(lambda _: "h8")
    assert str(bench.thinking.status) == "thinking: 0 s (m: move now)"
    bench.finish()
    assert bench.answers == ["h8"]
    assert bench.thinking.status is None


def test_an_error_is_handed_on_whoever_has_raised_it(bench):
    def refuse(_: threading.Event) -> None:
        raise NotAllowed("error.session.over")

    bench.ask(refuse)
    bench.finish()
    bench.ask(lambda _: 1 / 0)
    bench.finish()
    assert [str(error) for error in bench.errors] == [
        "the game is over",
        "the player's code raised ZeroDivisionError: division by zero",
    ]
    assert not bench.answers


def test_whoever_is_hurried_answers_at_once(bench):
    bench.ask(until_told)
    bench.thinking.hurry()
    bench.finish()
    assert bench.answers == ["told"]


def test_what_is_forgotten_ends_and_is_heard_no_more(bench):
    bench.ask(until_told)
    bench.thinking.forget()
    assert bench.thinking.status is None
    bench.finish()
    assert not bench.answers


def test_of_two_the_last_is_heard(bench):
    bench.ask(until_told)
    bench.ask(lambda _: "second")
    bench.finish()
    bench.finish()
    assert bench.answers == ["second"]


def test_only_some_things_hold_the_game_up(bench):
    assert not bench.thinking.holds
    bench.ask(until_told)
    assert not bench.thinking.holds
    bench.ask(until_told, holds=True)
    assert bench.thinking.holds
    bench.thinking.forget()
    assert not bench.thinking.holds


def test_players_are_made_and_those_of_the_engine_for_its_rules_only(bench):
    assert bench.thinking.made("lines", Rules.named("tictactoe")).name.startswith("lines")
    with pytest.raises(RulesError):
        bench.thinking.made("level:4", Rules.named("tictactoe"))
    assert bench.thinking.made("level:4", Rules.named("freestyle")).name.startswith("level:4")
