"""The commands that write proofs of wins and check them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from tengen.cli.application import LANGUAGE, CliError, CommandExit, print_json, print_line
from tengen.cli.arena_options import WorkerOptions
from tengen.cli.declaration import argument, command, option
from tengen.cli.option_values import at_most, one_of, positive, record_file, seconds
from tengen.cli.options import Json, Moves, RulesOptions
from tengen.game.notation import format_moves
from tengen.game.points import BLACK, WHITE, Colour
from tengen.solver.limits import MOST_CANDIDATES, MOST_MEMORY, NEVER, THREATS
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.game.board import Board
    from tengen.solver.prove import Proven
    from tengen.solver.verify import Verdict

T = TypeVar("T")

_COLOURS = {BLACK: "black", WHITE: "white"}


@command("cli.prove.help")
def prove(
    moves: Moves = None,
    *,
    rules: RulesOptions,
    out: Annotated[str | None, option("--out, -o", "cli.prove.out", "FILE")] = None,
    limit_seconds: Annotated[
        float | None, option("--seconds", "cli.prove.seconds", "SECONDS", seconds)
    ] = None,
    nodes: Annotated[int | None, option("--nodes", "cli.prove.nodes", "N", positive)] = None,
    threats: Annotated[
        str | None, option("--threats", "cli.prove.threats", "fours|threes|any", one_of(*THREATS))
    ] = None,
    memory: Annotated[
        int | None, option("--memory", "cli.prove.memory", "MB", at_most(MOST_MEMORY))
    ] = None,
    candidates: Annotated[
        int, option("--candidates", "cli.prove.candidates", "N", at_most(MOST_CANDIDATES))
    ] = 0,
    resume: Annotated[Path | None, option("--resume", "cli.prove.resume", "FILE")] = None,
    concurrency: Annotated[
        int | None, option("--concurrency", "cli.prove.concurrency", "N", positive)
    ] = None,
    workers: Annotated[str | None, option("--workers", "cli.prove.workers", "tcp://HOST:PORT")] = None,
    as_json: Json = False,
) -> None:
    if out is None:
        raise CliError("error.cli.missing", name="--out")
    if not candidates:
        _refuse({"--resume": resume, "--concurrency": concurrency, "--workers": workers})
    board = rules.board(moves)
    from tengen.cli.output.compile_progress import shown
    from tengen.cli.output.search_progress import watched
    from tengen.engine.search import Search
    from tengen.formats import files
    from tengen.game.player import Limit
    from tengen.solver import prove as proving
    from tengen.solver.vct import MEMORY

    language, progress = LANGUAGE.get(), proving.Progress()

    def stage() -> Message:
        return Message(f"prove.{progress.stage}", asdict(progress))

    where = WorkerOptions(concurrency=concurrency, workers=workers or "processes")
    try:
        with shown(language, sys.stderr), where.open() if candidates else nullcontext() as hands:
            work = partial(
                proving.prove,
                threats=threats or "threes",
                memory_mb=memory or MEMORY,
                progress=progress,
                candidates=candidates,
                resume=resume,
                workers=hands,
            )
            limit = Limit(limit_seconds, nodes)
            done = watched(Search.start(work, board, Path(out).expanduser(), limit), stage, language)
    except OSError as error:
        raise files.FileError(
            "error.file.write", file=files.shown(out), reason=files.reason(error)
        ) from error
    verdict = done.verdict
    if as_json:
        data = {
            "winner": None if done.winner is None else _COLOURS[done.winner],
            "proven": done.proven,
            "file": None if verdict is None else out,
            "depth": None if verdict is None else verdict.depth,
            "positions": None if verdict is None else verdict.positions,
            "size": None if verdict is None else done.size,
            "nodes": done.nodes,
            "seconds": round(done.seconds, 6),
        }
        print_json(data)
    elif verdict is not None:
        values = {"file": files.shown(out), "size": done.size, **_values(verdict)}
        print_line(say("prove.written", language, **values))
    elif done.winner is not None:
        print_line(say("prove.unwritten", language, colour=_colour(done.winner)))
    else:
        print_line(_not_found(done, board.turn, threats, candidates, progress.open >= NEVER))
    if verdict is None:
        raise CommandExit(1)


def _refuse(options: Mapping[str, object]) -> None:
    """Refuse options that say how candidates are tried."""
    for name, value in options.items():
        if value is not None:
            raise CliError("error.prove.needs", option=name)


def _not_found(found: Proven, turn: Colour, threats: str | None, candidates: int, gone: bool) -> str:
    """The sentence about a win that was not found; `gone`: none is among the candidates."""
    language, colour = LANGUAGE.get(), _colour(turn)
    if candidates:
        key = "prove.quiet.none" if gone else "prove.quiet.open"
        return say(key, language, colour=colour, count=candidates)
    from tengen.cli.output.win_text import none_key

    key = none_key(threats or "threes", found.proven)
    return say(key, language, colour=colour, nodes=found.nodes)


@command("cli.verify.help")
def verify(
    file: Annotated[str, argument("cli.verify.file", "FILE")],
    *,
    sgf: Annotated[Path | None, option("--sgf", "cli.verify.sgf", "FILE.sgf", record_file)] = None,
    as_json: Json = False,
) -> None:
    from tengen.formats import files
    from tengen.formats.rules_text import format_rules
    from tengen.solver import verify as checking
    from tengen.solver.proof_file import ProofError, Unproven

    language = LANGUAGE.get()
    try:
        verdict = _watched(lambda heard: checking.verify(Path(file).expanduser(), heard))
    except OSError as error:
        raise files.FileError(
            "error.file.read", file=files.shown(file), reason=files.reason(error)
        ) from error
    except ProofError as error:
        if as_json:
            line = error.line.split() if isinstance(error, Unproven) else []
            print_json({"proven": False, "problem": say(error.message, language), "line": line})
        else:
            print_line(say("verify.failed", language, reason=error.message))
        raise CommandExit(1) from None
    board = verdict.board
    if sgf is not None:
        from tengen.solver.proof_record import record_of

        record = _watched(lambda heard: record_of(Path(file).expanduser(), language, heard=heard))
        files.write_files([record], sgf)
    if as_json:
        data = {
            "proven": True,
            "rules": board.rules.to_dict(),
            "black": _names(board, BLACK),
            "white": _names(board, WHITE),
            "moves": [board.name(point) for point in board.moves],
            "winner": _COLOURS[verdict.winner],
            "depth": verdict.depth,
            "positions": verdict.positions,
        }
        print_json(data)
        return
    print_line(say("verify.proven", language, **_values(verdict)))
    print_line(say("verify.rules", language, rules=format_rules(board.rules)))
    setup = board.setup
    if setup is not None and (setup.stones(BLACK) or setup.stones(WHITE)):
        stones = {name: " ".join(_names(setup, colour)) for colour, name in _COLOURS.items()}
        print_line(say("verify.setup", language, **stones))
    if board.moves or setup is None:
        print_line(say("verify.moves", language, moves=format_moves(board.moves, board.width)))
    print_line(say("verify.positions", language, positions=verdict.positions))
    if sgf is not None:
        print_line(say("verify.written", language, file=files.shown(sgf)))


def _watched(check: Callable[[Callable[[int], None]], T]) -> T:
    """What a check brings, with a count on stderr once it takes more than a second."""
    from tengen.cli.output.progress import Pace, Progress

    language, reached = LANGUAGE.get(), 0
    pace = Pace(language)
    line = Progress(lambda: say("verify.checking", language, positions=reached, time=pace.time), sys.stderr)

    def heard(positions: int) -> None:
        nonlocal reached
        reached = positions
        if positions % 256 == 0 and pace.seconds > 1:
            line()

    try:
        return check(heard)
    finally:
        line.clear()


def _values(verdict: Verdict) -> dict[str, object]:
    """What the sentences about a verdict need."""
    return {
        "colour": _colour(verdict.winner),
        "moves": (verdict.depth + 1) // 2,
        "positions": verdict.positions,
    }


def _colour(colour: Colour) -> Message:
    return Message(_COLOURS[colour])


def _names(board: Board, colour: Colour) -> list[str]:
    return [board.name(point) for point in board.stones(colour)]
