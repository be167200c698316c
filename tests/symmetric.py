"""Symmetric openings, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import Board, Rules
from tengen.game.points import Point
from tengen.game.symmetry import canonical


def duplicates(openings: Sequence[tuple[Point, ...]], rules: Rules) -> list[int]:
    """Return the places, from 0, of openings whose position came before, perhaps turned or mirrored."""
    seen = set()
    places = []
    for place, opening in enumerate(openings):
        key = canonical(Board.from_moves(opening, rules))[0]
        if key in seen:
            places.append(place)
        seen.add(key)
    return places
