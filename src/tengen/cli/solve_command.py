"""The commands that prove something about a position."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

from tengen.cli.application import LANGUAGE, CliError, CommandExit, print_json, print_line
from tengen.cli.declaration import argument, command, option
from tengen.cli.option_values import at_most, one_of, positive, seconds
from tengen.cli.options import Json, Moves, RulesOptions
from tengen.game.board import Board
from tengen.game.notation import shorten
from tengen.game.player import Limit
from tengen.game.points import BLACK, WHITE
from tengen.solver.limits import MOST_MEMORY, THREATS
from tengen.words import Message, say

_COLOURS = {"black": BLACK, "white": WHITE}
_WHAT = ("vcf", "vct", "exact")


@command("cli.solve.help")
def solve(
    what: Annotated[str, argument("cli.solve.what", "vcf|vct|exact")],
    moves: Moves = None,
    *,
    rules: RulesOptions,
    colour: Annotated[
        str | None, option("--colour", "cli.solve.colour", "black|white", one_of(*_COLOURS))
    ] = None,
    shortest: Annotated[bool, option("--shortest", "cli.solve.shortest")] = False,
    limit_seconds: Annotated[
        float | None, option("--seconds", "cli.solve.seconds", "SECONDS", seconds)
    ] = None,
    nodes: Annotated[int | None, option("--nodes", "cli.solve.nodes", "N", positive)] = None,
    threats: Annotated[
        str | None, option("--threats", "cli.solve.threats", "fours|threes", one_of(*THREATS))
    ] = None,
    memory: Annotated[
        int | None, option("--memory", "cli.solve.memory", "MB", at_most(MOST_MEMORY))
    ] = None,
    value_only: Annotated[bool, option("--value-only", "cli.solve.value_only")] = False,
    resume: Annotated[Path | None, option("--resume", "cli.solve.resume", "FILE")] = None,
    as_json: Json = False,
) -> None:
    if what not in _WHAT:
        raise CliError("error.cli.solve", what=shorten(what), names=_WHAT)
    for name, value, fits in (
        ("--colour", colour, ("vcf", "vct")),
        ("--shortest", shortest, ("vcf",)),
        ("--threats", threats, ("vct",)),
        ("--memory", memory, ("vct", "exact")),
        ("--value-only", value_only, ("exact",)),
        ("--resume", resume, ("exact",)),
    ):
        if value and what not in fits:
            raise CliError("error.cli.solve_option", option=name, names=fits)
    board = rules.board(moves)
    limit = Limit(limit_seconds, nodes)
    if what == "exact":
        _exact(board, limit, memory, resume, value_only, as_json)
        return
    from tengen.cli.output.compile_progress import shown
    from tengen.cli.output.search_progress import watched
    from tengen.engine.search import Search
    from tengen.solver.vcf import solve_vcf
    from tengen.solver.vct import MEMORY, solve_vct

    attacker = board.turn if colour is None else _COLOURS[colour]
    vct = partial(solve_vct, threats=threats or "threes", memory_mb=memory or MEMORY)
    solver = partial(solve_vcf, shortest=shortest) if what == "vcf" else vct
    with shown(LANGUAGE.get(), sys.stderr):
        found = watched(Search.start(solver, board, limit, attacker), "solve.looking", LANGUAGE.get())
    line = [board.name(point) for point in found.line]
    if as_json:
        data = {
            "winner": None if found.winner is None else ("black" if found.winner == BLACK else "white"),
            "proven": found.proven,
            "line": line,
            "length": found.length,
            "fours": found.fours,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 6),
        }
        print_json(data)
    else:
        who = Message("black" if attacker == BLACK else "white")
        how = "win" if found.winner else "none" if found.proven else "open"
        values = {"colour": who, "fours": found.fours, "line": " ".join(line), "nodes": found.nodes}
        values["moves"] = (found.length + 1) // 2
        by = "vcf" if threats == "fours" else what
        print_line(say(f"solve.{by}.{how}", LANGUAGE.get(), **values))
    if found.winner is None:
        raise CommandExit(1)


def _exact(
    board: Board, limit: Limit, memory: int | None, resume: Path | None, value_only: bool, as_json: bool
) -> None:
    """Find the exact value of a position, and tell it."""
    from tengen.cli.output import exact_text
    from tengen.cli.output.compile_progress import shown
    from tengen.solver.exact import MEMORY, solve_exact

    solver = partial(
        solve_exact, board, limit, memory_mb=memory or MEMORY, resume=resume, value_only=value_only
    )
    with shown(LANGUAGE.get(), sys.stderr):
        found = exact_text.watched_exact(solver, LANGUAGE.get())
    if as_json:
        print_json(exact_text.data(board, found))
    else:
        for line in exact_text.told(board, found):
            print_line(say(line, LANGUAGE.get()))
    if resume is not None and not (found.complete or value_only):
        sys.stderr.write(say("solve.exact.resume", LANGUAGE.get(), file=str(resume)) + "\n")
    if found.value is None:
        raise CommandExit(1)
