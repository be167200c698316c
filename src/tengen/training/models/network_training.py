"""A network is learned from files of games, measured on a validation set, and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.engine.evaluation.network import Network
from tengen.engine.evaluation.network import digest as network_digest
from tengen.game.rules import Rules
from tengen.training.games.board_positions import BoardPositions, board_positions, joined
from tengen.training.games.game_file import digest, sureness_in
from tengen.training.games.playing import numbers_of
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.games.targets import TRACE
from tengen.training.models.calibration import Bin
from tengen.training.models.checkpoint import Keeper
from tengen.training.models.learning import Learned, LearningPlan, fitted, read_sets, save_player
from tengen.training.models.trainer import Report, Trainer
from tengen.training.models.value_model import ValueModel

EPOCHS = 6
"""How often all positions are seen unless another number is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan(LearningPlan):
    """Settings of the training of a network.

    Attributes:
        trace: what each position of a game counts against the one before it (`games.targets`).
        begin: the network that it begins with; None for random numbers.
    """

    epochs: int = EPOCHS
    trace: float = TRACE
    begin: Network | None = None

    @property
    def begun_with(self) -> str:
        """A digest of the network that it begins with; empty if there is none."""
        return "" if self.begin is None else network_digest(self.begin)

    def player(self, rules: Rules) -> str:
        """A digest of the numbers, and of the network that it begins with and the policy beside it."""
        policy = None if self.begin is None else self.policy
        return digest(numbers_of(rules, self.weights), self.begin, policy)

    def _settings(self) -> dict[str, Any]:
        return {"trace": self.trace}


@dataclass(slots=True)
class LearnedNetwork(Learned[NetworkPlan, float]):
    """A network that has been learned, and how well: by its loss.

    Attributes:
        network: it.
        sureness: how much of a score is to be believed, as its games say.
        calibration: predictions and results of positions of games that were held out.
    """

    network: Network
    sureness: float
    calibration: list[Bin]


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
        paths: the files; see `tengen.training.games.game_file`.
        tick: called now and then while the games are read.
        report: see `Trainer.run`.
        keeper: keeps the fit while it goes on, and may have one of this plan and these files to go on with;
            None to keep nothing.

    Raises:
        TrainingError: a file holds other games or is damaged, or there are too few positions.
        FileError: a file cannot be read, or the fit cannot be kept.
    """
    files = list(paths)
    sureness = sureness_in(files, plan.rules, tick)

    def described(rules: Rules, games: Iterable[SelfPlayGame]) -> BoardPositions:
        return board_positions(rules, games, plan.trace, sureness, plan.weights, tick)

    sets = read_sets(plan, files, described, joined)
    colours = 2 if plan.rules.has_fouls else 1
    model = ValueModel([each.positions for each in sets], colours, plan.begin, plan.seed)
    trainer = Trainer(model, plan.epochs, plan.seed)
    network = fitted(trainer, report, keeper)
    losses = zip(sets, model.before, model.begun, model.losses(model.logits), strict=True)
    return LearnedNetwork(
        plan,
        [each.result(*of_it) for each, *of_it in losses],
        model.mean(model.before),
        model.mean(model.begun),
        trainer.epochs[-1].validation,
        trainer.epochs,
        network,
        sureness,
        model.calibration(),
    )


def save_learned(learned: LearnedNetwork, folder: str | Path) -> dict[str, Path]:
    """Write a network into a folder, and beside it the numbers that it corrects and the policy, if any.

    Args:
        learned: what has been learned.
        folder: made if there is none; files of these names are replaced.

    Returns:
        The files: ``network``, ``weights`` and, where there is one, ``policy``.

    Raises:
        FileError: one cannot be written.
    """
    files = save_player(learned.plan, folder, learned.network, learned.plan.policy)
    return {"network": files.pop("network"), **files}
