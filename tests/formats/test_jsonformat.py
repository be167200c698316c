"""Tengen's own JSON: everything comes back as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Record, Rules, Session
from tengen.formats.common import MAX_TEXT, FormatError, WriteError
from tengen.formats.jsonformat import FORMAT, read, read_lines, write, write_lines
from tengen.game.player import Score
from tengen.game.points import PASS
from tengen.game.record import Mark, Node
from tests.errors import key_of
from tests.formats import strategies


def file_of(*games, **changes):
    return json.dumps({"format": FORMAT, "version": 1, "games": games} | changes).encode()


@given(st.lists(strategies.records(), min_size=1, max_size=3))
def test_everything_comes_back(records):
    assert read(write(records)).records == records


@given(st.lists(strategies.records(), min_size=1, max_size=3))
def test_everything_comes_back_from_lines(records):
    assert read_lines(write_lines(records)).records == records


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\r", "\n"])
def test_separators_of_lines_may_stand_in_texts(sign):
    """Where lines are games as well, none of them ends one."""
    record = Record(headers={"event": f"a{sign}b"})
    record.add("h8").comment = f"c{sign}d"
    assert read(write([record])).records == [record]
    assert read_lines(write_lines([record, record])).records == [record, record]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n"])
def test_lines_end_as_other_programs_end_them(end):
    records = [Record.from_board(Board.from_moves(moves)) for moves in ("h8", "h8i9")]
    assert read_lines(write_lines(records).replace(b"\n", end)).records == records


def test_how_a_game_is_written():
    record = Record("renju", headers={"black": "林"})
    record.root.comment = "天元"
    node = record.add("h8i9")
    node.marks = (Mark(112, "triangle"), Mark(0, "label", "A"))
    node.score, node.seconds = Score(35), 1.5
    record.add("h8g7")
    assert json.loads(write([record])) == {
        "format": "tengen record",
        "version": 1,
        "games": [
            {
                "rules": Rules.named("renju").to_dict(),
                "headers": {"black": "林"},
                "nodes": [
                    {"comment": "天元"},
                    {"move": "h8"},
                    {
                        "move": "i9",
                        "marks": [["triangle", "h8"], ["label", "a1", "A"]],
                        "score": {"value": 35},
                        "seconds": 1.5,
                    },
                    {"parent": 1, "move": "g7"},
                ],
            }
        ],
    }


def test_a_setup_and_the_side_to_move():
    record = Record(setup=Board.from_stones(["h8"], ["i9"], WHITE))
    record.add("--" if record.rules.passing else "a1")
    (back,) = read(write([record])).records
    assert back == record
    assert back.setup.turn == WHITE


def test_siblings_with_the_same_move_stay_two():
    record = Record()
    for comment in ("one", "other"):
        node = Node(112, record.root)
        node.comment = comment
        record.root.children.append(node)
    (back,) = read(write([record])).records
    assert [node.comment for node in back.root.children] == ["one", "other"]


def test_a_tree_of_any_depth():
    record = Record(Rules(passing=True))
    node = record.root
    for depth in range(50_000):
        node.children.append(Node(depth if depth < 225 else PASS, node))
        node = node.children[0]
    (back,) = read(write([record])).records
    assert back == record


def test_a_saved_session_is_a_game_too():
    session = Session("renju", take_backs=None)
    for point in ("h8", "i9", "g7"):
        session.play(point)
    session.resign(WHITE)
    (record,) = read(session.to_json().encode()).records
    assert record == session.record()
    assert record.headers["result"] == "black"


def test_stones_in_the_order_of_play():
    (record,) = read(b'{"stones": ["H8", "I9", "J10"]}').records
    assert [node.point for node in record.main_line()] == [112, 128, 144]


def test_lists_of_black_and_white_stones():
    (record,) = read(b'{"blackStones": ["H8", "t20"], "whiteStones": ["I9"]}').records
    assert record.rules == Rules.named("freestyle", 20)
    assert record.setup.stones(WHITE) == [record.setup.point("i9")]
    assert record.setup.stones(BLACK) == [record.setup.point("h8"), 399]
    assert record.setup.turn == WHITE


def test_the_other_games_of_a_file_are_read():
    games = read(file_of({"rules": {}}, {"rules": {"k": 0}}, {"rules": {"k": 4}}))
    assert [record.rules.k for record in games.records] == [5, 4]
    assert [(problem.game, problem.message.key) for problem in games.problems] == [(2, "error.rules.least")]


@pytest.mark.parametrize(
    ("game", "key"),
    [
        ([], "error.format.json.field"),
        ({"rules": []}, "error.format.json.field"),
        ({"rules": {"size": 15}}, "error.rules.field"),
        ({"setup": {"black": ["h8"], "white": ["h8"]}}, "error.occupied"),
        ({"setup": {"black": [8]}}, "error.format.json.field"),
        ({"setup": {"turn": "red"}}, "error.format.json.field"),
        ({"nodes": [{"move": "h8"}]}, "error.format.json.node"),
        ({"nodes": [None]}, "error.format.json.node"),
    ],
)
def test_games_that_are_none(game, key):
    assert key_of(read, file_of(game)) == key


def faults(nodes: list[Any], **game: Any) -> tuple[str, list[tuple[str, str]]]:
    """The moves of the main line that are read, and the faults with what is missing for them."""
    result = read(file_of({"nodes": nodes, **game}))
    (record,) = result.records
    points = [node.point for node in record.main_line() if node.point is not None]
    line = " ".join(map(record.setup.name, points))
    return line, [(str(problem.message), problem.missing) for problem in result.problems]


MOVES = [{}, {"move": "h8"}, {"move": "i9"}, {"move": "g7"}]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"move": "h88"}, "node 2: h88 is off the 15x15 board"),
        ({"move": "h8x"}, "node 2: 'h8x' is not a point"),
        ({"move": "h8"}, "node 2: h8 is occupied"),
        ({}, "node 2: move is missing"),
        ({"move": 7}, "node 2: move is missing"),
        (None, "node 2: nodes is missing"),
        ({"move": "i9", "parent": 2}, "node 2: parent is missing"),
        ({"move": "i9", "parent": -1}, "node 2: parent is missing"),
        ({"move": "i9", "parent": True}, "node 2: parent is missing"),
    ],
)
def test_a_move_that_cannot_be_ends_its_line(wrong, said):
    line, ((message, missing),) = faults([*MOVES[:2], wrong, *MOVES[3:], {"parent": 1, "move": "j10"}])
    assert (line, missing) == ("h8 j10", "moves")
    assert message.startswith(said)


def test_a_wrong_move_of_a_variation_leaves_the_main_line():
    variation = [{"parent": 1, "move": "g9"}, {"move": "h8"}, {"move": "a1"}, {"parent": 4, "move": "f6"}]
    line, ((message, missing),) = faults([*MOVES, *variation])
    assert (line, message, missing) == ("h8 i9 g7", "node 5: h8 is occupied", "variation")
    (record,) = read(file_of({"nodes": [*MOVES, *variation]})).records
    assert [len(node.children) for node in record.nodes()] == [1, 2, 1, 0, 1, 0]


def test_nodes_may_follow_any_before_them():
    """Written in another order than ours, line by line in turn."""
    apart = [{}, {"move": "h8"}, {"parent": 0, "move": "g7"}, {"parent": 1, "move": "i9"}]
    (record,) = read(file_of({"nodes": [*apart, {"parent": 2, "move": "h8"}]})).records
    assert [len(node.children) for node in record.nodes()] == [2, 1, 0, 1, 0]
    _, ((message, _),) = faults([*apart, {"parent": 3, "move": "h8"}])
    assert message == "node 4: h8 is occupied"


@pytest.mark.parametrize(
    "detail",
    [
        {"comment": 1},
        {"comment": "x" * (MAX_TEXT + 1)},
        {"marks": [["star", "h8"]]},
        {"marks": [["circle", "--"]]},
        {"marks": ["circle"]},
        {"score": {"value": 1.5}},
        {"score": {"value": 10**10}},
        {"seconds": "1"},
    ],
)
def test_a_detail_that_makes_no_sense_is_left_out_alone(detail):
    line, ((message, missing),) = faults([{}, {"move": "h8", **detail}, {"move": "i9", "comment": "good"}])
    assert (line, missing) == ("h8 i9", "detail")
    assert message.startswith("node 1: ")
    line, ((_, missing),) = faults([{**detail}, {"move": "h8"}])
    assert (line, missing) == ("h8", "detail")


def test_a_wrong_header_is_left_out_alone():
    result = read(file_of({"nodes": MOVES, "headers": {"black": 1, "white": "Ann"}}))
    assert result.records[0].headers == {"white": "Ann"}
    assert [problem.missing for problem in result.problems] == ["detail"]


def test_one_line_loses_one_thing():
    good, bad = ({"nodes": [*MOVES, *more]} for more in ([], [{"move": "h8"}]))
    result = read_lines(b"".join(json.dumps(game).encode() + b"\n" for game in (good, bad, good)))
    assert len(result.records) == 3
    (problem,) = result.problems
    assert (problem.game, problem.missing) == (2, "moves")
    assert str(problem.message) == "line 2: node 4: h8 is occupied"


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "error.format.json"),
        (b"{", "error.format.json"),
        (b"[]", "error.format.json.format"),
        (b"{}", "error.format.json.format"),
        (b'{"format": "tengen session"}', "error.session.missing"),
        (b"[" * 100_000, "error.format.json.other"),
        (b'{"format": NaN}', "error.format.json.other"),
        (b"9" * 10_000, "error.format.json.other"),
        (file_of(version=2), "error.format.json.version"),
        (file_of(games={}), "error.format.json.field"),
        (file_of(), "error.format.empty"),
    ],
)
def test_files_that_are_none(data, key):
    assert key_of(read, data) == key


def test_half_a_character_does_no_harm():
    (record,) = read(file_of({"nodes": [{"comment": "\ud800"}]})).records
    assert record.root.comment == "?"


def test_what_is_no_number_is_not_written():
    record = Record()
    record.add("h8").seconds = float("nan")
    with pytest.raises(WriteError):
        write([record])


@given(strategies.hostile(strategies.records().map(lambda record: write([record]))))
def test_damaged_files(data):
    try:
        games = read(data)
    except FormatError:
        return
    assert read(write(games.records)).records == games.records
