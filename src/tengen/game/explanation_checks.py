"""Checks of explanations: players may be anybody's code, and user interfaces show what they return.

Each check returns the value in the form that interfaces expect, so that players may give lists, plain
texts and NumPy numbers.

Raises:
    TengenError: a value that cannot be converted; it names the field and what was expected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import TypeVar

from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import Point
from tengen.words import Message, as_message

_T = TypeVar("_T")


def message(field: str, value: object) -> Message:
    """Return a text, or a message of any key, as a message."""
    readable = isinstance(value, str) or (
        isinstance(value, Message) and isinstance(value.key, str) and isinstance(value.values, Mapping)
    )
    if not readable:
        raise _wrong(field, value, "text")
    try:
        return as_message(value)  # type: ignore[arg-type]
    except KeyError as error:
        key = value.key if isinstance(value, Message) else ""
        raise TengenError("error.explanation.value", field=field, key=key, name=error.args[0]) from None


def number(field: str, value: object) -> float:
    """Return a finite number, as an int where it is whole."""
    if not isinstance(value, (int, float, Real)) or not math.isfinite(value):
        raise _wrong(field, value, "number")
    return int(value) if isinstance(value, Integral) else float(value)


def point(field: str, value: object) -> Point:
    """Return a point, as a number."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise _wrong(field, value, "point")
    return int(value)


def points(field: str, value: object) -> tuple[Point, ...]:
    """Return a sequence of points."""
    return tuple(point(field, item) for item in _items(field, value, "points"))


def lines(field: str, value: object) -> tuple[tuple[Point, ...], ...]:
    """Return sequences of points."""
    return tuple(points(field, item) for item in _items(field, value, "lines"))


def weights(field: str, value: object) -> dict[Point, float]:
    """Return numbers by point."""
    given = _mapping(field, value, "weights")
    return {point(field, key): number(f"{field}[{key}]", weight) for key, weight in given.items()}


def tuples(field: str, value: object, kind: type[_T]) -> dict[Point, tuple[_T, ...]]:
    """Return objects of a class by point."""
    given = _mapping(field, value, "parts")
    return {point(field, key): objects(f"{field}[{key}]", items, kind) for key, items in given.items()}


def objects(field: str, value: object, kind: type[_T]) -> tuple[_T, ...]:
    """Return objects of a class."""
    return tuple(an_object(field, item, kind) for item in _items(field, value, "objects", kind))


def an_object(field: str, value: object, kind: type[_T]) -> _T:
    """Return an object of a class."""
    if not isinstance(value, kind):
        raise _wrong(field, value, "object", kind)
    return value


def _items(field: str, value: object, expected: str, kind: type | None = None) -> Iterable[object]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise _wrong(field, value, expected, kind)
    return value


def _mapping(field: str, value: object, expected: str) -> Mapping[object, object]:
    if not isinstance(value, Mapping):
        raise _wrong(field, value, expected)
    return value


def _wrong(field: str, value: object, expected: str, kind: type | None = None) -> TengenError:
    values = {} if kind is None else {"kind": kind.__name__}
    form = Message(f"explanation.{expected}", values)
    return TengenError("error.explanation", field=field, value=shorten(repr(value)), expected=form)
