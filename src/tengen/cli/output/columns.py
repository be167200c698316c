"""Text in columns, where a Chinese character takes two and numbers are right-aligned.

Rich measures the width of text. Its own tables are not used, since they are fitted to the terminal: in a
pipe their lines are wrapped after 80 columns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size


def cut(text: str, columns: int) -> str:
    """Cut a text to a number of columns; half of a wide character becomes a space."""
    return text if cell_len(text) <= columns else set_cell_size(text, columns)


def row(cells: Sequence[str], widths: Sequence[int], left: Collection[int] = ()) -> str:
    """Return a row of a table.

    Args:
        cells: the cells.
        widths: the width of each cell in columns; longer cells are not cut.
        left: the indexes of left-aligned cells; the others are right-aligned.
    """
    padded = []
    for place, (cell, columns) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (columns - cell_len(cell))
        padded.append(cell + blanks if place in left else blanks + cell)
    return "  ".join(padded).rstrip()


def table(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> str:
    """Return a table whose columns are as wide as their widest cell.

    Args:
        rows: the cells of each row; all rows have the same length.
        left: the indexes of left-aligned columns; the others are right-aligned.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(row(cells, widths, left) for cells in rows)
