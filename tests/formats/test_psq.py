"""Piskvork's psq and rec files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, Board, Record, Rules
from tengen.formats.common import FormatError, WriteError
from tengen.formats.psq import read, read_rec, write, write_rec
from tengen.game.rules import NAMES
from tests.errors import key_of
from tests.formats import strategies

TOURNAMENT = """Piskvorky 20x20, 11:11, 0
8,9,0
10,9,0
9,10,1520
9,9,23
pbrain-one
pbrain-two.exe
-1
2,Freestyle1
"""

SIDES = st.integers(1, 50)
PRESETS = st.builds(Rules.named, st.sampled_from(NAMES), st.tuples(SIDES, SIDES))


def lines_of_play(rules, *headers, most=40):
    """Games that fit the format: one line of moves with times, no passes, no set-up."""
    return strategies.records(
        rules,
        headers=strategies.headers(*headers),
        setups=False,
        variations=False,
        comments=None,
        labels=None,
        scores=None,
        seconds=strategies.SECONDS.filter(bool),
        most=most,
    )


def game(text):
    (record,) = read(text.encode()).records
    return record


def moves(record):
    return " ".join(record.setup.name(node.point) for node in record.main_line())


# -- psq


@given(lines_of_play(PRESETS, "black", "white", "result"))
def test_games_come_back(record):
    record.headers.setdefault("result", "draw")  # the division stands beside it, and says the rules
    (back,) = read(write([record])).records
    assert back == record


@given(lines_of_play(st.builds(Rules, width=SIDES, height=SIDES)))
def test_rectangular_boards_come_back(record):
    record.headers.clear()
    (back,) = read(write([record])).records
    assert back == record


def test_a_tournament_game():
    record = game(TOURNAMENT)
    assert record.rules == Rules.named("freestyle", 20)
    assert moves(record) == "h12 j12 i11 i12"
    assert [node.seconds for node in record.main_line()] == [None, None, 1.52, 0.023]
    assert record.headers == {
        "black": "pbrain-one",
        "white": "pbrain-two.exe",
        "result": "white",
        "psq:division": "Freestyle1",
    }
    assert write([record]) == TOURNAMENT.replace("\n", "\r\n").encode()


def test_in_a_tournament_player_1_moves_first_after_the_opening():
    text = """Piskvorky 15x15, 11:11, 0
