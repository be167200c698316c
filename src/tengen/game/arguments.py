"""Checks of callers' arguments: a wrong type or value is one clear sentence, not a failure further in.

Every error is a `TengenError`, and so a `ValueError`; a call that raises one changes nothing.
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
"""Seconds of the longest search: more than eleven days."""

MOST = 999_999_999
"""The largest whole number accepted where nothing else bounds it."""


def shown(value: object, most: int = 20) -> str:
    """Return `value` as errors quote it: one line of at most `most` characters, whatever its class."""
    try:
        return shorten(repr(value), most)
    except Exception:  # a class of the caller's, or a number too long to be written
        return f"<{type(value).__name__}>"


def is_whole(value: object) -> bool:
    """Return whether `value` is an integer, Python's or NumPy's; a bool is not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_whole(name: str, value: object, least: int = 1, most: int = MOST) -> None:
    """Require a whole number from `least` to `most`.

    Raises:
        TengenError: `value` is anything else.
    """
    if not (isinstance(value, Integral) and is_whole(value) and least <= int(value) <= most):
        raise TengenError("error.argument.whole", name=name, value=shown(value), least=least, most=most)


def check_seconds(name: str, value: object, *, zero: bool = False, most: float = MOST_SECONDS) -> None:
    """Require a number of seconds above 0 (with `zero`, 0 as well) and up to `most`.

    Raises:
        TengenError: `value` is anything else.
    """
    number: Any = value if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    # NaN compares false with everything.
    if not ((number > 0 or (zero and number == 0)) and number <= most):
        key = "error.argument.seconds.zero" if zero else "error.argument.seconds"
        raise TengenError(key, name=name, value=shown(value), most=f"{most:.0f}")


def is_finite(value: object) -> bool:
    """Return whether `value` is a finite number, Python's or NumPy's."""
    number: Any = value if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    return bool(-math.inf < number < math.inf)


def check_number(name: str, value: object) -> None:
    """Require a finite number.

    Raises:
        ArgumentError: `value` is anything else.
    """
    if not is_finite(value):
        raise wrong(name, value, "argument.number")


def check_flag(name: str, value: object) -> None:
    """Require True or False.

    Raises:
        ArgumentError: `value` is anything else.
    """
    if not isinstance(value, bool):
        raise wrong(name, value, "argument.flag")


def check_text(name: str, value: object) -> None:
    """Require text.

    Raises:
        ArgumentError: `value` is anything else.
    """
    if not isinstance(value, str):
        raise wrong(name, value, "argument.text")


def is_colour(value: object) -> bool:
    """Return whether `value` is the colour of a stone, `BLACK` or `WHITE`."""
    return is_whole(value) and value in (BLACK, WHITE)


def check_colour(name: str, value: object) -> None:
    """Require the colour of a stone.

    Raises:
        ArgumentError: `value` is neither `BLACK` nor `WHITE`.
    """
    if not is_colour(value):
        raise wrong(name, value, "argument.colour")


def check_kind(name: str, value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Require an instance of `kind`, which the error describes by `expected`, a key of the catalogue.

    Raises:
        ArgumentError: `value` is of another class.
    """
    if not isinstance(value, kind):
        raise wrong(name, value, expected)


def check_callable(name: str, value: object) -> None:
    """Require a callable.

    Raises:
        ArgumentError: `value` cannot be called.
    """
    if not callable(value):
        raise wrong(name, value, "argument.callable")


def wrong(name: str, value: object, expected: str, **values: Any) -> ArgumentError:
    """Return the error for a wrong argument; `expected` is the catalogue's key of a right one."""
    description = Message(expected, values)
    return ArgumentError("error.argument", name=name, value=shown(value), expected=description)
