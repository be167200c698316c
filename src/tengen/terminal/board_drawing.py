"""The board of the full-screen game as coloured characters, for points of three sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import NamedTuple

from textual.color import Color

from tengen.formats.pictures.svg_layout import star_points
from tengen.formats.pictures.svg_themes import StoneColours, find_theme
from tengen.game.diagram import STONES
from tengen.game.notation import column_name
from tengen.game.points import BLACK, EMPTY, WHITE, Colour, Point

STAR = "•"
_CELL_MARK = "·"
_CROSSINGS = ("┌┬┐", "├┼┤", "└┴┘")
_APART = 0.15
"""The least difference in brightness, from 0 to 1, between a stone and the board."""

_FAINT = 0.5
"""The opacity of the stone shown under the cursor."""


@dataclass(frozen=True, slots=True)
class CellSize:
    """The size of a point on the screen, whose characters are twice as high as wide.

    Attributes:
        columns: the number of character columns.
        rows: the number of character rows.
        disc: the shape of a stone, one string per row.
    """

    columns: int
    rows: int
    disc: tuple[str, ...]

    @property
    def centre(self) -> int:
        """The column in which the grid lines cross."""
        return self.columns // 2

    @property
    def middle(self) -> int:
        """The row in which the grid lines cross."""
        return (self.rows - 1) // 2


SIZES = (
    CellSize(6, 3, ("▟███▙", "█████", "▜███▛")),
    CellSize(4, 2, ("▐█▌",)),
    CellSize(2, 1, ("●",)),
)
"""The sizes of points, from large to small."""

SMALLEST = SIZES[-1]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The content of a board view.

    Attributes:
        width: the number of columns of the board.
        position: the colour of every point, in order.
        turn: the colour of the stone that the cursor shows on an empty point; None where no stone can be
            placed.
        last: the point of the last move, if there is one.
        signs: characters for points, shown instead of the crossing of lines: fouls, offers, a hint.
        rows: highlighted points: of a winning row, or of the lines that make a foul.
        numbers: move numbers to show on stones.
        letters: whether stones are shown as X and O.
    """

    width: int
    position: bytes
    turn: Colour | None = None
    last: Point | None = None
    signs: Mapping[Point, str] = field(default_factory=dict)
    rows: frozenset[Point] = frozenset()
    numbers: Mapping[Point, int] = field(default_factory=dict)
    letters: bool = False

    @property
    def height(self) -> int:
        """The number of rows of the board."""
        return len(self.position) // self.width


class Glyph(NamedTuple):
    """A character with its foreground and background colour; a background of None is that of its point."""

    text: str
    ink: Color
    ground: Color | None = None


@dataclass(frozen=True, slots=True)
class StonePens:
    """The colours of one side's stones: the disc, text on it, the mark of the last move, and the letter."""

    stone: Color
    text: Color
    last: Color
    letter: Color


@dataclass(frozen=True, slots=True)
class Pens:
    """The colours of a theme, for characters.

    Attributes:
        board: the background.
        row: the background of highlighted points.
        here: the background under the cursor.
        grid: the colour of lines and star points.
        label: the colour of coordinates.
        accent: the colour of brackets around the last move.
        warn: the colour of signs.
        stones: the colours of stones, by side.
    """

    board: Color
    row: Color
    here: Color
    grid: Color
    label: Color
    accent: Color
    warn: Color
    stones: Mapping[Colour, StonePens]


@cache
def pens(theme: str) -> Pens:
    """Return the colours of a picture theme.

    Raises:
        PictureError: the theme does not exist.
    """
    colours = find_theme(theme)
    stones = {colour: _stone_pens(colours.stones[colour]) for colour in (BLACK, WHITE)}
    grid, here = Color.parse(colours.grid), Color.parse(colours.here)
    board = _ground(Color.parse(colours.board[0]), grid, [pen.stone for pen in stones.values()])
    return Pens(
        board=board,
        row=board.blend(here, 0.3),
        here=board.blend(here, 0.5),
        grid=grid,
        label=Color.parse(colours.label),
        accent=here,
        warn=Color.parse(colours.warn),
        stones=stones,
    )


def _ground(board: Color, grid: Color, stones: list[Color]) -> Color:
    """Return the board's colour, blended towards the grid colour until stones stand out.

    Stones are drawn without rims here.
    """
    for share in range(0, 100, 5):
        ground = board.blend(grid, share / 100)
        if all(abs(ground.brightness - stone.brightness) >= _APART for stone in stones):
            return ground
    return board


