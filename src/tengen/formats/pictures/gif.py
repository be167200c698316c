"""A game as an animated GIF.

A frame differs from the one before only around the new stone and the one that was the last, so only
these patches are drawn. Cells are a whole number of pixels wide and patches begin on whole pixels, so
that what is pasted is what drawing everything would have given.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tengen.extras import importing
from tengen.formats.pictures.raster import check_size, to_png
from tengen.formats.pictures.svg import Style, draw
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.formats.pictures.svg_layers import Picture, render
from tengen.formats.pictures.svg_layout import CELL, Layout, fitted
from tengen.formats.pictures.svg_themes import THEMES, PictureError
from tengen.game.board import Board
from tengen.game.points import BLACK, PASS, Point, opponent

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_TOTAL_PIXELS = 64_000_000
"""The most pixels that all frames have together; where a game would need more, moves share frames."""

Box: TypeAlias = tuple[int, int, int, int]
"""A part of a frame: left, top, right and bottom in pixels."""

SECONDS = (0.02, 60.0)
"""The shortest and the longest time of one frame."""

_REACH = 0.56 * CELL
"""The distance from its point at which a stone, with its shadow, is still visible."""


def animate(
    board: Board,
    width: int = 480,
    delay: float = 0.6,
    hold: float = 3.0,
    numbers: bool | int = False,
    theme: str = "wood",
    *,
    coordinates: bool = True,
    coordinate_style: CoordinateStyle = "letters",
    style: Style | None = None,
) -> bytes:
    """Draw the game that led to a board, move by move, from the position it began with.

    Args:
        board: the last position.
        width: in pixels; the height follows from the board.
        delay: seconds that each position is shown.
        hold: seconds that the last one is shown.
        numbers: as for `tengen.formats.pictures.svg.draw`, as are `theme`, `coordinates` and `style`.
        theme: the colours.
        coordinates: draw coordinates.
        coordinate_style: their style, as for `draw`.
        style: stones or signs.

    Returns:
        A GIF file that plays for ever. A pass has no frame of its own; the frame before it stays longer.

    Raises:
        PictureError: as `draw`; times out of range, or fewer or more pixels than can be drawn.
    """
    least, most = SECONDS
    for name, seconds in (("delay", delay), ("hold", hold)):
        if not least <= seconds <= most:
            raise PictureError("error.picture.seconds", field=name, value=seconds, least=least, most=most)
    drawing = draw(
        board,
        numbers=numbers,
        theme=theme,
        coordinates=coordinates,
        coordinate_style=coordinate_style,
        style=style,
    )
    picture = replace(drawing.picture, rounded=False, title="", description="")
    check_size(width, 1)
    plan, height = fitted(picture.layout(), width)
    check_size(width, height)
    shots = _shots(board, picture, MAX_TOTAL_PIXELS // (width * height) - 1)
    first, *others = _frames(shots, picture, plan, (width, height))
    step, end = (10 * round(100 * seconds) for seconds in (delay, hold))
    times = [step] * len(others) + [end]
    data = io.BytesIO()
    first.save(data, "GIF", save_all=True, append_images=others, duration=times, loop=0)
    return data.getvalue()


def _shots(board: Board, final: Picture, most: int) -> list[tuple[Picture, set[Point]]]:
    """Return the positions to show, at most `most` and one, each with the points that changed."""
    setup = board.setup
    cells = bytearray(board.rules.points if setup is None else setup.position)
    colour = BLACK if setup is None else setup.turn
    together = math.ceil(board.ply / max(most, 1))
    shot = replace(final, position=bytes(cells), last=None, wins=(), losses=())
    shots: list[tuple[Picture, set[Point]]] = [(shot, set())]
    changed: set[Point] = set()
    for ply, point in enumerate(board.moves, 1):
        if point != PASS:
            cells[point] = colour
            changed.add(point)
        colour = opponent(colour)
        if ply % together and ply < board.ply:
            continue
        last = None if point == PASS else point
        changed |= {where for where in (shot.last, last) if where is not None}
        shot = replace(shot, position=bytes(cells), last=last)
        shots.append((shot, changed))
        changed = set()
    return shots


def _frames(
    shots: list[tuple[Picture, set[Point]]], final: Picture, plan: Layout, size: tuple[int, int]
) -> list[Image]:
    """Draw the shots as images of one palette; the last of them is the final picture."""
    scale = size[0] / plan.width
    opening, before = shots[0][0], shots[-2:][0][0]
    whole = [_pixels(picture, plan, scale, (0, 0, *size)) for picture in (opening, before, final)]
    theme = THEMES[final.theme]
    accents = (*theme.row, theme.warn, *(stone.last for stone in theme.stones.values()))
    palette = _palette(whole, accents)
    canvas, end = _reduced(whole[0], palette), _reduced(whole[2], palette)
    frames = [canvas]
    bare = replace(plan, text=0)
    for shot, changed in shots[1:-1]:
        canvas = canvas.copy()
        for point in changed:
            box = _box(plan.at(point), scale, size)
            patch = _pixels(_around(point, shot), bare, scale, box)
            canvas.paste(_reduced(patch, palette), box[:2])
        frames.append(canvas)
    return [*frames, end] if len(shots) > 1 else [end]


def _around(point: Point, shot: Picture) -> Picture:
    """Return a position with only the stones near a point."""
    y, x = divmod(point, shot.columns)
    position = bytearray(len(shot.position))
    for row in range(max(y - 1, 0), min(y + 2, shot.rows)):
        near = slice(row * shot.columns + max(x - 1, 0), row * shot.columns + min(x + 2, shot.columns))
        position[near] = shot.position[near]
    return replace(shot, position=bytes(position))


def _box(centre: tuple[float, float], scale: float, size: tuple[int, int]) -> Box:
    """Return the box that a stone can change, in whole pixels."""
    left, top = (max(0, math.floor((place - _REACH) * scale)) for place in centre)
    right, bottom = (
        min(most, math.ceil((place + _REACH) * scale)) for place, most in zip(centre, size, strict=True)
    )
    return left, top, right, bottom


def _pixels(picture: Picture, plan: Layout, scale: float, box: Box) -> Image:
    """Draw the part of a picture in a box."""
    with importing():
        from PIL import Image

    left, top, right, bottom = box
    width, height = right - left, bottom - top
    window = (left / scale, top / scale, width / scale, height / scale)
    svg = render(picture, plan, width, height, window)
    return Image.open(io.BytesIO(to_png(svg, width, height))).convert("RGB")


def _palette(images: Sequence[Image], accents: Iterable[str]) -> Image:
    """Return an image of one pixel with the best common palette of these images, accents included."""
    from PIL import Image, ImageColor

    width, height = images[0].size
    strip = Image.new("RGB", (width * len(images), height))
    for place, image in enumerate(images):
        strip.paste(image, (place * width, 0))
    # An accent is in too few pixels to be chosen by their number.
    rare = [ImageColor.getrgb(colour) for colour in dict.fromkeys(accents)]
    common = strip.quantize(256 - len(rare), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(common.getpalette() or ()), *(part for colour in rare for part in colour)])
    return palette


def _reduced(image: Image, palette: Image) -> Image:
    from PIL import Image

    return image.quantize(palette=palette, dither=Image.Dither.NONE)
