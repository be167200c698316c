"""The command ``tengen train``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.cli.application import (
    LANGUAGE,
    CliError,
    Command,
    Json,
    Lang,
    RulesName,
    SizeText,
    app,
    check_language,
    print_json,
    print_line,
    rules_from,
    whole,
)
from tengen.cli.arena_options import INTERRUPTED, Concurrency, Seed, WorkersAt, leave, open_workers
from tengen.cli.option_values import number, positive
from tengen.words import say

if TYPE_CHECKING:
    from tengen.engine.weights import Weights
    from tengen.training.run import Trained
    from tengen.training.self_play import Lesson, Plan

_GAMES = 1000
_NODES = 3000


@app.command(cls=Command, help="cli.train.help")
def train(
    rules: RulesName = None,
    size: SizeText = None,
    games: Annotated[
        str | None, typer.Option("--games", show_default=False, help="cli.train.games", metavar="N")
    ] = None,
    minutes: Annotated[str | None, typer.Option("--minutes", help="cli.train.minutes", metavar="M")] = None,
    nodes: Annotated[str | None, typer.Option("--nodes", help="cli.train.nodes", metavar="N")] = None,
    out: Annotated[str | None, typer.Option("--out", help="cli.train.out", metavar="FOLDER")] = None,
    file: Annotated[str | None, typer.Option("--data", help="cli.train.data", metavar="FILE.jsonl")] = None,
    more: Annotated[
        list[str] | None, typer.Option("--add", help="cli.train.add", metavar="FILE.jsonl")
    ] = None,
    begin: Annotated[str | None, typer.Option("--from", help="cli.train.from", metavar="FOLDER")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="cli.train.fresh")] = False,
    epochs: Annotated[str | None, typer.Option("--epochs", help="cli.train.epochs", metavar="N")] = None,
    outcome: Annotated[str | None, typer.Option("--outcome", help="cli.train.outcome", metavar="X")] = None,
    seed: Seed = None,
    concurrency: Concurrency = None,
    workers: WorkersAt = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    if out is None:
        raise CliError("error.cli.missing", name="--out")
    chosen = rules_from(rules, size)
    wanted = None if games is None else whole("--games", games)
    seconds = None if minutes is None else 60 * number("--minutes", minutes)
    if seconds is not None and seconds <= 0:
        raise CliError("error.cli.setting_value", option="--minutes", text=str(minutes))
    if wanted is None and seconds is None:
        wanted = _GAMES
    share = 0.5 if outcome is None else number("--outcome", outcome)
    if not 0 <= share <= 1:
        raise CliError("error.cli.setting_value", option="--outcome", text=str(outcome))
    times = None if epochs is None else positive("--epochs", epochs)
    stones = _NODES if nodes is None else positive("--nodes", nodes)
    rolled = 1 if seed is None else whole("--seed", seed)
    from tengen.cli.output.compile_progress import shown
    from tengen.engine.search_state import check_rules

    check_rules(chosen)
    with shown(LANGUAGE.get(), sys.stderr):
        from tengen.engine.weights import family
        from tengen.training.game_file import read
        from tengen.training.run import numbers_of, warm_up
        from tengen.training.self_play import Plan

        warm_up(chosen)
    source = "" if begin is None else str(Path(begin).expanduser().resolve())
    numbers = numbers_of(chosen, source)
    folder = Path(out).expanduser()
    kept = folder / f"{family(chosen)}-{chosen.width}.jsonl" if file is None else Path(file).expanduser()
    for path in more or ():
        read(path)
    plan = Plan(chosen, stones, rolled, weights=source)
    stopped = wanted != 0 and _play(plan, kept, wanted, seconds, concurrency, workers)
    try:
        trained = _fit(plan, [kept, *map(Path, more or ())], numbers, share, times, fresh=fresh)
        written = _write(trained, plan, folder)
    except KeyboardInterrupt:
        leave(INTERRUPTED, "train.resume", str(kept))
        raise
    from tengen.cli.output import training_lines as showing

    if as_json:
        print_json(showing.data(trained, written))
    else:
        print_line(showing.summary(trained, written, LANGUAGE.get()))
    leave(INTERRUPTED if stopped else 0, "train.resume", str(kept))


def _play(
    plan: Plan,
    path: Path,
    games: int | None,
    seconds: float | None,
    concurrency: str | None,
    workers: str | None,
) -> bool:
    """Play what is left of the games; whether Ctrl-C has ended it."""
    from tengen.cli.output.progress import Progress
    from tengen.cli.output.training_lines import PlayingProgress
    from tengen.training.game_file import Collection, Run
    from tengen.training.run import numbers_of, play_games

    language = LANGUAGE.get()
    with Collection(path, plan.rules) as collection:
        there = len(collection.played(Run.of(plan, numbers_of(plan.rules, plan.weights))))
        line = PlayingProgress(games, seconds, there, language)
        progress = Progress(line, sys.stderr)

        def on_game(lesson: Lesson) -> None:
            line.add(lesson)
            progress()

        try:
            with open_workers(workers, concurrency) as running:
                play_games(collection, plan, running, games, seconds, on_game, progress)
        except KeyboardInterrupt:
            progress.clear()
            print_line(say("train.stopped", language), sys.stderr)
            return True
        finally:
            progress.clear()
    return False


def _fit(
    plan: Plan, paths: list[Path], numbers: Weights, share: float, epochs: int | None, *, fresh: bool
) -> Trained:
    from tengen.cli.output.progress import Progress
    from tengen.cli.output.training_lines import FittingProgress
    from tengen.training.fitting import Fit
    from tengen.training.run import EPOCHS, gathered_from, learn

    times = EPOCHS if epochs is None else epochs
    line = FittingProgress(times, LANGUAGE.get())
    progress = Progress(line, sys.stderr)

    def report(what: str, now: Fit) -> None:
        line.hear(what, now)
        progress()

    try:
        games = gathered_from(plan.rules, paths, share, progress)
        start = None if fresh else numbers
        return learn(games, start, epochs=times, before=numbers, report=report)
    finally:
        progress.clear()


def _write(trained: Trained, plan: Plan, folder: Path) -> dict[str, Path]:
    from tengen.training.report import write

    return write(trained, plan.nodes, folder, LANGUAGE.get())
