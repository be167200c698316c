"""The commands ``tengen tournament`` and ``tengen ladder``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
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
    openings_of,
    refuse,
    seats_of,
)
from tengen.cli.option_values import positive
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.results import Played
    from tengen.arena.tournament import Table, Tournament


@app.command(cls=Command, help="cli.tournament.help")
def tournament(
    players: Annotated[
        list[str] | None, typer.Argument(help="cli.tournament.players", metavar="SPEC")
    ] = None,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", show_default=False, help="cli.tournament.kind", metavar="round-robin|gauntlet|swiss"
        ),
    ] = "round-robin",
    rounds: Annotated[
        str | None, typer.Option("--rounds", help="cli.tournament.rounds", metavar="N")
    ] = None,
    games: Annotated[
        str, typer.Option("--games", show_default=False, help="cli.tournament.games", metavar="N")
    ] = "2",
    champions: Annotated[
        str, typer.Option("--champions", show_default=False, help="cli.tournament.champions", metavar="N")
    ] = "1",
    rules: RulesName = None,
    size: SizeText = None,
    fouls: FoulsMode = None,
    openings: Openings = None,
    seed: Seed = None,
    tc: Tc = None,
    st: St = None,
    nodes: Nodes = None,
    depth: Depth = None,
    timemargin: Margin = None,
    resign: Resign = None,
    draw: Draw = None,
    maxmoves: MaxMoves = None,
    recover: Recover = True,
    concurrency: Concurrency = None,
    workers: WorkersAt = None,
    store: Annotated[
        str | None, typer.Option("--store", help="cli.tournament.store", metavar="FILE")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="cli.tournament.resume", metavar="FILE")
    ] = None,
    report: Annotated[
        str | None, typer.Option("--report", help="cli.tournament.report", metavar="FILE.html")
    ] = None,
    out: Out = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.arena.tournament import Tournament
    from tengen.cli.output import tournament_tables

    check_outs(out or ())
    if resume is not None:
        given = {"SPEC": players or None, "--rounds": rounds, "--rules": rules, "--size": size}
        given |= {"--fouls": fouls, "--openings": openings, "--seed": seed, "--tc": tc, "--st": st}
        given |= {"--nodes": nodes, "--depth": depth, "--timemargin": timemargin, "--resign": resign}
        refuse("--resume", given | {"--draw": draw, "--maxmoves": maxmoves, "--store": store})
        wanted = None
    else:
        chosen = rules_from(rules, size, fouls=fouls)
        rolled = 1 if seed is None else whole("--seed", seed)
        turns, each_time = positive("--rounds", rounds or "1"), positive("--games", games)
        seats = [seats_of((spec, spec), tc, st, nodes, depth)[0] for spec in players or ()]
        wanted = Tournament(
            players=tuple(seats),
            kind=kind,  # type: ignore[arg-type]
            rules=chosen,
            rounds=turns,
            games=each_time,
            champions=positive("--champions", champions),
            seed=rolled,
            adjudication=adjudication_of(resign, draw, maxmoves),
            margin=margin_of(timemargin),
            recover=recover,
        )
        begin = openings_of(openings, chosen, turns * -(-each_time // 2), rolled)
        wanted = replace(wanted, openings=begin)
    table, status = _play_tournament(wanted, resume or store, concurrency, workers, as_json)
    _write_tournament(table, out or (), report)
    if as_json:
        print_json(tournament_tables.data(table))
    else:
        print_line(tournament_tables.table(table, LANGUAGE.get()))
    leave(status, "tournament.resume", resume or store)


@app.command(cls=Command, help="cli.ladder.help")
def ladder(
    players: Annotated[list[str] | None, typer.Argument(help="cli.ladder.players", metavar="SPEC")] = None,
    games: Annotated[
        str, typer.Option("--games", show_default=False, help="cli.ladder.games", metavar="N")
    ] = "10",
    rules: RulesName = None,
    size: SizeText = None,
    seed: Seed = None,
    concurrency: Concurrency = None,
    workers: WorkersAt = None,
    store: Annotated[
        str | None, typer.Option("--store", help="cli.tournament.store", metavar="FILE")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="cli.tournament.resume", metavar="FILE")
    ] = None,
    report: Annotated[
        str | None, typer.Option("--report", help="cli.tournament.report", metavar="FILE.html")
    ] = None,
    write: Annotated[
        list[str] | None, typer.Option("--write", help="cli.ladder.write", metavar="FILE.md")
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from dataclasses import asdict

    from tengen.arena import ladder as rating
    from tengen.arena.tournament import Tournament
    from tengen.cli.output import tournament_tables

    if resume is not None:
        refuse("--resume", {"SPEC": players or None, "--rules": rules, "--size": size, "--store": store})
        wanted = None
    else:
        chosen = rules_from(rules, size)
        rolled = 1 if seed is None else whole("--seed", seed)
        each_time = positive("--games", games)
        field = (*rating.field(chosen), *(players or ()))
        seats = [seats_of((spec, spec), None, None, None, None)[0] for spec in field]
        # A round of two games for everybody at a time: a ladder that is stopped early is even.
        turns = -(-each_time // 2)
        starts = openings_of(None, chosen, turns, rolled)
        wanted = Tournament(tuple(seats), "round-robin", chosen, turns, 2, openings=starts, seed=rolled)
    table, status = _play_tournament(wanted, resume or store, concurrency, workers, as_json)
    _write_tournament(table, (), report)
    rungs = rating.ladder(table.games.values())
    for page in write or ():
        rating.write_table(page, rating.table(rungs, LANGUAGE.get()))
    if as_json:
        print_json({"ladder": [asdict(rung) for rung in rungs]})
    else:
        print_line(tournament_tables.ladder(rungs, LANGUAGE.get()))
    leave(status, "tournament.resume", resume or store)


def _play_tournament(
    wanted: Tournament | None,
    path: str | None,
    concurrency: str | None,
    workers: str | None,
    as_json: bool,
) -> tuple[Table, int]:
    """Play a tournament, or what is left of the one at `path`; the table, and the exit status."""
    from tengen.arena.match import Stopped
    from tengen.arena.tournament import Table, Tournament, run_tournament
    from tengen.arena.tournament_store import Store
    from tengen.cli.output import match_lines, tournament_tables
    from tengen.cli.output.progress import Progress

    language = LANGUAGE.get()
    status = 0
    with ExitStack() as stack:
        settings = None if wanted is None else wanted.to_dict()
        file = None if path is None else stack.enter_context(Store(path, settings))
        if wanted is None:
            assert file is not None  # without settings there is a file
            table = Table(Tournament.from_dict(file.settings()))
            table.games.update({game.number: game for game in file.games()})
        else:
            table = Table(wanted)
        progress = Progress(tournament_tables.TournamentProgress(table, language), sys.stderr)

        def on_game(game: Played) -> None:
            if file is not None:
                file.add(game)
            if as_json:
                progress.clear()
                print_json(match_lines.game_data(game))
            progress()

        try:
            if not table.over:
                with open_workers(workers, concurrency) as running:
                    run_tournament(table, running, on_game, progress)
        except Stopped as stopped:
            progress.clear()
            print_line(f"tengen: {say(stopped.message, language)}", sys.stderr)
            status = 1
        except KeyboardInterrupt:
            status = INTERRUPTED
        progress.clear()
    return table, status


def _write_tournament(table: Table, outs: Sequence[str], report: str | None) -> None:
    """Write the games, and the page that shows them."""
    from tengen.formats.files import write_files

    games = [game for _, game in sorted(table.games.items())]
    for name in outs if games else ():
        write_files([game.record() for game in games], name)
    if report is not None:
        from tengen.arena.report.page import write_report
        from tengen.cli.output import tournament_tables

        write_report(tournament_tables.report(table, LANGUAGE.get()), report, LANGUAGE.get())
