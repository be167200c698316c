"""Options whose values are settings of their own: ``elo0=0,elo1=5`` and the like."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tengen.cli.application import CliError
from tengen.game.clock import TimeControl
from tengen.game.notation import shorten


def settings(
    option: str, text: str, known: Mapping[str, Callable[[str], Any]], bare: str | None = None
) -> dict[str, Any]:
    """The settings in a text such as ``movecount=3,score=400``.

    Args:
        option: the option they belong to.
        text: what was given.
        known: how each setting that there is is read.
        bare: the setting that a part without ``=`` is the value of.

    Raises:
        CliError: a part is no setting, or its value cannot be read.
    """
    found: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals and bare is not None:
            key, value = bare, part
        key = key.strip()
        if key not in known or key in found:
            raise CliError("error.cli.setting", option=option, text=shorten(part), names=tuple(known))
        try:
            found[key] = known[key](value.strip())
        except ValueError as error:
            raise CliError("error.cli.setting_value", option=option, text=shorten(part)) from error
    return found


def each(option: str, text: str | None, read: Callable[[str, str], Any]) -> tuple[Any, Any]:
    """What both players get: one value for both, or two with a colon between them."""
    if text is None:
        return None, None
    first, colon, second = text.partition(":")
    one = read(option, first)
    return one, read(option, second) if colon else one


def truth(text: str) -> bool:
    """``true`` or ``false``.

    Raises:
        ValueError: anything else.
    """
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


def positive(option: str, text: str) -> int:
    """A whole number of at least 1.

    Raises:
        CliError: anything else.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) > 0):
        raise CliError("error.cli.positive", option=option, text=shorten(text))
    return int(text)


def seconds(option: str, text: str) -> float:
    """A time in seconds, more than 0.

    Raises:
        CliError: anything else.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1_000_000:
        raise CliError("error.cli.seconds", option=option, text=shorten(text))
    return value


def number(option: str, text: str) -> float:
    """A decimal number.

    Raises:
        CliError: anything else.
    """
    try:
        value = float(text)
    except ValueError as error:
        raise CliError("error.cli.number", option=option, text=shorten(text)) from error
    if not math.isfinite(value):
        raise CliError("error.cli.number", option=option, text=shorten(text))
    return value


def time_control(option: str, text: str) -> TimeControl:  # noqa: ARG001 - read like the others
    """A time control such as ``60+0.5``."""
    return TimeControl.parse(text)


def span(option: str, text: str) -> tuple[int, int]:
    """Two whole numbers with a hyphen between them, or one for both.

    Raises:
        CliError: anything else.
    """
    low, hyphen, high = text.partition("-")
    parts = (low, high) if hyphen else (low, low)
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise CliError("error.cli.span", option=option, text=shorten(text))
    return int(parts[0]), int(parts[1])
