"""The command ``tengen serve``, also run by ``tengen`` without a command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from tengen.cli.declaration import command, option
from tengen.cli.errors import CliError
from tengen.cli.option_values import at_most, file_path, one_of, positive
from tengen.cli.printing import LANGUAGE, print_line
from tengen.words import Message, say

_MOST_PORT = 65535
_MOST_DAYS = 36500
_EVERYWHERE = "0.0.0.0"
_LEVELS = ("debug", "info", "warning", "error")


def https(option: str, text: str) -> str:  # noqa: ARG001 - read like the values of all options
    """Parse an address that begins with https://."""
    if not text.startswith("https://"):
        raise CliError("error.cli.public")
    return text.rstrip("/")


@command
def serve(
    *,
    host: Annotated[str | None, option("--host", "cli.serve.host", "ADDRESS")] = None,
    port: Annotated[
        int | None, option("--port", "cli.serve.port", "N", at_most(_MOST_PORT, least=0))
    ] = None,
    lan: Annotated[bool, option("--lan", "cli.serve.lan")] = False,
    data: Annotated[Path | None, option("--data", "cli.serve.data", "DIR", file_path)] = None,
    database: Annotated[str | None, option("--database", "cli.serve.database", "URL")] = None,
    no_browser: Annotated[bool, option("--no-browser", "cli.serve.no_browser")] = False,
    workers: Annotated[str, option("--workers", "cli.serve.workers", "tcp://HOST:PORT")] = "processes",
    processes: Annotated[int | None, option("--processes", "cli.serve.processes", "N", positive)] = None,
    threads: Annotated[int | None, option("--engine-threads", "cli.serve.threads", "N", positive)] = None,
    public: Annotated[str | None, option("--public", "cli.serve.public", "https://NAME", https)] = None,
    proxies: Annotated[str, option("--proxies", "cli.serve.proxies", "ADDRESS[,...]")] = "127.0.0.1",
    delete_after: Annotated[
        int | None, option("--delete-after", "cli.serve.delete_after", "DAYS", at_most(_MOST_DAYS, least=0))
    ] = None,
    closed: Annotated[bool, option("--closed", "cli.serve.closed")] = False,
    no_lobby: Annotated[bool, option("--no-lobby", "cli.serve.no_lobby")] = False,
    no_names: Annotated[bool, option("--no-names", "cli.serve.no_names")] = False,
    no_phrases: Annotated[bool, option("--no-phrases", "cli.serve.no_phrases")] = False,
    blocklist: Annotated[
        Path | None, option("--blocklist", "cli.serve.blocklist", "FILE", file_path)
    ] = None,
    metrics: Annotated[str, option("--metrics", "cli.serve.metrics", "ADDRESS[,...]")] = "",
    log: Annotated[
        Literal["plain", "json"], option("--log", "cli.serve.log", "plain|json", one_of("plain", "json"))
    ] = "plain",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        option("--log-level", "cli.serve.log_level", "|".join(_LEVELS), one_of(*_LEVELS)),
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
