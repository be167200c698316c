"""The command ``tengen openings``."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.cli.application import (
    LANGUAGE,
    Command,
    FoulsMode,
    Json,
    Lang,
    RulesName,
    SizeText,
    app,
    check_language,
    one_line,
    print_json,
    print_line,
    rules_from,
    whole,
)
from tengen.cli.arena_options import (
    INTERRUPTED,
    Concurrency,
    WorkersAt,
    leave,
    open_workers,
    write_text,
)
from tengen.cli.option_values import positive, span
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.opening_judge import Judge
    from tengen.game.rules import Rules


@app.command(cls=Command, help="cli.openings.help")
def openings(
    rules: RulesName = None,
    size: SizeText = None,
    fouls: FoulsMode = None,
    count: Annotated[
        str, typer.Option("--count", show_default=False, help="cli.openings.count", metavar="N")
    ] = "100",
    judge: Annotated[str | None, typer.Option("--judge", help="cli.openings.judge", metavar="SPEC")] = None,
    bound: Annotated[str | None, typer.Option("--bound", help="cli.openings.bound", metavar="N")] = None,
    playouts: Annotated[
        str | None, typer.Option("--playouts", help="cli.openings.playouts", metavar="N")
    ] = None,
    plies: Annotated[
        str | None, typer.Option("--plies", help="cli.openings.plies", metavar="LOW-HIGH")
    ] = None,
    seed: Annotated[
        str, typer.Option("--seed", show_default=False, help="cli.openings.seed", metavar="N")
    ] = "1",
    concurrency: Concurrency = None,
    workers: WorkersAt = None,
    out: Annotated[str | None, typer.Option("--out", help="cli.openings.out", metavar="FILE")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen import __version__
    from tengen.arena import opening_generator as making
    from tengen.arena import opening_sets
    from tengen.arena.opening_judge import default_judge
    from tengen.cli.output.opening_lines import OpeningsProgress
    from tengen.cli.output.progress import Progress
    from tengen.game.notation import format_moves

    chosen = rules_from(rules, size, fouls=fouls)
    wanted, rolled = positive("--count", count), whole("--seed", seed)
    stones = making.default_plies(chosen) if plies is None else span("--plies", plies)
    most = None if bound is None else positive("--bound", bound)
    games = None if playouts is None else positive("--playouts", playouts)
    spec = default_judge(chosen) if judge is None else judge
    # Whatever is wrong with the settings is found here, before any worker starts.
    judging = _appointed(chosen, spec, most, games)
    making.make_openings(chosen, wanted, rolled, spec, stones, games, bound=most)
    told = OpeningsProgress(wanted, LANGUAGE.get())
    progress = Progress(told, sys.stderr)
    shapes = 0

    def seen(tried: int, kept: int) -> None:
        nonlocal shapes
        shapes = tried
        told.update(tried, kept)
        progress()

    found: list[tuple[int, ...]] = []
    status = 0
    try:
        with open_workers(workers, concurrency) as running:
            pool = running.caller("openings")
            made = making.make_openings(
                chosen,
                wanted,
                rolled,
                spec,
                stones,
                games,
                seen,
                pool=pool,
                slots=running.slots,
                bound=most,
            )
            with closing(made):
                for opening in made:
                    found.append(opening)
                    progress()
    except KeyboardInterrupt:
        status = INTERRUPTED
    progress.clear()
    how = {"bound": judging.bound} if judging.scores else {"playouts": judging.playouts}
    settings = {"judge": judging.spec, **how, "plies": "{}-{}".format(*stones), "seed": rolled}
    fields = {"rules": rules or "freestyle", "size": _size(chosen, rules), "fouls": fouls, "count": wanted}
    notes = {
        **{name: one_line(str(value)) for name, value in settings.items()},
        "shapes": str(shapes),
        "version": __version__,
    }
    text = opening_sets.format_book(found, chosen, notes, _command({**fields, **settings}))
    if out is not None:
        write_text(out, text)
    if as_json:
        print_json({"openings": [format_moves(opening, chosen.width) for opening in found]})
    elif out is None:
        print_line(text.rstrip("\n"))
    else:
        print_line(say("openings.written", LANGUAGE.get(), count=len(found), file=one_line(out)))
    leave(status, "", None)


def _appointed(rules: Rules, spec: str, bound: int | None, playouts: int | None) -> Judge:
    """The judge, and the engine compiled if it is needed; what cannot be is refused before that."""
    from tengen.arena.opening_judge import appoint
    from tengen.cli.output.compile_progress import needs_engine, shown

    engine = needs_engine(spec)
    with shown(LANGUAGE.get(), sys.stderr) if engine else nullcontext():
        judge = appoint(rules, spec, bound, playouts)
        if engine:
            from tengen.engine.warmup import warm_up

            warm_up(rules if judge.scores else None)
    return judge


def _size(chosen: Rules, name: str | None) -> str | None:
    """The size as `--size` takes it; None where the name of the rules says it."""
    if name is not None and name.strip().startswith("mnk"):
        return None
    return str(chosen.width) if chosen.width == chosen.height else chosen.size_text


def _command(options: dict[str, object]) -> str:
    """The command that makes the same openings again, whatever is default by then."""
    from tengen.terminal.describe import one_line as printable

    words = ["tengen", "openings"]
    for name, value in options.items():
        words += [] if value is None else [f"--{name}", str(value)]
    return printable(shlex.join(words), 2_000)
