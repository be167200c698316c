"""What solvers may be asked for. Command lines are checked by it, so it imports nothing that takes time."""

from __future__ import annotations

from tengen.game.arguments import is_colour, is_whole, shown
from tengen.game.errors import TengenError
from tengen.game.points import Colour

THREATS = ("fours", "threes", "any")
"""The sets of threats: each holds the one before it."""

MOST_MEMORY = 1 << 17
"""Megabytes that positions to remember may take."""

MOST_CANDIDATES = 50
"""Moves that may be tried in a position where threats alone do not win."""

NEVER = 1 << 30
"""A proof number: cannot be proven; a disproof number: cannot be disproven."""


def check_memory(megabytes: int) -> None:
    """Refuse what is no amount of memory for positions.

    Raises:
        TengenError: fewer than one megabyte, more than `MOST_MEMORY`, or no whole number.
    """
    if not (isinstance(megabytes, int) and is_whole(megabytes) and 1 <= megabytes <= MOST_MEMORY):
        raise TengenError("error.solve.memory", value=shown(megabytes), most=MOST_MEMORY)


def attacker_of(colour: Colour | None, default: Colour) -> Colour:
    """The colour that is asked about, or the default where none is named.

    Raises:
        TengenError: what is named is no colour.
    """
    if colour is None:
        return default
    if not is_colour(colour):
        raise TengenError("error.solve.colour", colour=shown(colour))
    return colour
