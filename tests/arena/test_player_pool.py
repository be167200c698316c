"""Players kept between games."""

from __future__ import annotations

import pytest

from tengen import Board, Choice, Limit
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
        with player_pool.borrowed(SPEC) as one, player_pool.borrowed(SPEC) as other:
            assert one is not other
    assert Closes.open == 2
    player_pool.close_players()
    assert Closes.open == 0


def test_a_player_that_a_game_broke_off_with_is_not_lent_again():
    with pytest.raises(KeyboardInterrupt), player_pool.borrowed(SPEC):
        raise KeyboardInterrupt
    assert Closes.open == 0


class Remembers(Closes):
    """Has something to forget."""

    def __init__(self):
        super().__init__()
        self.games = 0

    def clear(self):
        self.games += 1


def test_a_new_game_begins_with_a_player_that_has_forgotten_the_last():
    spec = "py:tests.arena.test_player_pool:Remembers"
    with player_pool.borrowed(spec) as first:
        assert vars(first)["games"] == 0
    with player_pool.borrowed(spec) as second:
        assert second is first
        assert vars(second)["games"] == 1
    player_pool.close_players()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("spec", ["engine", "level:10"])
def test_the_engine_searches_as_if_it_had_just_been_made(spec):
    player_pool.close_players()
    board = Board.from_moves("h8i9h10g9", rules="freestyle")
    nodes = []
    for _ in range(2):
        with player_pool.borrowed(spec) as player:
            # Within a limit of time it uses what it remembers.
            nodes.append(player.choose(board, Limit(seconds=600, depth=7)).nodes)
    assert nodes[0] == nodes[1]
    player_pool.close_players()


def test_only_so_many_wait():
    for seed in range(20):
        with player_pool.borrowed(f"random,seed={seed}"):
            pass
    with player_pool.borrowed(SPEC):
        pass
    for seed in range(20):
        with player_pool.borrowed(f"random,seed={seed}"):
            pass
    assert Closes.open == 0
