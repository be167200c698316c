"""Checks of what callers hand over: a wrong type or value is one clear sentence, not a failure further in.

Every error is a `TengenError`, and so a `ValueError`; a call that raises one has changed nothing.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from tengen.game.errors import ArgumentError, TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE
from tengen.words import Message

MOST_NODES = 1 << 62
"""Nodes of the longest search that can be asked for."""

MOST_SECONDS = 1_000_000.0
"""Seconds of the longest one: more than eleven days."""

MOST = 999_999_999
"""The largest of other numbers, where nothing else bounds them."""


def shown(value: object, most: int = 20) -> str:
    """`value` as an error quotes it: on one line of so many characters, whatever its class does."""
    try:
        return shorten(repr(value), most)
    except Exception:  # a class of the caller's, or a number too long to be written
        return f"<{type(value).__name__}>"


def is_whole(value: object) -> bool:
    """Whether `value` is a whole number, of Python's or NumPy's; true and false are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_whole(name: str, value: object, least: int = 1, most: int = MOST) -> None:
    """Refuse what is no whole number from `least` to `most`.

    Raises:
        TengenError: it is none.
    """
    if not (isinstance(value, Integral) and is_whole(value) and least <= int(value) <= most):
        raise TengenError("error.argument.whole", name=name, value=shown(value), least=least, most=most)


def check_seconds(name: str, value: object, *, zero: bool = False, most: float = MOST_SECONDS) -> None:
    """Refuse what is no number of seconds above 0, or from 0 on, up to `most`.

    Raises:
        TengenError: it is none.
    """
    number: Any = value if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    # Not a number is neither more nor less than any other.
    if not ((number > 0 or (zero and number == 0)) and number <= most):
        key = "error.argument.seconds.zero" if zero else "error.argument.seconds"
        raise TengenError(key, name=name, value=shown(value), most=f"{most:.0f}")


def is_finite(value: object) -> bool:
    """Whether `value` is a finite number, of Python's or NumPy's."""
    number: Any = value if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    return bool(-math.inf < number < math.inf)


def check_number(name: str, value: object) -> None:
    """Refuse what is no finite number.

    Raises:
        ArgumentError: it is none.
    """
    if not is_finite(value):
        raise wrong(name, value, "argument.number")


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False.

    Raises:
        ArgumentError: it is neither.
    """
    if not isinstance(value, bool):
        raise wrong(name, value, "argument.flag")


def check_text(name: str, value: object) -> None:
    """Refuse what is no text.

    Raises:
        ArgumentError: it is none.
    """
    if not isinstance(value, str):
        raise wrong(name, value, "argument.text")


def is_colour(value: object) -> bool:
    """Whether `value` is the colour of a stone, `BLACK` or `WHITE`."""
    return is_whole(value) and value in (BLACK, WHITE)


def check_colour(name: str, value: object) -> None:
    """Refuse what is no colour of a stone.

    Raises:
        ArgumentError: it is neither `BLACK` nor `WHITE`.
    """
    if not is_colour(value):
        raise wrong(name, value, "argument.colour")


def check_kind(name: str, value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Refuse what is not of the class expected, which `expected` says: a key of the catalogue.

    Raises:
        ArgumentError: it is of another class.
    """
    if not isinstance(value, kind):
        raise wrong(name, value, expected)


def check_callable(name: str, value: object) -> None:
    """Refuse what cannot be called.

    Raises:
        ArgumentError: it cannot.
    """
    if not callable(value):
        raise wrong(name, value, "argument.callable")


def wrong(name: str, value: object, expected: str, **values: Any) -> ArgumentError:
    """The error for an argument that is not what `expected` says, a key of the catalogue."""
    wanted = Message(expected, values)
    return ArgumentError("error.argument", name=name, value=shown(value), expected=wanted)
