"""White's fours that only a foul would answer: what the patterns say is what the rules say."""

from __future__ import annotations

import pytest
from hypothesis import given

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules
from tengen.engine.board.conversion import cell, point_of
from tengen.engine.threats.foul_fours import find_foul_four, prepares_foul_four, stops_foul_four
from tengen.players.windows import Windows
from tests.engine.games import boards, state_of
from tests.positions import drawn, rows_of

pytestmark = pytest.mark.usefixtures("compiled")

POSITIONS = [row for row in rows_of("forbidden.jsonl") if row["size"] == 15]


def with_white(board, point):
    """The board with a white stone more, Black to move."""
    return Board.from_stones(board.stones(BLACK), (*board.stones(WHITE), point), BLACK, board.rules)


def fives_after(board, point):
    """Where White, with a stone more, makes fives that only a foul of Black's would stop."""
    later = with_white(board, point)
    if later.outcome() is not None:
        return set()
    return {five for five in Windows(later).fives(WHITE) if later.foul(five) is not None}


def by_the_rules(board):
    """Every four of White's, with the point of its five, that only a foul would answer."""
    return {(point, five) for point in board.legal_points() for five in fives_after(board, point)}


def points_of(board, four):
    """The points of a four, and of its five."""
    return point_of(board, four & 1023), point_of(board, (four >> 10) & 1023)


def agrees(board):
    """Whether the engine finds a four where there is one, and none where there is none; and which."""
    state, tables = state_of(board)
    before = state.tobytes()
    found = int(find_foul_four(state, tables))
    assert state.tobytes() == before
    fours = by_the_rules(board)
    if found < 0:
        assert not fours
        return False
    assert points_of(board, found) in fours
    return True


def is_asked(board):
    """Whether neither side has a five to make."""
    windows = Windows(board)
    return board.outcome() is None and not windows.fives(BLACK) and not windows.fives(WHITE)


@pytest.mark.long
@given(boards(["renju"], most=60))
def test_on_boards_full_of_stones(board):
    if is_asked(board):
        agrees(board)


@pytest.mark.long
def test_in_games():
    """Of positions with fouls some have such a four; of Black's moves those left out do not stop it."""
    found = left_out = 0
    for row in POSITIONS[::2]:
        board = Board.from_moves(row["moves"], Rules.named("renju"))
        if not is_asked(board) or not agrees(board):
            continue
        found += 1
        state, tables = state_of(board)
        four = find_foul_four(state, tables)
        made, five = points_of(board, int(four))
        fouls = board.fouls()
        for point in board.legal_points():
            if point not in fouls and not stops_foul_four(state, tables, four, cell(board, point)):
                later = Board.from_stones(
                    (*board.stones(BLACK), point), board.stones(WHITE), WHITE, board.rules
                )
                assert five in fives_after(later, made)
                assert not Windows(later).fives(BLACK)
                left_out += 1
    assert found > 5
    assert left_out > 500


FOUR = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . X . X .
    . . . . . . . X X . .
    . . X O O O a b . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """
"""A white stone on a makes a four; the five is to be stopped at b, which would be a double-three."""


def test_a_four_that_only_a_foul_would_answer_wins():
    board, at = drawn(FOUR, rules="renju", turn=WHITE)
    assert by_the_rules(board) == {(at["a"], at["b"])}
    assert agrees(board)
    info = Engine().analyse(board, Limit(nodes=100))[0]
    assert (info.point, info.score.mate) == (at["a"], 3)


def test_it_is_an_open_three_to_black():
    """A search of two plies stops it; one that may not think of fouls sees no need to."""
    board, _ = drawn(FOUR, rules="renju", turn=BLACK)
    for limit in (Limit(depth=1), Limit(depth=4), Limit(nodes=5000)):
        board.push(Engine().analyse(board, limit)[0].point)
        assert Windows(board).fives(BLACK) or not by_the_rules(board)
        board.pop()
    board.push(Engine(without="fouls").analyse(board, Limit(depth=1))[0].point)
    assert by_the_rules(board)


def test_where_fouls_are_none_there_is_nothing_to_see():
    board, _ = drawn(FOUR, rules="standard", turn=WHITE)
    assert int(find_foul_four(*state_of(board))) == -1


@pytest.mark.long
@given(boards(["renju"], most=30, sizes=[10, 15]))
def test_what_prepares_one_is_seen(board):
    if not is_asked(board):
        return
    state, tables = state_of(board)
    for point in board.legal_points():
        later = with_white(board, point)
        if not is_asked(later):
            continue
        found = int(find_foul_four(*state_of(later)))
        if found < 0:
            continue
        four, five = points_of(board, found)
        if five not in Windows(with_white(board, four)).fives(WHITE):
            assert prepares_foul_four(state, tables, cell(board, point))


def test_a_quiet_move_prepares_one():
    """One of three white stones is missing: one there prepares the four, or one on a, but none on b2."""
    board, at = drawn(FOUR.replace("O O O", "O p O"), rules="renju", turn=WHITE)
    state, tables = state_of(board)
    assert prepares_foul_four(state, tables, cell(board, at["p"]))
    assert prepares_foul_four(state, tables, cell(board, at["a"]))
    assert not prepares_foul_four(state, tables, cell(board, board.point("b2")))
