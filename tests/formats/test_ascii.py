"""Boards drawn in text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Record, Rules
from tengen.formats.ascii import looks_like_board, parse_board, read, write
from tengen.formats.common import FormatError
from tengen.game.diagram import diagram
from tests import strategies as board_strategies
from tests.errors import key_of
from tests.formats import strategies

EXPECTED = Board.from_stones(["a1", "c2"], ["b3"], rules=Rules.mnk(3, 3, 3))
"""The position of all the drawings below."""

DRAWINGS = [
    """
3  . O .
2  . . X
1  X . .
   a b c
""",
    ".O.\n..X\nX..",
    "\r\n. o .\r\n. . x\r\nx . .\r\n",
    "· ○ ·\n· · ●\n● · ·",
    "┌○┐\n├┼●\n●┴┘",
    "┌─○─┐\n│ │ │\n├─┼─●\n│ │ │\n●─┴─┘",
    "+ O +\n+ + X\nX + +",
    "-O-\n--X\nX--",
    "_ o _\n_ _ @\n@ _ _",
    ". O .\n. . #\n# . .",
    ". W .\n. . B\nB . .",
    ". O .\n. . *\n* . .",
    "* O *\n* * X\nX * *",
    "．　Ｏ　．\n．　．　Ｘ\nＸ　．　．",
    "➀"[:0] + "⬤".join(["· ⚪ ·\n· · ", "\n", " · ·"]),
    "⚪".join(["·️", "·\n··⚫️\n⚫··"]),
    "   A B C\n 3 . O . 3\n 2 . . X 2\n 1 X . . 1\n   A B C",
    "  1 2 3\n1 . O .\n2 . . X\n3 X . .",
    "abc\n3.O.\n2..X\n1X..",
    "  123\n3 .O.\n2 ..X\n1 X..",
    ". O .\n\n. . X\n\nX . .\n",
    "+-------+\n| . O . |\n| . . X |\n| X . . |\n+-------+",
    "3 | . O .\n2 | . . X\n1 | X . .\n  +------\n    a b c",
    " | O | \n---+---+---\n   |   | X\n---+---+---\n X |   |",
    "+---+---+---+\n"
    "|   | O |   |\n+---+---+---+\n|   |   | X |\n+---+---+---+\n| X |   |   |\n+---+---+---+",
    "---|---|---\n" + " |O| \n---|---|---\n | |X\nX| | ",
    "3 |   | O |   |\n2 |   |   | X |\n1 | X |   |   |\n    a   b   c",
    " |O| \n-+-+-\n | |X\n-+-+-\nX| | ",
    ".|O|.\n.|.|X\nX|.|.",
    ". O .\n. . X\n(X) . .",
    "3  . O .\n2  . . X\n1 [X]. .\n   a b c",
    "3  . O .\n2  .|.|X\n1 *X*! .\n   a b c",
    "|-O-|\n|--X|\n|X--|",
    "# a problem\n# rules: tictactoe\n. O .\n. . X\nX . .",
]


@pytest.mark.parametrize("text", DRAWINGS)
def test_drawings(text):
    board = parse_board(text)
    assert board == EXPECTED
    assert board.turn == WHITE
    assert looks_like_board(text)


@given(board_strategies.boards())
def test_what_a_board_prints(board):
    back = parse_board(str(board), board.rules)
    assert back.position == board.position
    assert back.rules == board.rules
    if board.last is not None and board.last >= 0:
        assert back.turn == board.turn


@given(board_strategies.boards(), st.data())
def test_boards_with_signs_and_brackets(board, data):
    stones = [point for point, colour in enumerate(board.position) if colour]
    empty = [point for point, colour in enumerate(board.position) if not colour]
    signs = dict.fromkeys(
        data.draw(st.sets(st.sampled_from(empty or [-5]))), data.draw(st.sampled_from("!+"))
    )
    brackets = dict.fromkeys(
        data.draw(st.sets(st.sampled_from(stones or [-5]))), data.draw(st.sampled_from("*!"))
    )
    text = diagram(board.position, board.width, board.last, signs, brackets)
    assert parse_board(text, board.rules).position == board.position


@given(
    board_strategies.boards(),
    st.sampled_from(("", " ")),
    st.sampled_from((".XO", "+@o", "·●○", "-xo", "_#W")),
)
def test_boards_as_people_type_them(board, between, signs):
    rows = [
        between.join(signs[colour] for colour in board.position[start : start + board.width])
        for start in range(0, board.rules.points, board.width)
    ]
    back = parse_board("\n".join(reversed(rows)), board.rules, board.turn)
    assert (back.position, back.turn) == (board.position, board.turn)


def test_boards_with_columns_of_two_letters():
    board = Board.from_moves("a1ad20z7aa7ab8", Rules.mnk(30, 20, 5))
    back = parse_board(str(board), board.rules)
    assert (back.position, back.turn) == (board.position, board.turn)


def test_the_side_to_move():
    assert parse_board(". .").turn == BLACK
    assert parse_board("X .").turn == WHITE
    assert parse_board("X O .").turn == BLACK
    assert parse_board("O .").turn == BLACK
    assert parse_board("[X]O .").turn == WHITE
    assert parse_board("X O[O]").turn == BLACK
    assert parse_board("[X]O[O]").turn == BLACK
    assert parse_board("# turn: White\nX O .").turn == WHITE
    assert parse_board("# turn: White\nX O .", turn=BLACK).turn == BLACK


def test_rules():
    drawing = ". . . .\n" * 3
    assert parse_board(drawing).rules == Rules.named("freestyle", (4, 3))
    assert parse_board(drawing, "renju").rules == Rules.named("renju", (4, 3))
    assert parse_board(drawing, Rules.named("renju", 15)).rules == Rules.named("renju", (4, 3))
    assert parse_board("# rules: caro 15x15\n" + drawing).rules == Rules.named("caro", (4, 3))
    assert parse_board("...\n" * 3).rules == Rules.named("tictactoe")


def test_a_row_that_begins_with_a_black_stone_is_no_comment():
    assert parse_board("# . O\n# # O\n. . .").stones(BLACK) == [3, 4, 6]


@pytest.mark.parametrize(
    ("text", "line", "column", "key"),
    [
        (". X\n. ? .", 2, 3, "error.format.board.sign"),
        (". X\n\n. . .", 3, None, "error.format.board.width"),
        ("3 . X\n2 . 4", 2, 3, "error.format.board.width"),
        (" . X\n . é", 2, 4, "error.format.board.sign"),
        ("X | O\n  | Q", 2, 5, "error.format.board.sign"),
        ("X | O\n  | OX", 2, 5, "error.format.board.sign"),
        ("X | O\n  | O | X", 2, None, "error.format.board.width"),
        ("# turn: red\n. .", 1, None, "error.format.board.turn"),
        ("\n# rules: chess\n. .", 2, None, "error.rules.name"),
    ],
)
def test_the_place_of_an_error(text, line, column, key):
    with pytest.raises(FormatError) as caught:
        parse_board(text)
    values = caught.value.message.values
    assert values["line"] == line
    assert values["reason"].key == key
    if column is not None and "column" in values:
        assert values["column"] == column


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "error.format.empty"),
        ("a b c", "error.format.empty"),
        ("# only a comment", "error.format.empty"),
        ("." * 51, "error.format.board.size"),
        (".\n" * 51, "error.format.board.size"),
    ],
)
def test_no_board(text, key):
    assert key_of(parse_board, text) == key


def test_unknown_rules():
    assert key_of(parse_board, "...", "chess") == "error.rules.name"


@pytest.mark.parametrize(
    "text", ["", "h8i9", "hhig", "--", "-1,2, 3,4", "https://x.org/#h8", "{}", "(;B[hh])", "\n"]
)
def test_what_does_not_look_like_a_board(text):
    assert not looks_like_board(text)


# -- files


@given(st.lists(strategies.records(), min_size=1, max_size=3))
def test_last_positions_come_back(records):
    back = read(write(records)).records
    assert len(back) == len(records)
    for one, other in zip(back, records, strict=True):
        board = other.board()
        assert (one.setup.position, one.setup.turn, one.rules) == (board.position, board.turn, board.rules)


def test_a_file():
    games = read(
        b"# rules: renju\n# turn: white\n. . .\n. X .\n\n. .\n. Q\n\n"
        b"# turn: white\n\nX O\n\n# rules: go\nX\n\nX\n"
    )
    assert [record.rules.size_text for record in games.records] == ["3x2", "2x1", "1x1"]
    assert [record.setup.turn for record in games.records] == [WHITE, BLACK, WHITE]
    assert {record.rules.name for record in games.records} == {"renju"}
    assert [(problem.game, problem.message.values["line"]) for problem in games.problems] == [
        (2, 7),
        (4, 13),
    ]


def test_how_positions_are_written():
    record = Record("tictactoe")
    record.add("b2a1")
    assert write([record, record]).decode() == (
        "# rules: tictactoe 3x3\n# turn: black\n3  . . .\n2  . X .\n1  O . .\n   a b c\n\n"
        "# turn: black\n3  . . .\n2  . X .\n1  O . .\n   a b c\n"
    )


@given(strategies.hostile(strategies.records().map(lambda record: write([record]))))
def test_damaged_files(data):
    try:
        records = read(data).records
    except FormatError:
        return
    back = read(write(records)).records
    assert [record.setup.position for record in back] == [record.setup.position for record in records]


@given(st.text(st.sampled_from(".XO*#|-+ab123[]() \n"), max_size=60))
def test_any_drawing(text):
    try:
        records = read(text.encode()).records
    except FormatError:
        return
    assert read(write(records)).records == records


@pytest.mark.parametrize(
    "piece", ["-", "- ", "+-", ".", ". ", "| ", "[ ", "1 ", "X", "a ", "# ", "*", "\t"]
)
@pytest.mark.long
def test_long_lines_end_soon(piece):
    for text in (piece * 20_000, piece * 20_000 + "?", (piece + "\n") * 20_000):
        with pytest.raises(FormatError):
            read(text.encode())
