"""Learn five in a row from nothing: a small network plays itself on 15x15 until it beats `shapes`.

    python -m examples.self_play --out learned --minutes 10
    tengen match py:examples.self_play:Learned,file=learned.npz shapes --games 100

It needs `pip install 'tengen[train]'`. The chapter docs/self-play.md explains every part.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import partial
from threading import Event
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

import tengen
from tengen import Board, Choice, Explanation, Limit
from tengen.arrays import legal_mask, planes
from tengen.environments.vector_environment import Observation, VectorEnvironment
from tengen.words import Message

Array: TypeAlias = npt.NDArray[Any]
Parameters: TypeAlias = dict[str, Any]

REACH = 4  # cells that a point sees to each side
WIDTH, HIDDEN = 16, 32  # of what a pattern, and a point, is described by
BOARDS, STEPS, BATCH = 256, 64, 1024
RANDOM_PLIES = 2  # begin every game, so that games differ
LAMBDA, CLIP, ENTROPY, RATE = 0.9, 0.2, 0.003, 2e-3
LEARNED = "seen", "legal", "action", "log", "gain", "goal"

OFFSETS = [step for step in range(-REACH, REACH + 1) if step]
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
CODES = np.arange(4 ** len(OFFSETS), dtype=np.uint32)
_DIGITS = [(CODES >> 2 * place) & 3 for place in range(len(OFFSETS))]
_MIRRORED = np.sum([digit << 2 * place for place, digit in enumerate(reversed(_DIGITS))], axis=0)
PATTERNS = np.minimum(CODES, _MIRRORED).astype(np.uint16)  # a line read from its other end is the same


def patterns(boards: Array) -> Array:
    """Return what each point sees in each direction: planes (n, 4, h, w) to uint16 (n, h * w, 4).

    A cell is 0 if it is empty, 1 for the side to move, 2 for the other, 3 beyond the edge.
    """
    count, _, height, width = boards.shape
    cells = np.full((count, height + 2 * REACH, width + 2 * REACH), 3, np.uint16)
    cells[:, REACH:-REACH, REACH:-REACH] = boards[:, 0] + 2 * boards[:, 1]
    found = np.empty((count, height, width, len(DIRECTIONS)), np.uint16)
    for direction, (up, right) in enumerate(DIRECTIONS):
        code = np.zeros((count, height, width), np.uint16)
        for place, step in enumerate(OFFSETS):
            y, x = REACH + step * up, REACH + step * right
            code |= cells[:, y : y + height, x : x + width] << 2 * place
        found[..., direction] = PATTERNS[code]
    return found.reshape(count, -1, len(DIRECTIONS))


def new_parameters(seed: int) -> Parameters:
    """Return a network that knows nothing."""
    rng = np.random.default_rng(seed)
    shapes = {
        "table": (len(CODES), WIDTH),
        "point": (WIDTH, HIDDEN),
        "point_bias": (HIDDEN,),
        "move": (HIDDEN,),
    }
    shapes |= {"board": (HIDDEN, HIDDEN), "board_bias": (HIDDEN,), "value": (HIDDEN,)}
    return {name: jnp.asarray(0.1 * rng.normal(size=shape), jnp.float32) for name, shape in shapes.items()}


@jax.jit
def network(parameters: Parameters, seen: Any, legal: Any) -> tuple[Any, Any]:
    """Return the logit of each point, (n, points), and the value for the side to move, -1 to 1, (n,)."""
    described = parameters["table"][seen].sum(-2)  # the four directions of a point
    points = jax.nn.relu(described @ parameters["point"] + parameters["point_bias"])
    logits = jnp.where(legal, points @ parameters["move"], -1e9)
    best = jnp.where(legal[..., None], points @ parameters["board"], -1e9).max(1)
    value = jnp.tanh(jax.nn.relu(best + parameters["board_bias"]) @ parameters["value"])
    return logits, value


def loss(parameters: Parameters, batch: dict[str, Any]) -> tuple[Any, Any]:
    """Return the loss of proximal policy optimisation (Schulman et al., 2017), and the entropy."""
    logits, value = network(parameters, batch["seen"], batch["legal"])
    log = jax.nn.log_softmax(logits)
    ratio = jnp.exp(jnp.take_along_axis(log, batch["action"][:, None], 1)[:, 0] - batch["log"])
    gain = batch["gain"]
    policy = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(log) * jnp.where(batch["legal"], log, 0)).sum(-1).mean()
    return ((value - batch["goal"]) ** 2).mean() / 2 - policy - ENTROPY * entropy, entropy


OPTIMISER = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(RATE))


@partial(jax.jit, donate_argnums=(0, 1))
def improve(parameters: Parameters, state: Any, batch: dict[str, Any]) -> tuple[Parameters, Any, Any]:
    """Return parameters and the optimiser's state after one step, and the entropy."""
    gradient, entropy = jax.grad(loss, has_aux=True)(parameters, batch)
    change, state = OPTIMISER.update(gradient, state)
    return optax.apply_updates(parameters, change), state, entropy


