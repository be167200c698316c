from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    Board,
    Forbidden,
    GameOver,
    IllegalMove,
    NotationError,
    Occupied,
    OffBoard,
    Outcome,
    Rules,
    RulesError,
    TengenError,
)
from tests import oracle, strategies
from tests.errors import complaint, key_of
from tests.positions import drawn, ended, foul_at, state

# -- the empty board, points and names


def test_an_empty_board():
    board = Board()
    assert board.rules == Rules.named("freestyle")
    assert board.width == board.height == 15
    assert board.turn == BLACK
    assert (board.moves, board.ply, board.last, board.setup) == ((), 0, None, None)
    assert board.outcome() is None
    assert board.legal_points() == board.stones(EMPTY) == list(range(225))
    assert board.position == bytes(225)


def test_rules_by_value_or_by_name():
    assert Board("renju").rules == Board(Rules.named("renju")).rules
    assert Board("mnk:4,3,3").rules == Rules.mnk(4, 3, 3)
    with pytest.raises(RulesError):
        Board("go")


def test_a_few_moves():
    board = Board("renju")
    board.push("h8")
    board.push(board.point("i9"))
    assert board.moves == (112, 128)
    assert (board.ply, board.last, board.turn) == (2, 128, BLACK)
    assert [board["h8"], board[128], board["a1"]] == [BLACK, WHITE, EMPTY]
    assert board.stones(BLACK) == [112]
    assert board.stones(WHITE) == [128]
    assert board.pop() == 128
    assert list(board.moves) == [112]
    assert (board.turn, board["i9"]) == (WHITE, EMPTY)


def test_a_board_is_no_collection():
    """Of points, of stones, or of moves? Who loops over it, or asks what is in it, has to say which."""
    board = Board.from_moves("a1")
    with pytest.raises(TypeError, match="not iterable"):
        list(board)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="not a container"):
        "a1" in board  # type: ignore[misc]  # noqa: B015


def test_names_and_points():
    board = Board("renju")
    assert board.name(112) == "h8"
    assert board.point("h8") == board.point("H8") == board.point(112) == 112
    assert board.name(PASS) == "--"
    assert board.point("--") == PASS
    assert key_of(board.point, "p16") == "error.off_board"
    assert key_of(board.point, 225) == "error.off_board"
    assert key_of(board.point, -2) == "error.off_board"
    assert key_of(board.name, 225) == "error.off_board"
    assert key_of(board.point, "h") == "error.notation.point"


def test_a_pass_has_no_colour():
    board = Board()
    for call in (board.__getitem__, board.foul):
        assert key_of(call, PASS) == "error.pass.point"
        assert key_of(call, "--") == "error.pass.point"


@given(strategies.boards())
def test_names_round_trip(board):
    for point in (PASS, *range(board.rules.points)):
        assert board.point(board.name(point)) == point


# -- moves that are refused


def test_an_occupied_point_is_refused():
    # O1 and O4: a stone must not be overwritten, and the same side tries again.
    board = Board.from_moves("b2", "tictactoe")
    for point in ("b2", 4):
        with pytest.raises(Occupied, match="b2 is occupied"):
            board.push(point)
    assert board["b2"] == BLACK
    assert board.turn == WHITE


def test_points_off_the_board_are_refused():
    board = Board("tictactoe")
    for point in ("d1", "a4", 9, -2):
        with pytest.raises(OffBoard):
            board.push(point)


def test_text_that_is_no_point_is_refused():
    with pytest.raises(NotationError):
        Board().push("centre")


def test_a_foul_is_refused():
    board, at = drawn("X X p X X X . .")
    with pytest.raises(Forbidden, match="c1 is forbidden to Black: overline"):
        board.push(at["p"])


def test_nothing_is_played_after_the_end():
    # O4: moves went on when the board was full or the game won.
    board = Board.from_moves("a1a2b1b2c1", "tictactoe")
    for point in ("c3", "a1", PASS):
        with pytest.raises(GameOver):
            board.push(point)
    assert key_of(board.push, "c3") == "error.game_over"
    assert board.legal_points() == []
    assert not board.is_legal("c3")


