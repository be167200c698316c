"""The command line: parses, calls, prints."""

from __future__ import annotations

from tengen.cli import basics, match, openings, solve, tournament, tune  # noqa: F401 - in help's order
from tengen.cli.app import run as main

__all__ = ["main"]
