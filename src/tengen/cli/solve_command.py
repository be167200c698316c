"""The commands that prove something about a position."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

from tengen.cli.application import LANGUAGE, CliError, CommandExit, print_json, print_line
from tengen.cli.declaration import argument, command, option
from tengen.cli.option_values import one_of, positive, seconds
from tengen.cli.options import Json, Moves, RulesOptions
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE
from tengen.words import Message, say

_COLOURS = {"black": BLACK, "white": WHITE}
_WHAT = ("vcf", "vct")


@command("cli.solve.help")
def solve(
    what: Annotated[str, argument("cli.solve.what", "vcf|vct")],
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
    as_json: Json = False,
) -> None:
    if what not in _WHAT:
        raise CliError("error.cli.solve", what=shorten(what), names=_WHAT)
    if shortest and what != "vcf":
        raise CliError("error.cli.solve_shortest")
    board = rules.board(moves)
    from tengen.cli.output.compile_progress import shown
    from tengen.cli.output.search_progress import watched
    from tengen.engine.search import Search
    from tengen.game.player import Limit
    from tengen.solver.vcf import solve_vcf
    from tengen.solver.vct import solve_vct

    limit = Limit(limit_seconds, nodes)
    attacker = board.turn if colour is None else _COLOURS[colour]
    solver = partial(solve_vcf, shortest=shortest) if what == "vcf" else solve_vct
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
        print_line(say(f"solve.{what}.{how}", LANGUAGE.get(), **values))
    if found.winner is None:
        raise CommandExit(1)
