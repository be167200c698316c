"""Help pages in lines that fit a terminal."""

from __future__ import annotations

import shutil

from tengen.terminal.wrapping import wrapped

WIDEST = 78
"""Columns of the widest page."""

_NARROWEST = 50

UNBROKEN = 100_000
"""Columns of a page that is to be broken into lines here: so many that the parser breaks none."""


def fitted(page: str) -> str:
    """A help page in lines no wider than the terminal, and no wider than `WIDEST`."""
    width = max(min(shutil.get_terminal_size().columns - 2, WIDEST), _NARROWEST)
    return "\n".join(line for long in page.split("\n") for line in wrapped(long, width))
