"""The command ``tengen mcp``, for language models that use Tengen's tools."""

from __future__ import annotations

import sys
from typing import Annotated

from tengen.cli.declaration import command, option
from tengen.cli.option_values import at_most
from tengen.cli.printing import LANGUAGE, print_line
from tengen.engine.defaults import MEMORY, THREADS
from tengen.words import say


@command
def mcp(
    *,
    threads: Annotated[int, option("cli.analyse.threads", at_most(64))] = THREADS,
    memory: Annotated[int, option("cli.analyse.memory", at_most(1 << 14), "MB")] = MEMORY,
) -> None:
    from tengen.engine.engine import Engine
    from tengen.protocol.mcp_server import new_server

    if sys.stdin.isatty():
        print_line(say("cli.mcp.terminal", LANGUAGE.get()), sys.stderr)
    new_server(Engine(threads=threads, memory_mb=memory), LANGUAGE.get()).run("stdio")
