"""The command ``tengen engine``, for programs that play with the engine."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from tengen.cli.declaration import Lang, command, option
from tengen.cli.option_values import at_most
from tengen.cli.printing import LANGUAGE, print_line
from tengen.engine.defaults import MEMORY, THREADS
from tengen.words import say


@command
def engine(
    *,
    threads: Annotated[int, option("cli.engine.threads", at_most(64))] = THREADS,
    memory: Annotated[int, option("cli.engine.memory", at_most(1 << 14), "MB")] = MEMORY,
    ponder: Annotated[bool, option("cli.engine.ponder")] = False,
    lang: Lang = None,
) -> None:
    if sys.stdin.isatty():
        print_line(say("cli.engine.terminal", LANGUAGE.get()), sys.stderr)
    from tengen.protocol.conversation import Conversation

    # Managers may show only ASCII, so another language has to be requested explicitly.
    ended = Conversation(threads, memory, lang=lang or "en", pondering=ponder).run()
    if not ended and sys.stdout is sys.__stdout__:
        # The thread that still runs is the compiler, which cannot be stopped, and the process is ours.
        os._exit(0)
