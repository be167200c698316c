"""Tracebacks show a player's own code, and nothing of Tengen's."""

from __future__ import annotations

import importlib
import sys

import pytest

from tengen import Board, Limit, TengenError
from tengen.game.tracebacks import add_own_traceback, notes, own_traceback

OWN = """
def fail(board):
    return helper(board)

def helper(board):
    board.push("h8")
    board.push("h8")

def endless(n):
    return endless(n + 1)

def through_numpy(board):
    import json
    json.loads("{")
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A module of somebody's own."""
    (tmp_path / "own_code.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_code", raising=False)
    return importlib.import_module("own_code")


def raised(call, *args):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of any kind
        call(*args)
    error = caught.value
    # The frame of this file is nobody's own code here.
    return error.with_traceback(error.__traceback__.tb_next if error.__traceback__ else None)


def test_own_calls_and_the_error(own):
    text = own_traceback(raised(own.fail, Board()))
    assert text.startswith("Traceback (most recent call last):\n")
    assert text.endswith("tengen.game.errors.Occupied: h8 is occupied")
    assert [line.split("in ")[1] for line in text.splitlines() if "own_code.py" in line] == [
        "fail",
        "helper",
    ]
    assert "board.py" not in text


def test_calls_into_the_standard_library_end_it(own):
    text = own_traceback(raised(own.through_numpy, None))
    assert 'json.loads("{")' in text
    assert "decoder.py" not in text


def test_deep_recursion_is_short(own):
    assert len(own_traceback(raised(own.endless, 0)).splitlines()) < 80


def test_errors_of_tengen_have_none():
    assert own_traceback(TengenError("never raised")) == ""
    assert own_traceback(raised(Board().push, "z99")) == ""
    assert own_traceback(raised(Limit, "much")) == ""


def test_a_note_is_taken_once(own):
    error = raised(own.fail, Board())
    assert add_own_traceback(add_own_traceback(error)) is error
    assert len(notes(error)) == 1
    assert notes(add_own_traceback(TengenError("sentence"), error)) == notes(error)
    assert notes(add_own_traceback(TengenError("sentence"))) == ()
