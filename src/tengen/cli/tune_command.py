"""The command ``tengen tune``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

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
from tengen.cli.arena_options import (
    INTERRUPTED,
    Concurrency,
    Depth,
    Nodes,
    Openings,
    Seed,
    St,
    Tc,
    WorkersAt,
    leave,
    open_workers,
    openings_of,
    refuse,
    refuse_to_replace,
    seats_of,
)
from tengen.cli.option_values import number, positive

if TYPE_CHECKING:
    from tengen.arena.match import Standing
    from tengen.arena.results import Played
    from tengen.arena.tuning import Generation, State
    from tengen.game.points import Point
    from tengen.game.rules import Rules

_OPENINGS = 1000
"""Openings that a search draws from."""


@app.command(cls=Command, help="cli.tune.help")
def tune(
    spec: Annotated[str | None, typer.Argument(help="cli.tune.spec", metavar="SPEC")] = None,
    against: Annotated[
        list[str] | None, typer.Option("--against", help="cli.tune.against", metavar="SPEC")
    ] = None,
    only: Annotated[str | None, typer.Option("--only", help="cli.tune.only", metavar="NAME,...")] = None,
    param: Annotated[
        list[str] | None, typer.Option("--param", help="cli.tune.param", metavar="NAME=LOW:HIGH")
    ] = None,
    generations: Annotated[
        str | None, typer.Option("--generations", help="cli.tune.generations", metavar="N")
    ] = None,
    population: Annotated[
        str | None, typer.Option("--population", help="cli.tune.population", metavar="N")
    ] = None,
    games: Annotated[str | None, typer.Option("--games", help="cli.tune.games", metavar="N")] = None,
    sigma: Annotated[str | None, typer.Option("--sigma", help="cli.tune.sigma", metavar="X")] = None,
    confirm: Annotated[str | None, typer.Option("--confirm", help="cli.tune.confirm", metavar="N")] = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", help="cli.tune.sprt", metavar="elo0=0,elo1=10")
    ] = None,
    rules: RulesName = None,
    size: SizeText = None,
    openings: Openings = None,
    seed: Seed = None,
    tc: Tc = None,
    st: St = None,
    nodes: Nodes = None,
    depth: Depth = None,
    concurrency: Concurrency = None,
    workers: WorkersAt = None,
    out: Annotated[str | None, typer.Option("--out", help="cli.tune.out", metavar="FILE.json")] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="cli.tune.resume", metavar="FILE.json")
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", help="cli.tune.plot", metavar="FILE.png|svg")
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.arena.sprt import Sprt
    from tengen.arena.tuning import State
    from tengen.arena.tuning_parameters import parse_bounds
    from tengen.arena.tuning_settings import prepare
    from tengen.cli.output import tuning_lines

    if resume is not None:
        given = {"SPEC": spec, "--against": against, "--only": only, "--param": param, "--rules": rules}
        given |= {"--population": population, "--games": games, "--sigma": sigma, "--sprt": sprt}
        given |= {"--confirm": confirm, "--size": size, "--openings": openings, "--seed": seed, "--tc": tc}
        refuse("--resume", given | {"--st": st, "--nodes": nodes, "--depth": depth, "--out": out})
        state = State.load(resume)
        if generations is not None:
            state.extend(whole("--generations", generations))
    else:
        if spec is None:
            raise CliError("error.cli.missing", name="SPEC")
        refuse_to_replace(out)
        chosen = rules_from(rules, size)
        settings: dict[str, Any] = {"seed": 1 if seed is None else whole("--seed", seed)}
        for name, text in {"generations": generations, "confirm": confirm}.items():
            settings |= {} if text is None else {name: whole(f"--{name}", text)}
        for name, text in {"population": population, "games": games}.items():
            settings |= {} if text is None else {name: positive(f"--{name}", text)}
        if sigma is not None:
            settings["sigma"] = number("--sigma", sigma)
        if sprt is not None:
            settings["sprt"] = Sprt.parse(sprt)
        seats = [seats_of((who, who), tc, st, nodes, depth)[0] for who in (spec, *(against or ()))]
        bounds = dict(map(parse_bounds, param or ()))
        names = () if only is None else tuple(name.strip() for name in only.split(","))
        # The player is looked at before the openings are made.
        prepare(seats[0], chosen, [()], seats[1:] or None, names, bounds, **settings)
        starts = _starts(openings, chosen, settings["seed"])
        state = State(prepare(seats[0], chosen, starts, seats[1:] or None, names, bounds, **settings))
    confirmation, status = _play(state, resume or out, concurrency, workers, as_json)
    if plot is not None and state.generations:
        from tengen.arena.report.tuning_plot import plot as draw

        draw(state, plot)
    if as_json:
        print_json(tuning_lines.data(state, confirmation))
    else:
        print_line(tuning_lines.summary(state, confirmation, LANGUAGE.get()))
    leave(status, "tune.resume", resume or out)


def _starts(text: str | None, rules: Rules, seed: int) -> tuple[tuple[Point, ...], ...]:
    """The openings that a search draws from."""
    if text is not None:
        return openings_of(text, rules, _OPENINGS, seed)
    from tengen.arena.opening_sets import default_openings

    # The sets that ship are too small: a search would see each opening again and again.
    return tuple(default_openings(rules, _OPENINGS, seed))


def _play(
    state: State, path: str | None, concurrency: str | None, workers: str | None, as_json: bool
) -> tuple[Standing | None, int]:
    """Play what is left of a tuning; the confirmation, and the exit status."""
    from tengen.arena.tuning import tune as run
    from tengen.cli.output import tuning_lines
    from tengen.cli.output.progress import Progress

    language = LANGUAGE.get()
    progress = Progress(tuning_lines.TuningProgress(state, language), sys.stderr)

    def on_generation(generation: Generation) -> None:
        progress.clear()
        if as_json:
            print_json(tuning_lines.generation_data(generation, len(state.generations)))
        else:
            print_line(tuning_lines.generation_line(state, language))

    def on_game(_: Played) -> None:
        progress()

    try:
        with open_workers(workers, concurrency) as running:
            return run(state, running, path, on_generation, on_game, progress), 0
    except KeyboardInterrupt:
        return (state.standing() if state.confirmation else None), INTERRUPTED
    finally:
        progress.clear()
