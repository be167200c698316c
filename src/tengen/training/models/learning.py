"""Plans, data sets and results common to training a network and training a policy.

Both correct the learned weights (`engine.evaluation.weights`), which stay fixed. Both are fitted in epochs
that can be interrupted and continued (`models.trainer`, `models.checkpoint`), and are written so that the
folder holds a complete player.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from tengen.engine.evaluation import network as networks
from tengen.engine.evaluation import policy as policies
from tengen.engine.evaluation import weights as numbers
from tengen.engine.evaluation.learned_file import FOLDER
from tengen.engine.evaluation.network import Network
from tengen.engine.evaluation.policy import Policy
from tengen.engine.evaluation.weights import family
from tengen.formats.files import read_error, write_error
from tengen.game.rules import Rules
from tengen.training.games.game_file import GamesReader, TrainingError, check_family, digest
from tengen.training.games.playing import numbers_of
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.models import checkpoint
from tengen.training.models.checkpoint import Keeper
from tengen.training.models.point_class_training import LEAST
from tengen.training.models.trainer import Fit, PositionSet, Report, Trainer


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPlan(ABC):
    """Settings of the training of a model that corrects the weights.

    Attributes:
        rules: the rules; games of rules that share the same weights, and of other board sizes, can be
            combined.
        weights: the folder of the weights to correct; empty for those that come with Tengen.
        epochs: the number of passes over all positions.
        seed: the seed of all random choices.
    """

    rules: Rules
    weights: str = ""
    epochs: int
    seed: int = 1

    @property
    @abstractmethod
    def begun_with(self) -> str:
        """The digest of the model that training starts from; empty for random parameters."""

    @abstractmethod
    def player(self, rules: Rules) -> str:
        """Return the digest of the player of the plan's own games, on the board of some rules.

        Raises:
            TengenError: there are no weights.
        """

    def _settings(self) -> dict[str, Any]:
        """Return further settings, JSON-ready data."""
        return {}

    @property
    def folder(self) -> Path:
        """The folder of the weights."""
        return Path(self.weights).expanduser() if self.weights else FOLDER

    @property
    def corrected(self) -> str:
        """The digest of the weights to correct.

        Raises:
            TengenError: there are none.
        """
        return digest(numbers_of(self.rules, self.weights))

    @property
    def network(self) -> Network | None:
        """The network in the folder of the weights; None if there is none.

        Raises:
            TengenError: the network is damaged.
        """
        return networks.load(family(self.rules), self.folder)

    @property
    def policy(self) -> Policy | None:
        """The policy in the folder of the weights; None if there is none.

        Raises:
            TengenError: the policy is damaged.
        """
        return policies.load(family(self.rules), self.folder)

    def digest(self, paths: Iterable[str | Path], played: Any) -> str:
        """Return a digest of all inputs of the fit.

        Args:
            paths: the files of games.
            played: the settings of the games played beforehand, JSON-ready data.

        Raises:
            TengenError: a file cannot be read.
        """
        settings = {
            "rules": self.rules.to_dict(),
            "numbers": self.corrected,
            "begin": self.begun_with,
            "epochs": self.epochs,
            "seed": self.seed,
            "played": played,
            **self._settings(),
        }
        return checkpoint.digest_of(settings, paths)


P = TypeVar("P", bound=LearningPlan)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class SizeResult(Generic[M]):
    """The data and metrics of training on boards of one size.

    Attributes:
        size: side of the board.
        games: the number of games.
        own: the number of these games that were played by the player that training starts from; other
            players produce a different distribution of positions.
        nodes: the distinct node limits per move of the games, ascending.
        positions: the number of usable positions, including the validation set.
        outside: the number of these positions outside the games: one move beside them, or within a search.
        apart: the number of held-out positions.
        before: the metrics on the validation set with the weights alone.
        begun: the metrics with the model that training started from.
        after: the metrics with the trained model.
    """

    size: int
    games: int
    own: int
    nodes: tuple[int, ...]
    positions: int
    outside: int
    apart: int
    before: M
    begun: M
    after: M


@dataclass(slots=True)
class Learned(Generic[P, M]):
    """A trained model and its metrics on the validation set.

    Attributes:
        plan: the settings of the training.
        sizes: the data and metrics by board size.
        before: the metrics with the weights alone.
        begun: the metrics with the model that training started from.
        after: the metrics with the trained model.
        epochs: the losses of each epoch.
    """

    plan: P
    sizes: list[SizeResult[M]]
    before: M
    begun: M
    after: M
    epochs: list[Fit]

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.plan.rules

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(size.games for size in self.sizes)

    @property
    def own(self) -> int:
        """The number of games that were played by the player that training started from."""
        return sum(size.own for size in self.sizes)

    @property
    def positions(self) -> int:
        """The number of positions, including the validation set."""
        return sum(size.positions for size in self.sizes)


class SizedPositions(PositionSet, Protocol):
    """Positions on boards of one size."""

    @property
    def size(self) -> int:
        """The side of the board."""
        ...

    @property
    def outside(self) -> npt.NDArray[np.bool_]:
        """Return a mask of the positions outside their games."""
        ...


S = TypeVar("S", bound=SizedPositions)
R = TypeVar("R")


@dataclass(slots=True)
class SizeSet(Generic[S]):
    """All positions on boards of one size, with statistics of their games; see `SizeResult`."""

    positions: S
    games: int
    own: int
    nodes: set[int]

    def result(self, before: M, begun: M, after: M) -> SizeResult[M]:
        """Return the result of training on these positions."""
        positions = self.positions
        return SizeResult(
            positions.size,
            self.games,
            self.own,
            tuple(sorted(self.nodes)),
            len(positions),
            int(positions.outside.sum()),
            int(positions.held_out.sum()),
            before,
            begun,
            after,
        )


def read_sets(
    plan: LearningPlan,
    paths: Iterable[str | Path],
    described: Callable[[Rules, Iterable[SelfPlayGame]], S],
    joined: Callable[[Sequence[S]], S],
) -> list[SizeSet[S]]:
    """Read the positions of files of games, by board size.

    Args:
        plan: the plan, whose rules the games must share weights with.
        paths: the files; see `tengen.training.games.game_file`.
        described: converts the games of a file, with the rules of the file, to positions.
        joined: concatenates the positions of several files.

    Raises:
        TrainingError: a file holds games of another family of rules or is damaged, or there are too few
            positions.
        FileError: a file cannot be read.
    """
    found: dict[int, list[SizeSet[S]]] = {}
    for path in paths:
        reader = GamesReader(path)
        check_family(path, reader.rules, plan.rules)
        positions = described(reader.rules, (game for game, _ in reader.games()))
        player, counts = plan.player(reader.rules), reader.counts
        own = sum(count for run, count in counts.items() if run.weights == player)
        nodes = {run.nodes for run in counts}
        found.setdefault(reader.rules.width, []).append(SizeSet(positions, counts.total(), own, nodes))
    sets = [_together(found[size], joined) for size in sorted(found)]
    _check_enough([each.positions for each in sets])
    return sets


def _together(parts: Sequence[SizeSet[S]], joined: Callable[[Sequence[S]], S]) -> SizeSet[S]:
    return SizeSet(
        joined([part.positions for part in parts]),
        sum(part.games for part in parts),
        sum(part.own for part in parts),
        set().union(*(part.nodes for part in parts)),
    )


def _check_enough(positions: Sequence[PositionSet]) -> None:
    count, apart = sum(map(len, positions)), sum(int(some.held_out.sum()) for some in positions)
    if count - apart < LEAST or not apart:
        raise TrainingError("error.train.few", count=count, least=LEAST)


def fitted(trainer: Trainer[Any, R], report: Report | None, keeper: Keeper | None) -> R:
    """Train a model, from its checkpoint if there is one.

    Args:
        trainer: a new trainer.
        report: see `Trainer.run`.
        keeper: writes checkpoints, and may hold one of the same fit to continue from; None for no
            checkpoints.

    Raises:
        FileError: a checkpoint cannot be written.
        TrainingError: the checkpoint is damaged.
    """
    if keeper is not None and keeper.kept is not None and keeper.kept.state is not None:
        try:
            trainer.restore(keeper.kept.state)
        except (KeyError, TypeError, ValueError) as error:
            raise checkpoint.damaged(keeper.path) from error

    def keep() -> None:
        if keeper is not None:
            keeper(len(trainer.epochs), trainer.state)

    found = trainer.run(report, keep)
    if keeper is not None:
        keeper.keep(len(trainer.epochs), trainer.state())
    return found


def save_player(
    plan: LearningPlan, folder: str | Path, network: Network | None, policy: Policy | None
) -> dict[str, Path]:
    """Write a complete player into a folder: the weights that a plan corrects, a network and a policy.

    Args:
        plan: the plan by which the network or policy was trained.
        folder: created if it does not exist; files of the same names are replaced.
        network: the network; None for none.
        policy: the policy; None for none.

    Returns:
        The files: ``weights``, and ``network`` and ``policy`` where given.

    Raises:
        FileError: a file cannot be written.
    """
    place, name = Path(folder).expanduser(), family(plan.rules)
    files = {"weights": numbers.file_of(name, place)}
    try:
        numbers.save(name, numbers_of(plan.rules, plan.weights), place)
        if network is not None:
            files["network"] = networks.file_of(name, place)
            networks.save(name, network, place)
        if policy is not None:
            files["policy"] = policies.file_of(name, place)
            policies.save(name, policy, place)
    except OSError as error:
        last = list(files.values())[-1]
        raise write_error(last, error) from error
    return files


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal, as ``sha256sum`` prints it.

    Raises:
        FileError: the file cannot be read.
    """
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise read_error(path, error) from error
