"""A policy is learned from files of games, measured on a validation set, and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tengen.engine.evaluation.policy import Policy
from tengen.engine.evaluation.policy import digest as policy_digest
from tengen.engine.tables import network_of
from tengen.game.rules import Rules
from tengen.training.games.game_file import digest
from tengen.training.games.playing import numbers_of
from tengen.training.games.policy_positions import PolicyPositions, joined, policy_positions
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.models.checkpoint import Keeper
from tengen.training.models.learning import Learned, LearningPlan, fitted, read_sets, save_player
from tengen.training.models.policy_model import PolicyMetrics, PolicyModel
from tengen.training.models.trainer import Report, Trainer

EPOCHS = 4
"""How often all positions are seen unless another number is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPlan(LearningPlan):
    """Settings of the training of a policy.

    Attributes:
        begin: the policy that it begins with; None for random numbers.
    """

    epochs: int = EPOCHS
    begin: Policy | None = None

    @property
    def begun_with(self) -> str:
        """A digest of the policy that it begins with; empty if there is none."""
        return "" if self.begin is None else policy_digest(self.begin)

    def player(self, rules: Rules) -> str:
        """A digest of the numbers, and of the network beside them and the policy that it begins with."""
        network = network_of(rules, self.weights)
        # Without a network the engine asks no policy.
        return digest(numbers_of(rules, self.weights), network, None if network is None else self.begin)


@dataclass(slots=True)
class LearnedPolicy(Learned[PolicyPlan, PolicyMetrics]):
    """A policy that has been learned, and how well: by how it predicts the moves that were chosen.

    Attributes:
        policy: it.
    """

    policy: Policy


def learn_policy(
    plan: PolicyPlan,
    paths: Iterable[str | Path],
    *,
    tick: Callable[[], None] | None = None,
    report: Report | None = None,
    keeper: Keeper | None = None,
) -> LearnedPolicy:
    """Fit a policy to the games of files.

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

    def described(rules: Rules, games: Iterable[SelfPlayGame]) -> PolicyPositions:
        return policy_positions(rules, games, plan.weights, tick)

    sets = read_sets(plan, paths, described, joined)
    colours = 2 if plan.rules.has_fouls else 1
    model = PolicyModel([each.positions for each in sets], colours, plan.begin, plan.seed)
    trainer = Trainer(model, plan.epochs, plan.seed)
    policy = fitted(trainer, report, keeper)
    after = model.metrics()
    metrics = zip(sets, model.before, model.begun, after, strict=True)
    return LearnedPolicy(
        plan,
        [each.result(*of_it) for each, *of_it in metrics],
        model.overall(model.before),
        model.overall(model.begun),
        model.overall(after),
        trainer.epochs,
        policy,
    )


def save_learned(learned: LearnedPolicy, folder: str | Path) -> dict[str, Path]:
    """Write a policy into a folder, and beside it the numbers that it corrects and the network, if any.

    Args:
        learned: what has been learned.
        folder: made if there is none; files of these names are replaced.

    Returns:
        The files: ``policy``, ``weights`` and, where there is one, ``network``.

    Raises:
        FileError: one cannot be written.
    """
    files = save_player(learned.plan, folder, learned.plan.network, learned.policy)
    return {"policy": files.pop("policy"), **files}
