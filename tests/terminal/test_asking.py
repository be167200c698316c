from __future__ import annotations

import os
import signal
import threading

import pytest

from tengen import Choice, Score, TengenError
from tengen.game.opening_rules import Opening
from tengen.players.calls import PlayerFailed
from tengen.terminal import asking
from tengen.terminal.asking import answered
from tests.console import until

CHOICE = Opening.replay("swap", "freestyle", ("h8", "i9", "j10")).decision


def ask(answer, decision=None, shown=None, lang="en"):
    """What `answered` makes of a player that answers (or raises, or calls) this."""

    def reply(stop):
        if isinstance(answer, BaseException):
            raise answer
        return answer(stop) if callable(answer) else answer

    return answered(reply, decision, [].append if shown is None else shown.append, lang)


def test_a_choice_is_handed_on():
    for choice in (Choice(112), Choice("h8"), Choice(112, Score(5))):  # type: ignore[arg-type]
        assert ask(choice) is choice


def test_an_option_is_handed_on_where_it_was_asked_for():
    assert ask("black", CHOICE) == "black"
    with pytest.raises(PlayerFailed, match="'black', which is not a move"):
        ask("black")
    with pytest.raises(PlayerFailed, match="'h8', which is not a move"):
        ask("h8", CHOICE)


@pytest.mark.parametrize("nonsense", [None, 112, (1, 2), Choice(None), Choice(3.5), Choice(112, "good")])  # type: ignore[arg-type]
def test_anything_else_is_no_answer(nonsense):
    with pytest.raises(PlayerFailed, match=r"^the player answered .*, which is not a move$"):
        ask(nonsense)


def test_an_answer_that_cannot_even_be_shown():
    class Unspeakable:
        def __repr__(self):
            raise RuntimeError("not me")

    with pytest.raises(PlayerFailed, match="raised RuntimeError: not me"):
        ask(Unspeakable())


@pytest.mark.parametrize(
    "error", [RuntimeError("oh\nno"), SystemExit(3), KeyboardInterrupt(), ZeroDivisionError()]
)
def test_whatever_a_player_raises_stays_with_it(error):
    with pytest.raises(PlayerFailed) as caught:
        ask(error)
    assert str(caught.value).startswith(f"the player's code raised {type(error).__name__}: ")
    assert "\n" not in str(caught.value)


def test_what_a_player_says_itself_is_kept():
    error = TengenError("error.lookup.passing")
    with pytest.raises(TengenError) as caught:
        ask(error)
    assert caught.value is error


# -- while it thinks


def press_ctrl_c(expected=None):
    """Press Ctrl-C once something has been shown, or at first once whoever asks listens to it."""
    before = signal.default_int_handler
    until(expected or (lambda: signal.getsignal(signal.SIGINT) is not before))
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def _impatient(monkeypatch):
    monkeypatch.setattr(asking, "_PATIENCE", 0.01)


def test_quick_players_think_without_dots(monkeypatch):
    monkeypatch.setattr(asking, "_PATIENCE", 60.0)
    shown: list[str] = []
    ask(Choice(112), shown=shown)
    assert shown == []


@pytest.mark.usefixtures("_impatient")
def test_dots_while_it_thinks():
    shown: list[str] = []

    def slow(_: threading.Event) -> Choice:
        until(lambda: len(shown) > 3)
        return Choice(112)

    ask(slow, shown=shown)
    assert shown[0] == "thinking (Ctrl-C: move now) "
    assert set(shown[1:-1]) == {"."}
    assert shown[-1] == "\n"


@pytest.mark.usefixtures("_impatient")
def test_ctrl_c_asks_for_the_answer_now():
    shown: list[str] = []

    def listening(stop: threading.Event) -> Choice:
        press_ctrl_c()
        assert stop.wait(120)
        return Choice(112)

    assert ask(listening, shown=shown, lang="zh") == Choice(112)
    assert "已要求立即落子（Ctrl-C：退出）" in shown


@pytest.mark.usefixtures("_impatient")
def test_ctrl_c_twice_leaves_a_player_that_does_not_listen():
    left = threading.Event()
    shown: list[str] = []

    def deaf(stop: threading.Event) -> Choice:
        press_ctrl_c()
        assert stop.wait(120)
        press_ctrl_c(lambda: any("quit" in text for text in shown))
        left.wait(120)
        return Choice(112)

    try:
        with pytest.raises(KeyboardInterrupt):
            ask(deaf, shown=shown)
    finally:
        left.set()
