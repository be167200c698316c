"""A fit that goes through all positions a number of times, in batches, and may be left after any of them.

Slopes are followed down by Adam (D. P. Kingma and J. Ba 2015), at a rate that falls along a cosine. Whole
games are held out. From the same state a fit comes to the same numbers, bit for bit.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from tengen.training.models.fitting import Fit
from tengen.training.models.network_layers import Floats, Ints, Layers

Report: TypeAlias = Callable[[Fit], None]
Slopes: TypeAlias = tuple[list[float], list[Floats], list[Floats]]
"""The loss of some positions, added up, and its slopes by weights and by biases, layer by layer."""


class PositionSet(Protocol):
    """Positions that are fitted together in batches of their own."""

    def __len__(self) -> int: ...

    @property
    def held_out(self) -> npt.NDArray[np.bool_]:
        """Which are of games that are kept apart."""
        ...


S = TypeVar("S", bound=PositionSet)
R = TypeVar("R")
T = TypeVar("T")


@dataclass(slots=True)
class _Place:
    """How far an epoch has come.

    Attributes:
        opened: the random state when it began, from which comes the order of its batches.
        batch: how many have been done.
        total: their losses, added up.
    """

    opened: dict[str, Any]
    batch: int = 0
    total: float = 0.0


def _random_state(chance: np.random.Generator) -> dict[str, Any]:
    return dict(chance.bit_generator.state)


def one_thread_each() -> threadpool_limits:
    """Linear algebra in several threads of its own would only wait: the matrices are small."""
    return threadpool_limits(limits=1, user_api="blas")


def _unheard(_: Fit) -> None:
    """For whom nobody listens."""


def _nothing() -> None:
    """For where nothing is to be kept."""


class Passes(ABC, Generic[S, R]):
    """What is fitted, while it is.

    Args:
        positions: from what it learns, set by set.
        layers: its numbers.
        rate: how fast they change, at the most.
        seed: of the order of the positions.
        threads: how many threads share a batch.

    Attributes:
        epochs: the losses of each epoch so far.
    """

    _BATCH: ClassVar[int]
    """Positions in a batch, about."""

    _SLOWLY: ClassVar[int]
    """Steps until the full rate is reached."""

    def __init__(
        self, positions: Sequence[S], layers: Layers, rate: float, seed: int, threads: int
    ) -> None:
        self._positions, self._layers, self._rate, self._threads = positions, layers, rate, threads
        self._chance = np.random.default_rng(seed)
        self._at = _Place(_random_state(self._chance))
        self.epochs: list[Fit] = []

    @abstractmethod
    def in_whole_numbers(self) -> R:
        """What is fitted as it is now, in whole numbers."""

    @abstractmethod
    def validation(self) -> float:
        """The mean loss on the positions kept apart."""

    @abstractmethod
    def _learn(self, part: S, batch: Ints, rate: float) -> float:
        """Follow the slopes of a batch of a set; its mean loss before."""

    def _measured(self) -> dict[str, npt.NDArray[Any]]:
        """What the rest of the fit depends on besides its numbers, by name."""
        return {}

    def _take(self, measured: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take what `_measured` has told of.

        Raises:
            ValueError: it is that of something else.
        """

    def run(self, epochs: int, report: Report | None = None, keep: Callable[[], None] | None = None) -> R:
        """Go through all positions so many times; what has been done of it before is not done again.

        Args:
            epochs: how many times in all.
            report: told after each batch, the validation not known then, and after each time.
            keep: called after each batch, and after each time, when `state` may be asked for.
        """
        with one_thread_each():
            while len(self.epochs) < epochs:
                self._pass(epochs, report or _unheard, keep or _nothing)
        return self.in_whole_numbers()

    def _pass(self, epochs: int, report: Report, keep: Callable[[], None]) -> None:
        """Go through what is left of an epoch."""
        at, epoch = self._at, len(self.epochs) + 1
        now = _random_state(self._chance)
        self._chance.bit_generator.state = at.opened
        batches = self._batches()
        if at.batch:
            self._chance.bit_generator.state = now
        for part, batch in batches[at.batch :]:
            step = (epoch - 1) * len(batches) + at.batch
            falling = 0.02 + 0.49 * (1 + math.cos(math.pi * step / (epochs * len(batches))))
            rate = self._rate * min((step + 1) / self._SLOWLY, falling)
            at.total += self._learn(part, batch, rate)
            at.batch += 1
            report(Fit(epoch, at.total / at.batch, math.nan))
            if at.batch < len(batches):
                keep()
        done = Fit(epoch, at.total / len(batches), self.validation())
        self.epochs.append(done)
        self._at = _Place(_random_state(self._chance))
        report(done)
        keep()

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that the rest of the fit depends on, besides what it was made of, as arrays by name."""
        about = {
            "opened": self._at.opened,
            "now": _random_state(self._chance),
            "batch": self._at.batch,
            "total": self._at.total,
            "epochs": [astuple(one) for one in self.epochs],
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        return {"about": text, **self._measured(), **self._layers.state()}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state` has told of a fit that was made in the same way.

        Raises:
            ValueError: it is the state of something else; KeyError and TypeError likewise.
        """
        about = json.loads(state["about"].tobytes())
        measured = {name: state[name] for name in self._measured()}
        for name, array in self._measured().items():
            if measured[name].shape != array.shape or measured[name].dtype != array.dtype:
                raise ValueError(name)
        self._layers.restore(state)
        self._take(measured)
        self.epochs = [Fit(*one) for one in about["epochs"]]
        self._at = _Place(about["opened"], about["batch"], about["total"])
        self._chance.bit_generator.state = about["now"]

    def _batches(self) -> list[tuple[S, Ints]]:
        """All positions but those kept apart, in any order."""
        found = []
        for positions in self._positions:
            order = self._chance.permutation(np.flatnonzero(~positions.held_out))
            count = max(len(order) // self._BATCH, 1)
            found += [(positions, batch) for batch in np.array_split(order[: count * self._BATCH], count)]
        return [found[number] for number in self._chance.permutation(len(found))]

    def mean(self, values: Sequence[float]) -> float:
        """The mean over all positions kept apart, from the means of each set; NaN where there are none."""
        counts = [int(positions.held_out.sum()) for positions in self._positions]
        known = [value * count for value, count in zip(values, counts, strict=True) if count]
        return sum(known) / sum(counts) if known else math.nan

    def _share(self, work: Callable[[Ints], T], chosen: Ints) -> list[T]:
        """Do something with parts of some positions side by side."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(work, np.array_split(chosen, self._threads)))

    def _follow(self, slopes: Callable[[Ints], Slopes], batch: Ints, rate: float) -> float:
        """Go a step down the mean slopes of a batch; its mean loss before.

        Args:
            slopes: says them of a part of the batch.
            batch: the positions.
            rate: how long the step is.
        """
        parts = self._share(slopes, batch)
        sums = [
            [sum(each) / len(batch) for each in zip(*kind, strict=True)]
            for kind in zip(*parts, strict=True)
        ]
        (loss,), weights, biases = sums
        length = math.sqrt(sum(float((slope**2).sum()) for slope in (*weights, *biases)))
        for numbers, slopes_of in ((self._layers.weights, weights), (self._layers.biases, biases)):
            for each, slope in zip(numbers, slopes_of, strict=True):
                # Long slopes are shortened: a single odd batch shall not undo what others have taught.
                each.step(slope.astype(np.float64) / max(length, 1), rate)
        return float(loss)
