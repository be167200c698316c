"""The commands that ask the engine, measure it and compile it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.cli.application import (
    LANGUAGE,
    CliError,
    Command,
    Json,
    Lang,
    Moves,
    RulesName,
    SizeText,
    app,
    check_language,
    print_json,
    print_line,
    rules_from,
)
from tengen.cli.option_values import positive, seconds
from tengen.game.board import Board
from tengen.game.notation import shorten
from tengen.words import say

if TYPE_CHECKING:
    from tengen.engine.engine import Engine
    from tengen.game.player import Limit

Seconds = Annotated[str | None, typer.Option("--seconds", help="cli.analyse.seconds", metavar="SECONDS")]
Nodes = Annotated[str | None, typer.Option("--nodes", help="cli.analyse.nodes", metavar="N")]
Depth = Annotated[str | None, typer.Option("--depth", help="cli.analyse.depth", metavar="N")]
Threads = Annotated[str | None, typer.Option("--threads", help="cli.analyse.threads", metavar="N")]

BENCHED = ("freestyle", "standard", "renju", "caro")
"""The rules of the positions that `bench` searches."""


@app.command(cls=Command, help="cli.analyse.help")
def analyse(
    moves: Moves = None,
    rules: RulesName = None,
    size: SizeText = None,
    limit_seconds: Seconds = None,
    nodes: Nodes = None,
    depth: Depth = None,
    lines: Annotated[str | None, typer.Option("--lines", help="cli.analyse.lines", metavar="N")] = None,
    threads: Threads = None,
    memory: Annotated[str | None, typer.Option("--memory", help="cli.analyse.memory", metavar="MB")] = None,
    stdin: Annotated[bool, typer.Option("--stdin", help="cli.analyse.stdin")] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    from tengen.protocol.json_analysis import analysis_data, check

    limit = _limit(limit_seconds, nodes, depth)
    count = 1 if lines is None else positive("--lines", lines)
    board = Board.from_moves(" ".join(moves or ()), rules_from(rules, size))
    new_engine = _engine_maker(threads, memory)
    if stdin:
        if moves:
            raise CliError("error.cli.stdin")
        _serve(rules, size, limit, count, new_engine)
        return
    check(board)  # what is wrong is said before anything is compiled
    language = LANGUAGE.get()
    from tengen.cli.output import analysis_table as showing
    from tengen.cli.output.compile_progress import ready

    ready(language, sys.stderr, board.rules)
    engine, count = new_engine(), min(count, len(board.legal_points()))
    if not as_json:
        print_line(showing.heading(language))
    with engine.analysis(board, limit, count) as search, _stopped_by_ctrl_c(search.hurry):
        for info in search:
            if info.number == 0 and not as_json:
                print_line(showing.depth_row(board, info))
        infos = search.result()
    if as_json:
        print_json(analysis_data(board, infos))
    else:
        print_line("\n" + showing.summary(board, infos, language))


def _limit(limit_seconds: str | None, nodes: str | None, depth: str | None) -> Limit:
    """The limits given, or a second."""
    from tengen.game.player import Limit

    limit = Limit(
        None if limit_seconds is None else seconds("--seconds", limit_seconds),
        None if nodes is None else positive("--nodes", nodes),
        None if depth is None else positive("--depth", depth),
    )
    return Limit(seconds=1.0) if limit == Limit() else limit


def _engine_maker(threads: str | None, memory: str | None) -> Callable[[], Engine]:
    """What makes the engine, once it may be imported."""
    settings: dict[str, Any] = {}
    if threads is not None:
        settings["threads"] = positive("--threads", threads)
    if memory is not None:
        settings["memory_mb"] = positive("--memory", memory)

    def make() -> Engine:
        from tengen.engine.engine import Engine

        return Engine(**settings)

    return make


def _serve(
    rules: str | None, size: str | None, limit: Limit, lines: int, new_engine: Callable[[], Engine]
) -> None:
    """Answer queries from standard input."""
    import json

    from tengen.cli.output.compile_progress import ready
    from tengen.protocol.json_analysis import Analyst, Defaults, lines_of

    language = LANGUAGE.get()
    ready(language, sys.stderr)

    def write(answer: dict[str, Any]) -> None:
        # Escapes keep an id as it was, whatever the output can carry.
        print_line(json.dumps(answer, allow_nan=False))

    defaults = Defaults(rules or "freestyle", size, limit, lines)
    Analyst(write, new_engine, defaults, language).serve(lines_of(sys.stdin))


@contextmanager
def _stopped_by_ctrl_c(stop: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C end the search only; a second one ends the command."""
    if threading.current_thread() is not threading.main_thread():
        yield  # where signals go elsewhere
        return
    before = signal.getsignal(signal.SIGINT)

    def once(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@app.command(cls=Command, help="cli.bench.help")
def bench(
    rules: Annotated[str | None, typer.Option("--rules", help="cli.bench.rules", metavar="NAME")] = None,
    depth: Annotated[str | None, typer.Option("--depth", help="cli.bench.depth", metavar="N")] = None,
    nodes: Annotated[str | None, typer.Option("--nodes", help="cli.bench.nodes", metavar="N")] = None,
    threads: Annotated[str | None, typer.Option("--threads", help="cli.bench.threads", metavar="N")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    limit = None if depth is None and nodes is None else _limit(None, nodes, depth)
    count = 1 if threads is None else positive("--threads", threads)
    if rules is not None and rules not in BENCHED:
        raise CliError("error.rules.name", name=shorten(rules), names=BENCHED)
    from tengen.cli.output import analysis_table as showing
    from tengen.cli.output.compile_progress import ready

    ready(LANGUAGE.get(), sys.stderr)
    from tengen.engine.benchmark import LIMITS, boards, measure, signature

    done = []
    if not as_json:
        print_line(showing.bench_heading(LANGUAGE.get()))
    for one in measure(boards(rules), LIMITS if limit is None else (limit,), count):
        done.append(one)
        if not as_json:
            print_line(showing.bench_row(one))
    # Threads share what they find as it comes, so that no two searches by several are alike.
    word = signature(done) if count == 1 else None
    if as_json:
        print_json(showing.bench_data(done, word))
        return
    if word is not None:
        print_line(f"signature {word}")
    print_line(showing.bench_total(done))


@app.command(cls=Command, help="cli.warmup.help")
def warmup(as_json: Json = False, lang: Lang = None) -> None:
    check_language(lang)
    from tengen.cli.output import analysis_table as showing
    from tengen.cli.output.compile_progress import shown
    from tengen.engine.warmup import warm_up

    with shown(LANGUAGE.get(), sys.stderr, each=True):
        done = warm_up()
    if as_json:
        folder = None if done.folder is None else str(done.folder)
        print_json({"functions": done.functions, "seconds": round(done.seconds, 3), "folder": folder})
    else:
        print_line(say(showing.warmed(done), LANGUAGE.get()))
