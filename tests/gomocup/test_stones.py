"""Lists of stones, written, read, and made boards."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, PASS, WHITE, Board, Rules
from tengen.gomocup.protocol_lines import ProtocolError
from tengen.gomocup.stones import StoneList, board_lines, board_of, like_a_stone, stones_of
from tests.errors import key_of
from tests.strategies import boards


def listed(lines, width=15, height=15):
    """What the lines of a whole list say."""
    command, *stones, done = lines
    assert done == "DONE"
    return StoneList(command, list(stones)).stones(width, height)


def test_the_lines_of_a_board():
    board = Board.from_moves("a1o15c2")
    assert board_lines(stones_of(board), 15, 15) == ["BOARD", "0,14,2", "14,0,1", "2,13,2", "DONE"]


def test_a_set_up_position_comes_in_turn():
    board = Board.from_stones(["a1", "b1", "c1"], ["a2", "b2"])
    board.push("c2")
    names = [(board.name(point), own) for point, own in stones_of(board)]
    assert names == [("a1", True), ("a2", False), ("b1", True), ("b2", False), ("c1", True), ("c2", False)]


@given(boards())
def test_every_stone_is_named_once_and_the_colours_take_turns(board):
    assume(PASS not in board.moves)
    stones = stones_of(board)
    assert dict(stones) == {
        point: colour == board.turn for colour in (BLACK, WHITE) for point in board.stones(colour)
    }
    assert len(stones) == board.rules.points - len(board.stones(EMPTY))
    mine, enemy = (sum(own == side for _, own in stones) for side in (True, False))
    repeats = sum(one[1] == two[1] for one, two in pairwise(stones))
    # As few neighbours of one colour as there can be where the side to move is next.
    assert repeats == (max(enemy - mine - 1, 0) if enemy >= mine else mine - enemy - (enemy == 0))
    if enemy:
        assert not stones[-1][1]


@given(boards())
def test_what_is_written_is_read(board):
    assume(PASS not in board.moves)
    stones = stones_of(board)
    assert listed(board_lines(stones, board.width, board.height), board.width, board.height) == stones


@given(boards())
def test_a_board_comes_back(board):
    """As far as the protocol can tell whose turn it is."""
    assume(PASS not in board.moves)
    back = board_of(stones_of(board), board.rules)
    own, other = len(board.stones(board.turn)), len(board.stones(3 - board.turn))
    assume(own == other or (own < other) == (board.turn == WHITE))
    if own == other and board.turn == WHITE:
        assert (back.stones(BLACK), back.stones(WHITE)) == (board.stones(WHITE), board.stones(BLACK))
        return
    assert (back.position, back.turn) == (board.position, board.turn)
    if board.setup is None:
        assert back == board


@given(
    st.lists(st.tuples(st.integers(0, 224), st.booleans()), max_size=30, unique_by=lambda stone: stone[0])
)
def test_any_stones_are_some_board(stones):
    board = board_of(stones, Rules.named("renju"))
    own = sorted(point for point, mine in stones if mine)
    assert sorted(board.stones(board.turn)) == own
    assert len(board.stones(EMPTY)) == 225 - len(stones)


def test_stones_of_swap2_have_no_owner():
    assert listed(["SWAP2BOARD", "0,14", "1,14", "DONE"]) == [(0, False), (1, False)]


def test_a_pass_in_yixins_list_is_no_stone():
    assert listed(["YXBOARD", "0,14,1", "-1,-1,2", "DONE"]) == [(0, True)]
    assert key_of(listed, ["BOARD", "0,14,1", "-1,-1,2", "DONE"]) == "error.gomocup.line"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("x", "error.gomocup.stone"),
        ("1,2", "error.gomocup.stone"),
        ("1,2,0", "error.gomocup.stone"),
        ("1,2,4", "error.gomocup.stone"),
        ("1,2,3", "error.gomocup.continuous"),
        ("15,2,1", "error.gomocup.point"),
        ("1,1,1", "error.gomocup.occupied"),
    ],
)
def test_lines_that_are_no_stones(line, key):
    with pytest.raises(ProtocolError) as caught:
        listed(["BOARD", "1,1,1", line, "DONE"])
    values = caught.value.message.values
    assert (values["command"], values["number"], values["reason"].key) == ("BOARD", 2, key)


@pytest.mark.parametrize(
    ("text", "like"), [("1,2", True), ("-1,x", True), ("TURN 1,2", False), ("12", False)]
)
def test_what_looks_like_a_stone(text, like):
    assert like_a_stone(text) is like
