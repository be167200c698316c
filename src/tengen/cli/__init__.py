"""The command line: parses, calls, prints."""

from __future__ import annotations

from tengen.cli import serve  # noqa: F401 - in help's order

# isort: split
from tengen.cli import basics  # noqa: F401

# isort: split
from tengen.cli import analyse, engine, match, openings, solve, tournament, train, tune  # noqa: F401
from tengen.cli.app import run as main

__all__ = ["main"]
