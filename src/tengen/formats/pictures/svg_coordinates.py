"""The coordinates at the edges of a board, as ``coordinates.js`` has them in the browser.

In texts a point keeps its name (`tengen.game.notation`), whatever the style.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tengen.game.notation import column_name

CoordinateStyle: TypeAlias = Literal["letters", "chinese"]
"""The style of coordinates.

``"letters"``: columns have letters, below the board, and rows numbers from the bottom, as the names of
points have. ``"chinese"``, as Chinese and Japanese diagrams of go have them: columns have numbers, above
the board, and rows Chinese numerals from the top.
"""

_DIGITS = "零一二三四五六七八九"
_TENS = ("", "十", "廿", "卅", "卌")
"""Tens as single characters, so that numerals have at most two, as on boards and in calendars."""

NUMERALS = frozenset(_DIGITS[1:]).union(*_TENS)
"""All characters of the Chinese numerals up to 50."""


def coordinate_texts(columns: int, rows: int, style: CoordinateStyle) -> tuple[list[str], list[str]]:
    """Return the coordinates of the columns, from the left, and of the rows, from the bottom."""
    if style == "chinese":
        return [str(x + 1) for x in range(columns)], [_numeral(rows - y) for y in range(rows)]
    return [column_name(x).upper() for x in range(columns)], [str(y + 1) for y in range(rows)]


def _numeral(number: int) -> str:
    """Write a number from 1 to 50 as a Chinese numeral."""
    tens, ones = divmod(number, 10)
    if ones:
        return _TENS[tens] + _DIGITS[ones]
    return "十" if tens == 1 else f"{_DIGITS[tens]}十"
