"""Pictures of boards.

Black's stones are dark and White's light on every theme; small boards with short rows (see `shows_signs`)
have X and O in cells instead. A picture is the same, byte for byte, whenever it is drawn.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from tengen.formats.pictures.raster import check_size, to_png
from tengen.formats.pictures.saving import save_picture
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.formats.pictures.svg_layers import Picture, render
from tengen.formats.pictures.svg_layout import CELL, LENGTHS, fitted
from tengen.formats.pictures.svg_themes import PictureError, find_theme
from tengen.game.arguments import check_flag, check_kind, check_text, is_finite, shown, wrong
from tengen.game.board import Board, Move
from tengen.game.errors import IllegalMove
from tengen.game.notation import shorten
from tengen.game.points import BLACK, PASS, WHITE, Point
from tengen.game.record import Mark, MarkKind
from tengen.game.rules import NAMES, Rules
from tengen.words import LANGUAGES, Message, say

Style: TypeAlias = Literal["stones", "signs"]
Marks: TypeAlias = "Iterable[Mark] | Mapping[Point, str] | Mapping[str, str]"
"""Marks, or what to put on points given by number or by name."""

Weights: TypeAlias = "Mapping[Point, float] | Mapping[str, float]"
"""Weights of points given by number or by name."""

_KINDS = get_args(MarkKind)
_SHAPES = tuple(kind for kind in _KINDS if kind != "label")
_SIDE = 640
_CELL_PIXELS = (14, 56)


class Drawing:
    """A picture of a board. In a notebook it shows itself.

    Args:
        picture: the content.

    Examples:
        >>> import tengen
        >>> drawing = tengen.draw(tengen.Board.from_moves("h8i9g7"), numbers=True)
        >>> drawing
        <Drawing 'Freestyle gomoku, 15x15, 3 moves'>
        >>> drawing.svg[:4], drawing.png(width=400)[1:4]
        ('<svg', b'PNG')
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    @cached_property
    def svg(self) -> str:
        """The picture as an SVG document, a text to be written as UTF-8."""
        plan = self.picture.layout()
        least, most = _CELL_PIXELS
        cell = min(max(int(_SIDE / max(plan.width, plan.height) * CELL), least), most)
        width = math.ceil(plan.width * cell / CELL)
        plan, height = fitted(plan, width)
        return render(self.picture, plan, width, height)

    def png(self, width: int = 800) -> bytes:
        """The picture as a PNG file.

        Args:
            width: in pixels; the height follows from the board.

        Raises:
            PictureError: fewer or more pixels than can be drawn.
        """
        check_size(width, 1)
        plan, height = fitted(self.picture.layout(), width)
        check_size(width, height)
        text = "".join(mark.label for mark in self.picture.marks)
        bare = replace(self.picture, description="")
        return to_png(render(bare, plan, width, height), width, height, text)

    def save(self, path: str | os.PathLike[str], width: int = 800) -> None:
        """Write the picture to a file whose extension gives the format, svg or png.

        Args:
            path: the file; one of its name is replaced.
            width: of a PNG file, as of `png`.

        Raises:
            FileError: it cannot be written, or its extension is another one.
            PictureError: as `png`.

        Examples:
            >>> import tempfile
            >>> from pathlib import Path
            >>> import tengen
            >>> drawing = tengen.draw(tengen.Board.from_moves("h8i9g7"))
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     drawing.save(Path(folder, "board.svg"))
            ...     drawing.save(Path(folder, "board.png"), width=400)
            ...     print(sorted(file.name for file in Path(folder).iterdir()))
            ['board.png', 'board.svg']
        """
        save_picture(path, {".svg": self.svg.encode, ".png": lambda: self.png(width)})

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing {self.picture.title!r}>"


