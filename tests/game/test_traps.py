"""What implementers of renju get wrong, each as a small position; `p` and other letters are empty points.

The edge of a drawing is the edge of the board.
"""

from __future__ import annotations

import re

import pytest

from tengen import BLACK, WHITE, Board, Forbidden, Rules
from tests import oracle
from tests.positions import drawn, ended, rows_of


def judged(picture, **overrides):
    """For each marked point of a drawing the name of the foul that Black would make there, or None."""
    board, at = drawn(picture, **overrides)
    fouls = {point: foul.kind for point, foul in board.fouls().items()}
    assert fouls == oracle.fouls(board.rules, board.position)
    return {sign: fouls.get(point) for sign, point in at.items()}


TRAPS = """
    ## 4. A four that completes only to six is none: closed
    . . . . . . .
    O X X p X . X
    . . . X . . .
    . . . X . . .
    . . . X . . .
    . . . O . . .
    = p legal

    ## 4. A four that completes only to six is none: without the sixth
    . . . . . . .
    O X X p X . .
    . . . X . . .
    . . . X . . .
    . . . X . . .
    . . . O . . .
    = p double-four

    ## 5. A three that can only become six on one side is none: stones on both sides
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    X . . X p X . . X
    . . . . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    = p legal

    ## 5. A three that can only become six on one side is none: a stone on one side
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    X . . X p X . . .
    . . . . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    = p double-three

    ## 6. Rule 9.3 goes as deep as needed
    # The row of p becomes a straight four only at e, and e would be a three-three itself: p is legal.
    . . . . . . . . .
    . . . . . . . . .
    . . X . . X . . .
    . . . X . X . . .
    . . X X e p . . .
    . . . . X . . . .
    . . . . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    = p legal; e double-three

    ## 7. The stone stays on the board while its extensions are tested
    # A stone on e makes two fours, but the one in the row only with the help of p.
    . . . . O . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . X X e p . . .
    . . . . . X . . .
    . . . . . X . . .
    . . . . . . . . .
    . . . . . . . . .
    = p legal; e legal

    ## 8. A three is real if any of its extensions is permitted: one is not
    . . O . . . . . .
    . . X . . . . . .
    . . X . . . . . .
    . . X . . . . . .
    . . l X X p r . .
    . . . . . X . . .
    . . . . . X . . .
    . . . . . . . . .
    . . . . . . . . .
    = p double-three

    ## 8. A three is real if any of its extensions is permitted: neither is
    . . O . . . O . .
    . . X . . . X . .
    . . X . . . X . .
    . . X . . . X . .
    . . l X X p r . .
    . . . . . X . . .
    . . . . . X . . .
    . . . . . . . . .
    . . . . . . . . .
    = p legal

    ## 9. Threes and fours without the new stone do not count: old three
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . X X X . . . p . .
    . . . . . . . . X . .
    . . . . . . . . X . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    = p legal

    ## 9. Threes and fours without the new stone do not count: old four
    . . . . . . . . . . .
    O X X X . X . . p . .
    . . . . . . . . X . .
    . . . . . . . . X . .
    . . . . . . . . X . .
    . . . . . . . . O . .
    = p legal

    ## 10. A four counts even where its fifth stone makes six elsewhere
    # c is forbidden now, but a five once p is played
    . . . . . . . .
    . . . . . X . .
    . . . . . X . .
    O X X X p c . .
    . . . . X X . .
    . . . . X X . .
    . . . . X X . .
    . . . . O . . .
    = p double-four; c overline

    ## 12. A four three is legal
    . . . . . . .
    . . . . . . .
    O X X X p . .
    . . . . X . .
    . . . . X . .
    . . . . . . .
    . . . . . . .
    = p legal

    ## 12. A four and two threes are not
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    O X X X p . . . .
    . . . . X X . . .
    . . . . X . X . .
    . . . . . . . . .
    . . . . . . . . .
    = p double-three

    ## 12. Two fours and a three are not
    . . . . . . . . .
    . . . . . . . . .
    O X X X p . . . .
    . . . . X X . . .
    . . . . X . X . .
    . . . . X . . . .
    . . . . O . . . .
    = p double-four

    ## 13. A straight four is not a three too: with one three
    . . . . . . . .
    . . . . . . . .
    . X X p X . . .
    . . . X . . . .
    . . . X . . . .
    . . . . . . . .
    . . . . . . . .
    = p legal

    ## 13. A straight four is not a three too: with two threes
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . X X p X . . .
    . . . X X . . .
    . . . X . X . .
    . . . . . . . .
    . . . . . . . .
    = p double-three
"""
"""Drawings, and what the marked points are for Black; the numbers are those of the tests below."""


