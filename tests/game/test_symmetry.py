from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, PASS, WHITE, Board, Rules
from tengen.game.symmetry import (
    canonical,
    inverse,
    products,
    representatives,
    stabiliser,
    symmetries,
    transform,
    transform_position,
)
from tests import strategies
from tests.positions import drawn

SIDES = st.integers(1, 9)


@pytest.mark.parametrize(
    ("size", "count"),
    [((15, 15), 8), ((3, 3), 8), ((7, 6), 4), ((1, 1), 1), ((5, 1), 2), ((1, 5), 2), ((2, 2), 8)],
)
def test_how_many_symmetries_there_are(size, count):
    assert len(symmetries(*size)) == count


def test_the_symmetries_of_a_square():
    corners = {tuple(symmetry[point] for point in (0, 2, 8, 6)) for symmetry in symmetries(3, 3)}
    turned = [(0, 2, 8, 6), (2, 8, 6, 0), (8, 6, 0, 2), (6, 0, 2, 8)]
    assert corners == {*turned, *(image[::-1] for image in turned)}
    assert all(symmetry[4] == 4 for symmetry in symmetries(3, 3))


def test_the_identity_comes_first():
    assert symmetries(4, 3)[0] == tuple(range(12))


@given(SIDES, SIDES)
def test_products_are_one_after_the_other(width, height):
    group, numbers = symmetries(width, height), products(width, height)
    for a, second in enumerate(group):
        for b, first in enumerate(group):
            assert group[numbers[a][b]] == tuple(second[point] for point in first)


@given(SIDES, SIDES)
def test_symmetries_are_a_group_of_permutations(width, height):
    group = symmetries(width, height)
    for one in group:
        assert sorted(one) == list(range(width * height))
        assert inverse(one) in group
        assert tuple(one[point] for point in inverse(one)) == group[0]
        for other in group:
            assert tuple(one[point] for point in other) in group


