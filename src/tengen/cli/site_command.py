"""The command ``tengen site``: it writes the app as files for any static host, and serves them."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

from tengen.cli.declaration import argument, command, option, refuse_besides, refuse_without
from tengen.cli.errors import CliError
from tengen.cli.option_values import at_most, file_path
from tengen.cli.options import Json
from tengen.cli.output.progress import ProgressLine
from tengen.cli.printing import LANGUAGE, print_json, print_line
from tengen.words import Message, say

_MOST_PORT = 65535
_MEGABYTE = 1_000_000


@command
def site(
    out: Annotated[Path | None, argument("cli.site.out", "OUT", file_path)] = None,
    /,
    *,
    pyodide: Annotated[Path | None, option("cli.site.pyodide", file_path, "DIR")] = None,
    preview: Annotated[bool, option("cli.site.preview")] = False,
    port: Annotated[int | None, option("cli.serve.port", at_most(_MOST_PORT, least=0))] = None,
    isolated: Annotated[bool, option("cli.site.isolated")] = False,
    as_json: Json = False,
) -> None:
    if preview:
        refuse_besides("preview", "out", "port", "isolated", key="error.cli.alone")
        if as_json:
            raise CliError("error.cli.alone", option="--preview", options=("--json",))
        from tengen.web.site.preview import preview as serve

        serve(out or Path("site"), port, isolated=isolated, print_out=_print)
        return
    refuse_without("--preview", "port", "isolated")
    if out is None:
        raise CliError("error.cli.missing", name="OUT")
    from tengen.web.site.writer import write_site

    lang = LANGUAGE.get()
    began = time.monotonic()
    step: Message
    line = ProgressLine(lambda: say(step, lang), sys.stderr)

    def progress(next_step: Message) -> None:
        nonlocal step
        step = next_step
        line()

    try:
        report = write_site(out, pyodide, progress)
    finally:
        line.clear()
    if as_json:
        print_json({"out": str(out), **{name: getattr(report, name) for name in report.__slots__}})
        return
    values = {
        "out": str(out),
        "files": report.files,
        "size": report.size / _MEGABYTE,
        "compressed": report.compressed / _MEGABYTE,
        "python": report.python / _MEGABYTE,
        "seconds": round(time.monotonic() - began),
    }
    print_line(say("cli.site.written", lang, **values))
    print_line(say("cli.site.next", lang, out=str(out)))


def _print(line: Message) -> None:
    print_line(say(line, LANGUAGE.get()))
