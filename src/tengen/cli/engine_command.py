"""The command ``tengen engine``, for programs that play with the engine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

from tengen.cli.declaration import Lang, command, option, refuse_besides
from tengen.cli.option_values import at_most, file_path
from tengen.cli.printing import LANGUAGE, print_line
from tengen.engine.defaults import MEMORY, THREADS
from tengen.words import say


@command
def engine(
    *,
    threads: Annotated[int, option("cli.engine.threads", at_most(64))] = THREADS,
    memory: Annotated[int, option("cli.engine.memory", at_most(1 << 14), "MB")] = MEMORY,
    ponder: Annotated[bool, option("cli.engine.ponder")] = False,
    bundle: Annotated[Path | None, option("cli.engine.bundle", file_path, "DIR")] = None,
    lang: Lang = None,
) -> None:
    if bundle is not None:
        refuse_besides("bundle", "lang", key="error.cli.alone")
        from tengen.protocol.bundle import write_bundle

        for file in write_bundle(bundle):
            kilobytes = round(file.stat().st_size / 1000)
            print_line(
                say("cli.engine.bundle.written", LANGUAGE.get(), file=file, kilobytes=kilobytes), sys.stdout
            )
        return
    if sys.stdin.isatty():
        print_line(say("cli.engine.terminal", LANGUAGE.get()), sys.stderr)
    from tengen.protocol.conversation import Conversation

    # Managers may show only ASCII, so another language has to be requested explicitly.
    ended = Conversation(threads, memory, lang=lang or "en", pondering=ponder).run()
    if not ended and sys.stdout is sys.__stdout__:
        # The thread that still runs is the compiler, which cannot be stopped, and the process is ours.
        os._exit(0)
