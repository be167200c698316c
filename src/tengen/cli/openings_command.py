"""The command ``tengen openings``."""

from __future__ import annotations

import shlex
import sys
import threading
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tengen.cli.arena_options import WorkerOptions
from tengen.cli.arena_runs import INTERRUPTED, leave, run
from tengen.cli.compile_notice import ready_for
from tengen.cli.declaration import Options, command, option
from tengen.cli.option_values import positive, results_file, span, whole
from tengen.cli.options import FoulRulesOptions, Json
from tengen.cli.printing import LANGUAGE, one_line, print_json, print_line
from tengen.executors.ctrl_c import first_ctrl_c
from tengen.game.errors import TengenError
from tengen.game.notation import format_moves, shorten
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.opening_judge import Judge
    from tengen.game.rules import Rules

_LONGEST = 2_000


@dataclass(frozen=True, kw_only=True)
class OpeningSetOptions(Options):
    """Options of generated openings and their judge."""

    rules: FoulRulesOptions = FoulRulesOptions()
    count: Annotated[int, option("cli.openings.count", positive)] = 100
    judge: Annotated[str | None, option("cli.openings.judge", metavar="SPEC")] = None
    bound: Annotated[int | None, option("cli.openings.bound", positive)] = None
    playouts: Annotated[int | None, option("cli.openings.playouts", positive)] = None
    plies: Annotated[tuple[int, int] | None, option("cli.openings.plies", span)] = None
    seed: Annotated[int, option("cli.openings.seed", whole)] = 1

    def settings(self, rules: Rules) -> dict[str, Any]:
        """Return the arguments of `tengen.arena.opening_generator.make_openings`, with its defaults."""
        from tengen.arena.opening_generator import default_plies
        from tengen.arena.opening_judge import default_judge

        return {
            "rules": rules,
            "count": self.count,
            "seed": self.seed,
            "judge": default_judge(rules) if self.judge is None else self.judge,
            "plies": default_plies(rules) if self.plies is None else self.plies,
            "playouts": self.playouts,
            "bound": self.bound,
        }


@command
def openings(
    *,
    opening_options: OpeningSetOptions = OpeningSetOptions(),
    worker_options: WorkerOptions = WorkerOptions(),
    out: Annotated[Path | None, option("cli.openings.out", results_file)] = None,
    as_json: Json = False,
) -> None:
    from tengen.arena.opening_generator import make_openings
    from tengen.arena.opening_judge import proposed
    from tengen.arena.opening_sets import format_book
    from tengen.formats.files import check_writable, shown, write_whole

    if out is not None:
        check_writable(out)
    rules = opening_options.rules.chosen()
    settings = opening_options.settings(rules)
    judge = proposed(rules, settings["judge"], opening_options.bound, opening_options.playouts)
    ready_for((judge.spec,), rules)
    # A call that is not iterated checks the settings, before any worker starts.
    make_openings(**settings)
    found, tried, status, problem = _make(settings, worker_options)
    if problem is not None and not found:
        raise problem
    notes, rerun = _notes(opening_options, rules, judge, settings["plies"], tried)
    text = format_book(found, rules, notes, rerun)
    if out is not None and found:
        write_whole(out, text.encode())
    if as_json:
        from tengen.schemas.arena import OpeningsData

        texts = tuple(format_moves(opening, rules.width) for opening in found)
        print_json(OpeningsData(openings=texts).to_dict())
    elif out is None:
        print_line(text.rstrip("\n"))
    elif found:
        print_line(say("openings.written", LANGUAGE.get(), count=len(found), file=shown(out)))
    leave(status, done=("cli.interrupted.openings", len(found), opening_options.count))
    if problem is not None:
        raise problem


def _make(
    settings: dict[str, Any], worker_options: WorkerOptions
) -> tuple[list[tuple[int, ...]], int, int, TengenError | None]:
    """Generate openings.

    Returns:
        The openings, the number of shapes tried, the exit status, and the error that ended the generation
        early, if any.
    """
    from tengen.arena.opening_generator import make_openings
    from tengen.cli.output.opening_lines import OpeningsProgress
    from tengen.cli.output.progress import ProgressLine

    line = OpeningsProgress(settings["count"], LANGUAGE.get())
    progress = ProgressLine(line, sys.stderr)
    found: list[tuple[int, ...]] = []

    def report(tried: int, kept: int) -> None:
        line.update(tried, kept)
        progress()

    stop = threading.Event()

    def make() -> None:
        with worker_options.open() as workers, first_ctrl_c(stop.set):
            pool = workers.caller("openings")
            made = make_openings(**settings, progress=report, stop=stop, pool=pool, slots=workers.slots)
            with closing(made):
                for opening in made:
                    found.append(opening)
                    progress()

    status, problem = 0, None
    try:
        status = run(make, progress)
    except TengenError as error:
        problem = error
    return found, line.tried, INTERRUPTED if stop.is_set() else status, problem


def _notes(
    opening_options: OpeningSetOptions, rules: Rules, judge: Judge, plies: tuple[int, int], tried: int
) -> tuple[dict[str, str], str]:
    """Return the header of a file of openings: how they were made, and the command that reproduces them.

    The command names all settings, so that it does not depend on later defaults.
    """
    from tengen import __version__

    given = opening_options.rules
    bound = {"bound": judge.bound} if judge.scores else {"playouts": judge.playouts}
    settings = {"judge": judge.spec, **bound, "plies": "{}-{}".format(*plies), "seed": opening_options.seed}
    notes = {name: one_line(str(value)) for name, value in settings.items()}
    notes |= {"shapes": str(tried), "version": __version__}
    fields = {
        "rules": given.rules or "freestyle",
        "size": _size(rules, given.rules),
        "fouls": given.fouls,
        "count": opening_options.count,
    }
    words = ["tengen", "openings"]
    for name, value in {**fields, **settings}.items():
        words += [] if value is None else [f"--{name}", str(value)]
    return notes, shorten(shlex.join(words), _LONGEST)


def _size(chosen: Rules, name: str | None) -> str | None:
    """Return the size as the value of `--size`; None if the name of the rules determines it."""
    if name is not None and name.strip().startswith("mnk"):
        return None
    return str(chosen.width) if chosen.width == chosen.height else chosen.size_text
