"""A network is learned from files of games, measured on the games kept apart, and written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tengen.engine.network import Network, save
from tengen.engine.network import digest as network_digest
from tengen.engine.network import file_of as network_file
from tengen.engine.weights import family, file_of
from tengen.engine.weights import save as save_numbers
from tengen.formats.files import FileError, reason, shown
from tengen.game.rules import Rules
from tengen.training import network_checkpoint
from tengen.training.board_positions import BoardPositions, board_positions, joined
from tengen.training.fitting import Fit
from tengen.training.game_file import GamesReader, TrainingError, digest, sureness_in
from tengen.training.network_checkpoint import Keeper
from tengen.training.network_fitting import NetworkFit, Report
from tengen.training.run import LEAST, Bin, numbers_of
from tengen.training.self_play import SelfPlayGame
from tengen.training.targets import TRACE

EPOCHS = 6
"""How often all positions are seen unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """How a network is learned.

    Attributes:
        rules: those of the games; those that the same numbers are good for, and other sizes, go together.
        trace: what each position of a game counts against the one before it (`tengen.training.targets`).
        weights: the folder of the numbers that it is to correct; empty for those that come with Tengen.
        begin: the network that it begins with; None for random numbers.
        epochs: how often all positions are seen.
        seed: of everything random.
    """

    rules: Rules
    trace: float = TRACE
    weights: str = ""
    begin: Network | None = None
    epochs: int = EPOCHS
    seed: int = 1

    @property
    def corrected(self) -> str:
        """A digest of the numbers that it corrects.

        Raises:
            TengenError: there are none.
        """
        return digest(numbers_of(self.rules, self.weights))

    @property
    def begun_with(self) -> str:
        """A digest of the network that it begins with; empty if there is none."""
        return "" if self.begin is None else network_digest(self.begin)

    @property
    def player(self) -> str:
        """A digest of the numbers and the network, if there is one, by which its own games are played.

        Raises:
            TengenError: there are no numbers.
        """
        return digest(numbers_of(self.rules, self.weights), self.begin)

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
            "trace": self.trace,
            "numbers": self.corrected,
            "begin": self.begun_with,
            "epochs": self.epochs,
            "seed": self.seed,
            "played": played,
        }
        return network_checkpoint.digest_of(settings, paths)


@dataclass(frozen=True, slots=True)
class SizeResult:
    """What was learned from, on boards of one size, and how well.

    Attributes:
        size: side of the board.
        games: how many.
        own: those of them that were played by what it began with: others see with other eyes.
        nodes: stones put down for each move in them, in order, each number once.
        positions: how many a search would ask about, those kept apart included.
        outside: those of them that lie outside the games: one move beside them, or within a search.
        apart: those kept apart.
        before: the loss on these without a network.
        begun: the same with the network that it began with.
        after: the same with the one that was learned.
    """

    size: int
    games: int
    own: int
    nodes: tuple[int, ...]
    positions: int
    outside: int
    apart: int
    before: float
    begun: float
    after: float


@dataclass(slots=True)
class LearnedNetwork:
    """What has been learned, and how well.

    Attributes:
        plan: how.
        network: it.
        sureness: how much of a score its games have told to believe.
        sizes: what it was learned from, by size of the board.
        before: the loss on the positions kept apart without a network.
        begun: the same with the network that it began with.
        epochs: the losses of each epoch.
        calibration: predictions and results of positions of games that were kept apart.
    """

    plan: NetworkPlan
    network: Network
    sureness: float
    sizes: list[SizeResult]
    before: float
    begun: float
    epochs: list[Fit]
    calibration: list[Bin]

    @property
    def rules(self) -> Rules:
        """By which the games were played."""
        return self.plan.rules

    @property
    def games(self) -> int:
        """From how many games it has been learned."""
        return sum(size.games for size in self.sizes)

    @property
    def own(self) -> int:
        """How many of these were played by what it began with."""
        return sum(size.own for size in self.sizes)

    @property
    def positions(self) -> int:
        """From how many positions, those kept apart included."""
        return sum(size.positions for size in self.sizes)

    @property
    def after(self) -> float:
        """The loss on the positions kept apart, with the network."""
        return self.epochs[-1].validation


