"""The command ``tengen match``."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from tengen.arena.sprt import Sprt
from tengen.cli.arena_options import ContestOptions, WorkerOptions
from tengen.cli.arena_runs import check_records, leave, play_contest, write_records
from tengen.cli.compile_notice import ready_for
from tengen.cli.declaration import argument, command, option, refuse_besides
from tengen.cli.errors import CliError
from tengen.cli.option_values import file_path, log_file, played_file, positive, sprt_test
from tengen.cli.options import Json
from tengen.cli.printing import LANGUAGE, print_json, print_line

if TYPE_CHECKING:
    from tengen.arena.journal import Journal
    from tengen.arena.match import MatchState
    from tengen.arena.results import PlayedGame

_SPRT = "elo0=0,elo1=10[,alpha=0.05,beta=0.05,model=NAME]"
SprtTest = Annotated[Sprt | None, option("cli.match.sprt", sprt_test, _SPRT)]


@command
def match(
    one: Annotated[str | None, argument("cli.match.one", "A")] = None,
    other: Annotated[str | None, argument("cli.match.other", "B")] = None,
    /,
    *,
    games: Annotated[int, option("cli.match.games", positive)] = 100,
    contest_options: ContestOptions = ContestOptions(),
    repeat: Annotated[bool, option("cli.match.repeat", negative="--no-repeat")] = True,
    sprt: SprtTest = None,
    worker_options: WorkerOptions = WorkerOptions(),
    out: Annotated[list[Path] | None, option("cli.match.out", played_file)] = None,
    log: Annotated[Path | None, option("cli.match.log", log_file)] = None,
    resume: Annotated[Path | None, option("cli.match.resume", file_path)] = None,
    as_json: Json = False,
) -> None:
    from tengen.arena.match import Match, MatchState
    from tengen.cli.output import match_lines

    if resume is not None:
        refuse_besides("resume", "concurrency", "workers", "out", "log")
        standing = _resumed(resume)
    elif one is None or other is None:
        raise CliError("error.cli.missing", name="A B" if one is None else "B")
    else:
        ready_for((one, other), contest_options.rules.chosen())
        new_match = Match(
            **contest_options.contest((one, other), each=True), games=games, repeat=repeat, sprt=sprt
        )
        standing = MatchState(contest_options.with_openings(new_match, -(-games // 2) if repeat else games))
    standing.match = replace(standing.match, log=log is not None)
    journal = resume or next((file for file in out or () if file.suffix.lower() == ".jsonl"), None)
    others = [file for file in out or () if file != journal]
    check_records(others, standing.match.rules)
    status = _play(standing, journal, log, worker_options, new=resume is None, as_json=as_json)
    if as_json:
        from tengen.schemas.arena import MatchData

        print_json(MatchData.of(standing).to_dict())
    else:
        print_line(match_lines.summary(standing, LANGUAGE.get()))
    write_records(standing.counted(), others)
    progress = ("cli.interrupted.games", len(standing.games), standing.match.games)
    leave(status, "match.resume", journal, progress)


def _resumed(path: Path) -> MatchState:
    """Load a match with the games played so far."""
    from tengen.arena.journal import read
    from tengen.arena.match import Match, MatchState

    data, played = read(path)
    standing = MatchState(Match.from_dict(data))
    for game in played:
        standing.add(game)
    return standing


def _play(
    standing: MatchState,
    path: Path | None,
    log: Path | None,
    worker_options: WorkerOptions,
    *,
    new: bool,
    as_json: bool,
) -> int:
    """Play the remaining games of a match, store the games and logs, and return the exit status."""
    from tengen.arena.journal import Journal
    from tengen.cli.output.match_lines import MatchProgress

    with ExitStack() as stack:
        settings = standing.match.to_dict() if new else None
        journal = None if path is None else stack.enter_context(Journal(path, settings))
        log_file = None if log is None else stack.enter_context(_opened(log))
        line = MatchProgress(standing, LANGUAGE.get())
        return play_contest(
            standing, line, lambda game: _keep(game, journal, log_file), worker_options, as_json=as_json
        )


def _keep(game: PlayedGame, journal: Journal | None, log: TextIO | None) -> None:
    """Store a finished game."""
    if journal is not None:
        journal.add(game)
    if log is not None:
        log.writelines(f"{line}\n" for line in game.log)
        log.flush()


def _opened(path: Path) -> TextIO:
    """Open a file for appending.

    Raises:
        FileError: the file cannot be opened.
    """
    from tengen.formats.files import write_error

    try:
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise write_error(path, error) from error
