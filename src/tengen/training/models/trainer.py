"""The trainer: a model goes through all positions a number of times, in batches, and may be left after any.

Gradients are followed by Adam (D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015),
at a learning rate that rises over some steps and falls along a cosine (I. Loshchilov and F. Hutter, "SGDR:
stochastic gradient descent with warm restarts", 2017). Positions of the validation set are never learned
from. On processors, training comes from the same state to the same parameters, bit for bit.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from tengen.training.models.arrays import Batch, Ints, Parameters


@dataclass(slots=True)
class Fit:
    """The progress of training.

    Attributes:
        epoch: how often all positions have been seen.
        training: the mean loss on them, while they were seen.
        validation: the mean loss on the validation set; NaN in the middle of an epoch, and without one.
    """

    epoch: int
    training: float
    validation: float


Report: TypeAlias = Callable[[Fit], None]


class PositionSet(Protocol):
    """Positions that are seen together in batches of their own."""

    def __len__(self) -> int: ...

    @property
    def held_out(self) -> npt.NDArray[np.bool_]:
        """Mark the positions of the validation set, shape (n,)."""
        ...


S = TypeVar("S", bound=PositionSet)
R = TypeVar("R")


class Model(ABC, Generic[S, R]):
    """A model: its parameters, its loss, and its form in the engine.

    Attributes:
        positions: what it learns from, set by set.
        parameters: as they are now.
        rate: the largest learning rate.
        batch_size: positions in a batch.
        warm_up_steps: steps until the learning rate is the largest.
    """

    batch_size: int
    warm_up_steps: int
    positions: Sequence[S]
    parameters: Parameters
    rate: float

    @abstractmethod
    def batch(self, positions: S, chosen: Ints, rng: np.random.Generator) -> Batch:
        """Return the arrays that the loss of some positions needs."""

    @abstractmethod
    def loss(self, parameters: Parameters, batch: Batch) -> jax.Array:
        """Return the mean loss of a batch: a pure function."""

    @abstractmethod
    def validation(self) -> float:
        """Return the mean loss on the validation set."""

    @abstractmethod
    def quantised(self) -> R:
        """Return what the engine has of the model as it is now."""

    def optimiser(self, schedule: optax.Schedule) -> optax.GradientTransformation:
        """Return how gradients are followed.

        Long ones are shortened: a single odd batch shall not undo what others have taught.
        """
        return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))

    def mean(self, values: Sequence[float]) -> float:
        """Return the mean over the whole validation set, from the means of each set; NaN if it is empty."""
        counts = [int(positions.held_out.sum()) for positions in self.positions]
        known = [value * count for value, count in zip(values, counts, strict=True) if count]
        return sum(known) / sum(counts) if known else math.nan


_ACCELERATED = 8
"""How much larger batches are where an accelerator is to be filled."""


@dataclass(slots=True)
class _EpochPlace:
    """The progress of an epoch.

    Attributes:
        rng_state: of the generator when it began, from which comes the order of its batches.
        batch: how many have been done.
        total: their losses, added up.
    """

    rng_state: dict[str, Any]
    batch: int = 0
    total: float = 0.0


def _state_of(rng: np.random.Generator) -> dict[str, Any]:
    return dict(rng.bit_generator.state)


class Trainer(Generic[S, R]):
    """Training of a model.

    Args:
        model: what is fitted; it has random parameters, or those of something fitted before.
        epochs: how often all positions are seen.
        seed: of their order.

    Attributes:
        model: as it is now.
        epochs: the losses of each epoch so far.
    """

    def __init__(self, model: Model[S, R], epochs: int, seed: int = 1) -> None:
        self.model, self._all = model, epochs
        self._rng = np.random.default_rng(seed)
        self._progress = _EpochPlace(_state_of(self._rng))
        larger = 1 if jax.default_backend() == "cpu" else _ACCELERATED
        self._size = larger * model.batch_size
        # The noise of a gradient falls with the root of the batch.
        self._largest_rate = model.rate * math.sqrt(larger)
        self._training = [np.flatnonzero(~positions.held_out) for positions in model.positions]
        self._steps = sum(max(len(some) // self._size, 1) for some in self._training)
        self._optimiser = model.optimiser(self._rate)
        self._state: Any = self._optimiser.init(model.parameters)
        self._step = jax.jit(self._stepped)
        self.epochs: list[Fit] = []

    def _rate(self, step: Any) -> Any:
        """Return the learning rate of a step."""
        falling = 0.02 + 0.49 * (1 + jnp.cos(math.pi * step / max(self._all * self._steps, 1)))
        return self._largest_rate * jnp.minimum((step + 1) / self.model.warm_up_steps, falling)

    def _stepped(
        self, parameters: Parameters, state: Any, batch: Batch
    ) -> tuple[Parameters, Any, jax.Array]:
        """Return parameters and state after a step, and the loss before: a pure function."""
        loss, gradient = jax.value_and_grad(self.model.loss)(parameters, batch)
        updates, state = self._optimiser.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, loss

    def run(self, report: Report | None = None, keep: Callable[[], None] | None = None) -> R:
        """Go through what is left of all epochs.

        Args:
            report: called after each batch, and after each epoch.
            keep: called after each batch, and after each epoch, when `state` may be asked for.

        Returns:
            What the engine has of the model.
        """
        while len(self.epochs) < self._all:
            self._epoch(report or _unreported, keep or _unkept)
        return self.model.quantised()

    def _epoch(self, report: Report, keep: Callable[[], None]) -> None:
        """Go through what is left of an epoch."""
        progress, epoch, model = self._progress, len(self.epochs) + 1, self.model
        now = _state_of(self._rng)
        self._rng.bit_generator.state = progress.rng_state
        batches = self._batches()
        if progress.batch:
            self._rng.bit_generator.state = now
        for positions, chosen in batches[progress.batch :]:
            batch = model.batch(positions, chosen, self._rng)
            model.parameters, self._state, loss = self._step(model.parameters, self._state, batch)
            progress.total += float(loss)
            progress.batch += 1
            report(Fit(epoch, progress.total / progress.batch, math.nan))
            if progress.batch < len(batches):
                keep()
        done = Fit(epoch, progress.total / len(batches), model.validation())
        self.epochs.append(done)
        self._progress = _EpochPlace(_state_of(self._rng))
        report(done)
        keep()

    def _batches(self) -> list[tuple[S, Ints]]:
        """Return the positions of each batch in a random order: all but those held out, and a rest."""
        found = []
        for positions, training in zip(self.model.positions, self._training, strict=True):
            order = self._rng.permutation(training)
            count = max(len(order) // self._size, 1)
            found += [(positions, batch) for batch in np.array_split(order[: count * self._size], count)]
        return [found[number] for number in self._rng.permutation(len(found))]

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that the rest of training depends on, besides what it was made of, by name."""
        about = {
            "rng_state": self._progress.rng_state,
            "now": _state_of(self._rng),
            "batch": self._progress.batch,
            "total": self._progress.total,
            "epochs": [astuple(one) for one in self.epochs],
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        return {"about": text, **{name: np.array(value) for name, value in self._named().items()}}

    def _named(self) -> dict[str, Any]:
        """Return parameters and the optimiser's state, by name."""
        leaves, _ = jax.tree_util.tree_flatten_with_path((self.model.parameters, self._state))
        return {f"state{jax.tree_util.keystr(path)}": value for path, value in leaves}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the state of a training that was made in the same way.

        Raises:
            ValueError: it is the state of something else; KeyError and TypeError likewise.
        """
        about = json.loads(state["about"].tobytes())
        found = []
        for name, value in self._named().items():
            array = state[name]
            if array.shape != value.shape or array.dtype != value.dtype:
                raise ValueError(name)
            found.append(jnp.asarray(array))
        tree = jax.tree_util.tree_structure((self.model.parameters, self._state))
        self.epochs = [Fit(*one) for one in about["epochs"]]
        self._progress = _EpochPlace(about["rng_state"], about["batch"], about["total"])
        self._rng.bit_generator.state = about["now"]
        self.model.parameters, self._state = jax.tree_util.tree_unflatten(tree, found)


def _unreported(_: Fit) -> None:
    """Report nothing."""


def _unkept() -> None:
    """Keep nothing."""
