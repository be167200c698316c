"""What can go wrong in a game: public errors, all of them `ValueError`s.

An error carries its sentence as a `Message`, so that a face can say it in the reader's language;
``str(error)`` is the English. A call that raises one of these has changed nothing.
"""

from __future__ import annotations

from typing import Any, TypeVar

from tengen.words import Message, say

_E = TypeVar("_E", bound="TengenError")


class TengenError(ValueError):
    """Any error that a user of Tengen can cause and mend.

    Args:
        key: catalogue key of the sentence that says what is wrong.
        values: what the sentence needs.
    """

    def __init__(self, key: str, /, **values: Any) -> None:
        self.message = Message(key, values)
        super().__init__(say(self.message))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message.key, dict(self.message.values))


def _rebuild(kind: type[_E], key: str, values: dict[str, Any]) -> _E:
    return kind(key, **values)


class RulesError(TengenError):
    """Rules that make no sense, or that something asked for cannot be played under."""


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
