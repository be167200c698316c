"""The command ``tengen doctor``: what is installed, compiled, reachable and missing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from tengen.cli.declaration import command, option
from tengen.cli.errors import CommandExit
from tengen.cli.option_values import file_path
from tengen.cli.options import Json
from tengen.cli.printing import LANGUAGE, print_json, print_line


@command
def doctor(
    *,
    data: Annotated[Path | None, option("cli.serve.data", file_path, "DIR")] = None,
    database: Annotated[str | None, option("cli.serve.database", metavar="URL")] = None,
    as_json: Json = False,
) -> None:
    from tengen.cli.examination import Examination
    from tengen.schemas.sentence import spoken
    from tengen.web.transport.settings import default_data

    found = Examination(
        data=default_data() if data is None else data,
        database=os.environ.get("TENGEN_DATABASE", "") if database is None else database,
    ).result()
    language = LANGUAGE.get()
    if as_json:
        print_json(spoken(found.to_dict(), language))
    else:
        from tengen.cli.output.installation_text import installation_text

        print_line(installation_text(found, language))
    if not found.ok:
        raise CommandExit(1)
