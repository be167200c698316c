r"""The journal of a match: JSON lines, so that nothing finished is lost and a stopped match goes on.

The first line holds the settings, ``{"format": "tengen games", "version": 1, "match": {...}}``; every
other line one finished game in the form of `tengen.formats.jsonformat`. A line is written whole when its
game ends. If the machine dies in the middle of one, that game alone is lost, and played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from tengen.arena.contestants import ArenaError
from tengen.arena.results import Played
from tengen.formats import jsonformat
from tengen.formats.files import FileError, reason, shown
from tengen.game.errors import TengenError

FORMAT = "tengen games"
VERSION = 1


class Journal:
    """A journal that is open for writing; a context manager.

    Args:
        path: the file.
        settings: what is played, for a new journal; None goes on with the one that is there, whose last
            line is cut off if it was not written to its end.
        kind: what the settings are called in the first line.

    Raises:
        ArenaError: a new journal would write over a file.
        FileError: the file cannot be written.
    """

    def __init__(
        self, path: str | Path, settings: dict[str, Any] | None = None, kind: str = "match"
    ) -> None:
        self._path = Path(path).expanduser()
        if settings is None:
            self._file = self._open("r+b")
            self._file.truncate(self._file.read().rfind(b"\n") + 1)
            self._file.seek(0, 2)
            return
        if self._path.exists() and self._path.stat().st_size > 0:
            raise ArenaError("error.arena.exists", file=shown(path))
        self._file = self._open("wb")
        self._line({"format": FORMAT, "version": VERSION, kind: settings})

    def add(self, game: Played) -> None:
        """Write a finished game down.

        Raises:
            FileError: the disk is full, say.
        """
        self._line(jsonformat.game_data(game.record()))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self, mode: str) -> IO[bytes]:
        try:
            return cast("IO[bytes]", self._path.open(mode))
        except OSError as error:
            raise FileError("error.file.write", file=shown(self._path), reason=reason(error)) from error

    def _line(self, data: dict[str, Any]) -> None:
        try:
            self._file.write(jsonformat.line_of(data))
            self._file.flush()
        except OSError as error:
            raise FileError("error.file.write", file=shown(self._path), reason=reason(error)) from error


def read(path: str | Path, kind: str = "match") -> tuple[dict[str, Any], list[Played]]:
    """The settings and the finished games of a journal.

    Raises:
        FileError: the file cannot be read.
        ArenaError: it is no journal, or a line of it is damaged.
    """
    try:
        data = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise FileError("error.file.read", file=shown(path), reason=reason(error)) from error
    lines = list(_whole_lines(data))
    head = _object(lines[0]) if lines else None
    if head is None or head.get("format") != FORMAT or not isinstance(head.get(kind), dict):
        raise ArenaError("error.arena.journal", file=shown(path))
    games: dict[int, Played] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            game = Played.from_record(jsonformat.game_record(_object(line)))
        except TengenError as error:
            raise ArenaError("error.arena.line", file=shown(path), line=number) from error
        games.setdefault(game.number, game)
    return head[kind], [games[number] for number in sorted(games)]


def _whole_lines(data: bytes) -> Iterator[bytes]:
    """The lines that were written to their end."""
    return (line for line in data[: data.rfind(b"\n") + 1].split(b"\n") if line.strip())


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None
