"""The command ``tengen openings``."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from tengen.cli.app import (
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
from tengen.cli.options import (
    INTERRUPTED,
    Concurrency,
    WorkersAt,
    engine_ready,
    leave,
    open_workers,
    write_text,
)
from tengen.cli.values import positive, span
from tengen.words import say


@app.command(cls=Command, help="cli.openings.help")
def openings(
    rules: RulesName = None,
    size: SizeText = None,
    fouls: FoulsMode = None,
    count: Annotated[
        str, typer.Option("--count", show_default=False, help="cli.openings.count", metavar="N")
    ] = "100",
    judge: Annotated[str | None, typer.Option("--judge", help="cli.openings.judge", metavar="SPEC")] = None,
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
    from tengen.arena import books
    from tengen.arena import openings as making
    from tengen.game.notation import format_moves
    from tengen.terminal.openings import OpeningsProgress
    from tengen.terminal.progress import Progress

    chosen = rules_from(rules, size, fouls=fouls)
    wanted, rolled = positive("--count", count), whole("--seed", seed)
    who = making.JUDGE if judge is None else judge
    times = making.PLAYOUTS if playouts is None else positive("--playouts", playouts)
    stones = None if plies is None else span("--plies", plies)
    told = OpeningsProgress(wanted, LANGUAGE.get())
    progress = Progress(told, sys.stderr)

    def seen(tried: int, kept: int) -> None:
        told.update(tried, kept)
        progress()

    found: list[tuple[int, ...]] = []
    status = 0
    engine_ready((who,))
    # Whatever is wrong with the settings is found here, before any worker starts.
    making.make_openings(chosen, wanted, rolled, who, stones, times)
    try:
        with open_workers(workers, concurrency) as running:
            pool = running.caller("openings")
            made = making.make_openings(
                chosen, wanted, rolled, who, stones, times, seen, pool=pool, slots=running.slots
            )
            with closing(made):
                for opening in made:
                    found.append(opening)
                    progress()
    except KeyboardInterrupt:
        status = INTERRUPTED
    progress.clear()
    notes = {
        "seed": str(rolled),
        "judge": who,
        "playouts": str(times),
        "stones": "{}-{}".format(*(stones or making.default_plies(chosen))),
    }
    text = books.format_book(found, chosen, notes)
    if out is not None:
        write_text(out, text)
    if as_json:
        print_json({"openings": [format_moves(opening, chosen.width) for opening in found]})
    elif out is None:
        print_line(text.rstrip("\n"))
    else:
        print_line(say("openings.written", LANGUAGE.get(), count=len(found), file=one_line(out)))
    leave(status, "", None)
