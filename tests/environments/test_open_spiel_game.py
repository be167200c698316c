"""OpenSpiel's own tests accept the game, and it is the game of the board."""

from __future__ import annotations

import unittest

import numpy as np
import pytest

from tengen import Board, Rules, TengenError, arrays
from tests.positions import ended

pyspiel = pytest.importorskip("pyspiel")

pytestmark = pytest.mark.usefixtures("compiled")

GAMES = (
    "tengen(rules=tictactoe)",
    "tengen(rules=renju,size=9,fouls=claimed,passing=True)",
    "tengen(width=4,height=3,k=3)",
)


@pytest.fixture(autouse=True)
def registered():
    """The game, registered."""
    import tengen.environments.open_spiel_game  # noqa: F401


@pytest.mark.long
@pytest.mark.parametrize("text", [*GAMES, "tengen"])
def test_its_own_tests_of_the_interface(text):
    from open_spiel.integration_tests import api_test

    game = pyspiel.load_game(text)
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": text})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert [trace for _, trace in (*result.errors, *result.failures)] == []


@pytest.mark.long
@pytest.mark.parametrize("text", GAMES)
def test_its_own_random_games(text):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("text", GAMES)
def test_games_are_those_of_the_board(text):
    game = pyspiel.load_game(text)
    rng = np.random.default_rng(1)
    for _ in range(5):
        state, board = game.new_initial_state(), Board(game.rules)
        while board.outcome() is None:
            assert state.current_player() == board.turn - 1
            assert state.legal_actions() == np.flatnonzero(arrays.legal_mask(board)).tolist()
            assert np.array_equal(
                np.reshape(state.observation_tensor(), arrays.planes(board).shape), arrays.planes(board)
            )
            action = int(rng.choice(state.legal_actions()))
            names = {arrays.claim_action(game.rules): "claim", arrays.pass_action(game.rules): "--"}
            assert state.action_to_string(action) == (names.get(action) or board.name(action))
            before = state.clone()
            arrays.play(board, action)
            state.apply_action(action)
            assert before.history() == state.history()[:-1]
            assert before.current_player() != state.current_player()
        assert state.is_terminal()
        winner = ended(board).winner
        assert state.returns() == [
            0.0 if winner is None else 1.0 if winner == side else -1.0 for side in (1, 2)
        ]


def test_parameters_are_rules():
    rules = {text: pyspiel.load_game(text).rules for text in GAMES}
    assert rules[GAMES[0]] == Rules.named("tictactoe")
    assert rules[GAMES[1]] == Rules.named("renju", 9, fouls="claimed", passing=True)
    assert rules[GAMES[2]] == Rules.mnk(4, 3, 3)
    assert pyspiel.load_game("tengen").rules == Rules()


def test_rules_that_there_are_not():
    from tengen.environments.open_spiel_game import rules_of

    for parameters in ({"rules": "nonsense"}, {"size": 51}, {"fouls": "ignored"}, {"k": -1}):
        with pytest.raises(TengenError):
            rules_of(parameters)


def test_an_observer_takes_no_parameters():
    game = pyspiel.load_game("tengen")
    with pytest.raises(ValueError, match="not supported"):
        game.make_py_observer(params={"planes": 5})
