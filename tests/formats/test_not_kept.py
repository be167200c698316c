"""What formats do not keep of games."""

from __future__ import annotations

import pytest
from hypothesis import given

from tengen import Board, Record, Rules
from tengen.formats.files import FORMATS
from tengen.formats.not_kept import COMPLETE, not_kept
from tengen.game.record import Mark
from tests.formats import strategies


def told(record, extension):
    message = not_kept([record], extension)
    return [] if message is None else [what.key.removeprefix("kept.") for what in message.values["what"]]


def played(rules, moves="h8i9g7"):
    return Record.from_board(Board.from_moves(moves, rules))


@pytest.mark.parametrize(
    ("extension", "rules", "expected"),
    [
        (".lib", "freestyle", ["rules"]),
        (".lib", "renju", []),
        (".rec", "freestyle", ["size"]),
        (".rec", "renju", ["rules", "size"]),
        (".psq", "freestyle", []),
        (".psq", "renju", ["rules"]),
        (".txt", "renju", []),
        (".board", "standard", ["moves"]),
        (".sgf", "caro", []),
    ],
)
def test_rules_and_boards(extension, rules, expected):
    assert told(played(rules), extension) == expected


def test_rec_never_says_the_size_even_where_a_guess_is_right():
    assert told(played(Rules.named("freestyle", 20)), ".rec") == ["size"]


def test_all_that_stands_beside_moves():
    record = played("renju")
    record.add("h8g9")
    record.headers["date"] = "2020-01-01"
    node = record.main_line()[1]
    node.comment, node.marks, node.seconds = "good", (Mark(0, "circle"),), 1.5
    assert told(record, ".txt") == ["variations", "comments", "marks", "times", "headers"]
    assert told(record, ".lib") == ["times", "headers"]
    assert told(record, ".rif") == ["variations", "comments", "marks", "times"]
    assert not_kept([record], ".sgf") is None


def test_of_several_games_all_is_told_and_those_that_do_not_fit_are_left_out():
    first, second = played("freestyle"), played("freestyle")
    second.root.comment = "hello"
    setup = Record(setup=Board.from_stones(["h8"]))
    message = not_kept([first, setup, second], ".psq")
    assert message is not None
    assert [what.key for what in message.values["what"]] == ["kept.comments"]
    assert not_kept([setup], ".psq") is None


@given(strategies.records(most=10))
def test_the_formats_that_are_said_to_keep_all_do(record):
    for extension in COMPLETE:
        (back,) = FORMATS[extension].read(FORMATS[extension].write([record])).records
        for node in (*record.nodes(), *back.nodes()):
            node.marks = tuple(sorted(node.marks, key=repr))
        assert back == record
