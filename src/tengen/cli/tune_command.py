"""The command ``tengen tune``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from tengen.arena.sprt import Sprt
from tengen.cli.arena_options import LimitOptions, Openings, Seed, WorkerOptions
from tengen.cli.arena_runs import leave, run
from tengen.cli.compile_notice import ready_for
from tengen.cli.declaration import Options, argument, command, option, refuse_besides
from tengen.cli.errors import CliError
from tengen.cli.option_values import (
    bounds,
    file_path,
    names,
    number,
    output_file,
    positive,
    results_file,
    sprt_test,
    whole,
)
from tengen.cli.options import Json, RulesOptions
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.executors.ctrl_c import ctrl_c_at

if TYPE_CHECKING:
    from tengen.arena.match import MatchState
    from tengen.arena.results import PlayedGame
    from tengen.arena.tuning import Generation, TuningState

Bounds: TypeAlias = tuple[str, tuple[float, float]]
SprtTest = Annotated[Sprt | None, option("cli.tune.sprt", sprt_test)]

_OPENINGS = 1000
"""The number of openings to draw from; openings from the smaller sets of Tengen would repeat."""


@dataclass(frozen=True, kw_only=True)
class TuningOptions(Options):
    """Options of a tuning: parameters, opponents and length."""

    against: Annotated[list[str] | None, option("cli.tune.against", metavar="SPEC")] = None
    only: Annotated[tuple[str, ...], option("cli.tune.only", names)] = ()
    param: Annotated[list[Bounds] | None, option("cli.tune.param", bounds)] = None
    generations: Annotated[int | None, option("cli.tune.generations", whole)] = None
    population: Annotated[int | None, option("cli.tune.population", positive)] = None
    games: Annotated[int | None, option("cli.tune.games", positive)] = None
    sigma: Annotated[float | None, option("cli.tune.sigma", number)] = None
    confirm: Annotated[int | None, option("cli.tune.confirm", whole)] = None
    sprt: SprtTest = None
    rules: RulesOptions = RulesOptions()
    openings: Openings = None
    seed: Seed = 1
    limits: LimitOptions = LimitOptions()

    def state(self, spec: str) -> TuningState:
        """Return the initial state of the tuning of a player.

        Raises:
            TengenError: the player cannot be tuned with these settings.
        """
        from tengen.arena.tuning import TuningState
        from tengen.arena.tuning_settings import prepare

        rules = self.rules.chosen()
        ready_for((spec, *(self.against or ())), rules)
        player, *others = map(self.limits.contestant, (spec, *(self.against or ())))
        wanted = ("generations", "population", "games", "sigma", "confirm", "sprt", "seed")
        settings: dict[str, Any] = {
            "opponents": others or None,
            "only": self.only,
            "bounds": dict(self.param or ()),
            **{name: getattr(self, name) for name in wanted if getattr(self, name) is not None},
        }
        # The player is checked before the openings are generated.
        prepare(player, rules, [()], **settings)
        if self.openings is not None:
            begin = self.openings.openings(rules, _OPENINGS, self.seed)
        else:
            from tengen.arena.opening_sets import default_openings

            begin = tuple(default_openings(rules, _OPENINGS, self.seed))
        return TuningState(prepare(player, rules, begin, **settings))


@command
def tune(
    spec: Annotated[str | None, argument("cli.tune.spec", "SPEC")] = None,
    /,
    *,
    tuning_options: TuningOptions = TuningOptions(),
    worker_options: WorkerOptions = WorkerOptions(),
    out: Annotated[Path | None, option("cli.tune.out", results_file, "FILE.json")] = None,
    resume: Annotated[Path | None, option("cli.tune.resume", file_path, "FILE.json")] = None,
    plot: Annotated[Path | None, option("cli.tune.plot", output_file, "FILE.png|svg")] = None,
    as_json: Json = False,
) -> None:
    from tengen.arena.tuning import TuningState
    from tengen.arena.tuning_optimiser import import_cma
    from tengen.cli.output import tuning_lines

    import_cma()  # before openings are generated
    if plot is not None:
        from tengen.arena.report.tuning_plot import check_picture

        check_picture(plot)
    if resume is not None:
        refuse_besides("resume", "generations", "concurrency", "workers", "plot")
        state = TuningState.load(resume)
        if tuning_options.generations is not None:
            state.extend(tuning_options.generations)
    elif tuning_options.confirm == 0 and tuning_options.sprt is not None:
        raise CliError("error.cli.alone", option="--confirm 0", options="--sprt")
    elif spec is None:
        raise CliError("error.cli.missing", name="SPEC")
    else:
        state = tuning_options.state(spec)
    confirmation, status = _play(state, resume or out, worker_options, as_json=as_json)
    if as_json:
        from tengen.schemas.arena import TuningData

        print_json(TuningData.of(state, confirmation).to_dict())
    else:
        print_line(tuning_lines.summary(state, confirmation, LANGUAGE.get()))
    if plot is not None and state.generations:
        from tengen.arena.report.tuning_plot import plot as draw

        draw(state, plot)
    generations = len(state.generations), state.tuning.generations
    leave(status, "tune.resume", resume or out, ("cli.interrupted.generations", *generations))


def _play(
    state: TuningState, path: Path | None, worker_options: WorkerOptions, *, as_json: bool
) -> tuple[MatchState | None, int]:
    """Play the rest of a tuning; return the confirmation, and the exit status."""
    from tengen.arena import tuning
    from tengen.cli.output import tuning_lines
    from tengen.cli.output.progress import ProgressLine

    language = LANGUAGE.get()
    progress = ProgressLine(tuning_lines.TuningProgress(state, language), sys.stderr)

    def on_generation(generation: Generation) -> None:
        progress.clear()
        if as_json:
            from tengen.schemas.arena import GenerationData

            print_json(GenerationData.of(generation, len(state.generations)).to_dict())
        else:
            print_line(tuning_lines.generation_line(state, language))

    def on_game(_: PlayedGame) -> None:
        progress()

    def play() -> None:
        with worker_options.open() as workers, ctrl_c_at(progress) as tick:
            tuning.tune(state, workers, path, on_generation, on_game, tick)

    status = run(play, progress)
    return state.standing() if state.confirmation else None, status
