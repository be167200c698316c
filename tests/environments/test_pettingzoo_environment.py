"""PettingZoo's own tests pass, and the games are those of the board."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tengen import BLACK, WHITE, Board, Forbidden, IllegalMove, Rules, TengenError, arrays
from tengen.environments import PettingZooEnvironment

pettingzoo_test = pytest.importorskip("pettingzoo.test")

pytestmark = [
    pytest.mark.usefixtures("compiled"),
    # It knows by name which environments have a mask, and that White sees nothing on an empty board.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

RULES = (
    Rules.named("tictactoe"),
    Rules.named("freestyle"),
    Rules.named("renju"),
    Rules.named("renju", 9, fouls="claimed", passing=True),
    Rules.mnk(5, 4, 4),
)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.name}-{rules.fouls}")
def test_its_own_test_of_the_interface(rules, capsys):
    pettingzoo_test.api_test(PettingZooEnvironment(rules), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("name", ["tictactoe", "renju"])
def test_its_own_tests_of_seeds_and_pictures(name, capsys):
    pettingzoo_test.seed_test(lambda: PettingZooEnvironment(name), num_cycles=100)
    pettingzoo_test.render_test(lambda render_mode=None: PettingZooEnvironment(name, render_mode))
    assert " . . ." in capsys.readouterr().out


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.name}-{rules.fouls}")
def test_games_are_those_of_the_board(rules):
    environment = PettingZooEnvironment(rules)
    rng, ends = np.random.default_rng(1), set()
    for _ in range(10 if rules.points < 100 else 2):
        environment.reset()
        board = Board(rules)
        for agent in environment.agent_iter():
            observation, reward, terminated, truncated, information = environment.last()
            assert not truncated
            assert information == {}
            outcome = board.outcome()
            assert terminated == (outcome is not None)
            colour = {"black_0": BLACK, "white_0": WHITE}[agent]
            if outcome is not None:
                ends.add(outcome.winner)
                winner = outcome.winner
                assert reward == (0 if winner is None else 1 if winner == colour else -1)
                environment.step(None)
                continue
            assert reward == 0
            assert agent == ("black_0" if board.turn == BLACK else "white_0")
            assert np.array_equal(observation["observation"], arrays.planes(board))
            assert np.array_equal(observation["action_mask"], arrays.legal_mask(board))
            assert environment.observation_space(agent).contains(observation)
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            arrays.play(board, action)
            environment.step(action)
        assert environment.agents == []
    assert ends


def test_each_agent_sees_its_own_side():
    environment = PettingZooEnvironment("tictactoe")
    environment.reset(options={"moves": "a1b2"})
    black, white = environment.observe("black_0"), environment.observe("white_0")
    assert black["observation"][0].reshape(-1).tolist() == [1] + [0] * 8
    assert white["observation"][0].reshape(-1).tolist() == [0] * 4 + [1] + [0] * 4
    assert np.array_equal(white["observation"][1], black["observation"][0])
    assert (black["observation"][3].all(), white["observation"][3].any()) == (True, False)
    assert (black["action_mask"].sum(), white["action_mask"].sum()) == (7, 0)
    black["observation"][:] = 5
    assert environment.observe("black_0")["observation"].max() == 1


def test_what_is_illegal_is_said_and_changes_nothing():
    environment = PettingZooEnvironment("renju")
    environment.reset(options={"moves": "f8i10g8j7h7e9h6g5"})
    with pytest.raises(Forbidden, match="h8 is forbidden to Black"):
        environment.step(environment.board.point("h8"))
    with pytest.raises(IllegalMove):
        environment.step(environment.board.point("f8"))
    assert environment.agent_selection == "black_0"
    assert environment.board.ply == 8


def test_arguments_of_another_kind():
    mode: Any
    options: Any
    for mode in ("x", 5, [], "HUMAN"):
        with pytest.raises(TengenError, match="expected one of human, ansi, rgb_array, or None"):
            PettingZooEnvironment("tictactoe", mode)
    environment = PettingZooEnvironment("tictactoe")
    environment.step(4)
    for options in ("a1", 5, {"moves": "zz"}):
        with pytest.raises(TengenError):
            environment.reset(options=options)
    assert environment.board.ply == 1


def test_masks_are_of_the_type_that_the_spaces_take():
    environment = PettingZooEnvironment("tictactoe")
    environment.step(4)
    mask = environment.observe("white_0")["action_mask"]
    assert mask.dtype == environment.observation_space("white_0")["action_mask"].dtype == np.int8
    assert {int(environment.action_space("white_0").sample(mask)) for _ in range(50)} <= {*range(9)} - {4}


def test_pictures():
    environment = PettingZooEnvironment("tictactoe", "rgb_array")
    picture = environment.render()
    environment.step(4)
    assert picture.shape == environment.render().shape
    assert not np.array_equal(picture, environment.render())
    assert PettingZooEnvironment("tictactoe").render() is None
    assert PettingZooEnvironment("tictactoe", "ansi").render() == str(Board("tictactoe"))


@pytest.mark.parametrize("name", ["PettingZooEnvironment", "GymnasiumEnvironment"])
@pytest.mark.parametrize("package", ["pettingzoo", "gymnasium"])
def test_what_is_missing_is_named_with_its_extra(name, package):
    script = f"""
import sys
from typing import Any
sys.modules[{package!r}] = None
from tengen.environments import VectorEnvironment
assert len(VectorEnvironment("tictactoe", 3)) == 3
try:
    from tengen.environments import {name}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    needed = package == "gymnasium" or name.startswith("Petting")
    sentence = f"the package {package} is missing: install it with pip install 'tengen[environments]'\n"
    assert done.stdout == (sentence if needed else "")
