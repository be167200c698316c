"""The command ``tengen train``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tengen.cli.arena_options import Seed, WorkerOptions
from tengen.cli.arena_runs import INTERRUPTED, leave
from tengen.cli.declaration import Options, argument, command, option
from tengen.cli.errors import CliError
from tengen.cli.learning_run import MATCH_GAMES, LearningRun, NetworkRun, PolicyRun, open_keeper
from tengen.cli.option_values import file_path, minutes, node_count, one_of, positive, share, whole
from tengen.cli.options import Json, RulesOptions
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.engine.board.playable import check_rules
from tengen.executors.ctrl_c import ctrl_c_at
from tengen.words import say

if TYPE_CHECKING:
    from tengen.cli.output.progress import ProgressLine
    from tengen.engine.evaluation.network import Network
    from tengen.engine.evaluation.policy import Policy
    from tengen.engine.evaluation.weights import Weights
    from tengen.game.rules import Rules
    from tengen.training.games.self_play import SelfPlayGame, SelfPlaySettings
    from tengen.training.models.point_class_training import Trained
    from tengen.training.models.trainer import Fit

_GAMES = 1000
_TRACE = 0.95
_NUMBERS, _NETWORK, _POLICY = _WHAT = ("numbers", "network", "policy")


@dataclass(frozen=True, kw_only=True)
class SelfPlayOptions(Options):
    """Options of self-play."""

    rules: RulesOptions = RulesOptions()
    games: Annotated[int | None, option("cli.train.games", whole)] = None
    seconds: Annotated[float | None, option("cli.train.minutes", minutes, name="--minutes")] = None
    nodes: Annotated[int, option("cli.train.nodes", node_count)] = 3000
    within: Annotated[int, option("cli.train.within", whole)] = 0
    begin_within: Annotated[float, option("cli.train.begin_within", share)] = 0.0
    seed: Seed = 1
    worker_options: WorkerOptions = WorkerOptions()

    @property
    def wanted(self) -> int | None:
        """The number of games; None if only the time is limited."""
        return _GAMES if self.games is None and self.seconds is None else self.games


@dataclass(frozen=True, kw_only=True)
class FitOptions(Options):
    """Options of the fit and its data."""

    add: Annotated[list[Path] | None, option("cli.train.add", file_path, "FILE.jsonl")] = None
    begin: Annotated[Path | None, option("cli.train.from", file_path, "FOLDER", name="--from")] = None
    fresh: Annotated[bool, option("cli.train.fresh")] = False
    epochs: Annotated[int | None, option("cli.train.epochs", positive)] = None
    trace: Annotated[float | None, option("cli.train.trace", share)] = None

    @property
    def weights(self) -> str:
        """The folder of the initial weights; empty for those that come with Tengen."""
        return "" if self.begin is None else str(self.begin.resolve())

    @property
    def td_lambda(self) -> float:
        """The lambda of the targets: the weight of each position relative to the one before it."""
        return _TRACE if self.trace is None else self.trace

    def network(self, rules: Rules) -> Network | None:
        """Load the network in the folder of the weights, by default Tengen's; None if there is none."""
        from tengen.engine.evaluation.learned_file import FOLDER
        from tengen.engine.evaluation.network import load
        from tengen.engine.evaluation.weights import family

        return load(family(rules), Path(self.weights or FOLDER))

    def policy(self, rules: Rules) -> Policy | None:
        """Load the policy in the folder of the weights, by default Tengen's; None if there is none."""
        from tengen.engine.evaluation.learned_file import FOLDER
        from tengen.engine.evaluation.policy import load
        from tengen.engine.evaluation.weights import family

        return load(family(rules), Path(self.weights or FOLDER))


