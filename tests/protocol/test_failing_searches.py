"""Searches of the Gomocup protocol that fail, and another language: what only the program in Python has."""

from __future__ import annotations

from tengen.executors.running_search import Search
from tengen.game.errors import OffBoard
from tests.protocol.sessions import game, kinds, talk


def test_a_search_that_goes_wrong_is_an_error(monkeypatch):
    """Once it named a point that is none, and that ended the program."""

    def broken(*_: object, **__: object) -> str:
        raise OffBoard("error.off_board", point="-10", width=6, height=6, last="f6")

    monkeypatch.setattr("tengen.protocol.output.report_text", broken)
    answers = game("BEGIN", "ABOUT", "YXNBEST 2", "ABOUT")
    assert kinds(answers) == ["ERROR", 'name="Tengen",'] * 2
    assert "-10 is off the 6x6 board" in answers[0]


def test_a_search_that_cannot_begin_is_an_error(monkeypatch):
    begin = Search.start
    failures = iter([False, False, True])  # what START prepares, and the first move

    def broken(*args: object, **kwargs: object) -> object:
        if next(failures, False):
            raise RuntimeError("can't start new thread")
        return begin(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "start", broken)
    answers = game("BEGIN", "TURN 0,0", "TURN 1,1", "ABOUT")
    assert kinds(answers) == ["x,y", "ERROR", "x,y", 'name="Tengen",']
    assert "can't start new thread" in answers[1]


def test_another_language():
    assert talk("TURN 1,1", lang="zh") == ["ERROR 还没有棋盘：应先发 START"]
