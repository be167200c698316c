from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Board, Limit, Rules, Score, TengenError, player
from tengen.game.player import SOONEST
from tengen.game.rules import NAMES
from tengen.game.score_units import WIN
from tengen.players.budget import Budget
from tengen.players.candidates import closeness, near
from tengen.players.evaluation import DEFAULTS, Evaluation
from tengen.players.minimax import DISTANCE, AlphaBetaSearch, Minimax
from tengen.players.random import Random
from tengen.players.windows import Windows
from tests.players.games import check_explanation, check_promises, check_stops, play
from tests.positions import drawn
from tests.strategies import boards, rules, set_up

QUICK = Minimax(depth=2, width=8)


def chosen(picture, turn=BLACK, rule="freestyle", **settings):
    """The sign, or the name, of the point that is chosen, and its score."""
    board, at = drawn(picture, rules=rule, turn=turn)
    choice = Minimax(**settings).choose(board)
    signs = {point: sign for sign, point in at.items()}
    return signs.get(choice.point, board.name(choice.point)), choice.score


# -- alpha-beta against minimax


def plain(board, depth, ply, evaluation_of):
    """Minimax with the same eyes, every node counted: no windows kept, no bounds, no order, no width."""
    me, windows = board.turn, Windows(board)
    if windows.fives(me):
        return WIN - ply - 1
    stopping = None
    if windows.fives(3 - me):
        stopping = windows.answers(3 - me)
        depth = max(depth, 1)
    elif any(
        len(fives) > 1 and not windows.is_foul(four, me) and unanswered(windows, four, me)
        for four, fives in windows.fours(me).items()
    ):
        return WIN - ply - 3
    if depth == 0:
        return evaluation_of(board)
    empty = windows.empty()
    if all(windows.is_foul(point, me) for point in empty):
        return ply + 1 - WIN if empty and board.rules.fouls != "forbidden" else 0
    if stopping == []:
        return ply + 2 - WIN
    points = stopping or []
    if stopping is None:
        stones = board.stones(BLACK) + board.stones(WHITE)
        close = {q for p in stones for q in windows.around(p, DISTANCE)} or set(near(board, DISTANCE))
        points = [p for p in empty if p in close and not windows.is_foul(p, me)]
    values = []
    for point in points:
        board.push(point)
        values.append(-plain(board, depth - 1, ply + 1, evaluation_of))
        board.pop()
    return max(values, default=0)


def unanswered(windows, four, me):
    windows.place(four, me)
    answers = windows.answers(me)
    windows.lift(four)
    return not answers


def looks_worth(board):
    evaluation = Evaluation(Windows(board), closeness(board), DEFAULTS)
    return evaluation.value(board.turn, evaluation.balance(board.turn))


@settings(max_examples=60, deadline=None)
@given(set_up(rules(st.integers(2, 5)), (EMPTY,) * 4 + (BLACK, WHITE)), st.integers(1, 3))
def test_the_value_is_that_of_minimax_without_pruning(board, depth):
    assume(not board.outcome() and near(board, DISTANCE))
    assume(board.rules.k > 2 and len(board.legal_points()) <= 20)
    search = AlphaBetaSearch(board, Minimax(width=99), Budget())
    balance = Evaluation(Windows(board), closeness(board), DEFAULTS).balance(board.turn)
    points = frozenset(search.root)
    found = search.search(board.turn, depth, -WIN, WIN, 0, balance, points)
    assert found.value == plain(board.copy(), depth, 0, looks_worth)


@cache
def perfect(position, turn):
    """The value of tic-tac-toe by trying everything: plies to the end and its sign; 0 is a draw."""
    black, white = ([p for p, c in enumerate(position) if c == colour] for colour in (BLACK, WHITE))
    board = Board.from_stones(black, white, turn, "tictactoe")
    if outcome := board.outcome():
        return 0 if outcome.winner is None else -WIN
    values = []
    for point in board.legal_points():
        board.push(point)
        value = -perfect(board.position, board.turn)
        values.append(value - 1 if value > 0 else value + 1 if value < 0 else 0)
        board.pop()
    return max(values)


@pytest.mark.long
def test_tic_tac_toe_is_played_perfectly():
    chance = random.Random(1)
    for number in range(300):
        board = Board("tictactoe")
        for _ in range(number % 9):
            if not board.outcome():
                board.push(chance.choice(board.legal_points()))
        if board.outcome():
            continue
        choice = Minimax(depth=9).choose(board)
        value = perfect(board.position, board.turn)
        expected = Score(0)
        if value:
            expected = Score.win_in(WIN - value) if value > 0 else Score.loss_in(WIN + value)
        assert choice.score == expected
        board.push(choice.point)
        after = -perfect(board.position, board.turn)
        assert (after > 0) - (after < 0) == (value > 0) - (value < 0)


# -- tactics


def test_it_takes_a_five_before_it_stops_one():
    picture = """
        . . . . . . . .
        O X X X X f . .
        . . . . . . . .
        X O O O O b . .
        . . . . . . . .
        """
    assert chosen(picture) == ("f", Score.win_in(1))
    assert chosen(picture, WHITE) == ("b", Score.win_in(1))
    assert chosen(picture.replace("O X X X X f", "O . X X X ."))[0] == "b"


def test_it_stops_an_open_three_and_makes_one_four():
    three = ". . c a X X X b d . ."
    assert chosen(three, WHITE)[0] in ("a", "b", "c", "d")
    assert chosen(three, BLACK)[0] in ("a", "b")
    assert chosen(three, BLACK)[1] == Score.win_in(3)


