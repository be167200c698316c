"""Gymnasium's own check passes, and games against players are fair."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import (
    BLACK,
    PASS,
    WHITE,
    Choice,
    GameOver,
    Limit,
    Rules,
    RulesError,
    TengenError,
    arrays,
    player,
)
from tengen.environments import GymnasiumEnvironment
from tengen.players.random import Random

gymnasium = pytest.importorskip("gymnasium")

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.long
@pytest.mark.parametrize(
    ("opponent", "rules"),
    [("random", "tictactoe"), ("shapes", "freestyle"), ("lines", "renju"), ("level:2", "freestyle")],
)
def test_its_own_check(opponent, rules):
    from gymnasium.utils.env_checker import check_env

    check_env(GymnasiumEnvironment(opponent, rules), skip_render_check=True)
    made = gymnasium.make(
        "tengen.environments.gymnasium_environment:Tengen-v0",
        opponent=opponent,
        rules=rules,
        colour="black",
        render_mode="rgb_array",
    )
    check_env(made.unwrapped)
    assert made.unwrapped.board.rules == Rules.named(rules)


def play(environment, rng, **reset):
    """A game of random moves: the planes seen, the reward, and the board."""
    planes, information = environment.reset(**reset)
    seen, ended, reward = [planes], False, 0.0
    while not ended:
        mask = information["action_mask"]
        assert np.array_equal(mask, arrays.legal_mask(environment.board))
        assert np.array_equal(mask, environment.action_masks())
        assert (mask.dtype, environment.action_masks().dtype) == (np.int8, np.bool_)
        assert mask[environment.action_space.sample(mask=mask)]
        assert np.array_equal(planes, arrays.planes(environment.board))
        action = rng.choice(np.flatnonzero(mask))
        planes, reward, ended, truncated, information = environment.step(action)
        assert not truncated
        seen.append(planes)
    with pytest.raises(GameOver):
        environment.step(action)
    return seen, reward, environment.board


@pytest.mark.parametrize("colour", ["black", "white"])
def test_the_reward_is_the_agents(colour):
    environment = GymnasiumEnvironment("random", "tictactoe", colour)
    rng, rewards = np.random.default_rng(1), set()
    for seed in range(40):
        _, reward, board = play(environment, rng, seed=seed)
        winner = board.outcome().winner
        own = BLACK if colour == "black" else WHITE
        assert reward == (0 if winner is None else 1 if winner == own else -1)
        rewards.add(reward)
    assert rewards == {1, 0, -1}


def test_a_seed_repeats_a_game_and_others_differ():
    environment = GymnasiumEnvironment("random", "tictactoe")
    games = [
        play(environment, np.random.default_rng(7), seed=seed)[2].moves for seed in (1, 1, *range(2, 30))
    ]
    assert games[0] == games[1]
    assert len(set(games)) > 15
    begun = [game[0] for game in games]
    assert len(set(begun)) > 1, "the agent plays both colours"


def test_without_a_new_seed_the_next_game_is_another_one():
    environment = GymnasiumEnvironment("random", "tictactoe", "black")
    rng = np.random.default_rng(7)
    games = [play(environment, rng, seed=1 if number == 0 else None)[2].moves for number in range(5)]
    assert len(set(games)) > 1


@pytest.mark.parametrize(
    "opponent", ["random,seed=5", "minimax,depth=1", player("lines"), "engine,nodes=50"]
)
def test_any_player_is_an_opponent(opponent):
    environment = GymnasiumEnvironment(opponent, Rules.named("freestyle", 9), limit=Limit(nodes=50))
    _, reward, board = play(environment, np.random.default_rng(3), seed=1)
    assert board.outcome() is not None
    if opponent != "random,seed=5":
        assert reward == -1


def test_a_seed_of_the_spec_stays():
    environment = GymnasiumEnvironment("random,seed=5", Rules.named("freestyle", 9), "white")
    first = {environment.reset(seed=seed)[0].tobytes() for seed in range(5)}
    assert len(first) == 1


@pytest.mark.parametrize("action", [0, 9, -1])
def test_an_illegal_action_loses(action):
    environment = GymnasiumEnvironment("random", "tictactoe", "black")
    environment.reset(seed=1, options={"moves": "a1b1"})
    planes, reward, ended, _, information = environment.step(action)
    assert (reward, ended, information["illegal"]) == (-1, True, True)
    assert planes.shape == (4, 3, 3)
    assert environment.board.ply == 2


def test_a_foul_that_the_agent_makes_is_claimed():
    rules = Rules.named("renju", 9, fouls="claimed")
    environment = GymnasiumEnvironment("random", rules, "black")
    environment.reset(options={"moves": "a1a9b1b9c1c9e1e9f1f9"})
    _, reward, ended, _, _ = environment.step(environment.board.point("d1"))
    assert (reward, ended) == (-1, True)
    assert environment.board.claimed


def test_passes_of_an_opponent_are_played():
    class Passing(Random):
        """It passes from the fourth move on."""

        def choose(self, board, limit=None, stop=None):
            return Choice(PASS if board.ply > 3 else board.legal_points()[0])

    rules = Rules.named("freestyle", 5, passing=True)
    environment = GymnasiumEnvironment(Passing(), rules, "black")
    environment.reset()
    for action in (24, 23, 22):
        _, reward, ended, _, _ = environment.step(action)
    assert environment.board.last == PASS
    _, reward, ended, _, _ = environment.step(25)
    assert (reward, ended) == (0, True)


@pytest.mark.parametrize(
    "arguments",
    [
        {"opponent": "nobody"},
        {"opponent": 5},
        {"rules": "nonsense"},
        {"colour": "red"},
        {"colour": 1},
        {"limit": 5},
        {"render_mode": "x"},
        {"render_mode": 5},
        {"render_mode": []},
    ],
    ids=str,
)
def test_arguments_of_another_kind(arguments):
    with pytest.raises(TengenError):
        GymnasiumEnvironment(**arguments)


@pytest.mark.parametrize(
    "options", [{"move": "h8"}, {"moves": "a1", "seed": 5}, "moves", 5, {5: 6}], ids=str
)
def test_options_that_there_are_not(options):
    environment = GymnasiumEnvironment("random", "tictactoe", "black")
    environment.reset(seed=1, options={"moves": "a1b1"})
    with pytest.raises(TengenError, match=r"options is .*: expected options among these: moves"):
        environment.reset(options=options)
    assert environment.board.ply == 2


@pytest.mark.parametrize("opponent", ["engine", "level:4", "lookup", player("engine"), player("level:10")])
def test_an_opponent_that_does_not_play_the_rules_is_refused_at_once(opponent):
    with pytest.raises(RulesError):
        GymnasiumEnvironment(opponent, Rules.mnk(5, 5, 4), "black")


def test_moves_that_end_the_game_are_no_beginning():
    environment = GymnasiumEnvironment("random", "tictactoe")
    with pytest.raises(GameOver):
        environment.reset(options={"moves": "a1a2b1b2c1"})
