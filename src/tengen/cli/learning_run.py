"""How ``tengen train`` goes on from the games to a network or a policy: the fit, the match, the files."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from tengen.cli.application import LANGUAGE, CliError, print_line
from tengen.cli.arena_options import WorkerOptions
from tengen.cli.learned_match import learned_match, play_learned_match, result_of
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.match import MatchState
    from tengen.training.models.checkpoint import Checkpoint, Keeper
    from tengen.training.models.network_training import LearnedNetwork, NetworkPlan
    from tengen.training.models.policy_training import LearnedPolicy, PolicyPlan
    from tengen.training.models.trainer import Report
    from tengen.training.report.sections import MatchResult, What

MATCH_GAMES = 100
"""Games against what it began with, unless told otherwise: some minutes, sixty Elo about."""

P = TypeVar("P", "NetworkPlan", "PolicyPlan")
L = TypeVar("L", "LearnedNetwork", "LearnedPolicy")


@dataclass(slots=True)
class LearningRun(ABC, Generic[P, L]):
    """A training of a network or a policy, as a command asks for it.

    Attributes:
        plan: how it is learned.
        files: the games.
        folder: where everything is written.
        played: how games are played before, JSON-ready data.
        games: of the match at the end.
        where: where these are played.
    """

    what: ClassVar[What]
    """What is learned."""

    plan: P
    files: list[Path]
    folder: Path
    played: dict[str, Any]
    games: int
    where: WorkerOptions

    @abstractmethod
    def _learned(self, tick: Callable[[], None], report: Report, keeper: Keeper) -> L:
        """Fit it to the games."""

    @abstractmethod
    def _write(self, learned: L, result: MatchResult | None) -> dict[str, Path]:
        """Write it, what it plays with, and the report."""

    @abstractmethod
    def _digests(self, learned: L) -> tuple[str, str] | None:
        """Short names for the new one and the one before, empty if there was none; None for no match."""

    @abstractmethod
    def _told(
        self, learned: L, written: dict[str, Path], standing: MatchState | None, result: MatchResult | None
    ) -> tuple[dict[str, Any], str]:
        """What came of it for a program, and for people."""

    @abstractmethod
    def _beside(self) -> tuple[Path, str, str]:
        """What plays with it: its file in the folder, and digests of what is there and of what should be.

        Raises:
            TengenError: a file is damaged.
        """

    def check(self) -> None:
        """Say what is wrong before any game.

        Raises:
            CliError: the match could not be played, or a file of another player lies in the folder.
            TengenError: a file is damaged.
        """
        here = self.plan.folder.resolve() == self.folder.resolve()
        if self.games and "," in str(self.folder.resolve()):
            raise CliError("error.train.comma", folder=str(self.folder))
        if self.games and here:
            raise CliError("error.train.same", folder=str(self.folder))
        file, there, wanted = self._beside()
        if not here and file.exists() and there != wanted:
            raise CliError("error.train.lost", file=str(file), folder=str(self.folder))

    @property
    def _checkpoint(self) -> Path:
        from tengen.engine.evaluation.weights import family
        from tengen.training.models.checkpoint import file_of

        return file_of(family(self.plan.rules), self.what, self.folder)

    def unfinished(self) -> Checkpoint | None:
        """The fit that was left when nothing but it was left to do."""
        from tengen.game.errors import TengenError
        from tengen.training.models.checkpoint import found

        if not self._checkpoint.exists() or not all(file.exists() for file in self.files):
            return None
        try:
            digest = self.plan.digest(self.files, self.played)
        except TengenError:
            return None  # what is wrong with the files is said by whoever needs them
        kept, _ = found(self._checkpoint, digest)
        return kept if kept is not None and kept.whole else None

    def learn(self, *, whole: bool, tick: Callable[[], None], report: Report) -> L:
        """Fit it, from where it was left.

        Args:
            whole: whether all games have been played that were asked for.
            tick: called now and then while the games are read.
            report: see `tengen.training.models.trainer.Trainer.run`.

        Raises:
            TengenError: games or settings that cannot be learned from.
        """
        from tengen.training.games.game_file import TrainingError

        digest = self.plan.digest(self.files, self.played)
        keeper = opened(self._checkpoint, digest, self.plan.epochs, whole=whole)
        if keeper.kept is None:
            keeper.begin()
        try:
            return self._learned(tick, report, keeper)
        except TrainingError:
            # From these games nothing can be learned: there have to be others.
            self._checkpoint.unlink(missing_ok=True)
            raise

    def finish(self, learned: L, *, playing: bool) -> tuple[int, dict[str, Any], str]:
        """Write it, play the match, and say what came of it.

        Args:
            learned: what was learned.
            playing: whether there is time for a match.

        Returns:
            The exit status; what came of it for a program, and for people.

        Raises:
            TengenError: something cannot be written, or what a game raised.
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
        data, text = self._told(learned, written, standing, result)
        return status, data, text

    def _match(self, learned: L) -> tuple[int, MatchState | None]:
        """The match against what it began with; none where the new one is not for this board."""
        from tengen.engine.evaluation.weights import family

        digests = self._digests(learned)
        if digests is None:
            return 0, None
        new, old = digests
        plan = self.plan
        match = learned_match(plan.rules, (self.folder, new), (plan.weights, old), self.games, plan.seed)
        path = self.folder / f"{family(plan.rules)}-match.jsonl"
        return play_learned_match(match, path, self.where)


