"""What can go wrong in a game: public errors, all of them `ValueError`s.

An error carries its sentence as a `Message`, so that a face can say it in the reader's language;
``str(error)`` is the English. A call that raises one of these has changed nothing.
"""

from __future__ import annotations

from tengen.words import TengenError

__all__ = [
    "ArgumentError",
    "Forbidden",
    "GameOver",
    "IllegalMove",
    "NotAllowed",
    "NotationError",
    "Occupied",
    "OffBoard",
    "RulesError",
    "TengenError",
]


class RulesError(TengenError):
    """Rules that make no sense, or that something asked for cannot be played under."""


class ArgumentError(TengenError, TypeError):
    """An argument that is of the wrong kind altogether; a `TypeError` too, as Python's own would be."""


class NotationError(TengenError):
    """Text that is not what it should be; the sentence says where, and what was expected."""


class IllegalMove(TengenError):
    """A move that the rules do not allow here."""


class OffBoard(IllegalMove):
    """A well-formed point that is not on this board."""


class Occupied(IllegalMove):
    """A point that already holds a stone."""


class Forbidden(IllegalMove):
    """A foul, where fouls may not be played."""


class GameOver(IllegalMove):
    """A move after the end of the game."""


class NotAllowed(TengenError):
    """Something a session refuses now: not this seat's turn, no take-back left, a paused game."""
