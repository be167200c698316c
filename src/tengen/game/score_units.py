"""The scale of scores, in centi-units."""

from __future__ import annotations

WIN = 30_000
"""Centi-units of a won position; a mate in n plies is worth n less."""

LOGISTIC_SCALE = 200.0
"""Centi-units that multiply the odds of winning by e."""
