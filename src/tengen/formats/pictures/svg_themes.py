"""The colours of pictures of boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tengen.assets import board_themes
from tengen.formats.pictures.svg_layout import LENGTHS
from tengen.game.arguments import shown
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE, Colour


class PictureError(TengenError):
    """A picture that cannot be drawn as asked.

    Examples:
        >>> import tengen
        >>> try:
        ...     tengen.draw(tengen.Board(), theme="pink")
        ... except tengen.PictureError as error:
        ...     print(error)
        'pink' is not a theme: expected one of wood, plain, dark, slate, contrast, print
    """


@dataclass(frozen=True, slots=True)
class StoneColours:
    """One colour's stones, and what is drawn upon them. Colours are written as in SVG.

    Attributes:
        shade: the fill from the lit side to the dark one, as ``(offset, colour)``; one colour is flat.
        rim: the outline.
        text: move numbers and marks on the stone.
        last: the last move's ring or number on the stone.
        sign: the X or O where signs stand for stones.
    """

    shade: tuple[tuple[float, str], ...]
    rim: str
    text: str
    last: str
    sign: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture.

    Attributes:
        board: the board's fill, top left and bottom right.
        grid: lines and star points.
        label: coordinates and the legend.
        ink: marks on empty points, and figures upon the heat.
        heat: the disc under a weight.
        here: the one accent: the heaviest point, arrows.
        warn: fouls, and weights below zero.
        row: the line through a winning row, and what sets it off from the stones.
        shadow: True if stones cast shadows.
        radius: radius of the board's corners, in units of a thirtieth of a cell.
        stones: by colour.
    """

    board: tuple[str, str]
    grid: str
    label: str
    ink: str
    heat: str
    here: str
    warn: str
    row: tuple[str, str]
    shadow: bool
    radius: float
    stones: Mapping[Colour, StoneColours]


def _theme(name: str) -> Theme:
    """Return one of the themes of the browser's boards."""
    colours = _COLOURS[name]
    return Theme(
        board=(colours["wood-0"], colours["wood-1"]),
        grid=colours["grid"],
        label=colours["label"],
        ink=colours["ink"],
        heat=colours["heat"],
        here=colours["here"],
        warn=colours["warn"],
        row=(colours["row"], colours["light"]),
        shadow=colours["shade"] == "#000",
        radius=float(colours["radius"]),
        stones={BLACK: _stones(colours, "black"), WHITE: _stones(colours, "white")},
    )


def _stones(colours: Mapping[str, str], colour: str) -> StoneColours:
    first, middle, last = (colours[f"{colour}-{step}"] for step in range(3))
    shade = ((0, first), (LENGTHS["lit"][colour], middle), (1, last))
    return StoneColours(
        shade if first != last else shade[:1],
        *(colours[f"{colour}-{part}"] for part in ("rim", "text", "last", "sign")),
    )


_COLOURS = board_themes()

THEMES: Mapping[str, Theme] = {
    "wood": _theme("wood"),
    "plain": _theme("plain"),
    "dark": _theme("plain dark"),
    "slate": _theme("slate"),
    "contrast": _theme("contrast"),
    "print": _theme("print"),
}
"""All themes, by name; their colours are in `tengen.assets`, in ``board_themes.json``."""


def find_theme(name: str) -> Theme:
    """Return the theme of that name.

    Raises:
        PictureError: there is no such theme.
    """
    if not (isinstance(name, str) and name in THEMES):
        text = shorten(name) if isinstance(name, str) else shown(name)
        raise PictureError("error.picture.theme", name=text, names=tuple(THEMES))
    return THEMES[name]