@command
def train(
    what: Annotated[str, argument("cli.train.what", "|".join(_WHAT), one_of(*_WHAT))] = _NUMBERS,
    /,
    *,
    games: SelfPlayOptions = SelfPlayOptions(),
    fit: FitOptions = FitOptions(),
    match: Annotated[int | None, option("cli.train.match", whole)] = None,
    out: Annotated[Path | None, option("cli.train.out", file_path, "FOLDER")] = None,
    data: Annotated[Path | None, option("cli.train.data", file_path, "FILE.jsonl")] = None,
    as_json: Json = False,
) -> None:
    if out is None:
        raise CliError("error.cli.missing", name="--out")
    if match is not None and what == _NUMBERS:
        raise CliError("error.train.match")
    if fit.trace is not None and what == _POLICY:
        raise CliError("error.train.trace")
    plan, numbers = _prepared(what, games, fit)
    from tengen.engine.evaluation.weights import family

    rules = plan.rules
    file = out / f"{family(rules)}-{rules.width}.jsonl" if data is None else data
    files = [file, *(fit.add or ())]
    if what == _NUMBERS:
        status, found, text = _numbers(plan, files, numbers, fit, out, lambda: _play(plan, file, games))
        going_on = "train.resume", file
    else:
        run = _run(what, plan, files, games, fit, out, MATCH_GAMES if match is None else match)
        run.check()
        status, found, text = _corrections(run, lambda: _play(plan, file, games))
        going_on = "train.interrupted", out
    if as_json:
        print_json(found)
    else:
        print_line(text)
    leave(status, *going_on)


def _prepared(what: str, games: SelfPlayOptions, fit: FitOptions) -> tuple[SelfPlaySettings, Weights]:
    """Return the self-play settings and the initial weights.

    All inputs are checked before any game is played.
    """
    rules = games.rules.chosen()
    check_rules(rules)
    import tengen.training.models  # noqa: F401 - says what is not installed
    from tengen.engine.tables import CLASSES_ALONE
    from tengen.training.games.game_file import read
    from tengen.training.games.playing import numbers_of, warm_up
    from tengen.training.games.self_play import SelfPlaySettings

    warm_up(rules)
    fit.network(rules)
    fit.policy(rules)
    numbers = numbers_of(rules, fit.weights)
    for path in fit.add or ():
        read(path)
    # Point-class weights have to learn by themselves what a network would add.
    weights = fit.weights or CLASSES_ALONE if what == _NUMBERS else fit.weights
    plan = SelfPlaySettings(
        rules,
        games.nodes,
        games.seed,
        within=games.within,
        begin_within=games.begin_within,
        weights=weights,
    )
    return plan, numbers


def _play(plan: SelfPlaySettings, path: Path, games: SelfPlayOptions) -> bool:
    """Play the remaining games, if any are requested; return whether Ctrl-C has ended it."""
    if games.wanted == 0:
        return False
    from tengen.cli.output.progress import ProgressLine
    from tengen.cli.output.training_lines import PlayingProgress
    from tengen.training.games.game_file import GameFile
    from tengen.training.games.playing import play_games, run_of

    language = LANGUAGE.get()
    with GameFile(path, plan.rules) as game_file:
        before = len(game_file.played(run_of(plan)))
        line = PlayingProgress(games.wanted, games.seconds, before, language)
        progress = ProgressLine(line, sys.stderr)

        def on_game(game: SelfPlayGame) -> None:
            line.add(game)
            progress()

        try:
            left = None if games.wanted is None else games.wanted - before
            with games.worker_options.open(left) as workers, ctrl_c_at(progress) as tick:
                play_games(game_file, plan, workers, games.wanted, games.seconds, on_game, tick)
        except KeyboardInterrupt:
            progress.clear()
            print_line(say("train.stopped", language), sys.stderr)
            return True
        finally:
            progress.clear()
    return False


def _numbers(
    plan: SelfPlaySettings,
    files: list[Path],
    numbers: Weights,
    fit: FitOptions,
    folder: Path,
    play: Callable[[], bool],
) -> tuple[int, dict[str, Any], str]:
    """Fit point-class weights to games, and write them.

    Returns:
        The exit status; the results as JSON-ready data, and as text.
    """
    from tengen.cli.output import training_lines
    from tengen.schemas.training import WeightsTrainingData
    from tengen.training.report.numbers_report import write

    stopped = play()
    try:
        trained, checkpoint = _fit(plan, files, numbers, fit, folder)
    except KeyboardInterrupt:
        leave(INTERRUPTED, "train.resume", files[0])
        raise
    written = write(trained, trained.games.nodes, folder, LANGUAGE.get())
    checkpoint.unlink(missing_ok=True)
    text = training_lines.summary(trained, written, LANGUAGE.get())
    return INTERRUPTED if stopped else 0, WeightsTrainingData.of(trained, written).to_dict(), text