def test_it_finds_a_double_four_and_a_four_three():
    double = """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X p . . . .
        . . . . X . . . .
        . . . . O . . . .
        """
    assert chosen(double) == ("p", Score.win_in(3))
    board = Board.from_stones(["f8", "g8", "h8", "i9", "i10"], ["e8", "c4", "l4", "c12", "l12"])
    choice = Minimax(depth=3).choose(board)
    assert choice.score == Score.win_in(5)
    assert board.name(choice.point) in ("i8", "j8", "i7", "i11")


def test_it_sees_that_two_open_threes_cannot_both_be_stopped():
    board, at = drawn(
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        . . . X X p . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . O . . . . . . O . O
        """,
        rules="freestyle",
    )
    choice = Minimax(depth=4).choose(board)
    assert choice.point == at["p"]
    assert choice.score is not None
    assert choice.score.mate == 5


def test_black_does_not_win_by_a_foul_and_white_does():
    picture = """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X p . . . .
        . . . . X . . . .
        . . . . O . . . .
        . O . . . . . O .
        """
    for fouls in ("forbidden", "loses", "claimed"):
        board, at = drawn(picture, fouls=fouls)
        assert Minimax(depth=3).choose(board).point != at["p"]
    swapped = picture.translate(str.maketrans("XO", "OX"))
    assert chosen(swapped, WHITE, "renju") == ("p", Score.win_in(3))


def test_it_holds_out_as_long_as_it_can():
    board, _ = drawn(". . . X X X X . . .", rules="freestyle", turn=WHITE)
    choice = Minimax().choose(board)
    assert choice.score == Score.loss_in(2)
    assert choice.point in (2, 7)


def test_a_loss_is_believed_only_if_every_move_was_tried():
    # With a width of 1 the first move that comes to mind may lose; then the others are looked at.
    board, _ = drawn(". . . . . X X X . . . . .", rules="freestyle", turn=WHITE)
    score = Minimax(depth=4, width=1).choose(board).score
    assert score is not None
    assert score.mate is None


# -- limits, names, explanations


def test_the_first_move_is_the_centre():
    for name in NAMES:
        board = Board(name)
        assert QUICK.choose(board).point == board.rules.points // 2
    assert QUICK.choose(Board(Rules.mnk(1, 1, 3))).point == 0


def test_limits_are_kept():
    board = Board.from_moves("h8i9i7g9h9h10g8j8i10f7")
    for nodes in (1, 10, 500):
        choice = Minimax().choose(board, Limit(nodes=nodes))
        assert choice.nodes == nodes
        assert board.is_legal(choice.point)
    assert Minimax().choose(board, Limit(seconds=SOONEST)).nodes == 0
    shallow, deep = (Minimax().choose(board, Limit(depth=depth)) for depth in (1, 3))
    assert shallow.nodes < deep.nodes
    assert Minimax(depth=3).choose(board, Limit()).nodes == deep.nodes
    check_stops(Minimax(), board)


def test_even_without_time_it_takes_and_stops_a_five():
    picture = """
        . . . . . . . .
        O X X X X f . .
        . . . . . . . .
        . . . O O . . .
        . . . . . . . .
        """
    for turn in (BLACK, WHITE):
        board, at = drawn(picture, rules="freestyle", turn=turn)
        assert Minimax().choose(board, Limit(nodes=1)).point == at["f"]


def test_its_name_makes_it_again():
    for spec in ("minimax", "minimax,depth=3", "minimax,width=9,need2=77", "minimax,tempo=1.5"):
        assert player(spec).name == spec
    assert Minimax(need2=77).parameters == {**DEFAULTS, "need2": 77}
    with pytest.raises(TengenError, match="depth is 0: expected a whole number of at least 1"):
        player("minimax,depth=0")
    with pytest.raises(TengenError, match="no parameter 'need9'"):
        player("minimax,need9=1")


def test_the_tree_shows_values_bounds_and_cut_offs():
    board = Board.from_moves("a1 b2 c3", rules="tictactoe")
    explanation = Minimax(depth=6).explain(board)
    tree = explanation.tree
    assert tree is not None
    assert tree.value == 0
    names = [board.name(branch.point) for branch in tree.children]
    assert names[0] == board.name(Minimax(depth=6).choose(board).point)
    notes = {board.name(branch.point): str(branch.note) for branch in tree.children}
    assert notes[names[0]] == "exact"
    assert notes["a2"] == "at most"
    assert notes["c1"] == notes["a3"] == "loses in 4 plies"

    def keys(branch):
        return {branch.note.key, *(key for child in branch.children for key in keys(child))}

    middle_game = Minimax(depth=3).explain(Board.from_moves("h8i9i7g9h9h10g8j8"))
    kinds = ("at_least", "at_most", "cut_off", "exact", "loss", "win")
    assert keys(tree) | keys(middle_game.tree) >= {f"explain.minimax.{kind}" for kind in kinds}

    def size(branch):
        return 1 + sum(map(size, branch.children))

    assert middle_game.tree is not None
    assert size(middle_game.tree) < 400
    assert middle_game.lines[0][0] == max(middle_game.weights, key=middle_game.weights.__getitem__)


@settings(deadline=None, max_examples=60)
@given(boards())
def test_it_keeps_its_promises_anywhere(board):
    check_promises(QUICK, board)
    check_explanation(QUICK, board)
    check_promises(Minimax(), board, Limit(nodes=20))


@pytest.mark.parametrize("rule", NAMES)
def test_games_without_an_illegal_move(rule):
    play(QUICK, Random(1), rule)
    play(Random(1), QUICK, rule)
    play(QUICK, Minimax(depth=1, need3=5), rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMES)
def test_fifty_games_without_an_illegal_move(rule):
    for seed in range(25):
        made = Minimax(depth=3, need3=seed)
        play(made, Random(seed), rule)
        play(Random(seed), made, rule)
