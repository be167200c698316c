"""The public errors of a game, all of them `ValueError`s.

An error carries its sentence as a `Message`, so that a user interface can show it in the reader's
language; ``str(error)`` is the English. A call that raises one of these changes nothing.
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
    """Rules that make no sense, or that do not fit what is asked for, such as an opening."""


class ArgumentError(TengenError, TypeError):
    """An argument of the wrong type; a `TypeError` too, as Python's own would be."""


class NotationError(TengenError):
    """Text that cannot be parsed; the sentence says where, and what was expected."""


class IllegalMove(TengenError):
    """A move that the rules do not allow in this position."""


class OffBoard(IllegalMove):
    """A well-formed point that is not on this board."""


class Occupied(IllegalMove):
    """An occupied point."""


class Forbidden(IllegalMove):
    """A foul, under rules that forbid playing one."""


class GameOver(IllegalMove):
    """A move after the end of the game."""


class NotAllowed(TengenError):
    """An action that a session refuses now: not this seat's turn, no take-back left, a paused game."""
