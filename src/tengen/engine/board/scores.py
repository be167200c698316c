"""Scores of the search: whole centi-units for the side to move."""

from __future__ import annotations

from tengen.game.score_units import LOGISTIC_SCALE, WIN

__all__ = ["LOGISTIC_SCALE", "MATE", "WIN"]

MATE = 29_000
"""Scores beyond it, either way, are wins found; a win in n plies is `WIN` - n."""
