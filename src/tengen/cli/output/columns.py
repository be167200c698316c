"""Text in columns: a Chinese character takes two, and numbers stand to the right.

Rich has tables too, but fits them to a terminal: in a pipe it breaks lines after 80 columns, and it takes a
tenth of a second to import.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """As much of a text as fits."""
    for place, character in enumerate(text):
        columns -= _columns(character)
        if columns < 0:
            return text[:place]
    return text


def row(cells: Sequence[str], widths: Sequence[int], left: Collection[int] = ()) -> str:
    """A row of a table.

    Args:
        cells: what stands in it.
        widths: columns of each cell; what is longer stays as it is.
        left: places of cells that stand to the left, the others to the right.
    """
    padded = []
    for place, (cell, columns) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (columns - width(cell))
        padded.append(cell + blanks if place in left else blanks + cell)
    return "  ".join(padded).rstrip()


def table(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> str:
    """A table whose columns are as wide as their widest cell.

    Args:
        rows: the cells, as many in each row.
        left: the columns that stand to the left, the others to the right.
    """
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(row(cells, widths, left) for cells in rows)


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
