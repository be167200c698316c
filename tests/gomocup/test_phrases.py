from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, PASS, WHITE, Board, Limit, Rules
from tengen.game.player import GameTime
from tengen.gomocup.phrases import UNLIMITED, Bounds, Game, Settings, in_order, placing
from tests.errors import key_of
from tests.strategies import boards

CARO_WITH_OVERLINES = Rules.named("caro", overline="wins")


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (Rules.named("freestyle"), 0),
        (Rules.mnk(20, 20, 5), 0),
        (Rules.named("standard"), 1),
        (Rules.named("renju"), 4),
        (Rules.named("renju", fouls="loses"), 4),
        (CARO_WITH_OVERLINES, 8),
        (Rules.named("caro"), 9),
    ],
)
def test_codes_of_rules(rules, code):
    game = Game.of(Board(rules))
    assert game.rule == code
    assert str(game.rules)


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("tictactoe"),
        Rules.mnk(15, 15, 6),
        Rules.named("renju", double_four=False),
        Rules.named("freestyle", overline="foul"),
    ],
)
def test_rules_that_the_protocol_has_no_code_for(rules):
    assert key_of(Game.of, Board(rules)) == "error.program.rules"


def test_square_and_other_boards():
    assert Game.of(Board(Rules.mnk(20, 20, 5))).start == "START 20"
    assert Game.of(Board(Rules.mnk(19, 15, 5))).start == "RECTSTART 19,15"


def test_games_from_different_beginnings_differ():
    plain, played = Game.of(Board()), Game.of(Board.from_moves("h8"))
    assert plain == played
    assert Game.of(Board.from_stones(["h8"])) != plain
    assert Game.of(Board.from_stones(["h8"], turn=BLACK)) != Game.of(Board.from_stones(["h8"], turn=WHITE))


@pytest.mark.parametrize(
    ("limit", "turn", "match", "left", "seconds"),
    [
        (Limit(), 5_000, 0, UNLIMITED, 60),
        (Limit(seconds=1.5), 1_500, 0, UNLIMITED, 1.5),
        (Limit(seconds=0), 0, 0, UNLIMITED, 0),
        (Limit(seconds=0.0001), 1, 0, UNLIMITED, 0.0001),
        (Limit(seconds=1e9), UNLIMITED, 0, UNLIMITED, 1e9),
        (Limit(nodes=1000), 60_000, 0, UNLIMITED, 60),
        (Limit(depth=3), 60_000, 0, UNLIMITED, 60),
        (Limit(seconds=2, time=GameTime()), 2_000, 0, UNLIMITED, 2),
        (Limit(seconds=2, time=GameTime(turn=5)), 5_000, 0, UNLIMITED, 5),
        (Limit(seconds=2, time=GameTime(180, 90.25)), 180_000, 180_000, 90_250, 90.25),
        (Limit(seconds=2, time=GameTime(180, 90.25, turn=5)), 5_000, 180_000, 90_250, 5),
        (Limit(seconds=2, time=GameTime(180, 3, turn=5)), 5_000, 180_000, 3_000, 3),
        (Limit(seconds=2, time=GameTime(180)), 180_000, 180_000, 180_000, 180),
        (Limit(seconds=2, time=GameTime(180, -1)), 180_000, 180_000, 0, 0),
    ],
)
def test_limits(limit, turn, match, left, seconds):
    bounds = Bounds.of(limit, Settings())
    assert bounds.infos["timeout_turn"] == turn
    assert bounds.infos["timeout_match"] == match
    assert (bounds.left, bounds.seconds) == (left, seconds)


def test_nodes_depth_and_increments():
    bounds = Bounds.of(Limit(nodes=1000, depth=3, time=GameTime(60, 60, 0.5)), Settings())
    assert bounds.infos["max_node"] == 1000
    assert bounds.infos["max_depth"] == 3
    assert bounds.infos["time_increment"] == 500
    assert not {"max_node", "max_depth"} & Bounds.of(Limit(), Settings()).infos.keys()


def test_at_once():
    bounds = Bounds.of(Limit(seconds=5, nodes=10), Settings()).at_once()
    assert (bounds.infos["timeout_turn"], bounds.infos["max_node"], bounds.seconds) == (0, 10, 0)


@pytest.mark.parametrize(
    ("moves", "known", "commands"),
    [
        ("", "", ["BEGIN"]),
        ("h8", "", ["TURN 7,7"]),
        ("h8", "h8", ["BOARD", "7,7,2", "DONE"]),
        ("a1o15c2", "a1o15", ["TURN 2,13"]),
        ("a1o15c2", "", ["BOARD", "0,14,2", "14,0,1", "2,13,2", "DONE"]),
        ("a1o15c2h8", "a1o15", ["BOARD", "0,14,1", "14,0,2", "2,13,1", "7,7,2", "DONE"]),
    ],
)
def test_positions(moves, known, commands):
    board = Board.from_moves(moves)
    assert placing(board, Board.from_moves(known).moves) == commands


def test_a_set_up_position_comes_in_turn():
    board = Board.from_stones(["a1", "b1", "c1"], ["a2", "b2"])
    board.push("c2")
    names = [(board.name(point), colour) for point, colour in in_order(board)]
    assert names == [("a1", 1), ("a2", 2), ("b1", 1), ("b2", 2), ("c1", 1), ("c2", 2)]


def test_a_set_up_stone_of_the_opponents_is_a_turn():
    assert placing(Board.from_stones(["h8"]), ()) == ["TURN 7,7"]
    assert placing(Board.from_stones(["h8"], turn=BLACK), ()) == ["BOARD", "7,7,1", "DONE"]


@given(boards())
def test_every_stone_is_named_once_and_the_colours_take_turns(board):
    assume(PASS not in board.moves)
    stones = in_order(board)
    assert dict(stones) == {
        point: board[point] for colour in (BLACK, WHITE) for point in board.stones(colour)
    }
    assert len(stones) == board.rules.points - len(board.stones(EMPTY))
    own, enemy = (sum(c == colour for _, c in stones) for colour in (board.turn, 3 - board.turn))
    repeats = sum(one[1] == two[1] for one, two in pairwise(stones))
    # As few neighbours of one colour as there can be where the side to move is next.
    assert repeats == (max(enemy - own - 1, 0) if enemy >= own else own - enemy - (enemy == 0))
    if enemy:
        assert stones[-1][1] != board.turn


@given(
    st.builds(
        Limit,
        seconds=st.none() | st.floats(0, 1e12),
        nodes=st.none() | st.integers(0),
        time=st.none()
        | st.builds(
            GameTime,
            *[st.none() | st.floats(-10, 1e12)] * 2,
            st.floats(0, 100),
            st.none() | st.floats(0, 1e12),
        ),
    )
)
def test_no_number_of_time_is_too_large(limit):
    bounds = Bounds.of(limit, Settings())
    times = [value for key, value in bounds.infos.items() if key.startswith("time")]
    assert all(0 <= value <= UNLIMITED for value in [*times, bounds.left])
    assert bounds.seconds >= 0
