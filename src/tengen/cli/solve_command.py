"""The command ``tengen solve``, which proves wins, defences and exact values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from tengen.cli.declaration import argument, command, option
from tengen.cli.errors import CliError, CommandExit
from tengen.cli.option_values import at_most, file_path, node_count, one_of, seconds
from tengen.cli.options import Json, Moves, PositionOptions
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.game.board import Board
from tengen.game.notation import shorten
from tengen.game.player import Limit
from tengen.game.points import Colour, opponent
from tengen.schemas.points import SIDES
from tengen.solver.limits import EXACT_MEMORY, MOST_MEMORY, THREAT_MEMORY, THREATS, check_threat_rules
from tengen.solver.results import PointsProgress
from tengen.words import Message, say

T = TypeVar("T")

_WHAT = ("vcf", "vct", "exact")


@command
def solve(
    what: Annotated[str, argument("cli.solve.what", "vcf|vct|exact")],
    /,
    *moves: Moves,
    rules: PositionOptions = PositionOptions(),
    colour: Annotated[str | None, option("cli.solve.colour", one_of(*SIDES))] = None,
    shortest: Annotated[bool, option("cli.solve.shortest")] = False,
    all_points: Annotated[bool, option("cli.solve.all", name="--all")] = False,
    defences: Annotated[bool, option("cli.solve.defences")] = False,
    limit_seconds: Annotated[float | None, option("cli.solve.seconds", seconds, name="--seconds")] = None,
    nodes: Annotated[int | None, option("cli.solve.nodes", node_count)] = None,
    threats: Annotated[str | None, option("cli.solve.threats", one_of(*THREATS))] = None,
    memory: Annotated[int | None, option("cli.solve.memory", at_most(MOST_MEMORY), "MB")] = None,
    value_only: Annotated[bool, option("cli.solve.value_only")] = False,
    resume: Annotated[Path | None, option("cli.solve.resume", file_path)] = None,
    as_json: Json = False,
) -> None:
    if what not in _WHAT:
        raise CliError("error.cli.solve", what=shorten(what), names=_WHAT)
    for name, value, fits in (
        ("--colour", colour, ("vcf", "vct")),
        ("--shortest", shortest, ("vcf", "vct")),
        ("--all", all_points, ("vcf", "vct")),
        ("--defences", defences, ("vcf", "vct")),
        ("--threats", threats, ("vct",)),
        ("--value-only", value_only, ("exact",)),
        ("--resume", resume, ("exact",)),
    ):
        if value and what not in fits:
            raise CliError("error.cli.solve_option", option=name, names=fits)
    exclusive = [
        name
        for name, value in (("--shortest", shortest), ("--all", all_points), ("--defences", defences))
        if value
    ]
    if len(exclusive) > 1:
        raise CliError("error.cli.together", option=exclusive[0], other=exclusive[1])
    board = rules.board(moves)
    limit = Limit(limit_seconds, nodes)
    if what == "exact":
        _exact(board, limit, memory, resume, value_only, as_json)
        return
    check_threat_rules(board.rules, "error.cli.solve.rules")
    attacker = None if colour is None else SIDES[colour]
    kind = "fours" if what == "vcf" else threats or "threes"
    if all_points:
        _all_points(board, limit, attacker, kind, memory, as_json)
    elif defences:
        _defences(board, limit, attacker, kind, memory, as_json)
    else:
        _win(board, limit, attacker, kind, memory, shortest, as_json)


def _win(
    board: Board,
    limit: Limit,
    attacker: Colour | None,
    threats: str,
    memory: int | None,
    shortest: bool,
    as_json: bool,
) -> None:
    """Search for a win by a set of threats, and print the result."""
    from tengen.cli.output import win_text
    from tengen.solver.threats.vct import solve_vct

    solver = partial(solve_vct, threats=threats, memory_mb=memory or THREAT_MEMORY, shortest=shortest)
    found, why = _watched(solver, board, limit, attacker, "solve.looking")
    side = board.turn if attacker is None else attacker
    if as_json:
        from tengen.schemas.solution import SolutionData

        print_json(SolutionData.of(board, found, side, threats, shortest=shortest).to_dict())
    else:
        _print_messages(win_text.win_messages(board, found, side, threats, shortest, why))
    if found.winner is None:
        raise CommandExit(1)


def _all_points(
    board: Board, limit: Limit, attacker: Colour | None, threats: str, memory: int | None, as_json: bool
) -> None:
    """Find all winning first moves, and print them."""
    from tengen.cli.output import win_text
    from tengen.solver.threats.root_moves import winning_points

    progress = PointsProgress()
    solver = partial(winning_points, threats=threats, memory_mb=memory or THREAT_MEMORY, progress=progress)
    found, why = _watched(solver, board, limit, attacker, lambda: _settled(progress))
    if as_json:
        from tengen.schemas.solution import WinningPointsData

        print_json(WinningPointsData.of(board, found, threats).to_dict())
    else:
        _print_messages(win_text.point_messages(board, found, why))
    if not (found.points and found.proven):
        raise CommandExit(1)


def _defences(
    board: Board, limit: Limit, attacker: Colour | None, threats: str, memory: int | None, as_json: bool
) -> None:
    """Find the defences against the side not to move, or against a given side, and print them."""
    from tengen.cli.output import win_text
    from tengen.solver.threats.root_moves import defences

    progress = PointsProgress()
    solver = partial(defences, threats=threats, memory_mb=memory or THREAT_MEMORY, progress=progress)
    side = opponent(board.turn) if attacker is None else attacker
    found, why = _watched(solver, board, limit, attacker, lambda: _settled(progress))
    if as_json:
        from tengen.schemas.solution import DefencesData

        print_json(DefencesData.of(board, found, side, threats).to_dict())
    else:
        _print_messages(win_text.defence_messages(board, found, side, why))
    if not (found.stops and found.proven):
        raise CommandExit(1)


def _watched(
    solver: Callable[..., T],
    board: Board,
    limit: Limit,
    attacker: Colour | None,
    progress: str | Callable[[], Message],
) -> tuple[T, Message]:
    """Run a solver with its progress on stderr; Ctrl-C ends it.

    Returns:
        The result, and the reason for the end of the search.
    """
    from tengen.cli.output.search_progress import EndReason, watched
    from tengen.executors.running_search import Search

    why, language = EndReason(), LANGUAGE.get()
    search = Search.start(solver, board, limit, attacker)
    return watched(search, progress, language, why.stopped), why.message


def _settled(progress: PointsProgress) -> Message:
    """Return the number of solved points; before that, a message about the search for the win."""
    values = {"settled": progress.settled, "points": progress.points}
    return Message("solve.settling" if progress.points else "solve.looking", values)


def _print_messages(lines: Iterable[Message]) -> None:
    for line in lines:
        print_line(say(line, LANGUAGE.get()))


def _exact(
    board: Board, limit: Limit, memory: int | None, resume: Path | None, value_only: bool, as_json: bool
) -> None:
    """Search for the exact value of a position, and print it."""
    from tengen.cli.output import exact_text
    from tengen.solver.exact.solve import solve_exact

    solver = partial(
        solve_exact, board, limit, memory_mb=memory or EXACT_MEMORY, resume=resume, value_only=value_only
    )
    found, why = exact_text.watched_exact(solver, LANGUAGE.get())
    if as_json:
        from tengen.schemas.solution import ExactData

        print_json(ExactData.of(board, found).to_dict())
    else:
        _print_messages(exact_text.messages(board, found, why))
    if resume is not None and not (found.complete or value_only):
        sys.stderr.write(say("solve.exact.resume", LANGUAGE.get(), file=str(resume)) + "\n")
    if found.value is None:
        raise CommandExit(1)
