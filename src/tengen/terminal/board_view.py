"""The board widget of the full-screen game, with a cursor that keys and the mouse move."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tengen.game.points import Point
from tengen.terminal.board_drawing import (
    SIZES,
    BoardPicture,
    CellSize,
    column_names,
    pens,
    row_of_glyphs,
)


class BoardView(Widget, can_focus=True):
    """A board with a cursor.

    It uses the largest size of points that fits. If the board is larger than the widget, it shows the part
    around the cursor, with the names of its columns and rows.

    Args:
        picture: the initial content.
        theme: the name of the colour theme; see `tengen.formats.pictures.svg_themes.THEMES`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("up", "move(0, 1)", show=False),
        Binding("down", "move(0, -1)", show=False),
        Binding("shift+left,home", "move(-5, 0)", show=False),
        Binding("shift+right,end", "move(5, 0)", show=False),
        Binding("shift+up,pageup", "move(0, 5)", show=False),
        Binding("shift+down,pagedown", "move(0, -5)", show=False),
        Binding("enter,space", "choose", show=False),
    ]

    class Chosen(Message):
        """A request to play a point."""

        def __init__(self, point: Point) -> None:
            super().__init__()
            self.point = point

    class Moved(Message):
        """A notice that the cursor has moved to another point."""

    def __init__(self, picture: BoardPicture, theme: str) -> None:
        super().__init__()
        self._picture = picture
        self._theme = theme
        self._cursor = _middle(picture)
        self._corner = Offset(0, 0)  # column and row, from the top left, of the first visible point

    @property
    def cursor(self) -> Point:
        """The point under the cursor."""
        return self._cursor

    @property
    def picture(self) -> BoardPicture:
        """The current content."""
        return self._picture

    def show(self, picture: BoardPicture, theme: str) -> None:
        """Show another content; if the board size changes, the cursor goes to the middle."""
        before, self._picture, self._theme = self._picture, picture, theme
        if (before.width, before.height) != (picture.width, picture.height):
            self._cursor, self._corner = _middle(picture), Offset(0, 0)
            self.refresh(layout=True)
        self._look_at_cursor()
        self.refresh()

    def move_to(self, point: Point) -> None:
        """Move the cursor to a point."""
        if point != self._cursor:
            self._cursor = point
            self._look_at_cursor()
            self.refresh()
            self.post_message(self.Moved())

    # Keys and mouse

    def action_move(self, columns: int, rows: int) -> None:
        """Move the cursor, within the board."""
        y, x = divmod(self._cursor, self._picture.width)
        x = min(max(x + columns, 0), self._picture.width - 1)
        y = min(max(y + rows, 0), self._picture.height - 1)
        self.move_to(y * self._picture.width + x)

    def action_choose(self) -> None:
        """Play the point under the cursor."""
        self.post_message(self.Chosen(self._cursor))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Move the cursor to the mouse position."""
        point = self.point_at(event.get_content_offset(self))
        if point is not None:
            self.move_to(point)

    def on_click(self, event: events.Click) -> None:
        """Play the clicked point."""
        point = self.point_at(event.get_content_offset(self))
        if point is not None:
            self.move_to(point)
            self.action_choose()

    def on_resize(self) -> None:
        """Keep the cursor in view."""
        self._look_at_cursor()
        self.refresh()

    def point_at(self, offset: Offset | None) -> Point | None:
        """Return the point drawn at an offset of the widget; None if there is none."""
        if offset is None or offset.x < self._margin or offset.y >= self.size.height - 1:
            return None
        size = self._cell(self.size)
        x = (offset.x - self._margin) // size.columns + self._corner.x
        y = self._picture.height - 1 - offset.y // size.rows - self._corner.y
        if not (x < self._picture.width and y >= 0):
            return None
        return y * self._picture.width + x

    # Size

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the board, or that of the container if it is smaller."""
        return min(self._wide(self._cell(container)), container.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of the board, or that of the container if it is smaller."""
        return min(self._high(self._cell(container)), container.height)

    @property
    def _margin(self) -> int:
        return len(str(self._picture.height)) + 1

    def _wide(self, size: CellSize) -> int:
        return self._margin + self._picture.width * size.columns + 1

    def _high(self, size: CellSize) -> int:
        return self._picture.height * size.rows + 1

    def _cell(self, room: Size) -> CellSize:
        """Return the largest size of points that fits, or the smallest size."""
        fitting = (
            size for size in SIZES if self._wide(size) <= room.width and self._high(size) <= room.height
        )
        return next(fitting, SIZES[-1])

    def _look_at_cursor(self) -> None:
        """Scroll to the part of the board with the cursor."""
        size = self._cell(self.size)
        y, x = divmod(self._cursor, self._picture.width)
        wide = (self.size.width - self._margin - 1) // size.columns
        high = (self.size.height - 1) // size.rows
        self._corner = Offset(
            _first_seen(self._corner.x, x, wide, self._picture.width),
            _first_seen(self._corner.y, self._picture.height - 1 - y, high, self._picture.height),
        )

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Return a line of the screen: a row of the board with its number, or the names of the columns."""
        picture, size, colours = self._picture, self._cell(self.size), pens(self._theme)
        label = Style(color=colours.label.rich_color, bgcolor=colours.board.rich_color)
        if y == self.size.height - 1:
            names = column_names(picture, size, self._corner.x)
            return self._fitted([Segment(" " * self._margin + names, label)], label)
        row, part = divmod(y, size.rows)
        row += self._corner.y
        if row >= picture.height:
            return Strip.blank(self.size.width, label)
        number = str(picture.height - row) if part == size.middle else ""
        cursor = self._cursor if self.has_focus else None
        glyphs = row_of_glyphs(picture, size, row, part, self._theme, self._corner.x, cursor)
        segments = [Segment(f"{number:>{self._margin - 1}} ", label)]
        for text, ink, ground in glyphs:
            ground_colour = None if ground is None else ground.rich_color
            segments.append(Segment(text, Style(color=ink.rich_color, bgcolor=ground_colour)))
        return self._fitted(segments, label)

    def _fitted(self, segments: list[Segment], style: Style) -> Strip:
        return Strip(segments).adjust_cell_length(self.size.width, style).simplify()


def _middle(picture: BoardPicture) -> Point:
    return picture.height // 2 * picture.width + picture.width // 2


def _first_seen(first: int, wanted: int, seen: int, count: int) -> int:
    """Return the first of `count` lines to show if `seen` lines are visible, including the wanted line."""
    seen = max(seen, 1)
    first = min(max(first, wanted - seen + 1), wanted)
    return max(min(first, count - seen), 0)
