"""Running the arena commands: preparation, interruption, and resumption."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.cli.errors import CommandExit
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.executors import most_workers
from tengen.executors.ctrl_c import ctrl_c_at
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.arena.contest_run import ContestState
    from tengen.arena.results import PlayedGame
    from tengen.cli.arena_options import WorkerOptions
    from tengen.cli.output.progress import ProgressLine
    from tengen.game.rules import Rules

INTERRUPTED = 130
"""The exit status of a command that was interrupted by Ctrl-C."""


def run(play: Callable[[], None], progress: ProgressLine) -> int:
    """Play, and clear the progress line at the end.

    Args:
        play: plays games.
        progress: the progress line.

    Returns:
        The exit status: 0, 1 after an unrecovered crash, 130 after Ctrl-C.
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
    worker_options: WorkerOptions,
    *,
    as_json: bool,
) -> int:
    """Play the remaining games of a match or a tournament.

    Args:
        state: the state of the contest.
        line: returns the text of the progress line.
        keep: stores a finished game.
        worker_options: the options of the workers.
        as_json: whether to print each game as JSON.

    Returns:
        The exit status; see `run`.
    """
    from tengen.arena.contest_run import run_contest
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
            from tengen.schemas.arena import MatchGameData

            print_json(MatchGameData.of(game).to_dict())
        progress()

    def play() -> None:
        if not state.over:
            games = sum(1 for _ in islice(state.tasks(), most_workers()))
            with worker_options.open(games) as workers, ctrl_c_at(progress) as tick:
                run_contest(state, workers, on_game, tick)

    return run(play, progress)


def check_records(files: Iterable[Path], rules: Rules) -> None:
    """Check, before any game is played, that the files can hold games by these rules.

    Raises:
        FileError: a file cannot hold them.
    """
    from tengen.formats.files import check_games

    for file in files:
        check_games(file, rules)


def write_records(games: Iterable[PlayedGame], files: Iterable[Path]) -> None:
    """Write games to each of the files, if there are any games."""
    from tengen.formats.files import write_files

    records = [game.record() for game in games]
    for file in files if records else ():
        write_files(records, file)


def leave(
    status: int, key: str = "", file: Path | None = None, done: tuple[str, int, int] | None = None
) -> None:
    """Exit with a status, unless it is 0; say on stderr what an interrupted command has done.

    Args:
        status: the status.
        key: the key of the message on how to resume.
        file: the file to resume from; None if there is none.
        done: the key of the message on what was done, with the number and the total; None for no message.
    """
    if not status:
        return
    if status == INTERRUPTED and done is not None:
        counted = Message(done[0], {"done": done[1], "total": done[2]})
        print_line(say("cli.interrupted", LANGUAGE.get(), done=counted), sys.stderr)
    if file is not None:
        print_line(say(key, LANGUAGE.get(), file=str(file)), sys.stderr)
    raise CommandExit(status)
