"""The command ``tengen serve``, also run by ``tengen`` without a command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from tengen.cli.declaration import command, option
from tengen.cli.errors import CliError
from tengen.cli.option_values import at_most, file_path, one_of, reader
from tengen.cli.printing import LANGUAGE, print_line
from tengen.executors import most_workers
from tengen.words import Message, say

_MOST_PORT = 65535
_MOST_DAYS = 36500
_EVERYWHERE = "0.0.0.0"
_LEVELS = ("debug", "info", "warning", "error")
_WORKERS = at_most(most_workers())


@reader("https://NAME")
def https(option: str, text: str) -> str:  # noqa: ARG001 - read like the values of all options
    """Parse an address that begins with https://."""
    if not text.startswith("https://"):
        raise CliError("error.cli.public")
    return text.rstrip("/")


@command
def serve(
    *,
    host: Annotated[str | None, option("cli.serve.host", metavar="ADDRESS")] = None,
    port: Annotated[int | None, option("cli.serve.port", at_most(_MOST_PORT, least=0))] = None,
    lan: Annotated[bool, option("cli.serve.lan")] = False,
    data: Annotated[Path | None, option("cli.serve.data", file_path, "DIR")] = None,
    database: Annotated[str | None, option("cli.serve.database", metavar="URL")] = None,
    no_browser: Annotated[bool, option("cli.serve.no_browser")] = False,
    workers: Annotated[str, option("cli.serve.workers", metavar="tcp://HOST:PORT")] = "processes",
    processes: Annotated[int | None, option("cli.serve.processes", _WORKERS)] = None,
    threads: Annotated[int | None, option("cli.serve.threads", _WORKERS, name="--engine-threads")] = None,
    public: Annotated[str | None, option("cli.serve.public", https)] = None,
    proxies: Annotated[str, option("cli.serve.proxies", metavar="ADDRESS[,...]")] = "127.0.0.1",
    delete_after: Annotated[
        int | None, option("cli.serve.delete_after", at_most(_MOST_DAYS, least=0), "DAYS")
    ] = None,
    closed: Annotated[bool, option("cli.serve.closed")] = False,
    no_lobby: Annotated[bool, option("cli.serve.no_lobby")] = False,
    no_names: Annotated[bool, option("cli.serve.no_names")] = False,
    no_phrases: Annotated[bool, option("cli.serve.no_phrases")] = False,
    blocklist: Annotated[Path | None, option("cli.serve.blocklist", file_path)] = None,
    metrics: Annotated[str, option("cli.serve.metrics", metavar="ADDRESS[,...]")] = "",
    log: Annotated[Literal["plain", "json"], option("cli.serve.log", one_of("plain", "json"))] = "plain",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        option("cli.serve.log_level", one_of(*_LEVELS)),
    ] = "warning",
) -> None:
    if lan and host is not None:
        raise CliError("error.cli.lan")
    from tengen.web import start
    from tengen.web.transport.settings import ServerSettings, default_data

    settings = ServerSettings(
        data=default_data() if data is None else data,
        database=os.environ.get("TENGEN_DATABASE", "") if database is None else database,
        host=_EVERYWHERE if lan else host or "127.0.0.1",
        public=public is not None,
        origin=public or "",
        proxies=proxies or "127.0.0.1",
        workers=workers or "processes",
        processes=processes,
        engine_threads=threads,
        metrics=metrics,
        blocklist=blocklist,
        closed=closed,
        lobby=not no_lobby,
        names=not no_names,
        phrases=not no_phrases,
        delete_after=delete_after,
        log=log,
        log_level=log_level,
    )
    start.run(settings, port, browser=not no_browser, print_out=_print)


def _print(line: Message | str) -> None:
    print_line(line if isinstance(line, str) else say(line, LANGUAGE.get()))
