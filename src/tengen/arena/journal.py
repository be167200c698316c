r"""The journal of a match: JSON lines, so that nothing finished is lost and a stopped match goes on.

The first line holds the settings, ``{"format": "tengen games", "version": 1, "match": {...}}``; every
other line one finished game in the form of `tengen.formats.jsonformat`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tengen.arena.arena_error import ArenaError
from tengen.arena.results import PlayedGame
from tengen.formats import jsonformat
from tengen.formats.files import shown
from tengen.formats.json_lines import JsonLinesFile, json_lines
from tengen.game.errors import TengenError

FORMAT = "tengen games"
VERSION = 1


class Journal(JsonLinesFile):
    """A journal that is open for writing; a context manager.

    Args:
        path: the file.
        settings: those of a new journal; None goes on with an existing one.

    Raises:
        ArenaError: a new journal would write over a file.
        FileError: the file cannot be written.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any] | None = None) -> None:
        file = Path(path).expanduser()
        if settings is not None and file.exists() and file.stat().st_size > 0:
            raise ArenaError("error.arena.exists", file=shown(path))
        first = None if settings is None else {"format": FORMAT, "version": VERSION, "match": settings}
        super().__init__(file, first)

    def add(self, game: PlayedGame) -> None:
        """Write a finished game down.

        Raises:
            FileError: it cannot be written.
        """
        self.write(jsonformat.game_data(game.record()))


def read(path: str | Path) -> tuple[dict[str, Any], list[PlayedGame]]:
    """The settings and the finished games of a journal.

    Raises:
        FileError: the file cannot be read.
        ArenaError: it is no journal, or a line of it is damaged.
    """
    lines = json_lines(path)
    _, head = next(lines, (0, {}))
    if head.get("format") != FORMAT or not isinstance(head.get("match"), dict):
        raise ArenaError("error.arena.journal", file=shown(path))
    games: dict[int, PlayedGame] = {}
    for number, line in lines:
        try:
            game = PlayedGame.from_record(jsonformat.game_record(line))
        except TengenError as error:
            raise ArenaError("error.arena.line", file=shown(path), line=number) from error
        games.setdefault(game.number, game)
    return head["match"], [games[number] for number in sorted(games)]