def test_a_pass_is_refused_without_passing():
    assert key_of(Board().push, PASS) == "error.pass.rules"
    assert key_of(Board().push, "--") == "error.pass.rules"


def test_nothing_to_take_back():
    assert key_of(Board().pop) == "error.nothing_to_pop"
    board = Board.from_stones(["a1"])
    assert key_of(board.pop) == "error.nothing_to_pop"


NAMES = ["a1", "e5", "--", "i9", "zz9", "j10"]
ANY_MOVE = st.integers(-3, 90) | st.text(max_size=4) | st.sampled_from(NAMES)


@given(strategies.boards(), ANY_MOVE)
def test_a_refused_move_changes_nothing(board, move):
    before = state(board)
    try:
        legal = board.is_legal(move)
    except NotationError:
        legal = False
    if legal:
        board.push(move)
        assert board.moves[-1] == board.point(move)
        board.pop()
    else:
        with pytest.raises(TengenError):
            board.push(move)
    assert state(board) == before


@given(strategies.boards())
def test_asking_changes_nothing(board):
    before = state(board)
    assert state(board) == before


@given(strategies.boards())
def test_the_legal_points_are_those_that_can_be_played(board):
    legal = set(board.legal_points())
    assert board.legal_points() == sorted(legal)
    for point in range(board.rules.points):
        assert board.is_legal(point) == (point in legal)
        twin = board.copy()
        try:
            twin.push(point)
        except IllegalMove:
            assert point not in legal
        else:
            assert point in legal
    assert not board.is_legal(board.rules.points)


def test_whether_text_is_legal():
    board = Board.from_moves("h8")
    assert board.is_legal("i9")
    assert not board.is_legal("h8")
    assert not board.is_legal("p16")
    assert not board.is_legal("--")
    with pytest.raises(NotationError):
        board.is_legal("h")


# -- taking back, copies


@given(strategies.boards())
def test_taking_back_restores_everything(board):
    again = board.copy()
    states = [state(board)]
    moves = []
    while board.ply:
        moves.append(board.pop())
        states.append(state(board))
    assert list(again.moves) == moves[::-1]
    for move in reversed(moves):
        # The board left by popping is the very board that pushing leads through.
        assert state(board) == states.pop()
        board.push(move)
    assert state(board) == state(again)
    assert board == again


@given(strategies.boards())
def test_copies_are_equal_and_independent(board):
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board
        assert state(twin) == state(board)
        before = state(board)
        if twin.ply:
            twin.pop()
        else:
            for point in twin.legal_points()[:1]:
                twin.push(point)
        assert state(board) == before


@given(strategies.boards())
def test_a_copy_plays_on_as_the_board_would(board):
    for twin in (board.copy(), pickle.loads(pickle.dumps(board))):
        while board.outcome() is None:
            move = (board.legal_points() or [PASS])[0]
            board.push(move)
            twin.push(move)
            assert twin.outcome() == board.outcome()
            assert twin.is_legal(PASS) == board.is_legal(PASS)


def test_copies_of_claimed_games():
    board, at = drawn("X X p X X X . .", fouls="claimed")
    board.push(at["p"])
    board.claim()
    unpickled = pickle.loads(pickle.dumps(board))
    for twin in (board.copy(), copy.deepcopy(board), unpickled, pickle.loads(pickle.dumps(board.copy()))):
        assert twin == board
        assert twin.outcome() == board.outcome()
        twin.pop()
        assert twin.outcome() is None
        assert board.outcome() is not None


def test_copies_of_a_claimed_set_up_position():
    board, _ = drawn("X X X X X X . .", turn=WHITE, fouls="claimed")
    board.claim()
    twin = pickle.loads(pickle.dumps(board))
    assert twin == board == board.copy()
    assert twin.outcome() == board.outcome()


# -- equality


def test_the_order_of_moves_does_not_matter():
    one, other = Board.from_moves("h8i9g7"), Board.from_moves("g7i9h8")
    assert one == other
    assert hash(one) == hash(other)
    assert one.moves != other.moves


