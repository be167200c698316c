"""The micro:bit's player in every game that can be played against it."""

from __future__ import annotations

from functools import cache

import pytest

from tengen import Board
from tengen.players.lookup import Lookup
from tests.microbit.fake import Device
from tests.microbit.test_game import RULES, game, point

reply = Device().load("player").reply


@cache
def table():
    """Every position of the game, with its worth."""
    return Lookup("all").build(RULES)


def value(board):
    """What the side to move can reach: 1 a win, 0 a draw, -1 a loss."""
    best = max(table().worth(board).values(), default=0)
    return (best > 0) - (best < 0)


@pytest.mark.parametrize("own", [0, 1], ids=["as A", "as B"])
def test_it_never_loses_and_never_lets_a_win_go(own):
    """Every move of the other, and every choice of its own among equals."""
    ends: dict[str, int] = {}

    def walk(board, moves):
        text = game.result(moves)
        if text:
            ends[text] = ends.get(text, 0) + 1
            return
        if len(moves) % 2 == own:
            cells = {reply(moves, spin) for spin in range(4)}
            for cell in cells:
                before = value(board)
                board.push(point(cell))
                after = {"": -value(board), "A Win": 1, "B Win": 1, "Draw Game": 0}
                assert after[game.result(moves + bytes([cell]))] == before, (moves, cell)
                board.pop()
        else:
            cells = set(range(9)) - set(moves)
        for cell in sorted(cells):
            board.push(point(cell))
            walk(board, moves + bytes([cell]))
            board.pop()

    walk(Board(RULES), b"")
    lost = ("B Win", "A Win")[own]
    won = ("A Win", "B Win")[own]
    assert lost not in ends
    assert min(ends[won], ends["Draw Game"]) > 0


def test_equals_are_taken_in_turn():
    assert {reply(b"\4", spin) for spin in range(4)} == {0, 2, 6, 8}
    assert {reply(b"", spin) for spin in range(4)} == {4}


@pytest.mark.parametrize(
    ("moves", "cell"),
    [
        ([0, 3, 1, 4], 2),  # its own win, not the other's
        ([4, 0, 1], 7),  # the other's win
        ([0, 4, 8], {1, 3, 5, 7}),  # two corners against the centre: a corner would lose
        ([4, 8, 0], {2, 6}),  # with the centre and a corner held: a fork stopped
        ([0, 1], {4}),
    ],
)
def test_it_wins_stops_and_forks(moves, cell):
    wanted = cell if isinstance(cell, set) else {cell}
    assert {reply(bytes(moves), spin) for spin in range(4)} <= wanted
