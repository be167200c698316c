"""Steps a second of games of pgx and of OpenSpiel, as JSON; see `benchmarks.environments`.

Only the Python of an environment in which they are installed runs this, as a script.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
import time
from importlib.util import find_spec
from typing import Any

BOARDS = 4096


def open_spiel_speed(text: str, seconds: float) -> float:
    """Random games of OpenSpiel, one after another."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game, rng = pyspiel.load_game(text), random.Random(1)
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps / (time.perf_counter() - began)


def pgx_speed(name: str, seconds: float) -> float:
    """Random games of pgx on many boards, on all processors, compiled and warm."""
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    auto_reset = importlib.import_module("pgx.experimental.wrappers").auto_reset

    environment = pgx.make(name)
    step_of = auto_reset(environment.step, environment.init)

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, drawn, other = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(drawn, logits, axis=-1)
        return jax.vmap(step_of)(state, actions, jax.random.split(other, BOARDS)), key

    step, key = jax.jit(play), jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(environment.init))(jax.random.split(key, BOARDS))
    for _ in range(30):
        state, key = step(state, key)
    jax.block_until_ready(state)
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        state, key = step(state, key)
        jax.block_until_ready(state.observation)
        steps += 1
    return steps * BOARDS / (time.perf_counter() - began)


def main(seconds: float) -> None:
    found = {}
    if find_spec("pyspiel") is not None:
        found["OpenSpiel, gomoku 15x15, 1 thread"] = open_spiel_speed("gomoku", seconds)
        found["OpenSpiel, tic_tac_toe, 1 thread"] = open_spiel_speed("tic_tac_toe", seconds)
    if find_spec("pgx") is not None:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        for name in ("tic_tac_toe", "hex"):
            found[f"pgx, {name}, all processors"] = pgx_speed(name, seconds)
    print(json.dumps(found))


if __name__ == "__main__":
    main(float(sys.argv[1]))