def test_boards_differ_by_stones_turn_rules_and_pending_passes():
    board = Board.from_moves("h8i9g7")
    assert board != Board.from_moves("h8i9g8")
    assert board != Board.from_moves("h8i9g7", "standard")
    assert board != Board.from_moves("h8i9g7", Rules.named("freestyle", passing=True))
    assert board != Board.from_stones(["h8", "g7"], ["i9"], turn=BLACK)
    assert board == Board.from_stones(["h8", "g7"], ["i9"], turn=WHITE)
    passing = Rules.named("freestyle", passing=True)
    assert Board.from_moves("h8i9g7--", passing) != Board.from_stones(["h8", "g7"], ["i9"], BLACK, passing)


def test_boards_differ_by_a_pending_claim():
    picture = """
        . . . . . . .
        . . X . . . .
        . . X . . . .
        . . p . X X .
        . . . . . . .
        . . . . . . .
    """
    board, at = drawn(picture, fouls="claimed")
    board.push(at["p"])
    same_stones, _ = drawn(picture.replace("p", "X"), turn=WHITE, fouls="claimed")
    assert board.position == same_stones.position
    assert board != same_stones
    board.push("a1")
    same_stones.push("a1")
    assert board == same_stones


def test_boards_differ_by_their_outcome():
    lost, at = drawn("X X p X X X . .", fouls="loses")
    lost.push(at["p"])
    same_stones, _ = drawn("X X X X X X . .", turn=WHITE, fouls="loses")
    assert lost.position == same_stones.position
    assert same_stones.outcome() is None
    assert lost != same_stones


def test_a_board_is_no_text():
    assert Board() != "freestyle"
    assert (Board() == 1) is False


def test_boards_as_keys():
    seen = {Board.from_moves("h8i9g7"): "here"}
    assert seen[Board.from_moves("g7i9h8")] == "here"
    assert Board.from_moves("h8") not in seen


# -- from_moves and from_stones


def test_moves_as_text_names_and_numbers():
    board = Board.from_moves("h8i9 g7", "renju")
    assert board == Board.from_moves(["h8", 128, "G7"], "renju")
    assert Board.from_moves("") == Board.from_moves([]) == Board()


def test_moves_that_cannot_be_played():
    assert key_of(Board.from_moves, "h8h8") == "error.occupied"
    assert key_of(Board.from_moves, "h8p16") == "error.off_board"
    assert key_of(Board.from_moves, "h8?") == "error.notation.moves"
    assert key_of(Board.from_moves, "a1a2b1b2c1c2", "tictactoe") == "error.game_over"
    assert key_of(Board.from_moves, "h8--") == "error.pass.rules"


@given(st.text() | st.text(alphabet="abchi12389- ,"), st.sampled_from(["tictactoe", "renju", "mnk:1,1,1"]))
def test_no_text_of_moves_raises_anything_else(text, rules):
    assert "\n" not in complaint(Board.from_moves, text, rules)


def test_a_set_up_position():
    board = Board.from_stones(["a1", 1, "C1"], ["a3"], rules="mnk:5,4,4")
    assert board.stones(BLACK) == [0, 1, 2]
    assert board.stones(WHITE) == [10]
    assert board.moves == ()
    assert board.setup == board


def test_whose_turn_it_is_in_a_set_up_position():
    assert Board.from_stones([], []).turn == BLACK
    assert Board.from_stones(["a1"], []).turn == WHITE
    assert Board.from_stones(["a1"], ["a2"]).turn == BLACK
    assert Board.from_stones(["a1"], ["a2", "a3", "a4"]).turn == BLACK
    assert Board.from_stones(["a1"], ["a2"], turn=WHITE).turn == WHITE
    assert Board.from_stones(["a1"], [], turn=BLACK).turn == BLACK


