"""A game as an animation whose frames are drawn as SVG; `gif` makes a file of it, and so does a browser.

A frame differs from the one before only around the new stone and the one that was the last, so only
these patches are drawn. They begin and end on whole pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

from tengen.formats.pictures.raster import check_size
from tengen.formats.pictures.svg import Style, draw
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.formats.pictures.svg_layers import Picture, render
from tengen.formats.pictures.svg_layout import CELL, Layout, fitted
from tengen.formats.pictures.svg_themes import THEMES, PictureError
from tengen.game.board import Board
from tengen.game.points import BLACK, PASS, Point, opponent

MAX_TOTAL_PIXELS = 64_000_000
"""The most pixels that all frames have together; where a game would need more, moves share frames."""

SECONDS = (0.02, 60.0)
"""The shortest and the longest time of one frame."""

_REACH = {False: 0.5 * CELL, True: 0.6 * CELL}
"""The distance from its point at which a patch ends: between two stones, or beside a line between signs.

The outermost of a stone's shadow is lost, which nobody can see; but resvg draws the thin rest of a
neighbour that is cut off ragged.
"""

_Box: TypeAlias = tuple[int, int, int, int]
"""A part of a frame: left, top, right and bottom in pixels."""

_Shot: TypeAlias = tuple[Picture, set[Point]]
"""A position to show, and the points that changed."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of a frame that differs from the frame before.

    Attributes:
        left: its place from the left, in pixels.
        top: its place from the top, in pixels.
        width: in pixels.
        height: in pixels.
        svg: its picture.
    """

    left: int
    top: int
    width: int
    height: int
    svg: str


@dataclass(frozen=True, slots=True)
class Frame:
    """One position of an animation.

    Attributes:
        milliseconds: the time that it is shown.
        patches: the parts that differ from the frame before; the first and the last frame are one patch.
    """

    milliseconds: int
    patches: tuple[Patch, ...]


@dataclass(frozen=True, slots=True)
class Animation:
    """A game, move by move.

    Attributes:
        width: in pixels.
        height: in pixels.
        accents: colours, ``#rrggbb`` or ``#rgb``, of few pixels, that a palette must not lose.
        frames: one or more.

    Examples:
        >>> import tengen
        >>> from tengen.formats.pictures.animation import animate
        >>> from tengen.formats.pictures.gif import to_gif
        >>> animation = animate(tengen.Board.from_moves("h8i9g7"), width=200)
        >>> [frame.milliseconds for frame in animation.frames]
        [600, 600, 600, 3000]
        >>> to_gif(animation)[:6]
        b'GIF89a'
    """

    width: int
    height: int
    accents: tuple[str, ...]
    frames: tuple[Frame, ...]


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
) -> Animation:
    """Draw the game that led to a board, move by move, from the position it began with.

    A pass has no frame of its own; the frame before it stays longer.

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
    final = replace(drawing.picture, rounded=False, title="", description="")
    check_size(width, 1)
    plan, height = fitted(final.layout(), width)
    check_size(width, height)
    shots = _shots(board, final, MAX_TOTAL_PIXELS // (width * height) - 1)
    step, end = (10 * round(100 * seconds) for seconds in (delay, hold))
    *others, last = _patches(shots, final, plan, (width, height))
    return Animation(
        width=width,
        height=height,
        accents=_accents(theme),
        frames=(*(Frame(step, parts) for parts in others), Frame(end, last)),
    )


def _accents(theme: str) -> tuple[str, ...]:
    colours = THEMES[theme]
    marks = (*colours.row, colours.warn, *(stone.last for stone in colours.stones.values()))
    return tuple(dict.fromkeys(marks))


def _shots(board: Board, final: Picture, most: int) -> list[_Shot]:
    """Return the positions to show, at most `most` and one."""
    setup = board.setup
    cells = bytearray(board.rules.points if setup is None else setup.position)
    colour = BLACK if setup is None else setup.turn
    together = math.ceil(board.ply / max(most, 1))
    shot = replace(final, position=bytes(cells), last=None, wins=(), losses=())
    shots: list[_Shot] = [(shot, set())]
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


def _patches(
    shots: list[_Shot], final: Picture, plan: Layout, size: tuple[int, int]
) -> list[tuple[Patch, ...]]:
    """Draw the parts of every shot that differ from the one before; the last shot is the final picture."""
    scale = size[0] / plan.width
    whole = (0, 0, *size)
    end = (_patch(final, plan, scale, whole),)
    if len(shots) == 1:
        return [end]
    opening, *others = shots[:-1]
    bare = replace(plan, text=0)
    between = [
        tuple(
            _patch(
                _around(point, shot), bare, scale, _box(plan.at(point), _REACH[final.signs], scale, size)
            )
            for point in sorted(changed)
        )
        for shot, changed in others
    ]
    return [(_patch(opening[0], plan, scale, whole),), *between, end]


def _around(point: Point, shot: Picture) -> Picture:
    """Return a position with only the stones near a point."""
    y, x = divmod(point, shot.columns)
    position = bytearray(len(shot.position))
    for row in range(max(y - 1, 0), min(y + 2, shot.rows)):
        near = slice(row * shot.columns + max(x - 1, 0), row * shot.columns + min(x + 2, shot.columns))
        position[near] = shot.position[near]
    return replace(shot, position=bytes(position))


def _box(centre: tuple[float, float], reach: float, scale: float, size: tuple[int, int]) -> _Box:
    """Return the box that a stone can change, in whole pixels."""
    left, top = (max(0, round((place - reach) * scale)) for place in centre)
    right, bottom = (
        min(most, round((place + reach) * scale)) for place, most in zip(centre, size, strict=True)
    )
    return left, top, right, bottom


def _patch(picture: Picture, plan: Layout, scale: float, box: _Box) -> Patch:
    """Draw the part of a picture in a box."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    window = (left / scale, top / scale, width / scale, height / scale)
    return Patch(left, top, width, height, render(picture, plan, width, height, window))
