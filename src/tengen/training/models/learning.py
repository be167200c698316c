"""Plans, games and metrics common to learning a network and learning a policy.

Both correct the learned numbers (`engine.evaluation.weights`), which stay as they are; both are fitted in
epochs that may be left and continued (`models.trainer`, `models.checkpoint`), and are
written so that the folder holds a whole player.
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
from tengen.formats.files import FileError, reason, shown
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
    """Settings of the training of something that corrects the numbers.

    Attributes:
        rules: those of the games; those that the same numbers are good for, and other sizes, go together.
        weights: the folder of the numbers that it is to correct; empty for those that come with Tengen.
        epochs: how often all positions are seen.
        seed: of everything random.
    """

    rules: Rules
    weights: str = ""
    epochs: int
    seed: int = 1

    @property
    @abstractmethod
    def begun_with(self) -> str:
        """A digest of what it begins with; empty for random numbers."""

    @abstractmethod
    def player(self, rules: Rules) -> str:
        """A digest of that by which its own games are played, on the board of some rules.

        Raises:
            TengenError: there are no numbers.
        """

    def _settings(self) -> dict[str, Any]:
        """Return further settings, JSON-ready data."""
        return {}

    @property
    def folder(self) -> Path:
        """The folder of the numbers."""
        return Path(self.weights).expanduser() if self.weights else FOLDER

    @property
    def corrected(self) -> str:
        """A digest of the numbers that it corrects.

        Raises:
            TengenError: there are none.
        """
        return digest(numbers_of(self.rules, self.weights))

    @property
    def network(self) -> Network | None:
        """The network beside these numbers; None where there is none.

        Raises:
            TengenError: it is damaged.
        """
        return networks.load(family(self.rules), self.folder)

    @property
    def policy(self) -> Policy | None:
        """The policy beside these numbers; None where there is none.

        Raises:
            TengenError: it is damaged.
        """
        return policies.load(family(self.rules), self.folder)

    def digest(self, paths: Iterable[str | Path], played: Any) -> str:
        """A name for all that the fit comes from.

        Args:
            paths: the files of games.
            played: how games are played before, JSON-ready data.

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
    """Games, positions and metrics on boards of one size.

    Attributes:
        size: side of the board.
        games: how many.
        own: those of them that were played by what it began with: others see with other eyes.
        nodes: stones put down for each move in them, in order, each number once.
        positions: how many could be learned from, those held out included.
        outside: those of them that lie outside the games: one move beside them, or within a search.
        apart: those held out.
        before: how well these are predicted by the numbers alone.
        begun: the same with what it began with.
        after: the same with what was learned.
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
    """A model that has been learned, and its metrics.

    Attributes:
        plan: how.
        sizes: what it was learned from, by size of the board.
        before: how well the positions held out are predicted by the numbers alone.
        begun: the same with what it began with.
        after: the same with what was learned.
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
        """From how many games it has been learned."""
        return sum(size.games for size in self.sizes)

    @property
    def own(self) -> int:
        """The number of these that were played by what it began with."""
        return sum(size.own for size in self.sizes)

    @property
    def positions(self) -> int:
        """From how many positions, those held out included."""
        return sum(size.positions for size in self.sizes)


class SizedPositions(PositionSet, Protocol):
    """Positions on boards of one size."""

    @property
    def size(self) -> int:
        """Side of the board."""
        ...

    @property
    def outside(self) -> npt.NDArray[np.bool_]:
        """Mark the positions that lie outside their games."""
        ...


S = TypeVar("S", bound=SizedPositions)
R = TypeVar("R")


@dataclass(slots=True)
class SizeSet(Generic[S]):
    """All positions on boards of one size, and the games that they are of; see `SizeResult`."""

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
    """The positions of files of games, by size of the board.

    Args:
        plan: by its rules they are.
        paths: the files; see `tengen.training.games.game_file`.
        described: the positions of the games of a file, by the rules it names.
        joined: those of several files as one.

    Raises:
        TrainingError: a file holds other games or is damaged, or there are too few positions.
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
    """Train a model, from where it was left.

    Args:
        trainer: just made.
        report: see `Trainer.run`.
        keeper: keeps the training while it goes on, and may have one made in the same way to continue;
            None to keep nothing.

    Raises:
        FileError: the training cannot be kept.
        TrainingError: what was kept is damaged.
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
    """Write all that plays together into a folder: the numbers that a plan corrects, and these.

    Args:
        plan: how one of them was learned.
        folder: made if there is none; files of these names are replaced.
        network: the network; None for none.
        policy: the policy; None for none.

    Returns:
        The files: ``weights``, and ``network`` and ``policy`` where there are such.

    Raises:
        FileError: one cannot be written.
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
        raise FileError("error.file.write", file=shown(last), reason=reason(error)) from error
    return files


def checksum(path: Path) -> str:
    """The SHA-256 of a file, as ``sha256sum`` prints it.

    Raises:
        FileError: it cannot be read.
    """
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise FileError("error.file.read", file=shown(path), reason=reason(error)) from error
