from __future__ import annotations

import pytest
from hypothesis import given, settings

from tengen import BLACK, PASS, WHITE, Board, Limit, Rules, Score, TengenError, player
from tengen.game.player import SOONEST
from tengen.game.rules import NAMES
from tengen.players.mcts import DEFAULTS, Mcts
from tengen.players.random import Random
from tests.players.games import check_explanation, check_promises, check_stops, play
from tests.positions import drawn
from tests.strategies import boards

QUICK = Mcts(playouts=40)


def chosen(picture, turn=BLACK, rule="freestyle", **settings):
    """The sign, or the name, of the point that is chosen, and its score."""
    board, at = drawn(picture, rules=rule, turn=turn)
    choice = Mcts(**settings).choose(board)
    signs = {point: sign for sign, point in at.items()}
    return signs.get(choice.point, board.name(choice.point)), choice.score


def test_it_takes_a_five_before_it_stops_one_and_needs_no_playout():
    picture = """
        . . . . . . . .
        O X X X X f . .
        . . . . . . . .
        X O O O O b . .
        . . . . . . . .
        """
    assert chosen(picture) == ("f", Score.win_in(1))
    assert chosen(picture, WHITE) == ("b", Score.win_in(1))
    board, at = drawn(picture.replace("O X X X X f", "O . X X X ."), rules="freestyle")
    choice = Mcts().choose(board)
    assert (choice.point, choice.nodes) == (at["b"], 0)


def test_it_says_when_a_five_cannot_be_stopped():
    sign, score = chosen(". . a X X X X b . .", WHITE)
    assert sign in ("a", "b")
    assert score == Score.loss_in(2)


def test_it_makes_the_four_that_wins_and_stops_the_three_that_would():
    three = """
        . . . . . . . . .
        . . . . . . . . .
        . c a X X X b d .
        . . . . . O . . .
        . . O . . . . . .
        . . . . . . . . .
        """
    assert chosen(three, BLACK, playouts=400)[0] in ("a", "b")
    assert chosen(three.replace("O", "."), WHITE, playouts=1500)[0] in ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("moves", "right"),
    [
        ("a1 b2 c3", "b1 a2 c2 b3"),  # a corner loses
        ("a1 c3", "a3 c1"),  # a third corner makes a fork
        ("b2", "a1 c1 a3 c3"),  # an edge loses
        ("a1", "b2"),  # anything but the centre loses
        ("b2 a1 c3", "c1 a3"),  # only a corner stops the fork
    ],
)
def test_it_converges_to_the_right_move_in_tic_tac_toe(moves, right):
    board = Board.from_moves(moves, rules="tictactoe")
    for seed in range(3):
        assert board.name(Mcts(playouts=2500, seed=seed).choose(board).point) in right.split()


def test_more_playouts_say_more_clearly_that_tic_tac_toe_is_a_draw():
    score = Mcts(playouts=6000).choose(Board.from_moves("b2 a1", rules="tictactoe")).score
    assert score is not None
    assert score.win_rate == pytest.approx(0.5, abs=0.1)


def test_black_keeps_away_from_fouls_in_its_head_too():
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
        assert at["p"] not in Mcts(playouts=100).explain(board).weights


def test_limits_are_kept_and_nodes_are_playouts():
    board = Board.from_moves("h8i9i7g9h9h10g8j8")
    for nodes in (1, 30):
        choice = Mcts().choose(board, Limit(nodes=nodes))
        assert choice.nodes == nodes
        assert board.is_legal(choice.point)
    assert Mcts().choose(board, Limit(seconds=SOONEST)).nodes == 0
    assert Mcts(playouts=25).choose(board, Limit(depth=3)).nodes == 25
    check_stops(Mcts(), board)


def test_the_seed_decides_and_nothing_else():
    board = Board.from_moves("h8i9i7g9")
    weights = [Mcts(playouts=60, seed=seed).explain(board).weights for seed in (0, 0, 1)]
    assert weights[0] == weights[1] != weights[2]


def test_its_name_makes_it_again():
    for spec in ("mcts", "mcts,playouts=50", "mcts,exploration=1.4", "mcts,playouts=50,seed=3"):
        assert player(spec).name == spec
    assert Mcts(exploration=1).parameters == {**DEFAULTS, "exploration": 1}
    with pytest.raises(TengenError, match="playouts is 0: expected a whole number of at least 1"):
        player("mcts,playouts=0")


def test_the_tree_adds_up():
    board = Board.from_moves("h8i9i7g9h9h10")
    explanation = Mcts(playouts=300).explain(board)
    assert sum(explanation.weights.values()) == 300
    tree = explanation.tree
    assert tree is not None
    assert (tree.point, str(tree.note)) == (PASS, "300 visits")

    def visits(branch):
        return branch.note.values["visits"]

    def check(branch):
        assert 0 <= branch.value <= 1
        assert sum(map(visits, branch.children)) <= visits(branch)
        for child in branch.children:
            check(child)

    check(tree)
    for child in tree.children:
        assert visits(child) == explanation.weights[child.point]
    assert max(map(visits, tree.children)) == max(explanation.weights.values())


def test_small_and_crowded_boards():
    assert QUICK.choose(Board(Rules.mnk(1, 1, 3))).point == 0
    assert QUICK.choose(Board(Rules.mnk(3, 1, 1))).score == Score.win_in(1)
    board = Board.from_stones([0, 1, 3], [2, 4], rules=Rules.mnk(6, 1, 5))
    assert QUICK.choose(board).point == 5


@settings(deadline=None, max_examples=60)
@given(boards())
def test_it_keeps_its_promises_anywhere(board):
    check_promises(QUICK, board)
    check_explanation(QUICK, board)
    check_promises(Mcts(), board, Limit(nodes=3))


@pytest.mark.parametrize("rule", NAMES)
def test_games_without_an_illegal_move(rule):
    play(Mcts(playouts=10), Random(1), rule)
    play(Random(1), Mcts(playouts=10), rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMES)
def test_fifty_games_without_an_illegal_move(rule):
    for seed in range(25):
        made = Mcts(playouts=60, seed=seed)
        play(made, Random(seed), rule)
        play(Random(seed), made, rule)
