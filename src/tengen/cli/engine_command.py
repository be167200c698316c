"""The command that lets other programs play against the engine."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from tengen.cli.application import (
    LANGUAGE,
    CliError,
    Command,
    Lang,
    app,
    check_language,
    main,
    print_line,
)
from tengen.cli.option_values import positive
from tengen.words import say


@app.command(cls=Command, help="cli.engine.help")
def engine(
    threads: Annotated[
        str | None, typer.Option("--threads", help="cli.engine.threads", metavar="N")
    ] = None,
    memory: Annotated[str | None, typer.Option("--memory", help="cli.engine.memory", metavar="MB")] = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="cli.engine.ponder")] = False,
    lang: Lang = None,
) -> None:
    check_language(lang)
    counts = (
        1 if threads is None else _bounded("--threads", threads, 64),
        64 if memory is None else _bounded("--memory", memory, 1 << 14),
    )
    if sys.stdin.isatty():
        print_line(say("cli.engine.terminal", LANGUAGE.get()), sys.stderr)
    from tengen.protocol.conversation import Conversation

    # What managers show may be no more than ASCII, so that another language has to be asked for.
    ended = Conversation(*counts, lang=lang or "en", pondering=ponder).run()
    if not ended and sys.stdout is sys.__stdout__:
        # What still runs is the compiler, which nothing can stop, and this process is ours.
        os._exit(0)


def _bounded(option: str, text: str, most: int) -> int:
    count = positive(option, text)
    if count > most:
        raise CliError("error.cli.most", option=option, text=text, most=most)
    return count


def pbrain_main() -> int:
    """The program ``pbrain-tengen``: speaks the protocol at once; its arguments are options of `engine`."""
    return main(["engine", *sys.argv[1:]])