@pytest.mark.parametrize("trap", re.split(r"\s*## ", TRAPS)[1:], ids=lambda text: text.split("\n")[0])
def test_a_trap(trap):
    rows = [row for row in trap.split("\n")[1:] if not row.strip().startswith("#")]
    picture, _, verdict = "\n".join(rows).partition("=")
    kinds = judged(picture)
    for word in verdict.split(";"):
        sign, kind = word.split()
        assert (kinds[sign] or "legal") == kind


def test_1_a_five_comes_before_an_overline():
    picture = """
        . . . X . . .
        . . . X . . .
        . X X p X X .
        . . . X . . .
        . . . X . . .
        . . . X . . .
        . . . . . . .
    """
    assert judged(picture) == {"p": None}
    board, at = drawn(picture)
    board.push(at["p"])
    assert ended(board).winner == BLACK
    assert [board.name(point) for point in ended(board).line] == ["b5", "c5", "d5", "e5", "f5"]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("X . X p X . X", "double-four"),
        ("X . p X X . X", "double-four"),
        ("X . X X p . X", "double-four"),
        ("X X . p X . X X", "double-four"),
        ("X X . X p . X X", "double-four"),
        ("X X X . p . X X X", "double-four"),
        # Here one of the fours stood before, without the new stone.
        ("p . X X X . X", None),
        ("X . X X X . p", None),
        ("p X . X X . X X", None),
        ("X X X . X . X X p", None),
        # Here one of the two would be a six, or is blocked.
        ("X X . X p . X X X", None),
        ("X O X p X . X", None),
    ],
)
def test_2_two_fours_on_one_line(row, kind):
    assert judged(row) == {"p": kind}


@pytest.mark.parametrize("row", [". X X p X .", ". p X X X .", ". . X p X X . .", ". X X p X . ."])
def test_3_a_straight_four_is_one_four(row):
    assert judged(row) == {"p": None}


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_6_any_fixed_depth_is_wrong_somewhere(cut):
    wrong = 0
    for row in rows_of("forbidden.jsonl"):
        if row["depth"] > max(cut, 2):
            board = Board.from_moves(row["moves"], Rules.named("renju", size=row["size"]))
            for name in row["depth_of"]:
                point = board.point(name)
                rightly = board.foul(point) is not None
                assert rightly == (name in row["forbidden"])
                wrong += rightly != (oracle.foul(board.rules, board.position, point, cut) is not None)
    assert wrong


SPOILED = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . 1 X . . .
    . . . . 2 X . . .
    . . X X e p . . .
    . . . . 3 . . . .
    . . . . 4 . . . .
    . . . . 5 . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("12345", None),  # e makes a six
        ("1234", None),  # e makes a five
        ("345", None),  # e makes a second four
        ("23", "double-three"),  # e makes a three besides, and is permitted
        ("5", "double-three"),
    ],
)
def test_11_an_extension_may_be_spoiled_by_another_line(column, kind):
    picture = SPOILED
    for digit in "12345":
        picture = picture.replace(digit, "X" if digit in column else ".")
    assert judged(picture)["p"] == kind


THREE_THREE = """
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . . O . . . .
    . . p O O . .
    . . . . . . .
    . . . . . . .
"""
FOUR_FOUR = "O . O p O . O"
SIX = "O O p O O O ."


@pytest.mark.parametrize("picture", [THREE_THREE, FOUR_FOUR], ids=["three-three", "four-four"])
def test_14_white_may_play_three_three_and_four_four(picture):
    board, at = drawn(picture, turn=WHITE)
    assert board.is_legal(at["p"])
    board.push(at["p"])
    assert board.outcome() is None


