"""Help pages, wrapped to the width of the terminal."""

from __future__ import annotations

import shutil

from tengen.terminal.wrapping import wrapped

WIDEST = 78
"""The greatest width of a page, in columns."""

_NARROWEST = 50

UNBROKEN = 100_000
"""The width given to the parser, so large that it does not wrap lines itself."""


def fitted(page: str) -> str:
    """Wrap a help page to the width of the terminal, and to `WIDEST` at most."""
    width = max(min(shutil.get_terminal_size().columns - 2, WIDEST), _NARROWEST)
    return "\n".join(line for long in page.split("\n") for line in wrapped(long, width))
