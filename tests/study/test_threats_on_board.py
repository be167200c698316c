"""The threats that are shown on a board: each of them real, none of them missed."""

from __future__ import annotations

import pytest
from hypothesis import given

from tengen import BLACK, EMPTY, WHITE, Board, Rules
from tengen.game.points import Colour, axes
from tengen.game.rows import ends, row_through, wins_along
from tengen.study.threats_on_board import Threat, threats
from tests.positions import drawn
from tests.strategies import boards, engine_rules, played, set_up


def shown(board: Board, colour: Colour = BLACK) -> list[tuple[str, str, str]]:
    """The threats of a colour: kind, stones and gains, as text."""
    return [
        (threat.kind, " ".join(map(board.name, threat.points)), " ".join(map(board.name, threat.gains)))
        for threat in threats(board)[colour]
    ]


def row(picture: str, rules: str = "freestyle") -> list[tuple[str, str, str]]:
    """What Black threatens with a row alone on a board that is 15 wide; the picture begins in a1."""
    board, _ = drawn(picture + " ." * (15 - len(picture.split())) + "\n" + ". " * 15, rules)
    return shown(board)


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (". X X X X", [("open-four", "b2 c2 d2 e2", "a2 f2")]),
        ("O X X X X", [("four", "b2 c2 d2 e2", "f2")]),
        ("X X X . X", [("four", "a2 b2 c2 e2", "d2")]),
        ("X . X X X . X", [("four", "a2 c2 d2 e2", "b2"), ("four", "c2 d2 e2 g2", "f2")]),
        (". . X X X", [("open-three", "c2 d2 e2", "b2 f2")]),
        (". . X . X X", [("open-three", "c2 e2 f2", "d2")]),
        ("O . X X X . . O", [("open-three", "c2 d2 e2", "f2")]),
        ("O . X X X . O", []),
        ("O X X X", []),
        ("X X X X X", [("five", "a2 b2 c2 d2 e2", "")]),
        # Where longer rows win, the stone farther on makes no other threat of the same four.
        (". X X X X . X", [("open-four", "b2 c2 d2 e2", "a2 f2")]),
    ],
)
def test_a_row(picture, expected):
    assert row(picture) == expected


def test_six_in_a_row_are_no_gain_where_they_do_not_win():
    assert row(". X X X X . X", "standard") == [("four", "b2 c2 d2 e2", "a2")]
    assert row("X . X X X X . X", "standard") == []


def test_a_four_that_is_closed_at_both_ends_by_the_enemy_is_none_under_caro():
    assert row("O X X X X . O", "caro") == []
    assert row("O X X X X . O", "freestyle") == [("four", "b2 c2 d2 e2", "f2")]


def test_an_open_three_needs_a_point_that_black_may_play():
    picture = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . X X X .
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    board, _ = drawn(picture, "renju")
    assert board.foul("e5") is not None
    assert ("open-three", "f5 g5 h5", "e5") not in shown(board)
    assert ("open-three", "f5 g5 h5", "e5") in shown(drawn(picture, "freestyle")[0])


def test_both_colours_are_shown_whoever_is_to_move():
    board = Board.from_moves("h8a1i8b1j8c1k8d1")
    assert shown(board) == [("open-four", "h8 i8 j8 k8", "g8 l8")]
    assert shown(board, WHITE) == [("four", "a1 b1 c1 d1", "e1")]


def test_when_the_game_is_over_only_what_has_won_is_left():
    board = Board.from_moves("h8a1i8b1j8c1k8d1l8")
    assert shown(board) == [("five", "h8 i8 j8 k8 l8", "")]
    assert shown(board, WHITE) == []


def test_small_boards_have_no_open_threes():
    board = Board.from_stones(black=["b2"], rules="tictactoe")
    assert {threat.kind for threat in threats(board)[BLACK]} <= {"open-four", "four"}
    assert threats(Board("tictactoe")) == {BLACK: (), WHITE: ()}
    assert threats(Board(Rules.mnk(2, 2, 3))) == {BLACK: (), WHITE: ()}


def put(board: Board, point: int, colour: Colour) -> Board:
    """The board with one more stone, whoever is to move."""
    stones = {side: board.stones(side) for side in (BLACK, WHITE)}
    stones[colour].append(point)
    return Board.from_stones(stones[BLACK], stones[WHITE], None, board.rules)


def wins(board: Board, point: int, colour: Colour) -> bool:
    return any(
        wins_along(board.rules, board.position, axis, colour)
        for axis in axes(board.width, board.height)[point]
    )


@given(boards())
def test_every_threat_is_real(board):
    for colour, found in threats(board).items():
        for threat in found:
            assert threat.points
            assert all(board[point] == colour for point in threat.points)
            assert all(board[point] == EMPTY for point in threat.gains)
            check(board, colour, threat)


def check(board: Board, colour: Colour, threat: Threat) -> None:
    """Whether a stone on each of the gains does what is said."""
    if threat.kind == "five":
        assert board.outcome() is not None
        assert not threat.gains
    elif threat.kind == "open-three":
        assert threat.gains
        for gain in threat.gains:
            assert colour == WHITE or board.foul(gain) is None
            after = put(board, gain, colour)
            opened = [t for t in threats(after)[colour] if t.kind == "open-four"]
            assert any({*threat.points, gain} == set(t.points) for t in opened)
    else:
        assert len(threat.gains) == (2 if threat.kind == "open-four" else 1)
        assert all(wins(board, gain, colour) for gain in threat.gains)


@given(played(engine_rules()) | set_up(engine_rules()))
def test_no_five_is_missed(board):
    if board.outcome() is not None:
        return
    for colour, found in threats(board).items():
        gains = {gain for t in found if t.kind in ("four", "open-four") for gain in t.gains}
        assert gains == {point for point in board.stones(EMPTY) if wins(board, point, colour)}


@pytest.mark.long
@given(set_up(engine_rules()))
def test_no_open_three_is_missed(board):
    """By definition: a stone makes an unbroken four that wins at both ends, and is no five and no foul."""
    if board.outcome() is not None:
        return
    grid = axes(board.width, board.height)
    for colour, found in threats(board).items():
        expected = set()
        for point in board.stones(EMPTY):
            if wins(board, point, colour) or (colour == BLACK and board.foul(point) is not None):
                continue
            after = put(board, point, colour)
            for number, axis in enumerate(grid[point]):
                four = row_through(after.position, point, axis, colour)
                free = [end for end in ends(after.position, axis, colour) if after[end] == EMPTY]
                if (
                    len(four) == 4
                    and sum(
                        wins_along(after.rules, after.position, grid[end][number], colour) for end in free
                    )
                    == 2
                ):
                    expected.add((point, frozenset(four) - {point}))
        assert {
            (gain, frozenset(t.points)) for t in found if t.kind == "open-three" for gain in t.gains
        } == expected