def test_14_white_wins_by_an_overline():
    board, at = drawn(SIX, turn=WHITE)
    board.push(at["p"])
    assert ended(board).winner == WHITE
    assert ended(board).line == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("picture", [THREE_THREE, FOUR_FOUR, SIX], ids=["three-three", "four-four", "six"])
def test_14_the_same_shapes_are_fouls_of_blacks(picture):
    board, at = drawn(picture.replace("O", "X"))
    with pytest.raises(Forbidden):
        board.push(at["p"])


def test_15_black_may_not_stop_a_four_on_a_forbidden_point():
    board, at = drawn(
        """
        . . . . . X . .
        . . . . . X . .
        . . . . . X . .
        X O O O w c . .
        . . . . . X . .
        . . . . . X . .
        . . . . . . . o
        """,
        turn=WHITE,
    )
    board.push(at["w"])
    assert at["c"] not in board.legal_points()
    board.push(at["o"])
    board.push(at["c"])
    assert ended(board).winner == WHITE


def test_15_unless_that_answer_is_a_five():
    board, at = drawn(
        """
        . . . . . X . .
        . . . . . X . .
        X O O O w c . .
        . . . . . X . .
        . . . . . X . .
        . . . . . . . .
        """,
        turn=WHITE,
    )
    board.push(at["w"])
    board.push(at["c"])
    assert ended(board).winner == BLACK


def test_16_no_point_is_forbidden_once_black_has_a_five():
    picture = """
        . . . . . . .
        . . . X . . .
        . . . X . . .
        . X X p . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        {row}
    """
    assert judged(picture.format(row="X X X X . . .")) == {"p": "double-three"}
    board, at = drawn(picture.format(row="X X X X X . ."))
    assert board.fouls() == {}
    assert board.foul(at["p"]) is None


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (". . X p X . .", "double-three"),
        (". X p X . .", "double-three"),
        (". . X p X .", "double-three"),
        (". X p X .", None),
        ("X p X . . .", None),
        (". . . X p X", None),
        ("O X p X . . .", None),
        ("X p . X . . .", None),
        (". X p . X .", "double-three"),
        ("O . X p . X . O", "double-three"),
    ],
)
def test_17_the_edge_closes_a_three_as_a_white_stone_does(row, kind):
    x, width = row.split().index("p"), len(row.split())

    def column(sign):
        return " ".join(sign if i == x else "." for i in range(width))

    rows = [column("."), column("."), column("X"), row, column("X"), column("."), column(".")]
    assert judged("\n".join(rows)) == {"p": kind}


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("X p X X .", "double-four"),  # closed by the edge, it is a four still
        ("O X p X X", None),
        ("X p X X O", None),
        ("X p X . X", "double-four"),
        ("p X X X", None),  # no room for five
    ],
)
def test_17_the_edge_closes_a_four_as_a_white_stone_does(row, kind):
    x, width = row.split().index("p"), len(row.split())

    def column(sign):
        return " ".join(sign if i == x else "." for i in range(width))

    rows = [row, column("X"), column("X"), column("X"), column(".")]
    assert judged("\n".join(rows)) == {"p": kind}


@pytest.mark.parametrize("size", [7, 9, 12, 19, 20, 50, (7, 9), (30, 7)])
def test_17_any_board_has_the_same_fouls(size):
    rules = Rules.named("renju", size=size)
    board = Board.from_stones(["c4", "d4", "e3", "e5"], ["a1"], rules=rules)
    assert {board.name(point): foul.kind for point, foul in board.fouls().items()} == {"e4": "double-three"}


@pytest.mark.parametrize(
    ("row", "winner"),
    [
        ("X X p X X O .", BLACK),
        (". O X X p X X", BLACK),
        ("X X p X X", BLACK),
        ("O X X p X X .", BLACK),
        ("O X X p X X . O", BLACK),
        ("O X X p X X O", None),
    ],
)
def test_18_in_caro_the_edge_blocks_nothing(row, winner):
    board, at = drawn(row, rules="caro")
    board.push(at["p"])
    assert ended(board).winner == winner
