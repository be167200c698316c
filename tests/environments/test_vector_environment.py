"""Thousands of boards at once: the interface, seeds, threads, and games that agree with the board."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tengen import PASS, Board, IllegalMove, Rules, TengenError, arrays
from tengen.environments import VectorEnvironment

pytestmark = pytest.mark.usefixtures("compiled")


def rolled(environment: VectorEnvironment, steps: int, seed: int = 1) -> list[bytes]:
    """What an environment returns in random games."""
    observation, information = environment.reset(seed=seed)
    assert information == {}
    found = [observation["observation"].tobytes()]
    for _ in range(steps):
        chosen = environment.sample()
        observation, rewards, ended, truncated, information = environment.step(chosen)
        assert not truncated.any()
        arrays_ = chosen, *observation.values(), rewards, ended, information["winner"]
        found += [array.tobytes() for array in arrays_]
    return found


def test_what_it_returns():
    environment = VectorEnvironment("renju", boards=7)
    assert (len(environment), environment.action_count, environment.observation_shape) == (
        7,
        225,
        (4, 15, 15),
    )
    observation, _ = environment.reset(seed=5)
    assert [array.dtype for array in observation.values()] == [np.uint8, np.bool_]
    assert np.array_equal(observation["observation"][3], arrays.planes(Board("renju")))
    actions = np.arange(7)
    observation, rewards, ended, truncated, information = environment.step(actions)
    assert [str(array.dtype) for array in (rewards, ended, truncated)] == ["float32", "bool", "bool"]
    assert information["winner"].tolist() == [0] * 7
    assert environment.turns.tolist() == [2] * 7
    for number in range(7):
        board = environment.board(number)
        assert board.moves == (number,)
        assert np.array_equal(observation["observation"][number], arrays.planes(board))
        assert np.array_equal(observation["action_mask"][number], arrays.legal_mask(board))


def test_a_game_that_ends_begins_anew_in_the_same_step():
    environment = VectorEnvironment("tictactoe", boards=2)
    for moves in ((0, 0), (3, 1), (1, 3), (4, 2), (8, 4), (7, 5)):
        observation, rewards, ended, _, information = environment.step(moves)
        assert not ended.any()
    observation, rewards, ended, _, information = environment.step([2, 6])
    assert rewards.tolist() == [1, 1]
    assert ended.tolist() == [True, True]
    assert information["winner"].tolist() == [1, 1]
    assert environment.plies.tolist() == [0, 0]
    assert observation["action_mask"].all()
    assert np.array_equal(observation["observation"][0], arrays.planes(Board("tictactoe")))


def test_without_new_games_nothing_more_is_legal():
    environment = VectorEnvironment("tictactoe", boards=2, auto_reset=False)
    for moves in ((0, 0), (3, 1), (1, 3), (4, 2)):
        environment.step(moves)
    observation, rewards, ended, _, information = environment.step([2, 4])
    assert rewards.tolist() == [1, 0]
    assert ended.tolist() == [True, False]
    assert not observation["action_mask"][0].any()
    assert observation["action_mask"][1].sum() == 4
    assert environment.sample()[0] == 0
    observation, rewards, ended, _, information = environment.step([77, 5])
    assert (rewards.tolist(), ended.tolist(), information["winner"].tolist()) == (
        [0, 0],
        [False] * 2,
        [0, 0],
    )
    assert environment.plies.tolist() == [5, 6]
    environment.reset()
    assert environment.plies.tolist() == [0, 0]


def test_a_foul_that_loses_is_the_movers_loss():
    moves = Board(Rules.named("renju", 9, fouls="loses")).parse_moves("a1a9b1b9c1c9e1e9f1f9d1")
    environment = VectorEnvironment(Rules.named("renju", 9, fouls="loses"), boards=1)
    for point in moves[:-1]:
        environment.step([point])
    _, rewards, ended, _, information = environment.step(moves[-1:])
    assert (rewards[0], ended[0], information["winner"][0]) == (-1, True, 2)


def test_passes_and_claims_are_actions():
    rules = Rules.named("renju", 9, fouls="claimed", passing=True)
    environment = VectorEnvironment(rules, boards=1)
    for point in Board(rules).parse_moves("a1a9b1b9c1c9e1e9f1"):
        environment.step([point])
    environment.step([PASS])
    assert environment.board(0).last == PASS
    environment.step([Board(rules).point("d1")])
    _, rewards, ended, _, information = environment.step([81])
    assert (rewards[0], ended[0], information["winner"][0]) == (1, True, 2)


@pytest.mark.parametrize("rules", ["freestyle", "renju"])
def test_the_same_seed_gives_the_same_games_whatever_the_threads(rules):
    one, several = (VectorEnvironment(rules, 1000, threads=threads) for threads in (1, 4))
    first = rolled(one, 130)
    assert rolled(several, 130) == first
    assert rolled(one, 130) == first
    assert rolled(one, 130, seed=2) != first
    several.close()
    assert rolled(several, 3) == first[: 1 + 3 * 6]


def test_without_a_seed_games_differ_but_go_on_as_a_seed_has_begun():
    environment = VectorEnvironment("freestyle", 50)
    drawn = environment.sample()
    assert not np.array_equal(VectorEnvironment("freestyle", 50).sample(), drawn)
    found = []
    for _ in range(2):
        environment.reset(seed=3)
        environment.reset()
        found.append(environment.sample())
    assert np.array_equal(found[0], found[1])


def test_there_are_no_options():
    environment = VectorEnvironment("tictactoe", 2)
    environment.reset(options={})
    environment.step([4, 4])
    with pytest.raises(TengenError, match="expected None: there are no options"):
        environment.reset(options={"moves": "a1"})
    assert environment.plies.tolist() == [1, 1]


def test_arrays_are_copies_unless_speed_is_asked_for():
    environment = VectorEnvironment("freestyle", 3)
    observation, _ = environment.reset()
    observation["action_mask"][:] = False
    kept = observation["observation"].copy()
    environment.step([1, 2, 3])
    assert np.array_equal(observation["observation"], kept)
    fast = VectorEnvironment("freestyle", 3, copy=False)
    observation, _ = fast.reset()
    kept = observation["observation"].copy()
    assert fast.step([1, 2, 3])[0]["observation"] is observation["observation"]
    assert not np.array_equal(observation["observation"], kept)


def test_what_is_illegal_changes_no_board():
    environment = VectorEnvironment("renju", 3)
    environment.step([112, 112, 112])
    for action in (112, 225, -2, PASS):
        with pytest.raises(IllegalMove, match=f"^board 1: action {action} is not legal$"):
            environment.step([0, action, 0])
    assert environment.plies.tolist() == [1, 1, 1]
    wrong: tuple[Any, ...] = ([1, 2], [1.5, 2, 3], None, "h8", [[1, 2, 3]])
    for actions in wrong:
        with pytest.raises(TengenError, match="expected a whole number for each of 3 boards"):
            environment.step(actions)


def test_boards_are_taken_for_a_search():
    environment = VectorEnvironment("freestyle", 4)
    environment.step([0, 1, 2, 3])
    search = environment.take([3, 3, 0])
    search.step([5, 6, 7])
    assert [search.board(number).moves for number in range(3)] == [(3, 5), (3, 6), (0, 7)]
    assert environment.plies.tolist() == [1] * 4
    twin = environment.copy()
    twin.step([9, 9, 9, 9])
    assert environment.plies.tolist() == [1] * 4
    assert twin.plies.tolist() == [2] * 4
    wrong: tuple[Any, ...] = ([4], [-1], [], [1.5], [[1]], 1, None)
    for numbers in wrong:
        with pytest.raises(TengenError, match="numbers of boards, whole numbers from 0 to 3"):
            environment.take(numbers)


def test_copies_by_others_are_whole():
    environment = VectorEnvironment("renju", 300, threads=2)
    rolled(environment, 5)
    for twin in (copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))):
        observation = twin.step(twin.sample())[0]
        assert np.array_equal(observation["observation"][7], arrays.planes(twin.board(7)))
        assert np.array_equal(observation["action_mask"][7], arrays.legal_mask(twin.board(7)))
        assert environment.plies.max() == 5


@pytest.mark.parametrize(
    "arguments",
    [
        {"rules": "nonsense"},
        {"boards": 0},
        {"boards": 2.0},
        {"threads": 0},
        {"auto_reset": 1},
        {"copy": None},
    ],
    ids=str,
)
def test_arguments_of_another_kind(arguments):
    with pytest.raises(TengenError):
        VectorEnvironment(**arguments)
    with pytest.raises(TengenError):
        VectorEnvironment(boards=1).reset(seed=-1)
    with pytest.raises(TengenError):
        VectorEnvironment(boards=1).board(1)
