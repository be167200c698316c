"""How ``tengen train network`` goes on from the games: the fit, the match, what is written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.cli.application import LANGUAGE, CliError, print_line
from tengen.cli.arena_options import WorkerOptions
from tengen.cli.network_match import network_match, play_network_match, result_of
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.match import Standing
    from tengen.training.network_checkpoint import Checkpoint
    from tengen.training.network_training import LearnedNetwork, NetworkPlan

MATCH_GAMES = 100
"""Games against the network that it began with, unless told otherwise: some minutes, sixty Elo about."""


@dataclass(slots=True)
class NetworkRun:
    """A training of a network, as a command asks for it.

    Attributes:
        plan: how it is learned.
        files: the games.
        folder: where everything is written.
        played: how games are played before, JSON-ready data.
        games: of the match at the end.
        where: where these are played.
    """

    plan: NetworkPlan
    files: list[Path]
    folder: Path
    played: dict[str, Any]
    games: int
    where: WorkerOptions

    def check(self) -> None:
        """Say what is wrong before any game.

        Raises:
            CliError: the match could not be played.
        """
        if not self.games:
            return
        if "," in str(self.folder.resolve()):
            raise CliError("error.train.comma", folder=str(self.folder))
        if self.plan.weights and Path(self.plan.weights).resolve() == self.folder.resolve():
            raise CliError("error.train.same", folder=str(self.folder))

    @property
    def _checkpoint(self) -> Path:
        from tengen.engine.weights import family
        from tengen.training.network_checkpoint import file_of

        return file_of(family(self.plan.rules), self.folder)

    def unfinished(self) -> Checkpoint | None:
        """The fit that was left when nothing but it was left to do."""
        from tengen.game.errors import TengenError
        from tengen.training.network_checkpoint import found

        if not self._checkpoint.exists() or not all(file.exists() for file in self.files):
            return None
        try:
            digest = self.plan.digest(self.files, self.played)
        except TengenError:
            return None  # what is wrong with the files is said by whoever needs them
        kept, _ = found(self._checkpoint, digest)
        return kept if kept is not None and kept.whole else None

    def learn(
        self, *, whole: bool, tick: Callable[[], None], report: Callable[[Any], None]
    ) -> LearnedNetwork:
        """Fit the network, from where it was left.

        Args:
            whole: whether all games have been played that were asked for.
            tick: called now and then while the games are read.
            report: see `tengen.training.network_fitting.NetworkFit.run`.

        Raises:
            TengenError: games or settings that cannot be learned from.
        """
        from tengen.training.game_file import TrainingError
        from tengen.training.network_checkpoint import Keeper, found
        from tengen.training.network_training import learn_network

        digest = self.plan.digest(self.files, self.played)
        kept, problem = found(self._checkpoint, digest)
        if problem is not None:
            print_line(f"tengen: {say(problem.message, LANGUAGE.get())}", sys.stderr)
        keeper = Keeper(self._checkpoint, digest, whole, kept)
        if kept is None:
            keeper.begin()
        else:
            self._say("train.going", epochs=kept.epochs, all=self.plan.epochs)
        try:
            return learn_network(self.plan, self.files, tick=tick, report=report, keeper=keeper)
        except TrainingError:
            # From these games nothing can be learned: there have to be others.
            self._checkpoint.unlink(missing_ok=True)
            raise

    def finish(self, learned: LearnedNetwork, *, playing: bool) -> tuple[int, dict[str, Any], str]:
        """Write the network, play the match, and say what came of it.

        Args:
            learned: the network.
            playing: whether there is time for a match.

        Returns:
            The exit status; what came of it for a program, and for people.

        Raises:
            TengenError: something cannot be written, or what a game raised.
        """
        from tengen.cli.output import training_lines
        from tengen.training.network_report import write_network

        language = LANGUAGE.get()
        written = write_network(learned, self.folder, language)
        status, standing = self._match(learned) if playing and self.games else (0, None)
        if status or standing is None:
            result = None
        else:
            result = result_of(standing)
            written = write_network(learned, self.folder, language, result)
        if not status:
            self._checkpoint.unlink(missing_ok=True)
        return (
            status,
            training_lines.network_data(learned, written, standing, result),
            training_lines.network_summary(learned, written, standing, result, language),
        )

    def _match(self, learned: LearnedNetwork) -> tuple[int, Standing | None]:
        """The match against the network before; none where the new one is not for this board."""
        from tengen.engine.engine import network_of
        from tengen.engine.network import digest, fits
        from tengen.engine.weights import family

        plan = self.plan
        if not fits(learned.network, plan.rules.width):
            return 0, None
        before = network_of(plan.rules, plan.weights)
        old = plan.weights, "" if before is None else digest(before)
        new = self.folder, digest(learned.network)
        match = network_match(plan.rules, new, old, self.games, plan.seed)
        path = self.folder / f"{family(plan.rules)}-match.jsonl"
        return play_network_match(match, path, self.where)

    def _say(self, key: str, **values: Any) -> None:
        print_line(say(key, LANGUAGE.get(), **values), sys.stderr)
