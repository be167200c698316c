"""Events of a game: what a change of it has done, for the parts of the server that act upon it.

They are passed on only after the change has been stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tengen.game.board import Outcome


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A stone, a choice in the opening or a claim, by a participant."""

    by: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of the game."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """A change of a seat's occupant or of the people who hold the seats."""


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Any other change: a take-back, a request, a pause, the pace and so on."""


GameEvent: TypeAlias = MovePlayed | Ended | SeatsChanged | TableChanged
