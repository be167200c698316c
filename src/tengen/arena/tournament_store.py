"""A tournament in a file: SQLite, so that no finished game is lost and other tools can query it.

Two tables: ``settings``, one row with the tournament as JSON, and ``games``, one row a finished game with
what a query may ask for in columns of their own and the whole record as JSON
(`tengen.formats.jsonformat`).
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any

from tengen.arena.arena_error import ArenaError
from tengen.arena.results import PlayedGame
from tengen.formats import jsonformat
from tengen.formats.files import FileError, check_writable, read_error, shown
from tengen.game.errors import TengenError
from tengen.game.notation import format_moves
from tengen.game.points import BLACK, WHITE

VERSION = 1

_TABLES = """
CREATE TABLE settings (version INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,     -- from 0
    black TEXT NOT NULL,
    white TEXT NOT NULL,
    points REAL NOT NULL,           -- of Black: 1, 0.5 or 0
    reason TEXT NOT NULL,           -- five, full, foul, time, crash, ...
    detail TEXT NOT NULL,
    opening TEXT NOT NULL,
    moves TEXT NOT NULL,            -- those of the opening included
    length INTEGER NOT NULL,
    black_seconds REAL NOT NULL,    -- all its moves together
    white_seconds REAL NOT NULL,
    record TEXT NOT NULL
);
"""


class TournamentStore:
    """A tournament's file, open; a context manager.

    Args:
        path: the file.
        settings: of a new tournament; None opens one that is there.

    Raises:
        ArenaError: the file is there already (with `settings`), or is no tournament (without).
        FileError: it is not there, or cannot be opened.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any] | None = None) -> None:
        self._path = Path(path).expanduser()
        there = self._path.is_file() and self._path.stat().st_size > 0
        if settings is not None and there:
            raise ArenaError("error.arena.exists", file=shown(path))
        if settings is None and not self._path.is_file():
            problem = IsADirectoryError() if self._path.is_dir() else FileNotFoundError()
            raise read_error(path, problem)
        if settings is None and not there:
            raise ArenaError("error.arena.store", file=shown(path))
        if settings is not None:
            check_writable(self._path)  # SQLite gives no reason why it cannot open a file
        try:
            self._database = sqlite3.connect(self._path, isolation_level=None)
            if settings is not None:
                self._database.executescript(_TABLES)
                self._database.execute(
                    "INSERT INTO settings VALUES (?, ?)",
                    (VERSION, json.dumps(settings, ensure_ascii=False)),
                )
        except sqlite3.Error as error:
            raise FileError("error.file.write", file=shown(path), reason=str(error)) from error

    def settings(self) -> dict[str, Any]:
        """Return the settings of the tournament.

        Raises:
            ArenaError: the file is no tournament.
        """
        try:
            version, text = self._database.execute("SELECT version, data FROM settings").fetchone()
            data = json.loads(text)
        except (sqlite3.Error, TypeError, ValueError) as error:
            raise ArenaError("error.arena.store", file=shown(self._path)) from error
        if version != VERSION or not isinstance(data, dict):
            raise ArenaError("error.arena.store", file=shown(self._path))
        return data

    def games(self) -> list[PlayedGame]:
        """The finished games, by number.

        Raises:
            ArenaError: a row is damaged.
        """
        try:
            rows = self._database.execute("SELECT record FROM games ORDER BY number").fetchall()
            return [PlayedGame.from_record(jsonformat.game_record(json.loads(text))) for (text,) in rows]
        except (sqlite3.Error, TengenError, ValueError) as error:
            raise ArenaError("error.arena.store", file=shown(self._path)) from error

    def add(self, game: PlayedGame) -> None:
        """Write a finished game down, for good.

        Raises:
            FileError: it cannot be written.
        """
        width = game.rules.width
        points = (*game.opening, *(move.point for move in game.moves))
        black, white = (sum(game.seconds(colour)) for colour in (BLACK, WHITE))
        row = (
            game.number,
            game.black,
            game.white,
            game.points,
            game.end,
            game.detail,
            format_moves(game.opening, width),
            format_moves(points, width),
            game.length,
            black,
            white,
            jsonformat.line_of(jsonformat.game_data(game.record())).decode(),
        )
        try:
            self._database.execute(f"INSERT INTO games VALUES ({','.join('?' * len(row))})", row)
        except sqlite3.Error as error:
            raise FileError("error.file.write", file=shown(self._path), reason=str(error)) from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> TournamentStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
