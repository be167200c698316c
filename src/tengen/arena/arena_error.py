"""The error that the arena raises."""

from __future__ import annotations

from tengen.game.errors import TengenError


class ArenaError(TengenError):
    """A match, a tournament or a tuning that is impossible or damaged."""
