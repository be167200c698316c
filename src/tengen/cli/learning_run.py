"""The stages of ``tengen train`` after the games of a network or a policy: fit, match and files."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from tengen.cli.arena_options import WorkerOptions
from tengen.cli.errors import CliError
from tengen.cli.learned_match import learned_match, play_learned_match, result_of
from tengen.cli.printing import LANGUAGE, print_line
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.match import MatchState
    from tengen.training.models.checkpoint import Checkpoint, Keeper
    from tengen.training.models.network_training import LearnedNetwork, NetworkPlan
    from tengen.training.models.policy_training import LearnedPolicy, PolicyPlan
    from tengen.training.models.trainer import Report
    from tengen.training.report.sections import ModelComparison, What

MATCH_GAMES = 100
"""The default number of games of the match: some minutes, with an error of about sixty Elo."""

P = TypeVar("P", "NetworkPlan", "PolicyPlan")
L = TypeVar("L", "LearnedNetwork", "LearnedPolicy")


@dataclass(slots=True)
class LearningRun(ABC, Generic[P, L]):
    """A training of a network or a policy, as requested on the command line.

    Attributes:
        plan: the settings of the training.
        files: the files of games.
        folder: the output folder.
        played: the settings of the games played beforehand, JSON-ready data.
        games: the number of games of the match at the end.
        worker_options: the workers that play them.
    """

    what: ClassVar[What]
    """The kind of model."""

    plan: P
    files: list[Path]
    folder: Path
    played: dict[str, Any]
    games: int
    worker_options: WorkerOptions

    @abstractmethod
    def _fit(self, tick: Callable[[], None], report: Report, keeper: Keeper) -> L:
        """Fit the model to the games."""

    @abstractmethod
    def _write(self, learned: L, result: ModelComparison | None) -> dict[str, Path]:
        """Write the model, the rest of its player, and the report."""

    @abstractmethod
    def _digests(self, learned: L) -> tuple[str, str] | None:
        """Return the digests of the new and the previous model, or None for no match.

        The digest of the previous model is empty if there was none.
        """

    @abstractmethod
    def _results(
        self,
        learned: L,
        written: dict[str, Path],
        standing: MatchState | None,
        result: ModelComparison | None,
    ) -> tuple[dict[str, Any], str]:
        """Return the results as JSON-ready data and as text."""

    @abstractmethod
    def _companion(self) -> tuple[Path, str, str]:
        """Return the file of the companion model in the folder, and its actual and expected digest.

        Raises:
            TengenError: a file is damaged.
        """

    def check(self) -> None:
        """Check the settings before any game is played.

        Raises:
            CliError: the match could not be played, or the folder contains a file of another player.
            TengenError: a file is damaged.
        """
        in_place = self.plan.folder.resolve() == self.folder.resolve()
        if self.games and "," in str(self.folder.resolve()):
            raise CliError("error.train.comma", folder=str(self.folder))
        if self.games and in_place:
            raise CliError("error.train.same", folder=str(self.folder))
        file, actual, expected = self._companion()
        if not in_place and file.exists() and actual != expected:
            raise CliError("error.train.lost", file=str(file), folder=str(self.folder))

    @property
    def _checkpoint(self) -> Path:
        from tengen.engine.evaluation.weights import family
        from tengen.training.models.checkpoint import file_of

        return file_of(family(self.plan.rules), self.what, self.folder)

    def unfinished(self) -> Checkpoint | None:
        """Return the checkpoint of an unfinished fit for which all games had been played.

        It is None if there is no such checkpoint.
        """
        from tengen.game.errors import TengenError
        from tengen.training.models.checkpoint import found

        if not self._checkpoint.exists() or not all(file.exists() for file in self.files):
            return None
        try:
            digest = self.plan.digest(self.files, self.played)
        except TengenError:
            return None  # errors of the files are reported when they are used
        checkpoint, _ = found(self._checkpoint, digest)
        return checkpoint if checkpoint is not None and checkpoint.whole else None

    def learn(self, *, whole: bool, tick: Callable[[], None], report: Report) -> L:
        """Fit the model, from its checkpoint if there is one.

        Args:
            whole: whether all requested games have been played.
            tick: called repeatedly while the games are read.
            report: see `tengen.training.models.trainer.Trainer.run`.

        Raises:
            TengenError: the games or settings cannot be used.
        """
        from tengen.training.games.game_file import TrainingError

        digest = self.plan.digest(self.files, self.played)
        keeper = open_keeper(self._checkpoint, digest, self.plan.epochs, whole=whole)
        if keeper.kept is None:
            keeper.begin()
        try:
            return self._fit(tick, report, keeper)
        except TrainingError:
            # The fit needs other games, so its checkpoint is useless.
            self._checkpoint.unlink(missing_ok=True)
            raise

    def finish(self, learned: L, *, playing: bool) -> tuple[int, dict[str, Any], str]:
        """Write the model, play the match, and report the results.

        Args:
            learned: the trained model.
            playing: whether to play the match.

        Returns:
            The exit status; the results as JSON-ready data, and as text.

        Raises:
            TengenError: a file cannot be written, or a game raised it.
        """
        written = self._write(learned, None)
        status, standing = self._match(learned) if playing and self.games else (0, None)
        if status or standing is None:
            result = None
        else:
            result = result_of(self.what, standing)
            written = self._write(learned, result)
        if not status:
            self._checkpoint.unlink(missing_ok=True)
        data, text = self._results(learned, written, standing, result)
        return status, data, text

    def _match(self, learned: L) -> tuple[int, MatchState | None]:
        """Play the match against the previous model; None if the new model does not support this board."""
        from tengen.engine.evaluation.weights import family

        digests = self._digests(learned)
        if digests is None:
            return 0, None
        new, old = digests
        plan = self.plan
        match = learned_match(plan.rules, (self.folder, new), (plan.weights, old), self.games, plan.seed)
        path = self.folder / f"{family(plan.rules)}-match.jsonl"
        return play_learned_match(match, path, self.worker_options)


def open_keeper(path: Path, digest: str, epochs: int, *, whole: bool) -> Keeper:
    """Return a keeper with the checkpoint of a fit, if there is one, and report whether it is used.

    Args:
        path: the file of the checkpoint.
        digest: the digest of the inputs of the fit.
        epochs: the total number of epochs.
        whole: whether all requested games have been played.
    """
    from tengen.training.models.checkpoint import Keeper, found

    checkpoint, problem = found(path, digest)
    if problem is not None:
        print_line(f"tengen: {say(problem.message, LANGUAGE.get())}", sys.stderr)
    keeper = Keeper(path, digest, whole, checkpoint)
    if checkpoint is not None:
        print_line(say("train.going", LANGUAGE.get(), epochs=checkpoint.epochs, all=epochs), sys.stderr)
    return keeper


class NetworkRun(LearningRun["NetworkPlan", "LearnedNetwork"]):
    """A training of a network, as requested on the command line."""

    what = "network"

    def _fit(self, tick: Callable[[], None], report: Report, keeper: Keeper) -> LearnedNetwork:
        from tengen.training.models.network_training import learn_network

        return learn_network(self.plan, self.files, tick=tick, report=report, keeper=keeper)

    def _write(self, learned: LearnedNetwork, result: ModelComparison | None) -> dict[str, Path]:
        from tengen.training.report.network_report import write_network

        return write_network(learned, self.folder, LANGUAGE.get(), result)

    def _digests(self, learned: LearnedNetwork) -> tuple[str, str] | None:
        from tengen.engine.evaluation.network import digest, fits
        from tengen.engine.tables import network_of

        if not fits(learned.network, self.plan.rules.width):
            return None
        before = network_of(self.plan.rules, self.plan.weights)
        return digest(learned.network), "" if before is None else digest(before)

    def _results(
        self,
        learned: LearnedNetwork,
        written: dict[str, Path],
        standing: MatchState | None,
        result: ModelComparison | None,
    ) -> tuple[dict[str, Any], str]:
        from tengen.cli.output import training_lines
        from tengen.schemas.training import NetworkTrainingData

        return (
            NetworkTrainingData.of(learned, written, standing, result).to_dict(),
            training_lines.network_summary(learned, written, standing, result, LANGUAGE.get()),
        )

    def _companion(self) -> tuple[Path, str, str]:
        from tengen.engine.evaluation.policy import digest, file_of, load
        from tengen.engine.evaluation.weights import family

        name = family(self.plan.rules)
        actual, expected = load(name, self.folder), self.plan.policy
        names = ["" if policy is None else digest(policy) for policy in (actual, expected)]
        return file_of(name, self.folder), names[0], names[1]


class PolicyRun(LearningRun["PolicyPlan", "LearnedPolicy"]):
    """A training of a policy, as requested on the command line."""

    what = "policy"

    def _fit(self, tick: Callable[[], None], report: Report, keeper: Keeper) -> LearnedPolicy:
        from tengen.training.models.policy_training import learn_policy

        return learn_policy(self.plan, self.files, tick=tick, report=report, keeper=keeper)

    def _write(self, learned: LearnedPolicy, result: ModelComparison | None) -> dict[str, Path]:
        from tengen.training.report.policy_report import write_policy

        return write_policy(learned, self.folder, LANGUAGE.get(), result)

    def _digests(self, learned: LearnedPolicy) -> tuple[str, str] | None:
        from tengen.engine.evaluation.policy import digest
        from tengen.engine.tables import network_of

        # Without a network the engine does not use the policy.
        if network_of(self.plan.rules, self.plan.weights) is None:
            return None
        before = self.plan.policy
        return digest(learned.policy), "" if before is None else digest(before)

    def _results(
        self,
        learned: LearnedPolicy,
        written: dict[str, Path],
        standing: MatchState | None,
        result: ModelComparison | None,
    ) -> tuple[dict[str, Any], str]:
        from tengen.cli.output import training_lines
        from tengen.schemas.training import PolicyTrainingData

        return (
            PolicyTrainingData.of(learned, written, standing, result).to_dict(),
            training_lines.policy_summary(learned, written, standing, result, LANGUAGE.get()),
        )

    def _companion(self) -> tuple[Path, str, str]:
        from tengen.engine.evaluation.network import digest, file_of, load
        from tengen.engine.evaluation.weights import family

        name = family(self.plan.rules)
        actual, expected = load(name, self.folder), self.plan.network
        names = ["" if network is None else digest(network) for network in (actual, expected)]
        return file_of(name, self.folder), names[0], names[1]
