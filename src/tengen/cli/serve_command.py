"""The command ``tengen serve``, which is also what ``tengen`` alone does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

import typer

from tengen.cli.application import LANGUAGE, CliError, Command, Lang, app, check_language, print_line, whole
from tengen.cli.option_values import positive
from tengen.words import Message, say

_MOST_PORT = 65535
Form = Literal["plain", "json"]
Level = Literal["debug", "info", "warning", "error"]
_EVERYWHERE = "0.0.0.0"


@app.command(cls=Command, help="cli.serve.help")
def serve(
    host: Annotated[str | None, typer.Option("--host", help="cli.serve.host", metavar="ADDRESS")] = None,
    port: Annotated[str | None, typer.Option("--port", help="cli.serve.port", metavar="N")] = None,
    lan: Annotated[bool, typer.Option("--lan", help="cli.serve.lan")] = False,
    data: Annotated[str | None, typer.Option("--data", help="cli.serve.data", metavar="DIR")] = None,
    database: Annotated[
        str | None, typer.Option("--database", help="cli.serve.database", metavar="URL")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="cli.serve.no_browser")] = False,
    workers: Annotated[
        str | None, typer.Option("--workers", help="cli.serve.workers", metavar="tcp://HOST:PORT")
    ] = None,
    processes: Annotated[
        str | None, typer.Option("--processes", help="cli.serve.processes", metavar="N")
    ] = None,
    threads: Annotated[
        str | None, typer.Option("--engine-threads", help="cli.serve.threads", metavar="N")
    ] = None,
    public: Annotated[
        str | None, typer.Option("--public", help="cli.serve.public", metavar="https://NAME")
    ] = None,
    proxies: Annotated[
        str | None, typer.Option("--proxies", help="cli.serve.proxies", metavar="ADDRESS[,...]")
    ] = None,
    log: Annotated[str | None, typer.Option("--log", help="cli.serve.log", metavar="plain|json")] = None,
    log_level: Annotated[
        str | None,
        typer.Option("--log-level", help="cli.serve.log_level", metavar="debug|info|warning|error"),
    ] = None,
    lang: Lang = None,
) -> None:
    check_language(lang)
    if lan and host is not None:
        raise CliError("error.cli.lan")
    if public is not None and not public.startswith("https://"):
        raise CliError("error.cli.public")
    number = None if port is None else _port(port)
    from tengen.web.server import start
    from tengen.web.server.settings import ServerSettings, default_data

    settings = ServerSettings(
        data=default_data() if data is None else Path(data).expanduser(),
        database=os.environ.get("TENGEN_DATABASE", "") if database is None else database,
        host=_EVERYWHERE if lan else host or "127.0.0.1",
        public=public is not None,
        origin="" if public is None else public.rstrip("/"),
        proxies=proxies or "127.0.0.1",
        workers=workers or "processes",
        processes=None if processes is None else positive("--processes", processes),
        engine_threads=None if threads is None else positive("--engine-threads", threads),
        log=_form(log),
        log_level=_level(log_level),
    )
    start.run(settings, number, browser=not no_browser, print_out=_print)


def _print(line: Message | str) -> None:
    print_line(line if isinstance(line, str) else say(line, LANGUAGE.get()))


def _port(text: str) -> int:
    number = whole("--port", text)
    if number > _MOST_PORT:
        raise CliError("error.cli.most", option="--port", text=text, most=_MOST_PORT)
    return number


def _form(text: str | None) -> Form:
    if text is None or text == "plain":
        return "plain"
    if text == "json":
        return "json"
    raise CliError("error.cli.setting_value", option="--log", text=text)


def _level(text: str | None) -> Level:
    if text is None:
        return "warning"
    for level in get_args(Level):
        if text == level:
            return cast("Level", level)
    raise CliError("error.cli.setting_value", option="--log-level", text=text)
