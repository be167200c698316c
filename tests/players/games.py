"""Games between players, and what every player promises, for the tests of several players."""

from __future__ import annotations

import threading

import pytest

from tengen import PASS, Board, GameOver, Limit, Player, Rules, player
from tengen.players.candidates import playable


def play(black: Player, white: Player, rules: Rules | str, limit: Limit | None = None) -> Board:
    """A game to its end; every move must be legal, and leave the board to the game."""
    board = Board(rules)
    while not board.outcome():
        before = board.copy()
        choice = (black, white)[board.turn - 1].choose(board, limit)
        assert board == before
        board.push(choice.point)
    return board


def check_promises(made: Player, board: Board, limit: Limit | None = None) -> None:
    """What every player promises, in one position: a legal move, no needless foul, the same again.

    Raises:
        AssertionError: a promise is broken.
    """
    before = board.copy()
    points = playable(board)
    if not points:
        if board.is_legal(PASS):
            assert made.choose(board, limit).point == PASS
        else:
            with pytest.raises(GameOver):
                made.choose(board, limit)
        assert not made.explain(board).weights
        return
    choice = made.choose(board, limit)
    assert choice.point in points
    assert choice.line[0] == choice.point
    assert board == before
    again = player(made.name).choose(board.copy(), limit)
    assert (again.point, again.score, again.line) == (choice.point, choice.score, choice.line)
    line = board.copy()
    for point in choice.line:
        line.push(point)


def check_explanation(made: Player, board: Board) -> None:
    """The explanation agrees with the choice and adds up.

    Raises:
        AssertionError: it does not.
    """
    explanation = made.explain(board)
    if not playable(board):
        assert not explanation.weights
        return
    chosen = made.choose(board).point
    assert explanation.weights[chosen] == max(explanation.weights.values())
    assert set(explanation.weights) <= set(playable(board))
    for point, parts in explanation.parts.items():
        assert sum(part.value for part in parts) == pytest.approx(explanation.weights[point])
        assert all(part.points for part in parts)
    if explanation.tree is not None and explanation.tree.children:
        shown = [explanation.weights.get(branch.point) for branch in explanation.tree.children]
        assert explanation.weights[chosen] in shown
    for line in explanation.lines:
        assert line[0] == chosen
        replay = board.copy()
        for point in line:
            replay.push(point)


def check_stops(made: Player, board: Board) -> None:
    """A player that could think for minutes answers when it is told to stop, before that and at once.

    Raises:
        AssertionError: its answer is no legal move.
    """
    stop = threading.Event()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    assert made.choose(board, Limit(seconds=600), stop).point in playable(board)
    timer.join()
    assert made.choose(board, Limit(seconds=600), stop).point in playable(board)
