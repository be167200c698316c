"""The command line: commands, their options, and their output."""

from __future__ import annotations

from tengen.cli.entry import main

__all__ = ["main"]