@given(SIDES, SIDES, st.data())
def test_symmetries_keep_neighbours(width, height, data):
    symmetry = data.draw(st.sampled_from(symmetries(width, height)))
    a, b = (data.draw(st.integers(0, width * height - 1)) for _ in "ab")

    def apart(p, q):
        return sorted((abs(p % width - q % width), abs(p // width - q // width)))

    assert apart(symmetry[a], symmetry[b]) == apart(a, b)


@st.composite
def board_and_symmetry(draw, boards=strategies.boards()):  # noqa: B008
    board = draw(boards)
    return board, draw(st.sampled_from(symmetries(board.width, board.height)))


@given(board_and_symmetry())
def test_what_happens_on_a_board_happens_on_its_image(case):
    board, symmetry = case
    image = transform(board, symmetry)
    assert image.rules == board.rules
    assert image.turn == board.turn
    assert list(image.moves) == [move if move == PASS else symmetry[move] for move in board.moves]
    for point in range(board.rules.points):
        assert image[symmetry[point]] == board[point]
    assert image.position == transform_position(board.position, symmetry)
    assert set(image.legal_points()) == {symmetry[point] for point in board.legal_points()}
    assert {point: foul.kind for point, foul in image.fouls().items()} == {
        symmetry[point]: foul.kind for point, foul in board.fouls().items()
    }
    same_end(board.outcome(), image.outcome(), symmetry)


def same_end(outcome, image, symmetry):
    assert (outcome is None) == (image is None)
    if outcome is not None:
        assert (image.winner, image.reason) == (outcome.winner, outcome.reason)
        assert {frozenset(row) for row in image.lines} == {
            frozenset(symmetry[point] for point in row) for row in outcome.lines
        }
        assert (image.foul and image.foul.kind) == (outcome.foul and outcome.foul.kind)


@given(board_and_symmetry(strategies.played(strategies.fouled_rules(), most=70)))
def test_the_stones_of_a_foul_move_with_it(case):
    board, symmetry = case
    fouls, images = board.fouls(), transform(board, symmetry).fouls()
    for point, foul in fouls.items():
        image = images[symmetry[point]]
        if foul.kind != "double-three":  # a three may be completed on either side, and either is shown
            assert {frozenset(line) for line in image.lines} == {
                frozenset(symmetry[stone] for stone in line) for line in foul.lines
            }
        assert len(image.lines) == len(foul.lines)


@given(board_and_symmetry())
def test_the_inverse_leads_back(case):
    board, symmetry = case
    assert transform(transform(board, symmetry), inverse(symmetry)).position == board.position
    assert inverse(inverse(symmetry)) == symmetry


def test_a_claimed_foul_is_claimed_on_the_image():
    board, at = drawn("X X p X X X . .", fouls="claimed")
    board.push(at["p"])
    board.claim()
    for symmetry in symmetries(board.width, board.height):
        same_end(board.outcome(), transform(board, symmetry).outcome(), symmetry)


@given(board_and_symmetry())
def test_symmetric_positions_share_a_key(case):
    board, symmetry = case
    key, to_key = canonical(board)
    image = Board.from_stones(
        [symmetry[point] for point in board.stones(BLACK)],
        [symmetry[point] for point in board.stones(WHITE)],
        board.turn,
        board.rules,
    )
    image_key, image_to_key = canonical(image)
    assert image_key == key
    assert key[3:] == transform_position(board.position, to_key)
    assert key[3:] == transform_position(image.position, image_to_key)


def test_the_key_is_the_same_everywhere():
    # Books and tables on disk hold these bytes.
    board = Board.from_moves("c3b2", "tictactoe")
    assert canonical(board)[0] == bytes([3, 3, BLACK]) + bytes([0, 0, 0, 0, 2, 0, 0, 0, 1])


def test_keys_tell_sides_sizes_and_positions_apart():
    boards = [
        Board("mnk:4,3,3"),
        Board("mnk:3,4,3"),
        Board("mnk:2,6,3"),
        Board.from_stones([], [], WHITE, "mnk:4,3,3"),
        Board.from_moves("a1", "mnk:4,3,3"),
        Board.from_moves("b1", "mnk:4,3,3"),
        Board.from_moves("a1b1", "mnk:4,3,3"),
    ]
    assert len({canonical(board)[0] for board in boards}) == len(boards)


@given(board_and_symmetry())
def test_a_move_for_the_key_can_be_played_on_the_board(case):
    board, _ = case
    assume(board.legal_points())
    key, symmetry = canonical(board)
    for point in range(board.rules.points):
        if key[3 + point] == EMPTY:
            assert board[inverse(symmetry)[point]] == EMPTY


def test_what_leaves_the_stones_where_they_are():
    assert len(stabiliser(Board("renju"))) == 8
    assert len(stabiliser(Board.from_moves("h8", "renju"))) == 8
    assert len(stabiliser(Board.from_moves("h8h9", "renju"))) == 2
    assert len(stabiliser(Board.from_moves("h8i9", "renju"))) == 2
    assert len(stabiliser(Board.from_moves("h8i10", "renju"))) == 1
    assert len(stabiliser(Board.from_stones(["a1", "c3"], ["a3", "c1"], rules="tictactoe"))) == 4


def test_points_that_the_stones_do_not_tell_apart_have_one_that_stands_for_them():
    board, _ = drawn(
        """
        . . .
        . X .
        . O .
        """,
        "tictactoe",
    )
    found = representatives(board)
    assert found.keys() == set(board.legal_points())
    assert found[board.point("a1")] == found[board.point("c1")] == board.point("a1")
    assert found[board.point("b3")] == board.point("b3")
    assert len(set(found.values())) == 4


@given(board_and_symmetry())
def test_the_stabiliser_holds_the_symmetries_that_change_nothing(case):
    board, symmetry = case
    assert symmetries(board.width, board.height)[0] in stabiliser(board)
    unchanged = transform_position(board.position, symmetry) == board.position
    assert (symmetry in stabiliser(board)) == unchanged


def test_an_image_of_a_set_up_position_keeps_the_side_to_move():
    board = Board.from_stones(["a1"], ["b1"], WHITE, Rules.mnk(4, 3, 3))
    board.push("a3")
    left_right = symmetries(4, 3)[1]
    image = transform(board, left_right)
    assert image.setup == Board.from_stones(["d1"], ["c1"], WHITE, Rules.mnk(4, 3, 3))
    assert [image.name(move) for move in image.moves] == ["d3"]
    assert image.turn == BLACK