def _run(
    what: str,
    plan: SelfPlaySettings,
    files: list[Path],
    games: SelfPlayOptions,
    fit: FitOptions,
    folder: Path,
    match: int,
) -> LearningRun[Any, Any]:
    """Return the training of a network or a policy for these options."""
    from tengen.training.models import network_training, policy_training

    played = {
        "nodes": plan.nodes,
        "within": plan.within,
        "begin_within": plan.begin_within,
        "games": games.wanted,
        "seconds": games.seconds,
    }
    rules, weights, seed = plan.rules, fit.weights, plan.seed
    if what == _NETWORK:
        network = network_training.NetworkPlan(
            rules=rules,
            trace=fit.td_lambda,
            weights=weights,
            begin=None if fit.fresh else fit.network(rules),
            epochs=fit.epochs or network_training.EPOCHS,
            seed=seed,
        )
        return NetworkRun(network, files, folder, played, match, games.worker_options)
    policy = policy_training.PolicyPlan(
        rules=rules,
        weights=weights,
        begin=None if fit.fresh else fit.policy(rules),
        epochs=fit.epochs or policy_training.EPOCHS,
        seed=seed,
    )
    return PolicyRun(policy, files, folder, played, match, games.worker_options)


def _corrections(run: LearningRun[Any, Any], play: Callable[[], bool]) -> tuple[int, dict[str, Any], str]:
    """Train a network or a policy, and play its match.

    If a fit was started after all games had been played, no further games are played.

    Returns:
        The exit status; the results as JSON-ready data, and as text.
    """
    stopped = run.unfinished() is None and play()
    try:
        with _fitting(run.plan.epochs) as (progress, report):
            learned = run.learn(whole=not stopped, tick=progress, report=lambda now: report(run.what, now))
    except KeyboardInterrupt:
        leave(INTERRUPTED, "train.interrupted", run.folder)
        raise
    status, data, text = run.finish(learned, playing=not stopped)
    return INTERRUPTED if stopped else status, data, text


def _fit(
    plan: SelfPlaySettings, paths: list[Path], numbers: Weights, fit_options: FitOptions, folder: Path
) -> tuple[Trained, Path]:
    """Fit point-class weights, from their checkpoint if there is one, and show the progress.

    Returns:
        The trained weights, and the path of the checkpoint.
    """
    from tengen.engine.evaluation.weights import family
    from tengen.training.games.game_file import digest
    from tengen.training.games.point_classes import gathered_from
    from tengen.training.models.checkpoint import digest_of, file_of
    from tengen.training.models.point_class_training import EPOCHS, learn

    epochs = fit_options.epochs or EPOCHS
    with _fitting(epochs) as (progress, report):
        games = gathered_from(plan.rules, paths, fit_options.td_lambda, progress)
        start = None if fit_options.fresh else numbers
        settings = {
            "rules": plan.rules.to_dict(),
            "begin": "" if start is None else digest(start),
            "epochs": epochs,
            "seed": plan.seed,
            "trace": fit_options.td_lambda,
        }
        checkpoint = file_of(family(plan.rules), _NUMBERS, folder)
        keeper = open_keeper(checkpoint, digest_of(settings, paths), 2 * epochs, whole=True)
        trained = learn(
            games, start, epochs=epochs, seed=plan.seed, before=numbers, report=report, keeper=keeper
        )
        return trained, checkpoint


@contextmanager
def _fitting(epochs: int) -> Iterator[tuple[ProgressLine, Callable[[str, Fit], None]]]:
    """Show the progress of a fit.

    Yields:
        The function to call repeatedly, and the one that receives the losses.
    """
    from tengen.cli.output.progress import ProgressLine
    from tengen.cli.output.training_lines import FittingProgress

    line = FittingProgress(epochs, LANGUAGE.get())
    progress = ProgressLine(line, sys.stderr)

    def report(what: str, now: Fit) -> None:
        line.update(what, now)
        progress()

    try:
        yield progress, report
    finally:
        progress.clear()
