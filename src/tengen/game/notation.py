"""The notation of points and moves, and the only place where other notations are converted.

Ours: a letter from the left and a number from the bottom, ``a1`` bottom left, *with* the letter i
(``h8`` is the centre of 15x15); past z come aa, ab, ...; a pass is ``--``. Move text is points run
together (``h8i9g7``) or spaced. Upper and lower case, and the full-width letters and digits of
Chinese input methods, mean the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tengen.game.errors import NotationError, OffBoard
from tengen.game.points import PASS, Point

PASS_TEXT = "--"

_POINT = re.compile(r"([A-Za-z]+)([0-9]+)")
_TOKEN = re.compile(r"([A-Za-z]+[0-9]+|--)|([\s,;]+)")


def column_name(x: int) -> str:
    """Return the letters of column `x`, counted from 0: a to z, then aa, ab, ..."""
    letters = ""
    x += 1
    while x > 0:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the column, counted from 0, of letters a to z or aa, ab, ..., in either case."""
    number = 0
    for letter in letters.lower():
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def point_name(point: Point, width: int) -> str:
    """Return the name of a point on a board of this width, ``--`` for a pass."""
    if point == PASS:
        return PASS_TEXT
    y, x = divmod(point, width)
    return f"{column_name(x)}{y + 1}"


def parse_point(text: str, width: int, height: int) -> Point:
    """Return the point (or `PASS`) that `text` names.

    Raises:
        NotationError: the text is no point.
        OffBoard: the point is not on a board of this size.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    if plain == PASS_TEXT:
        return PASS
    match = _POINT.fullmatch(plain)
    if match is None:
        raise NotationError("error.notation.point", text=shorten(text))
    letters, digits = match.groups()
    # Longer names than any board has are off the board, and need not be converted.
    x = column_number(letters) if len(letters) <= 2 else width
    y = int(digits) - 1 if len(digits) <= 9 else height
    if not (0 <= x < width and 0 <= y < height):
        raise off_board(shorten(plain.lower()), width, height)
    return y * width + x


def parse_moves(text: str, width: int, height: int) -> list[Point]:
    """Return the points of a move text such as ``h8i9g7`` or ``h8 i9, g7``; empty text has none.

    Raises:
        NotationError: text that is no point; the error has its place, counted from 1.
        OffBoard: a point is not on a board of this size.
    """
    plain = unicodedata.normalize("NFKC", text)
    points = []
    place = 0
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if match is None:
            rest = shorten(plain[place:])
            raise NotationError("error.notation.moves", place=place + 1, found=rest)
        if match.group(1):
            points.append(parse_point(match.group(1), width, height))
        place = match.end()
    return points


def format_moves(points: Iterable[Point], width: int, separator: str = "") -> str:
    """Format points as move text."""
    return separator.join(point_name(point, width) for point in points)


def to_gomocup(point: Point, width: int, height: int) -> tuple[int, int]:
    """Return ``x, y`` as the Gomocup protocol counts: both from 0, y from the *top*."""
    y, x = divmod(point, width)
    return x, height - 1 - y


def from_gomocup(x: int, y: int, width: int, height: int) -> Point:
    """Return the point that Gomocup calls ``x,y``.

    Raises:
        OffBoard: the point is not on a board of this size.
    """
    if not (0 <= x < width and 0 <= y < height):
        raise off_board(f"{x},{y}", width, height)
    return (height - 1 - y) * width + x


def from_row_column(row: int, column: int, width: int, height: int) -> Point:
    """Return the point in a row and column, both counted from 1 at the *top left* as on a console.

    Raises:
        OffBoard: no such row or column; row 0 does not wrap round to the last one.
    """
    if not (1 <= row <= height and 1 <= column <= width):
        raise OffBoard("error.off_board.row_column", row=row, column=column, rows=height, columns=width)
    return (height - row) * width + column - 1


def off_board(name: str, width: int, height: int) -> OffBoard:
    """Return the error for a point called `name` that is not on a board of this size."""
    return OffBoard(
        "error.off_board",
        point=name,
        width=width,
        height=height,
        last=f"{column_name(width - 1)}{height}",
    )


def shorten(text: str, most: int = 20) -> str:
    """Return `text` fit for a one-line message: printable, and cut to `most` characters and dots."""
    clean = "".join(c if c.isprintable() else "?" for c in text[: most + 1])
    return clean if len(clean) <= most else clean[:most] + "..."
