"""The command ``tengen match``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from tengen.cli.application import (
    LANGUAGE,
    CliError,
    Command,
    FoulsMode,
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
from tengen.cli.arena_options import (
    INTERRUPTED,
    Concurrency,
    Depth,
    Draw,
    Games,
    Margin,
    MaxMoves,
    Nodes,
    Openings,
    Out,
    Recover,
    Resign,
    Seed,
    St,
    Tc,
    WorkersAt,
    adjudication_of,
    check_outs,
    leave,
    margin_of,
    open_workers,
    opened,
    openings_of,
    refuse,
    seats_of,
)
from tengen.cli.option_values import positive
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.journal import Journal
    from tengen.arena.match import Standing
    from tengen.arena.results import Played


@app.command(cls=Command, help="cli.match.help")
def match(
    one: Annotated[str | None, typer.Argument(help="cli.match.one", metavar="A")] = None,
    other: Annotated[str | None, typer.Argument(help="cli.match.other", metavar="B")] = None,
    games: Games = None,
    rules: RulesName = None,
    size: SizeText = None,
    fouls: FoulsMode = None,
    openings: Openings = None,
    repeat: Annotated[
        bool, typer.Option("--repeat/--no-repeat", show_default=False, help="cli.match.repeat")
    ] = True,
    seed: Seed = None,
    tc: Tc = None,
    st: St = None,
    nodes: Nodes = None,
    depth: Depth = None,
    timemargin: Margin = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt", help="cli.match.sprt", metavar="elo0=0,elo1=10[,alpha=0.05,beta=0.05,model=NAME]"
        ),
    ] = None,
    resign: Resign = None,
    draw: Draw = None,
    maxmoves: MaxMoves = None,
    recover: Recover = True,
    concurrency: Concurrency = None,
    workers: WorkersAt = None,
    out: Out = None,
    log: Annotated[str | None, typer.Option("--log", help="cli.match.log", metavar="FILE")] = None,
    resume: Annotated[str | None, typer.Option("--resume", help="cli.match.resume", metavar="FILE")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.arena.journal import Journal, read
    from tengen.arena.match import Match, Standing
    from tengen.arena.sprt import Sprt
    from tengen.cli.output import match_lines
    from tengen.formats.files import write_files

    outs = list(out or ())
    check_outs(outs)
    if resume is not None:
        given = {"A": one, "--games": games, "--rules": rules, "--size": size, "--fouls": fouls}
        given |= {"--openings": openings, "--seed": seed, "--tc": tc, "--st": st, "--nodes": nodes}
        given |= {"--depth": depth, "--timemargin": timemargin, "--sprt": sprt}
        refuse("--resume", given | {"--resign": resign, "--draw": draw, "--maxmoves": maxmoves})
        data, played = read(resume)
        standing = Standing(replace(Match.from_dict(data), log=log is not None))
        for game in played:
            standing.add(game)
    else:
        if one is None or other is None:
            raise CliError("error.cli.missing", name="A B" if one is None else "B")
        test = None if sprt is None else Sprt.parse(sprt)
        endings, margin = adjudication_of(resign, draw, maxmoves), margin_of(timemargin)
        chosen = rules_from(rules, size, fouls=fouls)
        count = 100 if games is None else positive("--games", games)
        rolled = 1 if seed is None else whole("--seed", seed)
        wanted = Match(
            players=seats_of((one, other), tc, st, nodes, depth),
            rules=chosen,
            games=count,
            repeat=repeat,
            seed=rolled,
            adjudication=endings,
            margin=margin,
            sprt=test,
            recover=recover,
            log=log is not None,
        )
        begin = openings_of(openings, chosen, -(-count // 2) if repeat else count, rolled)
        standing = Standing(replace(wanted, openings=begin))
    path = resume or next((name for name in outs if name.lower().endswith(".jsonl")), None)
    with ExitStack() as stack:
        settings = None if resume is not None else standing.match.to_dict()
        kept = None if path is None else stack.enter_context(Journal(path, settings))
        said = None if log is None else stack.enter_context(opened(log))
        status = _play(standing, kept, said, concurrency, workers, as_json)
    records = [game.record() for game in standing.counted()]
    for name in outs:
        if records and name != path:
            write_files(records, name)
    if as_json:
        print_json(match_lines.data(standing))
    else:
        print_line(match_lines.summary(standing, LANGUAGE.get()))
    leave(status, "match.resume", path)


def _play(
    standing: Standing,
    journal: Journal | None,
    log: TextIO | None,
    concurrency: str | None,
    workers: str | None,
    as_json: bool,
) -> int:
    """Play what is left of a match; the exit status."""
    from tengen.arena.match import Stopped, run_match
    from tengen.cli.output import match_lines
    from tengen.cli.output.progress import Progress

    language = LANGUAGE.get()
    progress = Progress(match_lines.MatchProgress(standing, language), sys.stderr)

    def on_game(game: Played) -> None:
        if journal is not None:
            journal.add(game)
        if log is not None:
            log.writelines(f"{line}\n" for line in game.log)
            log.flush()
        if as_json:
            progress.clear()
            print_json(match_lines.game_data(game))
        progress()

    try:
        if not standing.over:
            with open_workers(workers, concurrency) as running:
                run_match(standing, running, on_game, progress)
    except Stopped as stopped:
        progress.clear()
        print_line(f"tengen: {say(stopped.message, language)}", sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        progress.clear()
    return 0
