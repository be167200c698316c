"""Scores as the search has them, whole numbers for the side to move, and what they mean."""

from __future__ import annotations

from tengen.game.player import WIN, Score

__all__ = ["MATE", "WIN", "score_of"]

MATE = 29_000
"""Scores beyond it, either way, are wins found; a win in n plies is `WIN` - n."""


def score_of(value: int) -> Score:
    """The score that the search's number stands for."""
    if value > MATE:
        return Score.win_in(WIN - value)
    if value < -MATE:
        return Score.loss_in(WIN + value)
    return Score(value)