def learn_network(
    plan: NetworkPlan,
    paths: Iterable[str | Path],
    *,
    tick: Callable[[], None] | None = None,
    report: Report | None = None,
    keeper: Keeper | None = None,
) -> LearnedNetwork:
    """Fit a network to the games of files.

    Args:
        plan: how.
        paths: the files; see `tengen.training.game_file`.
        tick: called now and then while the games are read.
        report: see `NetworkFit.run`.
        keeper: keeps the fit while it goes on, and may have one of this plan and these files to go on with;
            None to keep nothing.

    Raises:
        TrainingError: a file holds other games or is damaged, or there are too few positions.
        FileError: a file cannot be read, or the fit cannot be kept.
    """
    files = list(paths)
    sureness = sureness_in(files, plan.rules, tick)
    sets = _read(plan, files, sureness, tick)
    positions = [one.positions for one in sets]
    count, apart = sum(map(len, positions)), sum(int(some.held_out.sum()) for some in positions)
    if count - apart < LEAST or not apart:
        raise TrainingError("error.train.few", count=count, least=LEAST)
    fit = NetworkFit(positions, 2 if plan.rules.has_fouls else 1, plan.begin, plan.seed)
    if keeper is not None and keeper.kept is not None and keeper.kept.state is not None:
        try:
            fit.restore(keeper.kept.state)
        except (KeyError, TypeError, ValueError) as error:
            raise network_checkpoint.damaged(keeper.path) from error

    def keep() -> None:
        if keeper is not None:
            keeper(len(fit.epochs), fit.state)

    network = fit.run(plan.epochs, report, keep)
    if keeper is not None:
        keeper.keep(len(fit.epochs), fit.state())
    after = fit.losses(fit.logits)
    results = [
        SizeResult(
            some.size,
            one.games,
            one.own,
            tuple(sorted(one.nodes)),
            len(some),
            int(np.isnan(some.results).sum()),
            int(some.held_out.sum()),
            *losses,
        )
        for one, some, *losses in zip(sets, positions, fit.before, fit.begun, after, strict=True)
    ]
    before, begun = fit.mean_loss(fit.before), fit.mean_loss(fit.begun)
    return LearnedNetwork(plan, network, sureness, results, before, begun, fit.epochs, fit.calibration())


@dataclass(slots=True)
class _SizeSet:
    """All positions on boards of one size, and the games that they are of."""

    positions: BoardPositions
    games: int
    own: int
    nodes: set[int]


def _read(
    plan: NetworkPlan, paths: Iterable[str | Path], sureness: float, tick: Callable[[], None] | None
) -> list[_SizeSet]:
    """The positions of files of games by the rules of a plan, by size of the board."""
    found: dict[int, list[_SizeSet]] = {}
    player = plan.player
    for path in paths:
        reader = GamesReader(path)
        numbers: list[int] = []

        def games(reader: GamesReader = reader, numbers: list[int] = numbers) -> Iterator[SelfPlayGame]:
            for game, run in reader.games():
                numbers.append(run)
                yield game

        positions = board_positions(reader.rules, games(), plan.trace, sureness, plan.weights, tick)
        played = set(numbers)
        runs = {number: run for run, number in reader.runs.items() if number in played}
        own = sum(runs[number].weights == player for number in numbers)
        nodes = {run.nodes for run in runs.values()}
        found.setdefault(reader.rules.width, []).append(_SizeSet(positions, len(numbers), own, nodes))
    return [_together(found[size]) for size in sorted(found)]


def _together(parts: Sequence[_SizeSet]) -> _SizeSet:
    return _SizeSet(
        joined([part.positions for part in parts]),
        sum(part.games for part in parts),
        sum(part.own for part in parts),
        set().union(*(part.nodes for part in parts)),
    )


def save_learned(learned: LearnedNetwork, folder: str | Path) -> dict[str, Path]:
    """Write a network into a folder, and beside it the numbers that it corrects.

    Args:
        learned: what has been learned.
        folder: made if there is none; files of these names are replaced.

    Returns:
        The files: ``network`` and ``weights``.

    Raises:
        FileError: one cannot be written.
    """
    place, name = Path(folder).expanduser(), family(learned.rules)
    files = {"network": network_file(name, place), "weights": file_of(name, place)}
    try:
        save_numbers(name, numbers_of(learned.rules, learned.plan.weights), place)
        save(name, learned.network, place)
    except OSError as error:
        raise FileError("error.file.write", file=shown(files["network"]), reason=reason(error)) from error
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
