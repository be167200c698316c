"""Boards as programs and messengers draw them."""

from __future__ import annotations

import pytest
from hypothesis import given

from tengen import Board, TengenError
from tengen.formats.pasted_text import read_text
from tests import strategies as board_strategies

EXPECTED = Board.from_stones(["a1", "c2"], ["b3"], rules="tictactoe")
"""The position of all the drawings below."""

DRAWINGS = [
    "0 2 0\n0 0 1\n1 0 0",
    "0,2,0\n0,0,1\n1,0,0",
    "0;2;0\n0;0;1\n1;0;0",
    "0\t2\t0\n0\t0\t1\n1\t0\t0",
    "020\n001\n100",
    "[[0, 2, 0],\n [0, 0, 1],\n [1, 0, 0]]",
    "[[0,2,0],[0,0,1],[1,0,0]]",
    "[[0 2 0]\n [0 0 1]\n [1 0 0]]",
    "[[0. 2. 0.]\n [0. 0. 1.]\n [1. 0. 0.]]",
    "[[ 0 -1  0]\n [ 0  0  1]\n [ 1  0  0]]",
    ". 2 .\n. . 1\n1 . .",
    ".2.\n..1\n1..",
    ",O,\n,,X\nX,,",
    ".,O,.\n.,.,X\nX,.,.",
    ";O;\n;;X\nX;;",
    "\tO\t\n\t\tX\nX\t\t",
    "\tO\t\n\t\tX\nX\t\t\n",
    "'.','O','.'\n'.','.','X'\n'X','.','.'",
    "[['.','O','.'],\n['.','.','X'],\n['X','.','.']]",
    '".O."\n"..X"\n"X.."',
    '[".O.",\n "..X",\n "X.."]',
    "⬜⚪⬜\n⬜⬜⚫\n⚫⬜⬜",
    "⬜⭕⬜\n⬜⬜❌\n❌⬜⬜",
    "🟫⬜🟫\n🟫🟫⬛\n⬛🟫🟫",
    "➕⚪️➕\n➕➕⚫️\n⚫️➕➕",
    "空白空\n空空黑\n黑空空",
    "十白十\n十十黑\n黑十十",
    "·白·\n··黑\n黑··",
    "┼○┼\n┼┼●\n●┼┼",
    "  a b c\na . O .\nb . . X\nc X . .",
    ".O./..X/X..",
    "1o1/2x/x2",
    ".O...XX..",
    "020001100",
    "```\n. O .\n. . X\nX . .\n```",
    "> . O .\n> . . X\n> X . .",
    "_ o _\n_ _ x\nx _ _",
    "- O -\n- - X\nX - -",
    "　Ｏ　\n".replace("　", "．") + "．．Ｘ\nＸ．．",
    "   1 2 3\n1  . O .\n2  . . X\n3  X . .",
    ".\u200bO.\r\n..X\r\nX..\r\n",
    "\ufeff. O .\u2028. . X\u2028X . .",
]


@pytest.mark.parametrize("text", DRAWINGS)
def test_drawings(text):
    (record,) = read_text(text).records
    assert record.setup.position == EXPECTED.position
    assert record.setup.rules == EXPECTED.rules


@given(board_strategies.boards())
def test_tables_of_numbers_of_any_board(board):
    if min(board.width, board.height) < 5:
        return
    rows = [
        board.position[start : start + board.width] for start in range(0, board.rules.points, board.width)
    ]
    for line in ("{}", "[{}],"):
        text = "\n".join(line.format(", ".join(map(str, row))) for row in reversed(rows))
        (record,) = read_text(text, board.rules).records
        assert record.setup.position == board.position


@given(board_strategies.boards())
def test_numbered_diagrams_are_games(board):
    moves = [point for point in board.moves if point >= 0]
    if len(moves) < 3 or len(moves) != len(board.moves) or min(board.width, board.height) < 5:
        return
    numbers = {point: str(number) for number, point in enumerate(moves, 1)}
    text = "\n".join(
        " ".join(f"{numbers.get(y * board.width + x, '.'):>3}" for x in range(board.width))
        for y in reversed(range(board.height))
    )
    (record,) = read_text(text, board.rules).records
    assert [node.point for node in record.main_line()] == moves


def test_what_was_assumed_is_told():
    assert [problem.message.key for problem in read_text(DRAWINGS[0]).problems] == ["assumed.digits"]
    assert [problem.message.key for problem in read_text(".O...XX..").problems] == ["assumed.side"]


@pytest.mark.parametrize(
    "text", ["000\n000\n000", "X,,O\n,\n,X,", "0 3 0\n0 0 1\n1 0 0", "🔴🔵🔴\n🔴🔵🔴\n🔴🔵🔴", "X O\nO"]
)
def test_what_is_no_board(text):
    with pytest.raises(TengenError):
        read_text(text)
