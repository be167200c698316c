"""Text in columns: a Chinese character takes two, and numbers stand to the right.

Rich says how wide a text is. It has tables too, but fits them to a terminal: in a pipe it breaks lines
after 80 columns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size


def cut(text: str, columns: int) -> str:
    """As much of a text as fits; half of a character is a blank."""
    return text if cell_len(text) <= columns else set_cell_size(text, columns)


def row(cells: Sequence[str], widths: Sequence[int], left: Collection[int] = ()) -> str:
    """A row of a table.

    Args:
        cells: what stands in it.
        widths: columns of each cell; what is longer stays as it is.
        left: places of cells that stand to the left, the others to the right.
    """
    padded = []
    for place, (cell, columns) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (columns - cell_len(cell))
        padded.append(cell + blanks if place in left else blanks + cell)
    return "  ".join(padded).rstrip()


def table(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> str:
    """A table whose columns are as wide as their widest cell.

    Args:
        rows: the cells, as many in each row.
        left: the columns that stand to the left, the others to the right.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(row(cells, widths, left) for cells in rows)
