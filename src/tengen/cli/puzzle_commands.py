"""The commands ``tengen puzzle``, to solve a puzzle, and ``tengen puzzles``, to find puzzles in games."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tengen.cli.arena_runs import INTERRUPTED
from tengen.cli.declaration import argument, command, option, refuse_besides
from tengen.cli.errors import CliError, CommandExit
from tengen.cli.option_values import at_most, file_path, one_of, results_file
from tengen.cli.options import EncodingText, Json, RulesOptions
from tengen.cli.printing import LANGUAGE, json_text, print_json, print_line, print_problem
from tengen.executors.ctrl_c import first_ctrl_c
from tengen.game.notation import shorten
from tengen.plaintext.streams import piped_lines
from tengen.study.puzzle import KINDS, LEVELS, Puzzle, PuzzleError
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.game.record import Record

Kind = Annotated[str | None, option("cli.puzzle.kind", one_of(*KINDS))]
Level = Annotated[int | None, option("cli.puzzle.level", at_most(LEVELS))]


@command
def puzzle(
    name: Annotated[str | None, argument("cli.puzzle.name", "NAME")] = None,
    /,
    *,
    rules: RulesOptions = RulesOptions(),
    kind: Kind = None,
    level: Level = None,
    file: Annotated[Path | None, option("cli.puzzle.file", file_path)] = None,
    as_json: Json = False,
) -> None:
    from tengen.study.puzzle_set import read_puzzles, select, shipped
    from tengen.terminal.plain_puzzle import PlainPuzzle

    if name is not None:
        refuse_besides("name", "file", key="error.cli.alone")
    every = list(shipped().values()) if file is None else read_puzzles(file)
    if name is not None:
        found = [each for each in every if each.name == name]
        if not found:
            raise PuzzleError("error.puzzle.name", name=shorten(name))
    else:
        chosen_rules = rules.chosen() if file is None or rules.rules or rules.size else None
        found = list(select(every, chosen_rules, kind, level))
        if not found:
            raise PuzzleError("error.puzzle.none", count=len(every))
    chosen = random.choice(found)
    if as_json:
        from tengen.schemas.puzzle import PuzzleData

        print_json(PuzzleData.of(chosen).to_dict())
        return
    status = PlainPuzzle(chosen, LANGUAGE.get(), piped_lines(sys.stdin), sys.stdout).run()
    if status:
        raise CommandExit(status)


@command
def puzzles(
    *games: Annotated[Path, argument("cli.puzzles.games", "GAMES", file_path)],
    kind: Kind = None,
    level: Level = None,
    keep_all: Annotated[bool, option("cli.puzzles.all", name="--all")] = False,
    out: Annotated[Path | None, option("cli.puzzles.out", results_file)] = None,
    encoding: EncodingText = None,
    as_json: Json = False,
) -> None:
    from tengen.formats.files import check_writable, read_file, shown
    from tengen.solver.warmup import warm_up
    from tengen.study.puzzle_set import HEAD

    if not games:
        raise CliError("error.cli.missing", name="GAMES")
    if out is not None:
        check_writable(out)
    read = [read_file(path, encoding=encoding, by_content=True) for path in games]
    problems = [problem for file in read for problem in file.problems]
    for problem in problems:
        print_problem(problem.game, problem.message, problem.missing)
    warm_up()
    stop = threading.Event()
    with first_ctrl_c(stop.set):
        records = [record for file in read for record in file.records]
        found = _found(records, stop, kind, level, keep_all=keep_all)
        kept = list(found) if out is None else list(_written(found, out))
    if as_json:
        from tengen.schemas.puzzle import FoundPuzzles, PuzzleData

        print_json(FoundPuzzles(puzzles=tuple(map(PuzzleData.of, kept))).to_dict())
    elif out is not None:
        print_line(say("puzzles.written", LANGUAGE.get(), count=len(kept), file=shown(out)))
    else:
        for line in (HEAD, *(each.to_dict() for each in kept)):
            print_line(json_text(line))
    if stop.is_set():
        raise CommandExit(INTERRUPTED)
    if any(problem.main_line_lost for problem in problems):
        raise CommandExit(1)


def _written(found: Iterable[Puzzle], out: Path) -> Iterator[Puzzle]:
    """Yield the puzzles, and write each to a file as soon as it is found."""
    from tengen.formats.json_lines import JsonLinesFile
    from tengen.study.puzzle_set import HEAD

    with JsonLinesFile(out, HEAD) as file:
        for each in found:
            file.write(each.to_dict())
            yield each


def _found(
    records: Sequence[Record],
    stop: threading.Event,
    kind: str | None,
    level: int | None,
    *,
    keep_all: bool,
) -> Iterator[Puzzle]:
    """Yield the distinct puzzles of games; progress and unsuitable games are reported on stderr."""
    from tengen.cli.output.progress import Pace, ProgressLine
    from tengen.engine.engine import Engine
    from tengen.game.errors import TengenError
    from tengen.study.puzzle_finder import puzzles_of
    from tengen.study.puzzle_judge import makes_sense
    from tengen.study.puzzle_set import select

    language, engine = LANGUAGE.get(), Engine()
    pace, games, names, count = Pace(language), 0, set[str](), 0

    def line() -> str:
        values = {"games": games, "all": len(records), "count": count, "time": pace.time}
        return say("puzzles.progress", language, **values)

    progress = ProgressLine(line, sys.stderr)
    for games, record in enumerate(records, 1):
        try:
            for each in select(puzzles_of(record, stop), kind=kind, level=level):
                if each.name not in names and (keep_all or makes_sense(each, engine)):
                    count += 1
                    yield each
                names.add(each.name)
                progress()
        except TengenError as error:
            progress.clear()
            print_problem(games, error.message)
        progress()
        if stop.is_set():
            break
    progress.clear()
    if stop.is_set():  # the last game has not been searched to its end
        done = Message("cli.interrupted.searched", {"done": games - 1, "total": len(records)})
        print_line(say("cli.interrupted", language, done=done), sys.stderr)
