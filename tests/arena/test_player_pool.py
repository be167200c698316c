"""Players kept between games."""

from __future__ import annotations

import pytest

from tengen import Choice
from tengen.arena import player_pool

SPEC = "py:tests.arena.test_player_pool:Closes"


class Closes:
    """Counts how many of it are open."""

    name = SPEC
    open = 0

    def __init__(self):
        type(self).open += 1

    def choose(self, board, limit=None, stop=None):
        return Choice(min(board.legal_points()))

    def explain(self, board):
        raise NotImplementedError

    def close(self):
        type(self).open -= 1


def test_players_wait_for_the_next_game_and_are_closed_in_the_end():
    player_pool.close_players()
    for _ in range(3):
        with player_pool.lent(SPEC) as one, player_pool.lent(SPEC) as other:
            assert one is not other
    assert Closes.open == 2
    player_pool.close_players()
    assert Closes.open == 0


def test_a_player_that_a_game_broke_off_with_is_not_lent_again():
    with pytest.raises(KeyboardInterrupt), player_pool.lent(SPEC):
        raise KeyboardInterrupt
    assert Closes.open == 0


def test_only_so_many_wait():
    for seed in range(20):
        with player_pool.lent(f"random,seed={seed}"):
            pass
    with player_pool.lent(SPEC):
        pass
    for seed in range(20):
        with player_pool.lent(f"random,seed={seed}"):
            pass
    assert Closes.open == 0
