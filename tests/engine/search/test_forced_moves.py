"""What has to be played at once is what the specification says, under every rule."""

from __future__ import annotations

from hypothesis import given, settings

from tengen import BLACK, EMPTY, WHITE, Board, Rules
from tengen.engine.board.conversion import point_of, position_of
from tengen.engine.search.forced_moves import central_move, fives_of, forced_moves
from tengen.players.windows import Windows
from tests.positions import drawn
from tests.strategies import engine_rules, played, set_up

CROWDED = (EMPTY, EMPTY, BLACK, WHITE)


def points(board: Board) -> set[int]:
    return {point_of(board, cell) for cell in forced_moves(*position_of(board))}


def names(picture: str, rules: str = "freestyle", turn: int = BLACK) -> set[str]:
    board, at = drawn(picture, rules=rules, turn=turn)
    signs = {point: sign for sign, point in at.items()}
    return {signs.get(point, board.name(point)) for point in points(board)}


@settings(max_examples=60)
@given(set_up(engine_rules(), CROWDED))
def test_own_fives_then_what_stops_the_enemys(board):
    if board.outcome():
        return
    windows = Windows(board)
    found = points(board)
    if own := windows.fives(board.turn):
        assert found == set(own)
    elif answers := windows.answers(3 - board.turn):
        assert found == set(answers)
    else:
        # Nothing helps any more: at least one of several is stopped, if it may be.
        fives = windows.fives(3 - board.turn)
        assert found == {point for point in fives if not windows.is_foul(point, board.turn)}


@settings(max_examples=30)
@given(set_up(engine_rules(), CROWDED))
def test_the_fives_of_either_side(board):
    if board.outcome():
        return
    state, windows = position_of(board)[0], Windows(board)
    for colour in (BLACK, WHITE):
        assert [point_of(board, cell) for cell in fives_of(state, colour - 1)] == sorted(
            windows.fives(colour)
        )


@settings(max_examples=30)
@given(set_up(engine_rules(), CROWDED) | played(engine_rules()))
def test_the_move_nearest_to_the_centre_is_no_foul_unless_all_are(board):
    if board.outcome() or not board.legal_points():
        return
    fouls, size = board.fouls() if board.turn == BLACK else {}, board.width
    free = [point for point in range(board.rules.points) if board[point] == EMPTY]
    points = [point for point in free if point not in fouls] or free
    middle = (size - 1) / 2

    def away(point: int) -> float:
        return float(max(abs(point % size - middle), abs(point // size - middle)))

    found = point_of(board, central_move(*position_of(board)))
    assert found in points
    assert found == min(points, key=lambda point: (away(point), point))


def test_the_centre_of_an_empty_board():
    for size, name in ((15, "h8"), (20, "j10"), (5, "c3")):
        board = Board(Rules.named("freestyle", size))
        assert board.name(point_of(board, central_move(*position_of(board)))) == name


def test_a_quiet_board_asks_for_nothing():
    assert forced_moves(*position_of(Board.from_moves("h8 i9 h9"))) == ()


CLOSED = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . e O O O O d X .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_an_open_end_closes_a_five_under_caro_only():
    """With ``e`` black, a white five on ``d`` has black stones at both ends; not so the other way round."""
    assert names(CLOSED, "caro") == {"e"}
    assert names(CLOSED, "freestyle") == {"d", "e"}


def test_black_does_not_stop_a_five_by_a_foul():
    picture = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X O O O O f . .
        . . . . . X X . .
        . . . . X . X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert names(picture, "renju") == set()
    assert names(picture, "freestyle") == {"f"}
