"""Errors of the command line, and the exit of a command with a status."""

from __future__ import annotations

from tengen.game.errors import TengenError


class CliError(TengenError):
    """An error for an invalid command line."""


class CommandExit(Exception):
    """Raised to end a command with an exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
