"""Files made and read where players think, because a stranger's file may take a while.

What comes back to the page is text or bytes that are ready to be sent.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, Literal, TypeAlias

from tengen.formats import jsonformat, pasted_text
from tengen.formats.common import FileProblem, FormatError, ReadResult
from tengen.formats.encodings import decode
from tengen.formats.files import FORMATS, Format
from tengen.formats.pictures.picture_files import longer_side
from tengen.formats.pictures.svg import draw
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK
from tengen.game.rules import Rules
from tengen.web.server.record_files import record_file
from tengen.words import Message

Picture: TypeAlias = Literal["svg", "png", "gif"]

EXTENSIONS = tuple(name.removeprefix(".") for name in FORMATS)
"""The formats that are read and written, by the extensions of their files."""

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
"""Media types by extension; all others are plain text."""

MOST_NODES = 100_000
"""Moves of all games together that are sent to a page: some ten megabytes."""

PIXELS = {"png": 1000, "gif": 480}
"""The longer side of a picture."""


def media_type(extension: str) -> str:
    """The media type of a file."""
    return MEDIA.get(extension, "text/plain")


def format_named(extension: str) -> Format:
    """The format with this extension, which may begin with a dot.

    Raises:
        TengenError: there is none.
    """
    found = FORMATS.get(f".{extension.lower().removeprefix('.')}")
    if found is None:
        raise TengenError("error.convert.to", text=shorten(extension), formats=EXTENSIONS)
    return found


def imported(data: bytes, name: str = "", rules: Rules | None = None) -> str:
    """The games of a file, or of something pasted, as JSON text: ``records`` and ``problems``.

    Args:
        data: the file, or the text as UTF-8.
        name: the file's name; its extension says what it is. Empty for something pasted.
        rules: what pasted moves or a pasted drawing are played by, where they do not say.

    Raises:
        TengenError: no game can be read; the sentence says why.
    """
    games = _games(data, name, rules)
    records: list[dict[str, Any]] = []
    left = MOST_NODES
    for record in games.records:
        left -= sum(1 for _ in record.nodes())
        if left < 0:
            break
        records.append(jsonformat.game_data(record))
    problems = [_problem(problem) for problem in games.problems]
    if len(records) < len(games.records):
        if not records:
            raise FormatError("error.format.nodes", most=MOST_NODES)
        values = {"shown": len(records), "count": len(games.records)}
        problems.append({**Message("error.web.import.more", values).to_dict(), "lost": True})
    told = {"records": records, "problems": problems}
    return json.dumps(told, separators=(",", ":"))


def _problem(problem: FileProblem) -> dict[str, Any]:
    """What is wrong with a game, or was assumed about it, ready for JSON."""
    message = problem.message
    if problem.game:
        message = Message("error.web.import.game", {"game": problem.game, "reason": message})
    return {**message.to_dict(), "lost": problem.lost}


def _games(data: bytes, name: str, rules: Rules | None) -> ReadResult:
    kind = FORMATS.get(PurePath(name).suffix.lower())
    if kind is None:
        return pasted_text.read_text(decode(data), rules)
    try:
        return kind.read(data)
    except FormatError:
        # A file that is called .txt may hold SGF all the same.
        try:
            return pasted_text.read_text(decode(data), rules)
        except TengenError:
            pass
        raise


def exported(game: dict[str, Any], extension: str) -> tuple[bytes, dict[str, str]]:
    """A file of one game, and headers that tell what its format does not keep.

    Args:
        game: as `tengen.formats.jsonformat.game_data` has it.
        extension: the format.

    Raises:
        TengenError: it is no such data, there is no such format, or the format cannot hold the game.
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
    """A picture of a board, or of the game that led to it as an animated GIF.

    The points that are forbidden to Black are crossed where Black is to move. A GIF has no marks.

    Raises:
        TengenError: a theme, a mark or a point that there is none of.
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
    width = longer_side(drawing, PIXELS[kind])
    if kind == "png":
        return drawing.png(width)
    from tengen.formats.pictures.gif import animate

    return animate(
        board,
        width,
        numbers=numbers,
        theme=theme,
        coordinates=coordinates,
        coordinate_style=coordinate_style,
    )
