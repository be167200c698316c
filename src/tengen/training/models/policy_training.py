"""Training of a policy from files of games."""

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
"""The default number of passes over all positions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPlan(LearningPlan):
    """Settings of the training of a policy.

    Attributes:
        begin: the policy that training starts from; None for random parameters.
    """

    epochs: int = EPOCHS
    begin: Policy | None = None

    @property
    def begun_with(self) -> str:
        """The digest of the policy that training starts from; empty if there is none."""
        return "" if self.begin is None else policy_digest(self.begin)

    def player(self, rules: Rules) -> str:
        """Return the digest of the weights, the network, and the policy that training starts from."""
        network = network_of(rules, self.weights)
        # Without a network the engine does not use the policy.
        return digest(numbers_of(rules, self.weights), network, None if network is None else self.begin)


@dataclass(slots=True)
class LearnedPolicy(Learned[PolicyPlan, PolicyMetrics]):
    """A trained policy and its prediction metrics on the validation set.

    Attributes:
        policy: the policy.
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
    """Train a policy on files of games.

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
    """Write a policy into a folder, with the weights that it corrects and the network, if any.

    Args:
        learned: the trained policy.
        folder: created if it does not exist; files of the same names are replaced.

    Returns:
        The files: ``policy``, ``weights`` and, where there is one, ``network``.

    Raises:
        FileError: a file cannot be written.
    """
    files = save_player(learned.plan, folder, learned.plan.network, learned.policy)
    return {"policy": files.pop("policy"), **files}
