from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Limit, Rules
from tengen.game.player import GameTime
from tengen.gomocup.info_values import UNLIMITED
from tengen.players.external.gomocup_game import GomocupGame, MoveTime, ProgramSettings, position_lines
from tests.errors import key_of

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
    game = GomocupGame.of(Board(rules))
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
    assert key_of(GomocupGame.of, Board(rules)) == "error.program.rules"


def test_square_and_other_boards():
    assert GomocupGame.of(Board(Rules.mnk(20, 20, 5))).start == "START 20"
    assert GomocupGame.of(Board(Rules.mnk(19, 15, 5))).start == "RECTSTART 19,15"


def test_games_from_different_beginnings_differ():
    plain, played = GomocupGame.of(Board()), GomocupGame.of(Board.from_moves("h8"))
    assert plain == played
    assert GomocupGame.of(Board.from_stones(["h8"])) != plain
    assert GomocupGame.of(Board.from_stones(["h8"], turn=BLACK)) != GomocupGame.of(
        Board.from_stones(["h8"], turn=WHITE)
    )


@pytest.mark.parametrize(
    ("limit", "turn", "match", "left", "seconds"),
    [
        (Limit(), 5_000, 0, UNLIMITED, 60),
        (Limit(seconds=1.5), 1_500, 0, UNLIMITED, 1.5),
        (Limit(seconds=0.0001), 1, 0, UNLIMITED, 0.0001),
        (Limit(seconds=1e6), 1_000_000_000, 0, UNLIMITED, 1e6),
        (Limit(nodes=1000), 60_000, 0, UNLIMITED, 60),
        (Limit(depth=3), 60_000, 0, UNLIMITED, 60),
        (Limit(seconds=2, time=GameTime()), 2_000, 0, UNLIMITED, 2),
        (Limit(seconds=2, time=GameTime(turn=5)), 5_000, 0, UNLIMITED, 5),
        (Limit(seconds=2, time=GameTime(180, 90.25)), 180_000, 180_000, 90_250, 90.25),
        (Limit(seconds=2, time=GameTime(180, 90.25, turn=5)), 5_000, 180_000, 90_250, 5),
        (Limit(seconds=2, time=GameTime(180, 3, turn=5)), 5_000, 180_000, 3_000, 3),
        (Limit(seconds=2, time=GameTime(180)), 180_000, 180_000, 180_000, 180),
        (Limit(seconds=2, time=GameTime(180, 0)), 180_000, 180_000, 0, 0),
    ],
)
def test_limits(limit, turn, match, left, seconds):
    told = MoveTime.of(limit, ProgramSettings())
    assert told.info.timeout_turn == turn
    assert told.info.timeout_match == match
    assert (told.info.time_left, told.seconds) == (left, seconds)


def test_nodes_depth_and_increments():
    info = MoveTime.of(Limit(nodes=1000, depth=3, time=GameTime(60, 60, 0.5)), ProgramSettings()).info
    assert (info.max_node, info.max_depth, info.time_increment) == (1000, 3, 500)
    assert not {"max_node", "max_depth"} & MoveTime.of(Limit(), ProgramSettings()).info.unsent({}).keys()


def test_what_a_spec_says():
    info = MoveTime.of(Limit(), ProgramSettings(memory=1.5, threads=3, folder="f")).info
    assert (info.max_memory, info.thread_num, info.folder, info.game_type) == (1_572_864, 3, "f", 1)


def test_at_once():
    told = MoveTime.of(Limit(seconds=5, nodes=10), ProgramSettings()).at_once()
    assert (told.info.timeout_turn, told.info.max_node, told.info.time_left, told.seconds) == (0, 10, 0, 0)


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
    assert position_lines(board, Board.from_moves(known).moves) == commands


def test_a_set_up_stone_of_the_opponents_is_a_turn():
    assert position_lines(Board.from_stones(["h8"]), ()) == ["TURN 7,7"]
    assert position_lines(Board.from_stones(["h8"], turn=BLACK), ()) == ["BOARD", "7,7,1", "DONE"]


@given(
    st.builds(
        Limit,
        seconds=st.none() | st.floats(0, 1e6, exclude_min=True),
        nodes=st.none() | st.integers(1, 1 << 62),
        time=st.none()
        | st.builds(
            GameTime,
            *[st.none() | st.floats(0, 1e6)] * 2,
            st.floats(0, 100),
            st.none() | st.floats(0, 1e6),
        ),
    )
)
def test_no_number_of_time_is_too_large(limit):
    told = MoveTime.of(limit, ProgramSettings())
    times = [value for key, value in told.info.unsent({}).items() if key.startswith("time")]
    assert len(times) in (3, 4)
    assert all(0 <= int(value) <= UNLIMITED for value in times)
    assert told.seconds >= 0
