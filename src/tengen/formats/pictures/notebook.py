"""Boards and games draw themselves in notebooks, by the method ``_repr_svg_``.

Notebooks (Jupyter, Colab, marimo and others) call it for the object that a cell ends with. `game/` is the
specification of the rules and knows no pictures, so `import tengen` has the method added from here. What
draws is imported with the first picture.

>>> import tengen
>>> tengen.Board.from_moves("h8i9")._repr_svg_()[:4]
'<svg'
"""

from __future__ import annotations

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.record import Record


def _board_svg(board: Board) -> str:
    """Draw a position."""
    from tengen.formats.pictures.svg import draw

    return draw(board).svg


def _record_svg(record: Record) -> str | None:
    """Draw the end of the main line with its marks and numbered moves; None if a move in it is illegal."""
    from tengen.formats.pictures.svg import draw

    node = (record.main_line() or [record.root])[-1]
    try:
        return draw(record.board(node), marks=node.marks, numbers=True).svg
    except IllegalMove:
        return None


def draw_in_notebooks() -> None:
    """Give boards and records the method that notebooks call."""
    Board._repr_svg_ = _board_svg  # type: ignore[attr-defined]
    Record._repr_svg_ = _record_svg  # type: ignore[attr-defined]
