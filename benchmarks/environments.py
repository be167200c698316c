"""Random games as environments: steps a second.

A step is one move on one board, and all that it takes: a random legal action is drawn, the move is played,
a win, a draw or a foul is found, the mask of legal actions (without forbidden fouls) and the planes of the
side to move are written, and where a game has ended the next one begins. The vectorised environment plays
on 4,096 boards; it is measured with its own arrays (``copy=False``) and with new ones for each step. The
environments of single boards play one game after another, and Gymnasium's steps contain the move of a
random opponent.

``--rivals`` names the Python of an environment in which pgx or OpenSpiel are installed: their games are
measured in the same way beside ours, on the same board where they have it. pgx has no gomoku: its
tic-tac-toe is the same game, hex, on 11x11, is the nearest in size. OpenSpiel's gomoku is
written in C++, and is called from Python a move at a time, as its users do; its mask is a list, its planes
are a tensor.

Rounds are interleaved. Shown are the best of them, which other work on the machine disturbs least, and the
median.
"""

from __future__ import annotations

import importlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.command_line import parser
from benchmarks.environment_rivals import open_spiel_speed
from tengen import Rules
from tengen.environments import VectorEnvironment
from tengen.executors import processors

ROUNDS, BOARDS, SECONDS = 5, 4096, 0.5
"""Rounds, boards of the vectorised environments, and seconds of each measurement."""

RULES = ("freestyle", "standard", "caro", "renju", "tictactoe")

RIVALS = Path(__file__).parent / "environment_rivals.py"
"""The script that measures other libraries, in a Python of its own."""

Speeds = dict[str, list[float]]
Case = tuple[str, Callable[[float], float]]


def vectorised(rules: str, threads: int, *, copy: bool) -> Callable[[float], float]:
    """Return what measures the vectorised environment, which is in the midst of games by then."""
    environment = VectorEnvironment(rules, BOARDS, threads=threads, copy=copy)
    environment.reset(seed=1)
    for _ in range(2 * Rules.named(rules).points // 3):
        environment.step(environment.sample())

    def measure(seconds: float) -> float:
        began, steps = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            environment.step(environment.sample())
            steps += 1
        return steps * BOARDS / (time.perf_counter() - began)

    return measure


def alternating(rules: str) -> Callable[[float], float]:
    """Return what measures PettingZoo's interface."""
    from tengen.environments import PettingZooEnvironment

    environment, rng = PettingZooEnvironment(rules), np.random.default_rng(1)

    def measure(seconds: float) -> float:
        began, steps = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            environment.reset()
            for _ in environment.agent_iter():
                observation, _, ended, _, _ = environment.last()
                legal = np.flatnonzero(observation["action_mask"])
                environment.step(None if ended else int(legal[rng.integers(len(legal))]))
                steps += not ended
        return steps / (time.perf_counter() - began)

    return measure


def against_a_player(rules: str) -> Callable[[float], float]:
    """Return what measures Gymnasium's interface, against a random player."""
    from tengen.environments import GymnasiumEnvironment

    environment, rng = GymnasiumEnvironment("random", rules), np.random.default_rng(1)

    def measure(seconds: float) -> float:
        began, steps = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            _, information = environment.reset()
            ended = False
            while not ended:
                legal = np.flatnonzero(information["action_mask"])
                _, _, ended, _, information = environment.step(legal[rng.integers(len(legal))])
                steps += 1
        return steps / (time.perf_counter() - began)

    return measure


def in_open_spiel(text: str) -> Callable[[float], float]:
    """Return what measures a game of OpenSpiel."""
    importlib.import_module("tengen.environments.open_spiel_game")
    return partial(open_spiel_speed, text)


def cases() -> Iterator[Case]:
    """Yield our environments."""
    threads = min(processors(), 2)
    for rules in RULES:
        yield f"{rules}, {threads} threads", vectorised(rules, threads, copy=False)
    for rules in ("freestyle", "renju"):
        yield f"{rules}, 1 thread", vectorised(rules, 1, copy=False)
        yield f"{rules}, {threads} threads, new arrays", vectorised(rules, threads, copy=True)
    if find_spec("pettingzoo") is None:
        print("  PettingZoo and Gymnasium are not installed (pip install 'tengen[environments]'): left out")
    else:
        for rules in ("freestyle", "renju"):
            yield f"{rules}, PettingZoo", alternating(rules)
            yield f"{rules}, Gymnasium", against_a_player(rules)
    if find_spec("pyspiel") is None:
        print("  OpenSpiel is not installed (pip install 'tengen[openspiel]'): left out")
    else:
        yield "freestyle, our game in OpenSpiel", in_open_spiel("tengen")


def rival_speeds(python: str, seconds: float) -> dict[str, float]:
    """Return the speeds of other libraries in one round, by name."""
    try:
        command = [python, str(RIVALS), str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"  not measured: {error}")
        return {}
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main(rivals: str | None = None, rounds: int = ROUNDS, seconds: float = SECONDS) -> None:
    measured: Speeds = {}
    every = list(cases())
    for _ in range(rounds):
        for name, measure in every:
            measured.setdefault(name, []).append(measure(seconds))
        if rivals is not None:
            for name, speed in rival_speeds(rivals, seconds).items():
                measured.setdefault(name, []).append(speed)
    if rivals is None:
        print("  pgx and OpenSpiel are not measured beside: --rivals names a Python that has them")
    print(f"steps a second, the best of {rounds} rounds and the median")
    for name, speeds in measured.items():
        print(f"  {name:42} {max(speeds):12,.0f} {statistics.median(speeds):12,.0f}")


def command() -> int:
    options = parser("benchmarks.environments", __doc__)
    options.add_argument("--rivals", metavar="PYTHON", help="a Python with pgx or OpenSpiel")
    options.add_argument("--rounds", type=int, default=ROUNDS, help="default %(default)s")
    given = options.parse_args()
    main(given.rivals, given.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(command())