def test_set_up_positions_that_cannot_be():
    assert key_of(Board.from_stones, ["a1", "a1"]) == "error.occupied"
    assert key_of(Board.from_stones, ["a1"], ["a1"]) == "error.occupied"
    assert key_of(Board.from_stones, ["p16"]) == "error.off_board"
    assert key_of(Board.from_stones, ["x"]) == "error.notation.point"
    assert key_of(Board.from_stones, ["--"]) == "error.pass.setup"
    assert key_of(Board.from_stones, [PASS]) == "error.pass.setup"
    for turn in (0, 3, -1, 1.0):
        assert key_of(Board.from_stones, ["a1"], [], turn) == "error.turn"


def test_the_set_up_position_stays_known():
    board = Board.from_stones(["a1", "b1"], ["a3"], turn=WHITE, rules="mnk:5,4,4")
    start = board.copy()
    board.push("c1")
    assert board.setup == start
    board.pop()
    assert board == start
    assert Board.from_moves("h8").setup is None


def test_a_set_up_five_has_won():
    board = Board.from_stones(["a1", "b1", "c1", "d1", "e1"], ["a2"])
    assert ended(board).winner == BLACK
    assert ended(board).line == (0, 1, 2, 3, 4)
    assert board.legal_points() == []
    with pytest.raises(GameOver):
        board.push("h8")


@pytest.mark.parametrize(("turn", "winner"), [(BLACK, WHITE), (WHITE, BLACK)])
def test_where_both_have_five_the_side_to_move_has_lost(turn, winner):
    board, _ = drawn(
        """
        X X X X X
        . . . . .
        O O O O O
        """,
        turn=turn,
    )
    assert ended(board).winner == winner
    assert len(ended(board).lines) == 1


def test_a_set_up_foul_of_blacks_does_not_end_the_game():
    board, _ = drawn("X X X X X X . .", turn=WHITE)
    assert board.outcome() is None
    assert board.legal_points() == [6, 7]


def test_a_set_up_overline_of_whites_wins():
    board, _ = drawn("O O O O O O . .", turn=BLACK)
    assert board.outcome() == Outcome(WHITE, "five", tuple(range(6)), (tuple(range(6)),))


def test_a_set_up_full_board_is_a_draw():
    board, _ = drawn(
        """
        X O X
        X O O
        O X X
        """,
        rules="tictactoe",
    )
    assert board.outcome() == Outcome(None, "full")


@given(strategies.set_up(colours=(EMPTY, BLACK, BLACK, WHITE, WHITE)))
def test_what_has_won_in_a_set_up_position_is_found_by_a_text_scan(board):
    start = board.setup
    rows = {colour: oracle.winning_rows(start.rules, start.position, colour) for colour in (BLACK, WHITE)}
    first, second = (WHITE, BLACK) if start.turn == BLACK else (BLACK, WHITE)
    winner = first if rows[first] else second if rows[second] else None
    if winner is None:
        assert start.outcome() is None or ended(start).reason == "full"
    else:
        outcome = start.outcome()
        assert (outcome.winner, outcome.reason) == (winner, "five")
        assert set(outcome.lines) == rows[winner]
        assert len(outcome.lines) == len(rows[winner])
        assert outcome.line == outcome.lines[0]


@given(strategies.played())
def test_a_position_does_not_depend_on_how_it_came_about(board):
    assume(PASS not in board.moves)
    outcome = board.outcome()
    assume(outcome is None or outcome.reason != "foul")
    stones = Board.from_stones(board.stones(BLACK), board.stones(WHITE), board.turn, board.rules)
    assert stones.outcome() == outcome
    assert stones.legal_points() == board.legal_points()
    assert stones.fouls() == board.fouls()
    if board.rules.fouls != "claimed":
        assert stones == board
        assert hash(stones) == hash(board)


@given(strategies.played(), st.randoms(use_true_random=False))
def test_the_outcome_does_not_depend_on_the_order_before_the_last_move(board, random):
    assume(board.moves and PASS not in board.moves)
    *before, last = board.moves
    black, white = before[0::2], before[1::2]
    random.shuffle(black)
    random.shuffle(white)
    shuffled = [black.pop() if ply % 2 == 0 else white.pop() for ply in range(len(before))]
    try:
        other = Board.from_moves([*shuffled, last], board.rules)
    except IllegalMove:
        return  # in this order a point was forbidden, or the game ended sooner
    assert other.outcome() == board.outcome()
    assert other == board


