from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tengen import PASS, Board
from tengen.game.diagram import STONES, diagram
from tengen.game.notation import column_name
from tests import strategies


def picture(*rows):
    return "\n".join(rows)


def test_an_empty_board():
    assert diagram(bytes(9), 3) == picture(
        "3  . . .",
        "2  . . .",
        "1  . . .",
        "   a b c",
    )


def test_stones_and_the_last_move():
    board = Board.from_moves("b2a1", "tictactoe")
    assert diagram(board.position, 3, board.last) == picture(
        "3  . . .",
        "2  . X .",
        "1 [O]. .",
        "   a b c",
    )


def test_the_last_move_on_the_right_edge():
    assert diagram(bytes([0, 0, 1]), 3, last=2) == picture(
        "1  . .[X]",
        "   a b c",
    )


def test_a_pass_is_not_drawn():
    assert diagram(bytes(2), 2, last=PASS) == diagram(bytes(2), 2)


def test_signs_stand_in_place_of_points():
    assert diagram(bytes([1, 1, 0]), 3, signs={0: "#", 2: "+"}) == picture(
        "1  # X +",
        "   a b c",
    )


def test_marked_points_stand_between_signs():
    assert diagram(bytes([1, 1, 1, 0]), 4, brackets=dict.fromkeys((0, 1, 2), "|")) == picture(
        "1 |X|X|X|.",
        "   a b c d",
    )


def test_neighbours_share_the_column_between_them():
    # The last move's bracket stands where no other mark has been drawn before it.
    assert diagram(bytes([1, 1, 1]), 3, last=1, brackets={0: "|", 2: "|"}) == picture(
        "1 |X|X]X|",
        "   a b c",
    )
    assert diagram(bytes([1, 1, 1]), 3, last=0, brackets={1: "|"}) == picture(
        "1 [X]X|X",
        "   a b c",
    )


def test_the_last_move_keeps_its_brackets_among_marked_points():
    assert diagram(bytes([1]), 1, last=0, brackets={0: "|"}) == picture("1 [X]", "   a")


def test_two_digits_and_two_letters():
    *rows, names = diagram(bytes(28 * 10), 28).splitlines()
    assert rows[0].startswith("10 ")
    assert rows[-1].startswith(" 1 ")
    assert names.split() == [column_name(x) for x in range(28)]
    # Every point stands under the last letter of its column's name.
    ends = [x for x, sign in enumerate(names + " ") if sign == " " and names[x - 1] != " " and x > 0]
    for row in rows:
        assert [x + 1 for x, sign in enumerate(row) if sign == "."] == ends


@given(strategies.boards())
def test_every_point_is_drawn_under_its_name(board):
    *rows, names = str(board).splitlines()
    assert len(rows) == board.height
    ends = [names.index(f" {column_name(x)}") + len(column_name(x)) for x in range(board.width)]
    for y, row in enumerate(reversed(rows)):
        assert row.split()[0] == str(y + 1)
        assert [row[end] for end in ends] == [
            STONES[board[y * board.width + x]] for x in range(board.width)
        ]


@given(strategies.boards())
def test_no_line_ends_in_blanks(board):
    for line in str(board).splitlines():
        assert line == line.rstrip()


@given(strategies.boards(), st.data())
def test_a_sign_changes_one_character(board, data):
    point = data.draw(st.integers(0, board.rules.points - 1))
    plain = diagram(board.position, board.width)
    signed = diagram(board.position, board.width, signs={point: "*"})
    assert signed.count("*") == 1
    assert signed.replace("*", STONES[board[point]]) == plain
