"""Games on one line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Record, Rules
from tengen.formats import text
from tengen.formats.common import FormatError, WriteError
from tengen.formats.movetext import (
    from_moves,
    from_offsets,
    from_stones,
    opening_line,
    parse_line,
    read,
    write,
)
from tengen.game import notation
from tests.errors import key_of
from tests.formats import strategies

LINES = strategies.main_lines()


def moves(record):
    return "".join(record.setup.name(node.point) for node in record.main_line())


# -- files


@given(st.lists(LINES, min_size=1, max_size=5))
def test_games_come_back(records):
    assert read(write(records)).records == records


def test_a_file():
    data = b"""# openings
h8i9j10

1. H8 i9 2. G7   # not a comment
# rules: renju 13x13
https://gomocalc.com/#/g7h8
# Rules : standard
-1,2, 3,4
#
;
"""
    games = read(data)
    assert list(map(moves, games.records)) == ["h8i9j10", "g7h8", "g6k4", ""]
    assert [record.rules for record in games.records] == [
        Rules.named("freestyle"),
        Rules.named("renju", 13),
        Rules.named("standard"),
        Rules.named("standard"),
    ]
    (problem,) = games.lost
    assert (problem.game, problem.message.values["line"]) == (2, 4)


def test_how_games_are_written():
    renju = Record("renju")
    renju.add("h8i9")
    renju.add("h8g7h9")
    assert write([Record(), renju, renju, Record()]) == (
        b";\n# rules: renju 15x15\nh8i9\nh8i9\n# rules: freestyle 15x15\n;\n"
    )


@pytest.mark.parametrize("moves", ["--", "----", "------", "h8----", "----h8"])
def test_a_game_of_passes_is_read_again(moves):
    (record,) = read(f"# rules: freestyle 15x15 passing=true\n{moves}".encode()).records
    assert read(write([record])).records == [record]
    assert len(list(record.main_line())) == len(moves) // 2


def test_a_ruler_is_no_game():
    assert key_of(read, b"-----") == "error.format.line"


def test_windows_lines_and_chinese_comments():
    assert list(map(moves, read("# 花月\r\nh8\r\ni9".encode("gb18030")).records)) == ["h8", "i9"]


def test_a_foul_can_be_replayed():
    (record,) = read(b"# rules: renju\nh8a1i8a3j7a5j6a7j8").records
    outcome = record.board().outcome()
    assert outcome is not None
    assert outcome.winner == WHITE


def test_a_setup_does_not_fit():
    for setup in (Board.from_stones(["h8"]), Board.from_stones(turn=WHITE)):
        with pytest.raises(WriteError):
            write([Record(setup=setup)])


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "error.format.empty"),
        (b"# nothing\n\n", "error.format.empty"),
        (b"hello world", "error.format.line"),
        (b"x\ny\n", "error.format.none"),
        (b"# rules: chess\nh8", "error.format.line"),
    ],
)
def test_no_games(data, key):
    assert key_of(read, data) == key


def test_a_file_with_too_many_moves(monkeypatch):
    monkeypatch.setattr(text, "MAX_NODES", 3)
    games = read(b"h8i9\nj10\nk11\n")
    assert list(map(moves, games.records)) == ["h8i9", "j10"]
    assert games.problems[0].message.values["reason"].key == "error.format.nodes"


@given(strategies.hostile(st.lists(LINES, min_size=1, max_size=3).map(write)))
def test_damaged_files(data):
    try:
        records = read(data).records
    except FormatError:
        return
    if all(record.setup.turn == BLACK for record in records):
        assert read(write(records)).records == records


@given(st.text(st.sampled_from("abho18,-+; .#/?&=pPＨ８。\n"), max_size=40))
def test_any_line(text):
    try:
        records = read(text.encode()).records
    except FormatError:
        return
    if all(record.setup.turn == BLACK for record in records):  # "o;h8" is White's first move
        assert read(write(records)).records == records


@pytest.mark.long
@pytest.mark.parametrize("line", ["1,", "1 ", "a", "a1", "hh ", "-", ",;", "1.", "#", "://", "\u3000"])
def test_long_lines_end_soon(line):
    for data in (line * 50_000, line * 50_000 + "!"):
        with suppress(FormatError):
            read(data.encode())


# -- one line


@given(LINES)
def test_move_text_of_any_game(record):
    board = record.board()
    text = notation.format_moves(board.moves, board.width)
    assert parse_line(text, record.rules) == record
    assert parse_line(f"https://gomocalc.com/#/{text}", record.rules) == record


@given(LINES)
def test_offsets_of_any_game(record):
    board = record.board()
    assume(-1 not in board.moves)  # offsets know no passes, without which others would have played the rest
    rules = record.rules
    pairs = (notation.to_gomocup(point, rules.width, rules.height) for point in board.moves)
    text = ", ".join(f"{x - rules.width // 2},{y - rules.height // 2}" for x, y in pairs)
    expected = Board(rules) if not text else from_offsets(text, rules).board()
    assert expected.position == board.position


@pytest.mark.parametrize(
    ("text", "size"),
    [("o15", 15), ("p1", 20), ("a16", 20), ("t20", 20), ("u1", 21), ("ax1", 50), ("a1", 15)],
)
def test_a_board_with_room(text, size):
    assert from_moves(text).rules == Rules.named("freestyle", size)
    assert from_stones([text], []).rules == Rules.named("freestyle", size)


def test_rules_that_are_given_stay():
    rules = Rules.named("renju", 19)
    assert from_moves("a1", rules).rules == rules
    assert key_of(from_moves, "t20", rules) == "error.off_board"


@pytest.mark.parametrize(
    ("text", "expected"), [("0,0, 1,1, 2,0", "h8i7j8"), ("0,0", "h8"), ("h8 i9", "h8i9"), ("1,2", "i6")]
)
def test_numbers_in_a_book_of_openings_are_steps_from_the_centre(text, expected):
    assert moves(opening_line(text, Rules.named("freestyle"))) == expected


def test_stones():
    record = from_stones(["h8", "I9"], ["j10"])
    assert record.setup == Board.from_stones(["h8", "i9"], ["j10"], WHITE)
    assert from_stones(["h8"], [], BLACK).setup.turn == BLACK


@pytest.mark.parametrize(
    ("text", "key"),
    [("1,2,3", "error.notation.offsets"), ("1,,2", "error.notation.offsets"), ("8,0", "error.off_board")],
)
def test_what_is_no_opening(text, key):
    assert key_of(opening_line, text, Rules.named("freestyle")) == key


def test_stones_that_are_none():
    assert key_of(from_stones, ["h8"], ["H8"]) == "error.occupied"
    assert key_of(from_stones, ["--"], []) == "error.notation.point"
    assert key_of(from_stones, ["8h"], []) == "error.notation.point"


def test_places_are_those_of_the_line_as_it_is():
    with pytest.raises(ValueError, match="character 13 "):
        parse_line("1. h8 i9 2. j x")
