"""Points and colours by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from tengen.game.notation import point_name
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules

ColourName: TypeAlias = Literal["black", "white"]

COLOURS: dict[Colour, ColourName] = {BLACK: "black", WHITE: "white"}

SIDES: dict[str, Colour] = {name: colour for colour, name in COLOURS.items()}
"""The colours by name."""


def colour_name(colour: Colour | None) -> ColourName | None:
    """Return the name of a colour; None for none."""
    return None if colour is None else COLOURS[colour]


def point_names(rules: Rules) -> Sequence[str]:
    """Return the name of every point of a board by its number; index -1 is the pass."""
    return _all_names(rules.width, rules.points)


@lru_cache(maxsize=64)
def _all_names(width: int, points: int) -> Sequence[str]:
    """Return the name of every point, and of the pass as the last item (index -1)."""
    return [*(point_name(point, width) for point in range(points)), point_name(PASS, width)]


def named(rules: Rules, points: Iterable[Point]) -> tuple[str, ...]:
    """Return the names of points of a board."""
    names = point_names(rules)
    return tuple(names[point] for point in points)
