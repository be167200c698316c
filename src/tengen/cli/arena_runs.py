"""How the commands of the arena run: what has to be ready, what ends them, and how to go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.cli.application import LANGUAGE, CommandExit, print_json, print_line
from tengen.terminal.ctrl_c import ctrl_c_at
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.contest_run import ContestState
    from tengen.arena.results import PlayedGame
    from tengen.cli.arena_options import WorkerOptions
    from tengen.cli.output.progress import ProgressLine
    from tengen.game.rules import Rules

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has ended."""


def engine_ready(specs: Iterable[str]) -> None:
    """Have the engine compiled if one of these players needs it, and say so where it takes a while."""
    from tengen.cli.output.compile_progress import ready_for

    ready_for(specs, LANGUAGE.get(), sys.stderr)


def run(play: Callable[[], None], progress: ProgressLine) -> int:
    """Play for as long as it takes.

    Args:
        play: plays games.
        progress: what is shown meanwhile; it is taken away at the end.

    Returns:
        The exit status: 0, 1 after a crash that was not to be recovered from, 130 after Ctrl-C.
    """
    from tengen.arena.contest_run import ContestStopped

    try:
        play()
    except ContestStopped as stopped:
        progress.clear()
        print_line(f"tengen: {say(stopped.message, LANGUAGE.get())}", sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        progress.clear()
    return 0


def play_contest(
    state: ContestState,
    line: Callable[[], str],
    keep: Callable[[PlayedGame], None],
    where: WorkerOptions,
    *,
    as_json: bool,
) -> int:
    """Play what is left of a match or a tournament.

    Args:
        state: how it stands.
        line: what tells how far it is.
        keep: writes a finished game down.
        where: where games are played.
        as_json: whether to print each game for a program.

    Returns:
        The exit status; see `run`.
    """
    from tengen.arena.contest_run import run_contest
    from tengen.cli.output import match_lines
    from tengen.cli.output.progress import ProgressLine

    progress = ProgressLine(line, sys.stderr)
    shown: set[str] = set()

    def on_game(game: PlayedGame) -> None:
        keep(game)
        if game.trace and game.trace not in shown:
            shown.add(game.trace)
            progress.clear()
            values = {"game": game.number + 1, "name": game.loser, "traceback": game.trace}
            print_line(say("match.traceback", LANGUAGE.get(), **values), sys.stderr)
        if as_json:
            progress.clear()
            print_json(match_lines.game_data(game))
        progress()

    def play() -> None:
        if not state.over:
            with where.open() as workers, ctrl_c_at(progress) as tick:
                run_contest(state, workers, on_game, tick)

    return run(play, progress)


def check_records(files: Iterable[Path], rules: Rules) -> None:
    """Refuse files to which games by these rules could not be written, before any is played.

    Raises:
        FileError: there is one.
    """
    from tengen.formats.files import check_games

    for file in files:
        check_games(file, rules)


def write_records(games: Iterable[PlayedGame], files: Iterable[Path]) -> None:
    """Write games to each of some files, if there are any."""
    from tengen.formats.files import write_files

    records = [game.record() for game in games]
    for file in files if records else ():
        write_files(records, file)


def leave(status: int, key: str = "", file: Path | None = None) -> None:
    """End with that status, unless it is 0.

    Args:
        status: the status.
        key: of the sentence that says how to go on.
        file: with what; None where there is none.
    """
    if not status:
        return
    if file is not None:
        print_line(say(key, LANGUAGE.get(), file=str(file)), sys.stderr)
    raise CommandExit(status)