8,8,0
9,9,0
8,9,0
7,7,1520
6,6,900
pbrain-one
pbrain-two.exe
-1
2,Renju
"""
    record = game(text)
    assert (record.rules.name, record.headers["result"]) == ("renju", "black")
    assert (record.headers["black"], record.headers["white"]) == ("pbrain-two.exe", "pbrain-one")
    assert write([record]) == text.replace("\n", "\r\n").encode()
    even = text.replace("8,9,0\n", "")
    assert game(even).headers["result"] == "white"


def test_who_makes_a_five_has_won_however_the_opening_is_counted():
    """A first move that took no time is no opening."""
    five = "8,8,0\n1,1,9\n8,9,8\n1,3,9\n8,10,7\n1,5,9\n8,11,7\n1,7,9\n8,12,5\n"
    record = game(f"Piskvorky 15x15, 11:11, 0\n{five}one\ntwo\n-1\n1,Freestyle\n")
    assert record.headers == {"black": "one", "white": "two", "result": "black"}


@pytest.mark.parametrize(
    ("head", "levels", "problems"),
    [
        ("Piskvorky 15x15 , 0 - 0", "0:0", 0),
        ("Piskvorky 15x15", None, 0),
        ("piskvorky 15 x 15, 0:9", "0:9", 0),
        ("Piskvorky 15x15; 11:11; 0;", None, 0),
        ("Piskvorky 15x15,0/0,0", "0:0", 0),
        ("\ufeffPiskvorky  15X15,  7:7,  0", "7:7", 0),
        ("Piskvorky 15x15, 11:11, 0, Swap2", None, 1),
        ("Piskvorky 15x15 (renju)", None, 1),
    ],
)
def test_heads_as_they_are_met(head, levels, problems):
    games = read(f"{head}\r\n8,8,0\r\n9,9,0\r\n-1\r\n".encode())
    assert moves(games.records[0]) == "h8 i7"
    assert games.records[0].headers.get("psq:levels") == levels
    assert len(games.problems) == problems


@pytest.mark.parametrize(
    ("points", "side"),
    [
        ("7,7,0 8,8,0", 15),
        ("8,8,0 7,8,0", 15),
        ("10,10,0 9,9,0", 20),
        ("7,7,0 15,3,0", 20),
        ("9,10,0", 20),
        ("25,0,0", 26),
        ("", 20),
    ],
)
def test_the_size_of_a_rec_file_is_guessed_and_told(points, side):
    data = "\n".join(["a", "b", *points.split(), "0"]).encode()
    games = read_rec(data)
    assert games.records[0].rules == Rules.named("freestyle", side)
    (problem,) = games.problems
    assert (problem.message.key, problem.lost) == ("error.format.psq.size", False)
    assert read_rec(data, (30, 30)).problems == []


def test_points_count_from_one_at_the_top_left():
    assert moves(game("Piskvorky 15x12, 0:0, 0\n1,1,0\n15,12,0\n")) == "a12 o1"


def test_the_second_player_may_begin():
    record = game(TOURNAMENT.replace("11:11, 0", "7:0, 1"))
    assert record.headers == {
        "black": "pbrain-two.exe",
        "white": "pbrain-one",
        "result": "black",
        "psq:levels": "7:0",
        "psq:division": "Freestyle1",
    }
    assert record.setup.turn == BLACK


def test_a_game_of_two_people():
    record = game("Piskvorky 15x15, 0:0, 0\r\n8,8,100\r\n9,8,200\r\nhomo-1\r\nhomo-2\r\n0\r\n")
    assert record.headers == {"black": "homo-1", "white": "homo-2", "psq:levels": "0:0"}
    assert moves(record) == "h8 i8"


def test_a_game_of_one_person():
    record = game("Piskvorky 15x15, 0:9, 0\n8,8,0\nhomo-1\npbrain-two\n0\n")
    assert record.headers == {"white": "pbrain-two", "psq:levels": "0:9"}
    record = game("Piskvorky 15x15, 0:9, 1\n8,8,0\nhomo-1\npbrain-two\n0\n")
    assert record.headers == {"black": "pbrain-two", "psq:levels": "0:9"}


NAMES_MET = st.sampled_from(("homo-1", "homo-2", " ", "", "0", "-1", "7", "3,x", "8,8", "8,8,8", "\t"))


@given(st.dictionaries(st.sampled_from(("black", "white")), NAMES_MET | st.text(max_size=8)), st.booleans())
def test_what_is_written_is_written_again(names, drawn):
    """Names included: what a file names, the file made of it names too."""
    record = Record("freestyle", headers=names | ({"result": "draw"} if drawn else {}))
    record.add("h8i9")
    for writer, reader in ((write, read), (write_rec, read_rec)):
        data = writer([record])
        (back,) = reader(data).records
        assert writer([back]) == data


@pytest.mark.parametrize("end", ["", "0\n", "\n\n0\n\n", "0"])
def test_files_without_names(end):
    assert game(f"Piskvorky 15x15, 11:11, 0\n8,8,0\n{end}").headers == {}


def test_a_result_without_names():
    assert game("Piskvorky 15x15, 11:11, 0\n8,8,0\n-1\n0,Caro\n").headers == {"result": "draw"}


def test_an_error_code_is_kept():
    record = game("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n5\n")
    assert record.headers == {"black": "a", "white": "b", "psq:code": "5"}
    assert game(write([record]).decode()) == record


@pytest.mark.parametrize(
    ("division", "name"),
    [
        ("Freestyle1", "freestyle"),
        ("Fastgame2", "freestyle"),
        ("Standard", "standard"),
        ("Renju1", "renju"),
        ("Caro 1", "caro"),
    ],
)
def test_the_division_says_the_rules(division, name):
    record = game(f"Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n-1\n1,{division}\n")
    assert record.rules == Rules.named(name)
    assert game(write([record]).decode()) == record


def test_moves_without_times():
    assert moves(game("Piskvorky 15x15, 11:11, 0\n8,8\n 9 , 9 \n")) == "h8 i7"


def test_a_short_first_line():
    assert moves(game("Piskvorky 15x15\n8,8\n")) == "h8"


def test_names_in_any_encoding():
    text = TOURNAMENT.replace("pbrain-one", "陈伟").replace("pbrain-two.exe", "曹冬")
    (record,) = read(text.encode("gb18030")).records
    assert (record.headers["black"], record.headers["white"]) == ("陈伟", "曹冬")


@pytest.mark.parametrize("name", ["8,8,8", "8,8", " a\nb ", "7", ""])
def test_odd_names_are_no_moves(name):
    record = Record("freestyle", headers={"black": name, "white": "b"})
    record.add("h8i9")
    back = game(write([record]).decode())
    assert moves(back) == "h8 i9"
    assert back.headers["white"] == "b"


@pytest.mark.parametrize(
    ("body", "line", "key", "kept"),
    [
        ("8,8,0\n8,8,0\n", 3, "error.occupied", "h8"),
        ("8,8,0\n\n16,8,0\n", 4, "error.format.psq.outside", "h8"),
        ("0,8,0\n", 2, "error.format.psq.outside", ""),
        ("8,8,0\n8;9;0\n9,9,0\n", 3, "error.format.psq.move", "h8"),
        ("8,8,0\n9,9,0\n10,1", 4, "error.format.psq.move", "h8 i7"),
    ],
)
def test_one_bad_line_ends_the_moves_alone(body, line, key, kept):
    names = "" if body.endswith("1") else "Ann\nBen\n-1\n1,Renju\n"
    found = read(f"Piskvorky 15x15, 11:11, 0\n{body}{names}".encode())
    (record,) = found.records
    (problem,) = found.problems
    assert (problem.message.values["line"], problem.message.values["reason"].key) == (line, key)
    assert (problem.missing, moves(record)) == ("moves", kept)
    if names:
        assert (record.headers["black"], record.rules.name) == ("Ann", "renju")


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"Piskvorky", b"Piskvorky 15, 0:0, 0", b"8,8,0\n", b"\xff\x00"]
)
def test_no_psq(data):
    assert key_of(read, data) == "error.format.psq.head"


def test_sizes_that_are_none():
    assert key_of(read, b"Piskvorky 51x15, 0:0, 0") == "error.format.line"
    assert key_of(read, b"Piskvorky 0x15, 0:0, 0") == "error.format.line"


def test_a_foul_that_the_game_went_on_after():
    record = game("Piskvorky 15x15, 11:11, 0\n" + FOUL + "a\nb\n-1\n2,Renju\n")
    assert record.rules == Rules.named("renju", fouls="claimed")


FOUL = "8,8,0\n1,1,0\n9,8,0\n1,3,0\n10,7,0\n1,5,0\n10,6,0\n1,7,0\n10,8,0\n1,9,0\n"


@pytest.mark.parametrize("writer", [write, write_rec])
def test_what_does_not_fit(writer):
    passing = Record(Rules(passing=True))
    passing.add("h8i9g7--")
    setup = Record(setup=Board.from_stones(["h8"]))
    for records, key in (
        ([], "error.write.one"),
        ([Record(), Record()], "error.write.one"),
        ([passing], "error.write.pass"),
        ([setup], "error.write.setup"),
    ):
        with pytest.raises(WriteError) as caught:
            writer(records)
        assert caught.value.message.key == key


def test_times_that_are_none():
    record = Record()
    record.add("h8").seconds = float("inf")
    record.add("h8i9").seconds = -1.0
    assert write([record]) == b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,0\r\n0\r\n"


@given(
    strategies.hostile(
        lines_of_play(PRESETS, "black", "white", "result").map(lambda record: write([record]))
    )
)
def test_damaged_files(data):
    try:
        (record,) = read(data).records
    except FormatError:
        return
    (back,) = read(write([record])).records
    assert moves(back) == moves(record)


# -- rec


@given(lines_of_play(st.just(Rules.named("freestyle", 20)), "black", "white"))
def test_rec_games_come_back(record):
    (back,) = read_rec(write_rec([record]), (20, 20)).records
    assert back == record


def test_a_rec_game():
    (record,) = read_rec(b"one\r\ntwo\r\n0,0,0\r\n19,19,1500\r\n7,8,10\r\n1\r\n").records
    assert record.headers == {"black": "one", "white": "two", "psq:code": "1"}
    assert record.rules.size_text == "20x20"
    assert moves(record) == "a20 t1 h12"
    assert [node.seconds for node in record.main_line()] == [None, 1.5, 0.01]
    assert write_rec([record]) == b"one\r\ntwo\r\n0,0,0\r\n19,19,1500\r\n7,8,10\r\n1\r\n"


def test_a_large_rec_game():
    (record,) = read_rec(b"\n\n29,0,0\n0,24,0\n0").records
    assert record.rules.size_text == "30x30"
    assert moves(record) == "ad30 a6"
    assert record.headers == {}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "error.format.psq.names"),
        ("one", "error.format.psq.names"),
        ("7,7,0\n8,8,0\n0", "error.format.psq.names"),
        ("one\n7,7,0\n0", "error.format.psq.names"),
    ],
)
def test_no_rec(text, key):
    assert key_of(read_rec, text.encode()) == key


@pytest.mark.parametrize("end", ["x\n", "7,7,0\n0\n", "50,7,0\n", "x\n8,8,0\n0\n"])
def test_a_bad_line_of_a_rec_file_ends_the_moves_alone(end):
    found = read_rec(f"one\ntwo\n7,7,0\n{end}".encode(), (15, 15))
    (record,) = found.records
    assert [problem.missing for problem in found.problems] == ["moves"]
    assert (moves(record), record.headers["black"]) == ("h8", "one")


@given(strategies.hostile(lines_of_play(PRESETS).map(lambda record: write_rec([record]))))
def test_damaged_rec_files(data):
    try:
        (record,) = read_rec(data).records
    except FormatError:
        return
    (back,) = read_rec(write_rec([record]), (record.rules.width, record.rules.height)).records
    assert moves(back) == moves(record)