def opened(path: Path, digest: str, epochs: int, *, whole: bool) -> Keeper:
    """Return what keeps a training while it goes on, with what was kept of it before, and say what is used.

    Args:
        path: where it is kept.
        digest: of all that it comes from.
        epochs: how many there are in all.
        whole: whether all games have been played that were asked for.
    """
    from tengen.training.models.checkpoint import Keeper, found

    kept, problem = found(path, digest)
    if problem is not None:
        print_line(f"tengen: {say(problem.message, LANGUAGE.get())}", sys.stderr)
    keeper = Keeper(path, digest, whole, kept)
    if kept is not None:
        print_line(say("train.going", LANGUAGE.get(), epochs=kept.epochs, all=epochs), sys.stderr)
    return keeper


class NetworkRun(LearningRun["NetworkPlan", "LearnedNetwork"]):
    """A training of a network, as a command asks for it."""

    what = "network"

    def _learned(self, tick: Callable[[], None], report: Report, keeper: Keeper) -> LearnedNetwork:
        from tengen.training.models.network_training import learn_network

        return learn_network(self.plan, self.files, tick=tick, report=report, keeper=keeper)

    def _write(self, learned: LearnedNetwork, result: MatchResult | None) -> dict[str, Path]:
        from tengen.training.report.network_report import write_network

        return write_network(learned, self.folder, LANGUAGE.get(), result)

    def _digests(self, learned: LearnedNetwork) -> tuple[str, str] | None:
        from tengen.engine.evaluation.network import digest, fits
        from tengen.engine.tables import network_of

        if not fits(learned.network, self.plan.rules.width):
            return None
        before = network_of(self.plan.rules, self.plan.weights)
        return digest(learned.network), "" if before is None else digest(before)

    def _told(
        self,
        learned: LearnedNetwork,
        written: dict[str, Path],
        standing: MatchState | None,
        result: MatchResult | None,
    ) -> tuple[dict[str, Any], str]:
        from tengen.cli.output import training_lines

        return (
            training_lines.network_data(learned, written, standing, result),
            training_lines.network_summary(learned, written, standing, result, LANGUAGE.get()),
        )

    def _beside(self) -> tuple[Path, str, str]:
        from tengen.engine.evaluation.policy import digest, file_of, load
        from tengen.engine.evaluation.weights import family

        name = family(self.plan.rules)
        there, wanted = load(name, self.folder), self.plan.policy
        names = ["" if policy is None else digest(policy) for policy in (there, wanted)]
        return file_of(name, self.folder), names[0], names[1]


class PolicyRun(LearningRun["PolicyPlan", "LearnedPolicy"]):
    """A training of a policy, as a command asks for it."""

    what = "policy"

    def _learned(self, tick: Callable[[], None], report: Report, keeper: Keeper) -> LearnedPolicy:
        from tengen.training.models.policy_training import learn_policy

        return learn_policy(self.plan, self.files, tick=tick, report=report, keeper=keeper)

    def _write(self, learned: LearnedPolicy, result: MatchResult | None) -> dict[str, Path]:
        from tengen.training.report.policy_report import write_policy

        return write_policy(learned, self.folder, LANGUAGE.get(), result)

    def _digests(self, learned: LearnedPolicy) -> tuple[str, str] | None:
        from tengen.engine.evaluation.policy import digest
        from tengen.engine.tables import network_of

        # Without a network the engine asks no policy.
        if network_of(self.plan.rules, self.plan.weights) is None:
            return None
        before = self.plan.policy
        return digest(learned.policy), "" if before is None else digest(before)

    def _told(
        self,
        learned: LearnedPolicy,
        written: dict[str, Path],
        standing: MatchState | None,
        result: MatchResult | None,
    ) -> tuple[dict[str, Any], str]:
        from tengen.cli.output import training_lines

        return (
            training_lines.policy_data(learned, written, standing, result),
            training_lines.policy_summary(learned, written, standing, result, LANGUAGE.get()),
        )

    def _beside(self) -> tuple[Path, str, str]:
        from tengen.engine.evaluation.network import digest, file_of, load
        from tengen.engine.evaluation.weights import family

        name = family(self.plan.rules)
        there, wanted = load(name, self.folder), self.plan.network
        names = ["" if network is None else digest(network) for network in (there, wanted)]
        return file_of(name, self.folder), names[0], names[1]
