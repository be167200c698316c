"""Lists of moves in the ways that people and programs write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Rules, TengenError
from tengen.formats.move_lists import read_moves
from tengen.game import notation
from tests.errors import key_of
from tests.formats import strategies


def moves(record):
    return "".join(record.setup.name(node.point) for node in record.main_line())


def told(text, rules=None):
    return {note.key.removeprefix("assumed.") for note in read_moves(text, rules).notes}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h8i9j10", "h8i9j10"),
        ("  H8 i9, J10 ", "h8i9j10"),
        ("ｈ８ｉ９", "h8i9"),
        ("Ｈ８，Ｉ９", "h8i9"),
        ("h8、i9。g7", "h8i9g7"),
        ("h08 i09", "h8i9"),
        ("h-8 i-9", "h8i9"),
        ("h,8 i,9", "h8i9"),
        ("(h,8) (i,9)", "h8i9"),
        ("H 8  I 9", "h8i9"),
        ("h8_i9_i7", "h8i9i7"),
        ("h8->i9->g7", "h8i9g7"),
        ("h8→i9→g7", "h8i9g7"),
        ("h8/i9|g7", "h8i9g7"),
        ("['h8', \"i9\"]", "h8i9"),
        ("h8!? i9!! g7?", "h8i9g7"),
        ("h8+ i9# g7=", "h8i9g7"),
        ("h8\u200bi9\xa0g7\u2028h7\x0cj10", "h8i9g7h7j10"),
        ("h8\ti9\r\ng7\rh7", "h8i9g7h7"),
        ("1.h8 2.i9 3.j10", "h8i9j10"),
        ("1. h8 i9 2. j10", "h8i9j10"),
        ("1) h8 2) i9", "h8i9"),
        ("(1)h8 (2)i9", "h8i9"),
        ("#1 h8 #2 i9", "h8i9"),
        ("1: h8\n2: i9", "h8i9"),
        ("1\th8\n2\ti9", "h8i9"),
        ("1,h8\n2,i9", "h8i9"),
        ("1 h8 i9\n2 g7 h7", "h8i9g7h7"),
        ("1. h8 1... i9 2. g7", "h8i9g7"),
        ("5. h8 i9 6. g7", "h8i9g7"),
        ("①h8②i9③g7", "h8i9g7"),
        ("第1手 h8 第2手 i9", "h8i9"),
        ("第一手：h8，第二手：i9", "h8i9"),
        ("Move 1: h8\nMove 2: i9", "h8i9"),
        ("Black: h8 White: i9", "h8i9"),
        ("B h8 W i9", "h8i9"),
        ("Bh8 Wi9", "h8i9"),
        ("B[h8];W[i9]", "h8i9"),
        ("黑h8 白i9", "h8i9"),
        ("黑方：h8 白方：i9", "h8i9"),
        ("●h8 ○i9", "h8i9"),
        ("Ч: h8 Б: i9", "h8i9"),
        ("Black\tWhite\nh8\ti9\ng7\th7", "h8i9g7h7"),
        ("White: h8 Black: i9", "h8i9"),
        ("h8 -- i9", "h8--i9"),
        ("h8--i9", "h8--i9"),
        ("h8 pass i9", "h8--i9"),
        ("h8 停一手 i9", "h8--i9"),
        ("H八 I九", "h8i9"),
        ("h十 i十五", "h10i15"),
        ("h8 — i9", "h8i9"),
        ("", ""),
        (" ; ", ""),
    ],
)
def test_letters_and_numbers(text, expected):
    read = read_moves(text)
    assert moves(read.record) == expected
    assert read.notes == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://gomocalc.com/#h8i9j10", "h8i9j10"),
        ("https://gomocalc.com/#/h8i9j10", "h8i9j10"),
        ("gomocalc.com/#/h8i9", "h8i9"),
        ("https://www.gomocalc.com/#/?pos=H8I9&x=1x", "h8i9"),
        ("https://gomocalc.com/#/", ""),
        ("https://example.org/play?moves=h8i9", "h8i9"),
        ("http://example.org/gomoku.html?init_steps=h8_i9_i7_g9_j7", "h8i9i7g9j7"),
        ("https://example.org/?moves=h8,i9&rule=2#top", "h8i9"),
        ("https://example.org/?moves=h8%2Ci9+g7", "h8i9g7"),
        ("?moves=h8-i9", "h8i9"),
        ("#h8,i9", "h8i9"),
        ("#h8%20i9", "h8i9"),
    ],
)
def test_addresses(text, expected):
    assert moves(read_moves(text).record) == expected


def test_what_an_address_says_besides():
    assert read_moves("https://a.org/?size=19&moves=h8i9").record.rules == Rules.named("freestyle", 19)
    record = read_moves("https://a.org/?black=h8,g7&white=i9").record
    assert record.setup.stones(BLACK) == [96, 112]
    assert record.setup.stones(WHITE) == [128]
    assert told("https://a.org/game/h8i9/view") == {"address"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8,8\n9,9\n7,9", "h8i7g7"),
        ("8-8\n9-9", "h8i7"),
        ("8.8\n9.9", "h8i7"),
        ("8 8\n9 9", "h8i7"),
        ("8/8 9/9", "h8i7"),
        ("8:8 9:9", "h8i7"),
        ("8x8 9×9", "h8i7"),
        ("08 08", "h8"),
        ("8，8；9，9", "h8i7"),
        ("８，８　９，９", "h8i7"),
        ("(8,8)(9,9)", "h8i7"),
        ("（8，8）（9，9）", "h8i7"),
        ("[8,8],[9,9]", "h8i7"),
        ("[[8, 8], [9, 9]]", "h8i7"),
        ("8,8,9,9", "h8i7"),
        ("8 8 9 9", "h8i7"),
        ("8,8;9,9", "h8i7"),
        ("1. 8,8 2. 9,9", "h8i7"),
        ("1.8,8 9,9\n2.7,9", "h8i7g7"),
        ("1: 8-8 2: 9-9", "h8i7"),
        ("1. 8.8 2. 9.9", "h8i7"),
        ("1) (8,8) 2) (9,9)", "h8i7"),
        ("1,8,8\n2,9,9\n3,7,9", "h8i7g7"),
        ("1;8;8\n2;9;9", "h8i7"),
        ("7,7 8,8", "h8i7"),
        ("(7, 7), (8, 8)", "h8i7"),
        ("0,14 14,0", "a1o15"),
        ("15,15 1,1", "o1a15"),
        ("B 7,7 W 8,8", "h8i7"),
        ("Black: 8,8 White: 9,9", "h8i7"),
        ("x=7,y=7\nx=8,y=8", "h8i7"),
        ("x7y7", "h8"),
        ("row 8 col 8, row 9 col 9", "h8i7"),
        ("r8c9 r9c8", "i8h7"),
        ('[{"x":7,"y":7},{"x":8,"y":8}]', "h8i7"),
        ("x,y\n7,7\n8,8", "h8i7"),
        ("row,col\n7,7\n8,6", "h8g7"),
        ("move,player,x,y\n1,B,7,7\n2,W,8,8", "h8i7"),
        ("7,7,1\n8,8,2\n6,6,1", "h8i7g9"),
        ("8,8,0\n9,9,1520", "h8i7"),
        ("8八 9九", "h8i7"),
        ("八8 九9", "h8i7"),
        ("八八 九九", "h8i7"),
        ("8之八，9之九", "h8i7"),
        ("0,0, 1,-1, -7,7", "h8i9a1"),
        ("0,0 1,1", "h8i7"),
        ("+1,0", "i8"),
        ("hhig", "h8i9"),
        ("hh ig,ff", "h8i9f10"),
        ("1. hh 2. ig", "h8i9"),
        ("HHIGhiffppgg", "h8i9h7f10--g9"),
        ("8h 9i 7g", "h8i9g7"),
        ("1. 8h 2. 9i", "h8i9"),
    ],
)
def test_what_has_to_be_assumed_is_told(text, expected):
    read = read_moves(text)
    assert moves(read.record) == expected
    assert read.notes


@pytest.mark.parametrize(
    ("text", "size"), [("8,8", 15), ("19,19 1,1", 20), ("20,20", 20), ("0,15", 20), ("16 16\n15 15", 20)]
)
def test_the_board_has_room_for_numbers(text, size):
    assert read_moves(text).record.rules == Rules.named("freestyle", size)


def test_numbers_on_a_board_that_is_given():
    assert moves(read_moves("10,10", Rules.named("renju", 19)).record) == "j10"
    assert key_of(read_moves, "16,16", Rules.named("renju", 15)) == "error.off_board"


def test_letters_without_i():
    text = "h8 j9 k10 p1 g5"
    assert moves(read_moves(text).record) == "h8i9j10o1g5"
    assert read_moves(text).record.rules == Rules.named("freestyle")
    assert told(text) == {"without_i"}
    assert moves(read_moves(text, Rules.named("renju")).record) == "h8i9j10o1g5"
    assert told("i8 p9 h8") == {"size"}
    assert told("h8 j8 k8 h9 j9 k9 h7 j7 k7 l7") == {"perhaps_without_i"}
    assert told("h8 i8 k8 h9 j9 k9 h7 j7 k7 l7") == set()
    assert key_of(read_moves, "h8 p16 k1", Rules.named("renju")) == "error.off_board"


def test_lists_of_stones_are_a_position():
    record = read_moves("Black: h8, g7 White: i9").record
    assert record.setup.stones(BLACK) == [96, 112]
    assert (record.setup.stones(WHITE), record.setup.turn) == ([128], WHITE)
    assert told("Black: h8, g7 White: i9") == {"stones"}
    assert key_of(read_moves, "Black: h8 h8 White: i9") == "error.occupied"


def test_a_result_behind_the_moves_is_kept():
    assert read_moves("h8 i9 g7 1-0").record.headers == {"result": "black"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("h8h8", "error.occupied"),
        ("h8 x", "error.notation.moves"),
        ("zz99", "error.off_board"),
        ("h88888888888888888888", "error.off_board"),
        ("h8i", "error.notation.moves"),
        ("abc", "error.notation.moves"),
        ("é", "error.notation.moves"),
        ("hhhh", "error.occupied"),
        ("hz", "error.off_board"),
        ("h8 12 i9", "error.notation.moves"),
        ("h8 3. i9", "error.notation.moves"),
        ("h8 i9 and so on", "error.notation.moves"),
        ("1,2,3", "error.notation.numbers"),
        ("1,,2", "error.notation.numbers"),
        ("+1", "error.notation.numbers"),
        ("12!", "error.notation.numbers"),
        ("1-0", "error.notation.numbers"),
        ("10:30", "error.off_board"),
        ("2024-05-06", "error.notation.numbers"),
        ("8,8\n9", "error.notation.numbers"),
        ("🙂", "error.notation.numbers"),
        ("https://example.org/about", "error.notation.address"),
        ("https://example.org/v2", "error.notation.address"),
        ("https://gomocalc.com/#/h8-x", "error.notation.address"),
        ("https://gomocalc.com/#/h8h8", "error.occupied"),
    ],
)
def test_what_is_no_list_of_moves(text, key):
    assert key_of(read_moves, text) == key


@given(strategies.main_lines(), st.sampled_from([" ", ",", "\n", "_", "-", "; ", " > ", "/"]))
def test_any_game_with_any_separator(record, separator):
    board = record.board()
    names = ["pass" if name == "--" else name for name in map(board.name, board.moves)]
    assert moves(read_moves(separator.join(names), record.rules).record) == moves(record)


@given(
    strategies.main_lines(),
    st.sampled_from(["{n}. {p} ", "{n}){p} ", "{n}: {p}\n", "({n}) {p} ", "{n}\t{p}\n"]),
)
def test_any_game_with_numbers(record, form):
    board = record.board()
    names = ["pass" if name == "--" else name for name in map(board.name, board.moves)]
    text = "".join(form.format(n=number, p=name) for number, name in enumerate(names, 1))
    assert moves(read_moves(text, record.rules).record) == moves(record)


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=2, unique=True, max_size=30))
def test_coordinates_that_reach_the_edge_are_unambiguous(points):
    points = [(0, 7), *(point for point in points if point != (0, 7))]
    text = "\n".join(f"{x},{y}" for x, y in points)
    expected = [notation.from_gomocup(x, y, 15, 15) for x, y in points]
    assert [
        node.point for node in read_moves(text, Rules.named("freestyle")).record.main_line()
    ] == expected


@given(st.text(st.sampled_from("abho18,-+; .#/?&=pPＨ８。\n()①黑白八xX:_"), max_size=40))
def test_any_text(text):
    try:
        read = read_moves(text)
    except TengenError:
        return
    assert moves(read.record) or any(read.record.setup.position) or not text.strip("; \n") or "#" in text


@pytest.mark.parametrize(
    "piece", ["1,", "1 ", "a", "a1", "hh ", "-", ",;", "1.", "#", "://", "\u3000", "(", "黑", "x="]
)
def test_long_texts_end_soon(piece):
    for text in (piece * 5_000, piece * 5_000 + "!"):
        with pytest.raises(TengenError):
            read_moves(text + "\x00q")