def play(
    parameters: Parameters, environment: VectorEnvironment, now: Observation, rng: np.random.Generator
) -> tuple[dict[str, Array], Observation]:
    """Play some steps on all boards; return what is learned from them, and the last observation."""
    rows: list[dict[str, Array]] = []
    for _ in range(STEPS):
        seen, legal, plies = patterns(now["observation"]), now["action_mask"], environment.plies
        logits, value = (np.asarray(each) for each in network(parameters, seen, legal))
        log = logits - logits.max(1, keepdims=True)
        log -= np.log(np.exp(log).sum(1, keepdims=True))
        action = (log + rng.gumbel(size=log.shape)).argmax(1)  # a sample of the policy
        random = plies < RANDOM_PLIES
        action[random] = environment.sample()[random]
        now, reward, ended, _, _ = environment.step(action)
        chosen = np.take_along_axis(log, action[:, None], 1)[:, 0]
        rows.append(
            {"seen": seen, "legal": legal, "action": action, "log": chosen, "value": value}
            | {"reward": reward, "ended": ended, "kept": ~random, "plies": plies + 1}
        )
    _, after = network(parameters, patterns(now["observation"]), now["action_mask"])
    goal = value = np.asarray(after)
    for row in reversed(rows):
        # What is good for whoever moves next is bad for whoever moves now (TD(lambda), Sutton, 1988).
        goal = np.where(row["ended"], row["reward"], -(LAMBDA * goal + (1 - LAMBDA) * value))
        value, row["goal"] = row["value"], goal.astype(np.float32)
    games = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    gain = games["goal"] - games["value"]
    return games | {"gain": gain / (gain.std() + 1e-6)}, now


def learn(parameters: Parameters, state: Any, games: dict[str, Array], rng: np.random.Generator) -> Any:
    """Go once through games in random order; return parameters, state and entropy."""
    order = rng.permutation(np.flatnonzero(games["kept"]))
    entropy: Any = 0.0
    for first in range(0, len(order) - BATCH + 1, BATCH):
        part = {name: games[name][order[first : first + BATCH]] for name in LEARNED}
        parameters, state, entropy = improve(parameters, state, part)
    return parameters, state, entropy


class Progress(NamedTuple):
    """What stands after an iteration: network, games so far, plies of a game, entropy, error of values."""

    parameters: Parameters
    games: int
    plies: float
    entropy: float
    error: float


def training(seed: int = 1) -> Iterator[Progress]:
    """Learn without an end, iteration by iteration."""
    rng, ended = np.random.default_rng(seed), 0
    environment = VectorEnvironment("freestyle", BOARDS, threads=2)
    now, _ = environment.reset(seed=seed)
    parameters = new_parameters(seed)
    state = OPTIMISER.init(parameters)
    while True:
        games, now = play(parameters, environment, now, rng)
        parameters, state, entropy = learn(parameters, state, games, rng)
        ended += int(games["ended"].sum())
        plies = float(games["plies"][games["ended"]].mean()) if games["ended"].any() else 0.0
        error = float(((games["goal"] - games["value"]) ** 2).mean())
        # A copy: the next iteration gives its memory to the network that follows.
        kept = {name: np.array(value) for name, value in parameters.items()}
        yield Progress(kept, ended, plies, float(entropy), error)


class Learned:
    """Plays the likeliest move of a network.

    Args:
        file: a file of `save`.
        parameters: the network itself, instead of a file.
    """

    def __init__(self, file: str = "learned.npz", parameters: Parameters | None = None) -> None:
        self.name = "learned" if parameters else f"py:examples.self_play:Learned,file={file}"
        self._parameters = parameters or dict(np.load(file))

    def explain(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> Explanation:
        """Return the probability of each move in percent."""
        logits, _ = network(self._parameters, patterns(planes(board)[None]), legal_mask(board)[None])
        chances = 100 * np.asarray(jax.nn.softmax(logits[0]))
        weights = {point: float(chances[point]) for point in board.legal_points()}
        return Explanation(Message("explain.own"), weights)

    def choose(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> Choice:
        """Return the likeliest move."""
        weights = self.explain(board).weights
        return Choice(max(weights, key=weights.__getitem__))


def main() -> None:
    """Learn, and say how that goes."""
    parser = argparse.ArgumentParser(description="Learn five in a row from nothing.")
    parser.add_argument("--out", default="learned", help="the file of the network, without its ending")
    parser.add_argument("--minutes", type=float, default=10, help="how long to learn")
    parser.add_argument("--every", type=int, default=20, help="iterations between two matches")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random")
    options = parser.parse_args()
    began = time.monotonic()
    print("minutes  games  plies  entropy  value error  against shapes")
    for iteration, now in enumerate(training(options.seed), 1):
        minutes = (time.monotonic() - began) / 60
        if iteration % options.every == 0:
            np.savez(f"{options.out}-{iteration:04d}.npz", **now.parameters)
            score = tengen.match(Learned(parameters=now.parameters), "shapes", games=20).score
            row = f"{now.games:5}  {now.plies:5.1f}  {now.entropy:7.2f}  {now.error:11.3f}  {score:14.0%}"
            print(f"{minutes:7.1f}  {row}", flush=True)
        if minutes >= options.minutes:
            np.savez(f"{options.out}.npz", **now.parameters)
            return


if __name__ == "__main__":
    main()
