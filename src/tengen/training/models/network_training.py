"""Training of a value network from files of games."""

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
"""The default number of passes over all positions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan(LearningPlan):
    """Settings of the training of a network.

    Attributes:
        trace: the lambda of the targets: the weight of each position relative to the one before it
            (`games.targets`).
        begin: the network that training starts from; None for random parameters.
    """

    epochs: int = EPOCHS
    trace: float = TRACE
    begin: Network | None = None

    @property
    def begun_with(self) -> str:
        """The digest of the network that training starts from; empty if there is none."""
        return "" if self.begin is None else network_digest(self.begin)

    def player(self, rules: Rules) -> str:
        """Return the digest of the weights, the network that training starts from, and the policy."""
        policy = None if self.begin is None else self.policy
        return digest(numbers_of(rules, self.weights), self.begin, policy)

    def _settings(self) -> dict[str, Any]:
        return {"trace": self.trace}


@dataclass(slots=True)
class LearnedNetwork(Learned[NetworkPlan, float]):
    """A trained network and its losses on the validation set.

    Attributes:
        network: the network.
        sureness: the factor from scores to logits, estimated from its games.
        calibration: the calibration on the validation set.
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
    """Train a network on files of games.

    Args:
        plan: the settings of the training.
        paths: the files; see `tengen.training.games.game_file`.
        tick: called repeatedly while the games are read.
        report: see `Trainer.run`.
        keeper: writes checkpoints, and may hold one of this plan and these files to continue from; None for
            no checkpoints.

    Raises:
        TrainingError: a file holds games of another family of rules or is damaged, or there are too few
            positions.
        FileError: a file cannot be read, or a checkpoint cannot be written.
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
    """Write a network into a folder, with the weights that it corrects and the policy, if any.

    Args:
        learned: the trained network.
        folder: created if it does not exist; files of the same names are replaced.

    Returns:
        The files: ``network``, ``weights`` and, where there is one, ``policy``.

    Raises:
        FileError: a file cannot be written.
    """
    files = save_player(learned.plan, folder, learned.network, learned.plan.policy)
    return {"network": files.pop("network"), **files}
