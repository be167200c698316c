"""The trainer: minibatch training over a number of epochs, which can be interrupted after any batch.

The optimiser is Adam (D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015), with a
learning rate that warms up over some steps and decays along a cosine (I. Loshchilov and F. Hutter, "SGDR:
stochastic gradient descent with warm restarts", 2017). Positions of the validation set are never trained
on. On CPUs, training is deterministic: the same state leads to the same parameters, bit for bit.
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
        epoch: the number of the epoch, from 1.
        training: the mean training loss of the epoch so far.
        validation: the mean loss on the validation set; NaN in the middle of an epoch, or if the set is
            empty.
    """

    epoch: int
    training: float
    validation: float


Report: TypeAlias = Callable[[Fit], None]


class PositionSet(Protocol):
    """A set of positions; each batch is drawn from a single set."""

    def __len__(self) -> int: ...

    @property
    def held_out(self) -> npt.NDArray[np.bool_]:
        """Return a mask of the positions of the validation set, shape (n,)."""
        ...


S = TypeVar("S", bound=PositionSet)
R = TypeVar("R")


class Model(ABC, Generic[S, R]):
    """A model: its parameters, its loss, and its form in the engine.

    Attributes:
        positions: the training data, by set.
        parameters: the current parameters.
        rate: the maximum learning rate.
        batch_size: the number of positions in a batch.
        warm_up_steps: the number of steps until the learning rate reaches its maximum.
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
        """Return the mean loss of a batch; a pure function."""

    @abstractmethod
    def validation(self) -> float:
        """Return the mean loss on the validation set."""

    @abstractmethod
    def quantised(self) -> R:
        """Return the current model, quantised for the engine."""

    def optimiser(self, schedule: optax.Schedule) -> optax.GradientTransformation:
        """Return the optimiser.

        Gradients are clipped by their norm, so that a single unusual batch cannot undo the progress of
        others.
        """
        return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))

    def mean(self, values: Sequence[float]) -> float:
        """Return the mean over the whole validation set from the means of each set; NaN if it is empty."""
        counts = [int(positions.held_out.sum()) for positions in self.positions]
        known = [value * count for value, count in zip(values, counts, strict=True) if count]
        return sum(known) / sum(counts) if known else math.nan


_ACCELERATED = 8
"""The factor of the batch size on an accelerator."""


@dataclass(slots=True)
class _EpochPlace:
    """The progress of an epoch.

    Attributes:
        rng_state: the state of the generator at the start of the epoch, which determines the order of its
            batches.
        batch: the number of finished batches.
        total: the sum of their losses.
    """

    rng_state: dict[str, Any]
    batch: int = 0
    total: float = 0.0


def _state_of(rng: np.random.Generator) -> dict[str, Any]:
    return dict(rng.bit_generator.state)


class Trainer(Generic[S, R]):
    """The training of a model.

    Args:
        model: the model, with random or previously fitted parameters.
        epochs: the number of passes over all positions.
        seed: the seed of the order of the positions.

    Attributes:
        model: the model, with its current parameters.
        epochs: the losses of each epoch so far.
    """

    def __init__(self, model: Model[S, R], epochs: int, seed: int = 1) -> None:
        self.model, self._all = model, epochs
        self._rng = np.random.default_rng(seed)
        self._progress = _EpochPlace(_state_of(self._rng))
        larger = 1 if jax.default_backend() == "cpu" else _ACCELERATED
        self._size = larger * model.batch_size
        # The standard error of a gradient falls with the square root of the batch size.
        self._largest_rate = model.rate * math.sqrt(larger)
        # A set may be held out as a whole: that of a size of which there is one game.
        given = ((positions, np.flatnonzero(~positions.held_out)) for positions in model.positions)
        self._training = [(positions, training) for positions, training in given if len(training)]
        self._steps = sum(max(len(training) // self._size, 1) for _, training in self._training)
        self._optimiser = model.optimiser(self._rate)
        self._state: Any = self._optimiser.init(model.parameters)
        self._step = jax.jit(self._stepped)
        self.epochs: list[Fit] = []

    def _rate(self, step: Any) -> Any:
        """Return the learning rate at a step."""
        falling = 0.02 + 0.49 * (1 + jnp.cos(math.pi * step / max(self._all * self._steps, 1)))
        return self._largest_rate * jnp.minimum((step + 1) / self.model.warm_up_steps, falling)

    def _stepped(
        self, parameters: Parameters, state: Any, batch: Batch
    ) -> tuple[Parameters, Any, jax.Array]:
        """Return parameters and optimiser state after a step, and the loss before it; a pure function."""
        loss, gradient = jax.value_and_grad(self.model.loss)(parameters, batch)
        updates, state = self._optimiser.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, loss

    def run(self, report: Report | None = None, keep: Callable[[], None] | None = None) -> R:
        """Train for the remaining epochs.

        Args:
            report: called after each batch, and after each epoch.
            keep: called after each batch, and after each epoch; it may call `state`.

        Returns:
            The model, quantised for the engine.
        """
        while len(self.epochs) < self._all:
            self._epoch(report or _unreported, keep or _unkept)
        return self.model.quantised()

    def _epoch(self, report: Report, keep: Callable[[], None]) -> None:
        """Train for the rest of an epoch."""
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
        """Return the batches of an epoch in random order, without held-out positions and a remainder."""
        found = []
        for positions, training in self._training:
            order = self._rng.permutation(training)
            count = max(len(order) // self._size, 1)
            found += [(positions, batch) for batch in np.array_split(order[: count * self._size], count)]
        return [found[number] for number in self._rng.permutation(len(found))]

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return the state that the rest of training depends on, by name.

        The constructor's arguments are not part of it.
        """
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
        """Continue from the state of a trainer with the same arguments.

        Raises:
            ValueError, KeyError, TypeError: the state does not fit this trainer.
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
    """Ignore a report; the default callback."""


def _unkept() -> None:
    """Keep nothing; the default callback."""
