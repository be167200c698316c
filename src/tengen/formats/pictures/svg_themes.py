"""How pictures of boards are coloured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE, Colour


class PictureError(TengenError):
    """A picture that cannot be drawn as asked."""


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
        shadow: whether stones throw one.
        radius: of the board's corners, in units of a thirtieth of a cell.
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


THEMES: Mapping[str, Theme] = {
    "wood": Theme(
        board=("#e9c38a", "#d8a765"),
        grid="#6d4c25",
        label="#62431f",
        ink="#25211b",
        heat="#3fbf9f",
        here="#14614f",
        warn="#c2301c",
        row=("#0a9c7e", "#fffdf8"),
        shadow=True,
        radius=8,
        stones={
            BLACK: StoneColours(
                ((0, "#777"), (0.45, "#2a2a2a"), (1, "#0c0c0c")), "#0c0c0c", "#fff", "#ff8266", "#1d1a16"
            ),
            WHITE: StoneColours(
                ((0, "#fff"), (0.7, "#f1ede4"), (1, "#cfc8b8")), "#a89f8c", "#1a1a1a", "#c2301c", "#fffdf6"
            ),
        },
    ),
    "plain": Theme(
        board=("#fffdf8", "#fffdf8"),
        grid="#9d9382",
        label="#766d5f",
        ink="#25211b",
        heat="#74d0b9",
        here="#1f7a68",
        warn="#c2412d",
        row=("#1f8a74", "#fffdf8"),
        shadow=False,
        radius=8,
        stones={
            BLACK: StoneColours(((0, "#4b4641"), (1, "#211e1a")), "#211e1a", "#fff", "#ff8266", "#25211b"),
            WHITE: StoneColours(((0, "#fff"), (1, "#f4f0e8")), "#7d7464", "#25211b", "#c2412d", "#c2412d"),
        },
    ),
    "dark": Theme(
        board=("#3a332b", "#2c2620"),
        grid="#857660",
        label="#b3a58f",
        ink="#f3ece0",
        heat="#2f8f7a",
        here="#6fd6bd",
        warn="#ff8266",
        row=("#6fd6bd", "#15120f"),
        shadow=True,
        radius=8,
        stones={
            BLACK: StoneColours(
                ((0, "#5a5a5a"), (0.45, "#1c1c1c"), (1, "#050505")), "#8f8473", "#fff", "#ff8266", "#e8b978"
            ),
            WHITE: StoneColours(
                ((0, "#fff"), (0.7, "#ece7dd"), (1, "#c4bcab")), "#c4bcab", "#1a1a1a", "#c2301c", "#f3ece0"
            ),
        },
    ),
    "print": Theme(
        board=("#fff", "#fff"),
        grid="#000",
        label="#000",
        ink="#000",
        heat="#bbb",
        here="#000",
        warn="#000",
        row=("#000", "#fff"),
        shadow=False,
        radius=0,
        stones={
            BLACK: StoneColours(((0, "#000"),), "#000", "#fff", "#fff", "#000"),
            WHITE: StoneColours(((0, "#fff"),), "#000", "#000", "#000", "#000"),
        },
    ),
}
"""All themes, by name."""


def find_theme(name: str) -> Theme:
    """The theme of that name.

    Raises:
        PictureError: there is none.
    """
    if name not in THEMES:
        raise PictureError("error.picture.theme", name=shorten(str(name)), names=tuple(THEMES))
    return THEMES[name]
