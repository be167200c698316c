"""What the commands of the arena share: their options, and how these are read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from tengen.cli.application import LANGUAGE, CliError, Leave, print_line, whole
from tengen.cli.option_values import each, positive, seconds, settings, time_control, truth
from tengen.words import say

if TYPE_CHECKING:
    from tengen.arena.game import Adjudication, Seat
    from tengen.executors import Workers
    from tengen.game.points import Point
    from tengen.game.rules import Rules

Games = Annotated[
    str | None, typer.Option("--games", show_default=False, help="cli.match.games", metavar="N")
]
Openings = Annotated[
    str | None,
    typer.Option("--openings", help="cli.match.openings", metavar="FILE[,order=random|sequential,...]"),
]
Seed = Annotated[str | None, typer.Option("--seed", show_default=False, help="cli.match.seed", metavar="N")]
Tc = Annotated[str | None, typer.Option("--tc", help="cli.match.tc", metavar="SECONDS[+INC]")]
St = Annotated[str | None, typer.Option("--st", help="cli.match.st", metavar="SECONDS")]
Nodes = Annotated[str | None, typer.Option("--nodes", help="cli.match.nodes", metavar="N")]
Depth = Annotated[str | None, typer.Option("--depth", help="cli.match.depth", metavar="N")]
Margin = Annotated[str | None, typer.Option("--timemargin", help="cli.match.margin", metavar="MS")]
Concurrency = Annotated[
    str | None, typer.Option("--concurrency", help="cli.match.concurrency", metavar="N")
]
WorkersAt = Annotated[
    str | None, typer.Option("--workers", help="cli.match.workers", metavar="tcp://HOST:PORT")
]
Resign = Annotated[
    str | None,
    typer.Option("--resign", help="cli.match.resign", metavar="movecount=3,score=1000[,twosided=true]"),
]
Draw = Annotated[
    str | None,
    typer.Option("--draw", help="cli.match.draw", metavar="movenumber=40,movecount=8,score=10"),
]
MaxMoves = Annotated[str | None, typer.Option("--maxmoves", help="cli.match.maxmoves", metavar="N")]
Recover = Annotated[
    bool, typer.Option("--recover/--no-recover", show_default=False, help="cli.match.recover")
]
Out = Annotated[list[str] | None, typer.Option("--out", help="cli.match.out", metavar="FILE")]

INTERRUPTED = 130


def leave(status: int, key: str, file: str | None) -> None:
    """End with that status, unless it is 0, and say how to go on."""
    if not status:
        return
    if file is not None:
        print_line(say(key, LANGUAGE.get(), file=file), sys.stderr)
    raise Leave(status)


def engine_ready(specs: Iterable[str | None]) -> None:
    """Have the engine compiled if one of these players needs it, and say so where it takes a while."""
    from tengen.cli.output.compile_progress import ready_for

    ready_for(specs, LANGUAGE.get(), sys.stderr)


def seats_of(
    specs: tuple[str, str], tc: str | None, st: str | None, nodes: str | None, depth: str | None
) -> tuple[Seat, Seat]:
    from tengen.arena.game import Seat

    engine_ready(specs)
    times = each("--tc", tc, time_control)
    turns = each("--st", st, seconds)
    most = each("--nodes", nodes, positive)
    depths = each("--depth", depth, positive)
    first, second = (
        Seat(specs[i], time=times[i], seconds=turns[i], nodes=most[i], depth=depths[i]) for i in (0, 1)
    )
    return first, second


def openings_of(text: str | None, rules: Rules, count: int, seed: int) -> tuple[tuple[Point, ...], ...]:
    """The openings of a match, in the order of use."""
    from tengen.arena import opening_sets

    known = {"file": str, "order": str, "seed": int, "plies": int}
    given = {} if text is None else settings("--openings", text, known, bare="file")
    order = given.get("order", "random")
    if order not in ("random", "sequential"):
        raise CliError("error.cli.setting_value", option="--openings", text=f"order={order}")
    if "file" in given:
        book = opening_sets.read_book(given["file"], rules, given.get("plies"))
    else:
        shipped = opening_sets.shipped(rules)
        book = shipped or opening_sets.default_openings(rules, count, seed)
    return tuple(opening_sets.choose(book, count, order, given.get("seed", seed)))


def adjudication_of(resign: str | None, draw: str | None, maxmoves: str | None) -> Adjudication:
    from tengen.arena.game import Adjudication

    lose = (
        settings("--resign", resign, {"movecount": int, "score": int, "twosided": truth}) if resign else {}
    )
    even = settings("--draw", draw, {"movenumber": int, "movecount": int, "score": int}) if draw else {}
    return Adjudication(
        resign_moves=lose.get("movecount", 3 if lose else 0),
        resign_score=lose.get("score", 1000),
        resign_both=lose.get("twosided", False),
        draw_moves=even.get("movecount", 8 if even else 0),
        draw_score=even.get("score", 10),
        draw_after=even.get("movenumber", 40),
        most_moves=None if maxmoves is None else positive("--maxmoves", maxmoves),
    )


def margin_of(text: str | None) -> float:
    return 0.1 if text is None else whole("--timemargin", text) / 1000


def open_workers(address: str | None, concurrency: str | None) -> Workers:
    from tengen import executors

    count = None if concurrency is None else positive("--concurrency", concurrency)
    language = LANGUAGE.get()
    return executors.open_workers(
        "processes" if address is None else address,
        count,
        notice=lambda message: print_line(f"tengen: {say(message, language)}", sys.stderr),
    )


def opened(path: str) -> TextIO:
    from tengen.formats.files import FileError, reason, shown

    try:
        return Path(path).expanduser().open("a", encoding="utf-8")
    except OSError as error:
        raise FileError("error.file.write", file=shown(path), reason=reason(error)) from error


def write_text(path: str, text: str) -> None:
    from tengen.formats.files import write_whole

    write_whole(path, text.encode())


def check_outs(names: Sequence[str]) -> None:
    """Refuse files that could not be written once everything has been played."""
    from tengen.formats.files import format_of

    for name in names:
        format_of(name)


def refuse(option: str, given: dict[str, Any]) -> None:
    """Refuse options that do not go together with `option`."""
    there = [name for name, value in given.items() if value is not None]
    if there:
        raise CliError("error.cli.resume", option=option, options=there)


def refuse_to_replace(path: str | None) -> None:
    """Refuse a file that is there, and could be gone on with."""
    from tengen.arena.seats import ArenaError
    from tengen.formats.files import shown

    if path is not None and Path(path).expanduser().exists():
        raise ArenaError("error.arena.exists", file=shown(path))