def draw(
    board: Board,
    marks: Marks | None = None,
    heat: Weights | None = None,
    numbers: bool | int = False,
    theme: str = "wood",
    *,
    arrows: Iterable[tuple[Move, Move]] = (),
    fouls: bool = False,
    last: bool = True,
    coordinates: bool = True,
    coordinate_style: CoordinateStyle = "letters",
    style: Style | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Drawing:
    """Draw a board. Points are given as numbers or names.

    A winning row is joined by a line, and so, dashed, are the rows of a foul that has lost.

    Args:
        board: the position.
        marks: signs beside points: `Mark`s, or for each point the name of a shape (``"triangle"``,
            ``"square"``, ``"circle"``, ``"cross"``) or another short text to write there.
        heat: the weight of points, as from `Explanation.weights`: a disc whose area is proportional
            to it, a ring where it is below zero; the heaviest point is outlined, and a scale stands
            under the board.
        numbers: write the number of its move on every stone; or a number to begin from.
        theme: ``"wood"``, ``"plain"``, ``"dark"``, ``"slate"``, ``"contrast"`` (high contrast) or
            ``"print"`` (black on white).
        arrows: pairs of points, from the first to the second.
        fouls: cross the points that are forbidden to Black.
        last: mark the last move.
        coordinates: draw coordinates.
        coordinate_style: ``"letters"`` below the board and numbers to its left, or ``"chinese"``:
            numbers above it and Chinese numerals to its left, from the top.
        style: ``"stones"`` on the crossings of lines or ``"signs"``, X and O in cells; if None as
            `shows_signs` says.
        title: the title for people who cannot see the picture; if None, rules, size and moves.
        lang: language of the title and of the description of the position.

    Raises:
        PictureError: an unknown theme, style of any kind, mark or language, a weight that is no finite
            number, a number to begin from that is below 0, or an arrow from a point to itself.
        NotationError, OffBoard, IllegalMove: something placed on what is no point of the board.
        TengenError: an argument of another kind.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("h8i9g7")
        >>> tengen.draw(board, numbers=True, theme="dark")
        <Drawing 'Freestyle gomoku, 15x15, 3 moves'>

        Marks, arrows and a heatmap of a player's weights, written to a file:

        >>> from pathlib import Path
        >>> import tempfile
        >>> weights = tengen.player("shapes").explain(board).weights
        >>> marks = {"h8": "triangle", "j8": "A"}
        >>> drawing = tengen.draw(board, marks, heat=weights, arrows=[("h8", "j8")])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     drawing.save(Path(folder, "board.svg"))
        >>> drawing.png(width=400)[1:4]
        b'PNG'
        >>> tengen.draw(board, marks={"p16": "A"})
        Traceback (most recent call last):
            ...
        tengen.game.errors.OffBoard: p16 is off the 15x15 board, whose points run from a1 to o15
    """
    check_kind("board", board, Board, "argument.board")
    for name, flag in (("fouls", fouls), ("last", last), ("coordinates", coordinates)):
        check_flag(name, flag)
    if title is not None:
        check_text("title", title)
    find_theme(theme)
    if style not in (None, *get_args(Style)):
        names = get_args(Style)
        raise PictureError("error.picture.style", name=_said(style), names=names)
    if coordinate_style not in get_args(CoordinateStyle):
        names = get_args(CoordinateStyle)
        raise PictureError("error.picture.coordinate_style", name=_said(coordinate_style), names=names)
    check_language(lang)
    forbidden = tuple(board.fouls()) if fouls else ()
    outcome = board.outcome()
    wins = () if outcome is None else outcome.lines
    losses = () if outcome is None or outcome.foul is None else outcome.foul.lines
    point = None if not last or board.last == PASS else board.last
    picture = Picture(
        columns=board.width,
        rows=board.height,
        position=board.position,
        theme=theme,
        signs=shows_signs(board.rules) if style is None else style == "signs",
        coordinates=coordinates,
        coordinate_style=coordinate_style,
        numbers=move_numbers(board.moves, numbers),
        last=point,
        wins=wins,
        losses=losses,
        crosses=forbidden,
        marks=_marks(board, marks),
        heat=_heat(board, {} if heat is None else heat),
        arrows=_arrows(board, arrows),
        title=board_title(board, lang) if title is None else title,
        description=_description(board, forbidden, lang),
        lang=lang,
    )
    return Drawing(picture)


def check_language(lang: str) -> None:
    """Require the code of a language of Tengen.

    Raises:
        PictureError: it is none.
    """
    if not (isinstance(lang, str) and lang in LANGUAGES):
        raise PictureError("error.picture.lang", name=_said(lang), names=LANGUAGES)


def shows_signs(rules: Rules) -> bool:
    """Return whether boards under these rules have X and O: up to 8x8, and at most four in a row."""
    most: Mapping[str, int] = LENGTHS["signs"]
    return rules.k <= most["row"] and max(rules.width, rules.height) <= most["side"]


def move_numbers(moves: Iterable[Point], numbers: bool | int) -> dict[Point, int]:
    """Return the number of the move on each point, from move `numbers` on (True is 1; False is none).

    Raises:
        PictureError: `numbers` is no whole number from 0 up.
    """
    if not isinstance(numbers, int) or numbers < 0:
        raise PictureError("error.picture.numbers", value=shown(numbers))
    if not numbers:
        return {}
    return {point: ply for ply, point in enumerate(moves, 1) if point != PASS and ply >= numbers}


def board_title(board: Board, lang: str) -> str:
    """Return rules, size and number of moves in words."""
    name = board.rules.name
    values: dict[str, Any] = {
        "rules": Message(f"rules.{name if name in NAMES else 'custom'}"),
        "size": board.rules.size_text,
        "moves": board.ply,
    }
    text = say("picture.title", lang, **values)
    return text[0].upper() + text[1:]


def _place(board: Board, move: Move) -> Point:
    point = board.point(move)
    if point == PASS:
        raise IllegalMove("error.pass.point")
    return point


def _marks(board: Board, marks: Marks | None) -> tuple[Mark, ...]:
    if isinstance(marks, Mapping):
        marks = [
            Mark(_place(board, move), *((text,) if text in _SHAPES else ("label", text)))
            for move, text in marks.items()
        ]
    given: Any = () if marks is None else marks
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise wrong("marks", marks, "argument.marks")
    checked = tuple(given)
    for mark in checked:
        check_kind("marks", mark, Mark, "argument.marks")
        _place(board, mark.point)
        if not (isinstance(mark.kind, str) and mark.kind in _KINDS):
            raise PictureError("error.picture.mark", kind=_said(mark.kind), kinds=_KINDS)
        check_text("marks", mark.label)
    return checked


def _heat(board: Board, heat: Weights) -> dict[Point, float]:
    if not isinstance(heat, Mapping):
        raise wrong("heat", heat, "argument.heat")
    weights = {}
    for move, weight in heat.items():
        point = _place(board, move)
        if not is_finite(weight):
            raise PictureError("error.picture.weight", point=board.name(point), value=shown(weight))
        weights[point] = float(weight)
    return weights


def _arrows(board: Board, arrows: Iterable[tuple[Move, Move]]) -> tuple[tuple[Point, Point], ...]:
    given: Any = arrows
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise wrong("arrows", given, "argument.arrows")
    pairs = tuple(given)
    for pair in pairs:
        if not (isinstance(pair, (tuple, list)) and len(pair) == 2):
            raise wrong("arrows", pair, "argument.arrows")
    return tuple(_arrow(board, pair) for pair in pairs)


def _said(name: object) -> str:
    """Return an unknown name as errors quote it."""
    return shorten(name) if isinstance(name, str) else shown(name)


def _arrow(board: Board, pair: tuple[Move, Move]) -> tuple[Point, Point]:
    start, end = (_place(board, move) for move in pair)
    if start == end:
        raise PictureError("error.picture.arrow", point=board.name(start))
    return start, end


def _description(board: Board, forbidden: tuple[Point, ...], lang: str) -> str:
    """Describe the picture in sentences."""

    def sentence(key: str, points: Iterable[Point]) -> list[str]:
        names = " ".join(board.name(point) for point in points)
        return [say(key, lang, points=names)] if names else []

    outcome = board.outcome()
    sentences = sentence("picture.black", board.stones(BLACK))
    sentences += sentence("picture.white", board.stones(WHITE))
    if board.last is not None and board.last != PASS:
        sentences += sentence("picture.last", [board.last])
    if outcome is not None:
        for row in outcome.lines:
            sentences += sentence("picture.row", row)
        for row in () if outcome.foul is None else outcome.foul.lines:
            sentences += sentence("picture.foul", row)
    sentences += sentence("picture.forbidden", forbidden)
    return " ".join(sentences)
