"""Pictures of a board written to files."""

from __future__ import annotations

from pathlib import Path

from tengen.formats.files import write_whole
from tengen.formats.pictures.animation import animate
from tengen.formats.pictures.gif import to_gif
from tengen.formats.pictures.svg import Drawing, draw
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.game.board import Board
from tengen.game.points import BLACK


def write_pictures(
    board: Board,
    svg: str | Path | None = None,
    png: str | Path | None = None,
    gif: str | Path | None = None,
    *,
    numbers: bool = False,
    theme: str = "wood",
    coordinate_style: CoordinateStyle = "letters",
    lang: str = "en",
) -> list[str]:
    """Draw a board, with the points that are forbidden to Black if it is to move, and write it to files.

    Nothing is written before everything is drawn. A file of the same name is replaced.

    Args:
        board: the position.
        svg: name of the file for the SVG; none is written if None.
        png: name of the file for a PNG whose longer side has 800 pixels, or None.
        gif: name of the file for the whole game as a GIF whose longer side has 480 pixels, or None.
        numbers: number the moves.
        theme: as for `tengen.formats.pictures.svg.draw`.
        coordinate_style: as for `tengen.formats.pictures.svg.draw`.
        lang: language of the SVG's title and description.

    Returns:
        The names of the files written.

    Raises:
        PictureError: an unknown theme or style of coordinates.
        FileError: a file that cannot be written.
    """
    fouls = board.turn == BLACK and board.outcome() is None
    drawing = draw(
        board, numbers=numbers, theme=theme, coordinate_style=coordinate_style, fouls=fouls, lang=lang
    )
    pictures: list[tuple[str | Path, bytes]] = []
    if svg is not None:
        pictures.append((svg, drawing.svg.encode()))
    if png is not None:
        pictures.append((png, drawing.png(longer_side(drawing, 800))))
    if gif is not None:
        animation = animate(
            board,
            longer_side(drawing, 480),
            numbers=numbers,
            theme=theme,
            coordinate_style=coordinate_style,
        )
        pictures.append((gif, to_gif(animation)))
    for name, data in pictures:
        write_whole(name, data)
    return [str(name) for name, _ in pictures]


def longer_side(drawing: Drawing, longer: int) -> int:
    """Return the width in pixels at which the longer side has `longer` pixels."""
    plan = drawing.picture.layout()
    return round(longer * plan.width / max(plan.width, plan.height))