def _stone_pens(colours: StoneColours) -> StonePens:
    _, middle = colours.shade[len(colours.shade) // 2]
    return StonePens(*map(Color.parse, (middle, colours.text, colours.last, colours.sign)))


def row_of_glyphs(
    picture: BoardPicture,
    size: CellSize,
    row: int,
    part: int,
    theme: str,
    first: int = 0,
    cursor: Point | None = None,
) -> list[Glyph]:
    """Return one line of the screen across a row of the board, each glyph with its background.

    Args:
        picture: the content of the board view.
        size: the size of a point.
        row: the row of the board, from the top.
        part: the screen line within that row.
        theme: the name of the colour theme.
        first: the first visible column of the board.
        cursor: the point under the cursor; None if the cursor is not shown.
    """
    colours = pens(theme)
    glyphs: list[Glyph] = []
    bracket = False
    start = (picture.height - 1 - row) * picture.width
    for x in range(first, picture.width):
        point = start + x
        cell = _cell(picture, size, x, row, part, colours, shown=point == cursor)
        if bracket:
            cell[0] = Glyph("]", colours.accent)
        bracket = size is SMALLEST and point == picture.last
        if bracket:
            cell[0] = Glyph("[", colours.accent)
        ground = colours.row if point in picture.rows else colours.board
        ground = colours.here if point == cursor else ground
        glyphs += (glyph if glyph.ground else glyph._replace(ground=ground) for glyph in cell)
    glyphs.append(Glyph("]" if bracket else " ", colours.accent, colours.board))
    return glyphs


def column_names(picture: BoardPicture, size: CellSize, first: int = 0) -> str:
    """Return the column names below the board, aligned with the grid lines."""
    names = [column_name(x) for x in range(first, picture.width)]
    if size is SMALLEST and max(map(len, names)) > 1:
        # Adjacent long names would run together.
        names = ["" if (x + first) % 2 else name for x, name in enumerate(names)]
    return "".join(f"{name:>{size.centre + 1}}".ljust(size.columns) for name in names)


def _cell(
    picture: BoardPicture, size: CellSize, x: int, row: int, part: int, colours: Pens, *, shown: bool
) -> list[Glyph]:
    """Return the glyphs of a point in one line of the screen."""
    point = (picture.height - 1 - row) * picture.width + x
    cell = [Glyph(text, colours.grid) for text in _lines(picture, size, x, row, part)]
    stone = picture.position[point]
    if stone != EMPTY:
        _put(cell, size, part, colours.stones[stone], picture, point)
    elif part == size.middle and point in picture.signs:
        cell[size.centre] = Glyph(picture.signs[point], colours.label if shown else colours.warn)
    elif shown and picture.turn is not None:
        _put(cell, size, part, _faint(colours.stones[picture.turn], colours.here), picture, point)
    return cell


def _faint(stone: StonePens, ground: Color) -> StonePens:
    return replace(
        stone, stone=ground.blend(stone.stone, _FAINT), letter=ground.blend(stone.letter, _FAINT)
    )


def _lines(picture: BoardPicture, size: CellSize, x: int, row: int, part: int) -> str:
    """Return the grid lines of a point's cell, without stones."""
    if picture.letters:
        mark = _CELL_MARK if part == size.middle else " "
        return (" " * size.centre + mark).ljust(size.columns)
    top, bottom = row == 0, row == picture.height - 1
    left, right = x == 0, x == picture.width - 1
    after = size.columns - size.centre - 1
    if part != size.middle:
        ends = top if part < size.middle else bottom
        return " " * size.centre + (" " if ends else "│") + " " * after
    point = (picture.height - 1 - row) * picture.width + x
    crossing = _CROSSINGS[0 if top else 2 if bottom else 1][0 if left else 2 if right else 1]
    if point in _stars(picture.width, picture.height):
        crossing = STAR
    return (" " if left else "─") * size.centre + crossing + (" " if right else "─") * after


def _put(
    cell: list[Glyph], size: CellSize, part: int, stone: StonePens, picture: BoardPicture, point: Point
) -> None:
    """Draw a stone over the grid lines of its cell, with the mark or number on it."""
    middle = part == size.middle
    if picture.letters:
        if middle:
            letter = STONES[picture.position[point] or picture.turn or EMPTY]
            cell[size.centre] = Glyph(letter, stone.letter)
        return
    if part >= len(size.disc):
        return
    disc = size.disc[part]
    for column, text in enumerate(disc, size.centre - len(disc) // 2):
        cell[column] = Glyph(text, stone.stone)
    number = picture.numbers.get(point)
    if middle and number is not None:
        # In small cells only the last two digits fit.
        digits = f"{number % 100:>2}" if size is SMALLEST else f"{number:^3}"
        for column, text in enumerate(digits, size.centre - 1):
            cell[column] = Glyph(text, stone.text, stone.stone)
    elif middle and point == picture.last and size is not SMALLEST:
        cell[size.centre] = Glyph(STAR, stone.last, stone.stone)


@lru_cache(maxsize=16)
def _stars(columns: int, rows: int) -> frozenset[Point]:
    return frozenset(star_points(columns, rows))