# -- text


def test_a_board_is_drawn_with_its_last_move():
    board = Board.from_moves("b2a1", "tictactoe")
    assert str(board) == "\n".join(["3  . . .", "2  . X .", "1 [O]. .", "   a b c"])


def test_a_board_in_a_debugger():
    assert repr(Board.from_moves("h8i9", "renju")) == "<Board renju 15x15 'h8i9'>"
    board = Board.from_stones(["a1"], ["b1"], rules="mnk:4,3,3")
    board.push("c1")
    assert repr(board) == "<Board mnk:4,3,3 4x3 'c1' on a set-up position>"


# -- fouls through the board


def test_a_foul_is_blacks_whoever_is_to_move():
    board, at = drawn("X X p X X X . .", turn=WHITE)
    assert foul_at(board, at["p"]).kind == "overline"
    assert board.fouls() == {at["p"]: board.foul("c1")}
    assert board.is_legal(at["p"])


def test_a_foul_needs_an_empty_point():
    board, _ = drawn("X X p X X X . .")
    assert key_of(board.foul, "a1") == "error.occupied"
    assert key_of(board.foul, "z1") == "error.off_board"
    assert key_of(board.foul, "?") == "error.notation.point"


@given(strategies.boards())
def test_each_foul_is_among_the_fouls(board):
    fouls = board.fouls()
    assert {p: board.foul(p) for p in board.stones(EMPTY) if board.foul(p)} == fouls
    if not board.rules.has_fouls:
        assert fouls == {}
    if board.turn == BLACK and board.rules.fouls == "forbidden" and board.outcome() is None:
        assert set(board.legal_points()) == set(board.stones(EMPTY)) - set(fouls)


# -- sizes and k


def test_one_stone_wins_where_k_is_one():
    board = Board.from_moves("b2", "mnk:3,3,1")
    assert board.outcome() == Outcome(BLACK, "five", (4,), ((4,),))


def test_the_smallest_board():
    board = Board("mnk:1,1,1")
    assert str(board) == "1  .\n   a"
    board.push("a1")
    assert ended(board).winner == BLACK
    drawish = Board.from_moves("a1", "mnk:1,1,2")
    assert drawish.outcome() == Outcome(None, "full")


def test_nobody_wins_where_k_is_more_than_the_board_holds():
    for moves in ("a1b1c1a2b2c2a3b3c3", "c3c2c1b3b2b1a3a2a1"):
        assert Board.from_moves(moves, "mnk:3,3,4").outcome() == Outcome(None, "full")
    assert Board.from_moves("a1b1", "mnk:2,1,1000000").outcome() == Outcome(None, "full")


@pytest.mark.parametrize(
    ("rules", "moves"), [("mnk:9,1,3", "c1a1d1b1e1"), ("mnk:1,9,3", "a3a1a4a2a5"), ("mnk:1,3,3", None)]
)
def test_boards_one_point_wide_or_high(rules, moves):
    if moves is None:
        assert Board(rules).legal_points() == [0, 1, 2]
    else:
        board = Board.from_moves(moves, rules)
        assert board.outcome() == Outcome(BLACK, "five", (2, 3, 4), ((2, 3, 4),))


def test_the_largest_board():
    board = Board(Rules.named("renju", size=50))
    assert board.rules.points == 2500
    assert board.name(2499) == "ax50"
    for move in ("ax50", "a1", "aw49", "a2", "av48", "a3", "au47", "a4", "at46"):
        board.push(move)
    assert ended(board).winner == BLACK
    assert [board.name(point) for point in ended(board).line] == ["at46", "au47", "av48", "aw49", "ax50"]


def test_a_rectangular_board():
    board = Board(Rules.named("freestyle", size=(7, 3)))
    assert (board.width, board.height) == (7, 3)
    assert board.name(20) == "g3"
    assert board.point("a2") == 7
    with pytest.raises(OffBoard):
        board.push("a4")
