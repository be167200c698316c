"""Places in text files, and what they may ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.formats import ascii as drawings
from tengen.formats import jsonformat, movetext, sgf, text
from tengen.formats.common import MAX_BYTES, FormatError, ReadResult
from tengen.formats.text import (
    FileLimits,
    TextPositions,
    check_size,
    list_problem,
    require_games,
    well_formed,
)
from tengen.words import Message
from tests.errors import key_of


@given(st.text(st.sampled_from("ab\n\r中")), st.lists(st.integers(0, 30)))
def test_places(plain, offsets):
    places = TextPositions(plain)
    for offset in offsets:
        before = plain[:offset].split("\n")
        if offset <= len(plain):
            assert places.at(offset) == (len(before), len(before[-1]) + 1)


def test_a_file_that_is_too_large(monkeypatch):
    monkeypatch.setattr(text, "MAX_BYTES", 3)
    check_size(b"abc")
    with pytest.raises(FormatError):
        check_size(b"abcd")
    assert MAX_BYTES > 10**8


def test_halves_of_characters():
    assert well_formed("a\ud800中") == "a?中"
    assert well_formed("a") == "a"


def test_files_without_a_game():
    with pytest.raises(FormatError) as caught:
        require_games(ReadResult())
    assert caught.value.message.key == "error.format.empty"
    games = ReadResult()
    list_problem(games, Message("black"), 1)
    with pytest.raises(FormatError) as caught:
        require_games(games)
    assert caught.value.message == Message("black")
    list_problem(games, Message("white"), 2)
    with pytest.raises(FormatError) as caught:
        require_games(games)
    assert caught.value.message.values == {"count": 2, "reason": Message("black")}


def test_very_many_problems():
    games, number = ReadResult(), 1
    while list_problem(games, Message("black"), number):
        number += 1
    assert number == text.MAX_PROBLEMS
    assert games.problems[-1].message.key == "error.format.problems"
    assert [problem.game for problem in games.problems] == list(range(1, number + 2))


def test_what_a_file_may_ask_for(monkeypatch):
    monkeypatch.setattr(text, "MAX_GAMES", 2)
    monkeypatch.setattr(text, "MAX_NODES", 3)
    few = FileLimits(0)
    few.game(1_000_000)
    few.nodes(3)
    few.expanded(10_000)
    for call, key in (
        (lambda: few.game(1), "error.format.greedy"),
        (lambda: few.game(0), "error.format.games"),
        (few.nodes, "error.format.nodes"),
        (lambda: few.expanded(1), "error.format.greedy"),
    ):
        assert key_of(call) == key
    many = FileLimits(1_000, points=64)
    many.game(1_064_000)
    many.expanded(10_125)


@pytest.mark.parametrize(
    ("read", "piece"),
    [
        (sgf.read, b"(;GM[3])"),
        (movetext.read, b"x\n"),
        (drawings.read, b"xx\nx\n\n"),
        (jsonformat.read, b"1,"),
    ],
)
def test_reading_stops_after_very_many_problems(monkeypatch, read, piece):
    monkeypatch.setattr(text, "MAX_PROBLEMS", 3)
    good = {sgf.read: b"(;)", movetext.read: b"h8\n", drawings.read: b"x\n\n", jsonformat.read: b"{},"}[
        read
    ]
    data = good + 5 * piece + good
    if read is jsonformat.read:
        data = b'{"format": "tengen record", "version": 1, "games": [' + data.rstrip(b",") + b"]}"
    games = read(data)
    assert len(games.records) == 1
    assert [problem.game for problem in games.problems] == [2, 3, 4, 5]
    assert games.problems[-1].message.key == "error.format.problems"
