"""The games that an evaluation is learned from."""

from __future__ import annotations

from collections import deque
from itertools import islice

import pytest

from tengen import BLACK, WHITE, Board, Rules
from tengen.engine.board.conversion import point_of
from tengen.engine.board.position import make
from tengen.engine.board.scores import MATE
from tengen.engine.search.deepening import SearchTask, run
from tengen.engine.search.table import new_table
from tengen.engine.tables import prepared, prepared_networks
from tengen.game.errors import RulesError
from tengen.training.games.self_play import SelfPlaySettings, games, play
from tests.training.played_games import played_games

FAMILIES = ("freestyle", "standard", "renju", "caro")


def board_of(cells, rules):
    board = Board(rules)
    for cell in cells:
        board.push(point_of(board, cell))
    return board


@pytest.mark.parametrize("name", FAMILIES)
def test_every_position_is_one_of_the_game_and_not_over(name):
    rules = Rules.named(name, 9)
    for game in played_games(name, 4):
        for sample in game.samples:
            board = board_of(sample.cells, rules)
            assert board.outcome() is None
            assert board.is_legal(point_of(board, sample.best))


def test_results_are_seen_from_the_side_to_move():
    seen = set()
    for game in played_games():
        for sample in game.samples:
            if sample.result is not None:
                assert sample.cells == game.cells[: len(sample.cells)]
                assert sample.result == (game.points if len(sample.cells) % 2 == 0 else 1 - game.points)
                seen.add(sample.result)
    assert seen == {0.0, 0.5, 1.0}


def test_positions_beside_the_game_know_no_result():
    beside = [(s, game) for game in played_games() for s in game.samples if s.result is None]
    assert beside
    for sample, game in beside:
        plies = len(sample.cells) - 1
        assert sample.cells[:plies] == game.cells[:plies]
        assert sample.cells != game.cells[: plies + 1]


def test_positions_from_within_a_search_are_looked_at_with_an_eighth_of_its_nodes():
    rules = Rules.named("freestyle", 9)
    plan = SelfPlaySettings(rules, nodes=1600, seed=5, beside=0, within=4)
    game = play(plan, 0)
    within = [sample for sample in game.samples if sample.result is None]
    assert len({sample.cells for sample in game.samples}) == len(game.samples)
    assert len(game.cells) < len(within) <= 4 * len(game.samples)
    (empty, tables), networks = prepared(rules), prepared_networks(rules)
    for sample in within[:: len(within) // 8]:
        state = empty.copy()
        for one in sample.cells:
            make(state, tables, one)
        task = SearchTask(state, tables, networks, new_table(1), most_nodes=200)
        found = deque(run(task), maxlen=1)[0]
        assert (sample.best, sample.score) == (found.cell, found.score)
    # They lie behind moves that were searched, but were not played.
    ends = [len(sample.cells) for sample in within]
    assert max(ends) > min(ends) + 3
    for sample in within:
        assert board_of(sample.cells, rules).outcome() is None
        assert sample.cells != game.cells[: len(sample.cells)]
    # Only how far they are looked at hangs on what is asked for; the game is the same.
    assert play(SelfPlaySettings(rules, nodes=1600, seed=5, beside=0), 0).cells == play(plan, 0).cells


def test_games_begin_within_searches_where_they_are_to():
    rules = Rules.named("freestyle", 9)
    plan = SelfPlaySettings(rules, nodes=800, seed=5, begin_within=1)
    there = [play(plan, number) for number in range(4)]
    assert there == [play(plan, number) for number in range(4)]
    for game in there:
        assert game.samples
        assert all(sample.result is not None for sample in game.samples)
        assert board_of(game.samples[0].cells, rules).outcome() is None
    assert max(len(game.samples[0].cells) for game in there) > 8
    # Where a share of them is asked for, the others are the games that they were without.
    mixed = [
        play(SelfPlaySettings(rules, nodes=800, seed=5, begin_within=0.5), number) for number in range(4)
    ]
    plain = [play(SelfPlaySettings(rules, nodes=800, seed=5), number) for number in range(4)]
    assert {game.cells for game in mixed} <= {game.cells for game in there + plain}
    assert mixed not in (there, plain)


def test_a_game_ends_where_a_win_is_found_and_the_winner_wins():
    rules = Rules.named("freestyle", 9)
    won = [game for game in played_games() if game.points != 0.5]
    assert won
    for game in won:
        last = game.samples[-1]
        assert abs(last.score) > MATE
        assert last.cells == game.cells
        winner = BLACK if (len(last.cells) % 2 == 0) == (last.score > 0) else WHITE
        assert game.points == (winner == BLACK)
        assert board_of(game.cells, rules).outcome() is None
        for earlier in game.samples[:-1]:
            assert earlier.result is None or abs(earlier.score) <= MATE


def test_the_same_seed_plays_the_same_games():
    plan = SelfPlaySettings(Rules.named("freestyle", 9), nodes=40, seed=5)
    assert play(plan, 3) == played_games()[3]
    assert list(islice(games(plan), 2)) == [list(game.samples) for game in played_games()[:2]]
    assert play(SelfPlaySettings(plan.rules, nodes=40, seed=6), 3) != played_games()[3]


def test_games_do_not_begin_alike():
    assert len({game.cells[:4] for game in played_games()}) > 8


def test_with_hardly_a_look_games_are_played_to_their_end():
    rules = Rules.named("freestyle", 9)
    for number in range(3):
        game = play(SelfPlaySettings(rules, nodes=1), number)
        assert game.points != 0.5 or len(game.cells) == rules.points - 2


def test_the_smallest_board():
    game = play(SelfPlaySettings(Rules.named("freestyle", 5), nodes=20), 0)
    assert game.points == 0.5
    assert len(game.cells) <= 23


def test_rules_that_the_engine_does_not_play():
    with pytest.raises(RulesError):
        play(SelfPlaySettings(Rules.named("tictactoe")), 0)
