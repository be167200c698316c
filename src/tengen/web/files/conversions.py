"""Conversions of files, run in the workers of players, since a client's file may take a while.

The results are text or bytes ready to be sent.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from tengen.formats import jsonformat, pasted_text
from tengen.formats.common import FileProblem, FormatError, ReadResult
from tengen.formats.encodings import decode
from tengen.formats.files import FORMATS, Format
from tengen.formats.pictures.animation import Animation, animate
from tengen.formats.pictures.gif import to_gif
from tengen.formats.pictures.picture_files import longer_side
from tengen.formats.pictures.svg import draw
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK
from tengen.game.rules import Rules
from tengen.schemas.base import Json
from tengen.schemas.files import ImportData, ImportProblem, Picture
from tengen.web.computing.record_files import record_file
from tengen.words import Message

EXTENSIONS = tuple(name.removeprefix(".") for name in FORMATS)
"""The extensions of the formats that can be read and written, without dots."""

MEDIA = {
    "sgf": "application/x-go-sgf",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "xml": "application/xml",
    "rif": "application/xml",
    "lib": "application/octet-stream",
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
}
"""Media types by extension; other extensions are plain text."""

MOST_NODES = 100_000
"""The most nodes of all imported games together that are sent to a page: some ten megabytes."""

PIXELS = {"png": 1000, "gif": 480}
"""The longer side of a picture in pixels."""


def media_type(extension: str) -> str:
    """Return the media type for a file extension."""
    return MEDIA.get(extension, "text/plain")


def format_named(extension: str) -> Format:
    """Return the format with an extension, which may begin with a dot.

    Raises:
        TengenError: no format has this extension.
    """
    found = FORMATS.get(f".{extension.lower().removeprefix('.')}")
    if found is None:
        raise TengenError("error.convert.to", text=shorten(extension), formats=EXTENSIONS)
    return found


def imported(data: bytes, name: str = "", rules: Rules | None = None) -> str:
    """Return the games of a file or of pasted text as JSON text, with ``records`` and ``problems``.

    Args:
        data: the file, or the pasted text as UTF-8.
        name: the file's name, whose extension determines its format; empty for pasted text.
        rules: the rules for pasted moves or a pasted drawing that name none.

    Raises:
        TengenError: no game can be read; the message gives the reason.
    """
    games = _games(data, name, rules)
    records: list[Json] = []
    left = MOST_NODES
    for record in games.records:
        left -= sum(1 for _ in record.nodes())
        if left < 0:
            break
        records.append(jsonformat.game_data(record))
    problems = [
        ImportProblem.of_message(_message(problem), lost=problem.lost) for problem in games.problems
    ]
    if len(records) < len(games.records):
        if not records:
            raise FormatError("error.format.nodes", most=MOST_NODES)
        values = {"shown": len(records), "count": len(games.records)}
        problems.append(ImportProblem.of_message(Message("error.web.import.more", values), lost=True))
    return ImportData(records=tuple(records), problems=tuple(problems)).to_json()


def _message(problem: FileProblem) -> Message:
    """Return the sentence about a problem or an assumption of an import."""
    if problem.game:
        return Message("error.web.import.game", {"game": problem.game, "reason": problem.message})
    return problem.message


def _games(data: bytes, name: str, rules: Rules | None) -> ReadResult:
    kind = FORMATS.get(PurePath(name).suffix.lower())
    if kind is None:
        return pasted_text.read_text(decode(data), rules)
    try:
        return kind.read(data)
    except FormatError:
        # A .txt file may contain SGF.
        try:
            return pasted_text.read_text(decode(data), rules)
        except TengenError:
            pass
        raise


def exported(game: dict[str, Any], extension: str) -> tuple[bytes, dict[str, str]]:
    """Return a game as a file, and HTTP headers that list the data which the format cannot hold.

    Args:
        game: the game's data, as made by `tengen.formats.jsonformat.game_data`.
        extension: the extension of the format.

    Raises:
        TengenError: the data is invalid, the format does not exist, or it cannot hold the game.
    """
    format_named(extension)
    return record_file(jsonformat.game_record(game), f".{extension.lower().removeprefix('.')}")


def pictured(
    board: Board,
    kind: Picture,
    *,
    numbers: bool | int = False,
    theme: str = "wood",
    marks: dict[str, str] | None = None,
    heat: dict[str, float] | None = None,
    coordinates: bool = True,
    coordinate_style: CoordinateStyle = "letters",
    lang: str = "en",
) -> bytes:
    """Return a picture of a board, or an animated GIF of its game.

    Black's forbidden points are crossed if Black is to move. A GIF has no marks.

    Raises:
        TengenError: a theme, a mark or a point does not exist.
    """
    fouls = board.turn == BLACK and board.outcome() is None
    drawing = draw(
        board,
        marks,
        heat,
        numbers,
        theme,
        fouls=fouls,
        coordinates=coordinates,
        coordinate_style=coordinate_style,
        lang=lang,
    )
    if kind == "svg":
        return drawing.svg.encode()
    if kind == "png":
        return drawing.png(longer_side(drawing, PIXELS["png"]))
    animation = animated(
        board, numbers=numbers, theme=theme, coordinates=coordinates, coordinate_style=coordinate_style
    )
    return to_gif(animation)


def animated(
    board: Board,
    *,
    numbers: bool | int = False,
    theme: str = "wood",
    coordinates: bool = True,
    coordinate_style: CoordinateStyle = "letters",
) -> Animation:
    """Return the animation of a board's game, as large as a GIF.

    Raises:
        TengenError: a theme does not exist.
    """
    drawing = draw(board, coordinates=coordinates, coordinate_style=coordinate_style)
    return animate(
        board,
        longer_side(drawing, PIXELS["gif"]),
        numbers=numbers,
        theme=theme,
        coordinates=coordinates,
        coordinate_style=coordinate_style,
    )
