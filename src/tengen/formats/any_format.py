"""Games from files of any format, from text in any form and from bytes, and games as files or text.

These are `tengen.read`, `tengen.write` and `tengen.to_text`.

A file's format is given by its extension, or, where that is unknown, recognised by the content.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from tengen.formats.common import FileProblem, ReadResult
from tengen.formats.files import (
    FORMATS,
    FileError,
    format_of,
    format_of_content,
    read_error,
    read_file,
    shown,
    write_files,
)
from tengen.formats.not_kept import not_kept
from tengen.formats.pasted_text import check_content, read_text
from tengen.formats.record_builder import under
from tengen.game.arguments import check_text, wrong
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.record import Record, check_record
from tengen.game.rules import Rules, Size
from tengen.words import Message

Source: TypeAlias = "str | os.PathLike[str] | bytes"
"""The name of a file, text, or the content of a file."""

_PATH_LENGTH = 4096
"""The longest name of a file, in characters."""


class FormatWarning(UserWarning):
    """A loss: part of a file that cannot be read, or part of a game that a format does not keep.

    Attributes:
        problems: the faults of a file, if it was read.

    Examples:
        >>> import tengen
        >>> import warnings
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always", tengen.FormatWarning)
        ...     (record,) = tengen.read("(;GM[4]SZ[15];B[hh];W[ii];B[hh])")
        >>> record
        <Record freestyle 15x15 'h8i7'>
        >>> warning = caught[0].message
        >>> print(warning)
        game 1: line 1, column 29: h8 is occupied (the rest was read)
        >>> warning.problems[0].missing
        'moves'
    """

    def __init__(self, message: Message, problems: Sequence[FileProblem] = ()) -> None:
        super().__init__(str(message))
        self.problems = tuple(problems)


def read(
    source: Source,
    rules: Rules | str | None = None,
    *,
    size: Size | None = None,
    encoding: str | None = None,
) -> list[Record]:
    r"""Read the games of a file or a text, in any format that Tengen knows.

    One fault loses one thing: everything that can be read apart from it is returned, and a `FormatWarning`
    names the fault and its place.

    Args:
        source: the path of a file; or text in any form: SGF, JSON, XML, a list of moves, a drawn board; or
            the content of a file as bytes. Text that is the name of a file is that file.
        rules: rules of the games, whatever the source says; if None those that it states, or freestyle.
        size: size of the boards, if the source does not state it.
        encoding: encoding of the file's text, whatever it declares; detected if None.

    Returns:
        The games, in their order; at least one.

    Raises:
        FileError: the file cannot be read.
        NotationError: no game can be read; the sentence gives the place and what was expected.
        IllegalMove: a point off the board, or occupied, in text that is no file.
        RulesError: the rules or the size do not exist.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> import tengen
        >>> (record,) = tengen.read("(;GM[4]SZ[15]RU[renju]PB[Ann];B[hh];W[ii]C[close];B[gg])")
        >>> record, record.headers["black"]
        (<Record renju 15x15 'h8i7g9'>, 'Ann')
        >>> record.main_line()[1].comment
        'close'
        >>> tengen.read("h8 i9 g7", rules="renju")
        [<Record renju 15x15 'h8i9g7'>]
        >>> print(tengen.read("X O .\n. X .\n. . .")[0].board())
        3  X O .
        2  . X .
        1  . . .
           a b c
        >>> tengen.read("h8 i9 h8")
        Traceback (most recent call last):
            ...
        tengen.game.errors.Occupied: h8 is occupied
        >>> tengen.read("missing.sgf")
        Traceback (most recent call last):
            ...
        tengen.formats.files.FileError: missing.sgf cannot be read: there is no such file or folder
    """
    if encoding is not None:
        check_text("encoding", encoding)
    chosen = None if rules is None and size is None else _sized(rules, size)
    sides = None if size is None or chosen is None else (chosen.width, chosen.height)
    result = read_source(source, chosen, sides, encoding)
    if lost := result.lost:
        values = {"problem": of_game(lost[0]), "more": len(lost) - 1}
        message = Message("format.lost.more" if len(lost) > 1 else "format.lost", values)
        warnings.warn(FormatWarning(_of_file(source, message), lost), stacklevel=2)
    if rules is None or chosen is None:
        return result.records
    return [under(record, chosen) for record in result.records]


def read_source(
    source: Source,
    rules: Rules | None = None,
    size: tuple[int, int] | None = None,
    encoding: str | None = None,
) -> ReadResult:
    """Read the games of a file or a text, with the faults; see `read`.

    Args:
        source: the path of a file, text, or the content of a file.
        rules: rules of the games, if the source does not state them.
        size: size of the boards, for a format that does not state it.
        encoding: encoding of a file's text; detected if None.

    Raises:
        TengenError: as `read`.
    """
    if isinstance(source, bytes):
        return format_of_content(source).read(source, size, encoding, rules)
    if isinstance(source, os.PathLike):
        return read_file(Path(source), size, encoding, rules, by_content=True)
    if not isinstance(source, str):
        raise wrong("source", source, "argument.source")
    if names_file(source):
        return read_file(source, size, encoding, rules, by_content=True)
    check_content(source)
    try:
        return read_text(source, rules)
    except TengenError:
        if _names_folder(source):
            raise read_error(source, IsADirectoryError()) from None
        raise


def names_file(text: str) -> bool:
    """Return whether a text is the name of a file: of one that exists, or one with a known extension."""
    if "\n" in text or "://" in text or len(text) > _PATH_LENGTH:
        return False
    try:
        path = Path(text).expanduser()
        return path.suffix.lower() in FORMATS or path.is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def _names_folder(text: str) -> bool:
    try:
        return len(text) <= _PATH_LENGTH and Path(text).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def write(records: Record | Iterable[Record], path: str | os.PathLike[str]) -> list[Path]:
    """Write games to a file whose extension gives the format: sgf, psq, lib, json, txt and others.

    Nothing is written if the format cannot hold one of the games. Where it does not keep something of them,
    such as comments, a `FormatWarning` says what.

    Args:
        records: a game, or several.
        path: the file. If the format holds one game a file, several go to files with their number in
            place of ``%d``, or at the end of the name.

    Returns:
        The files written.

    Raises:
        FileError: a file cannot be written, its extension is unknown, or it cannot hold one of the games.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import tengen
        >>> games = [tengen.Record.from_board(tengen.Board.from_moves(moves)) for moves in ("h8i9", "h8h9")]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paths = tengen.write(games, Path(folder, "games.sgf"))
        ...     print([path.name for path in paths], tengen.read(paths[0]) == games)
        ...     paths = tengen.write(games, Path(folder, "game-%d.psq"))
        ...     print([path.name for path in paths])
        ['games.sgf'] True
        ['game-1.psq', 'game-2.psq']
    """
    games = _games(records)
    if not isinstance(path, (str, os.PathLike)):
        raise wrong("path", path, "argument.path")
    target = Path(path)
    written = write_files(games, target, every=True)
    if written.problems:
        raise FileError("error.file.write", file=shown(target), reason=of_game(written.problems[0]))
    lost = not_kept(games, target.suffix.lower())
    if lost is not None:
        warnings.warn(FormatWarning(lost), stacklevel=2)
    return written.paths


def to_text(records: Record | Iterable[Record], extension: str = "sgf") -> str:
    """Return games as text, as `write` writes them to a file with this extension.

    Raises:
        TengenError: the format cannot hold one of the games or is no text, or there is no such format.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> import tengen
        >>> record = tengen.Record.from_board(tengen.Board.from_moves("h8i9g7", "renju"))
        >>> print(tengen.to_text(record).strip())
        (;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]
        RU[renju];B[hh];W[ig];B[gi])
        >>> print(tengen.to_text(record, "txt").strip())
        # rules: renju 15x15
        h8i9g7
        >>> tengen.to_text(record, "lib")
        Traceback (most recent call last):
            ...
        tengen.words.TengenError: lib is no text: write it to a file instead
    """
    games = _games(records)
    check_text("extension", extension)
    try:
        return format_of(f"games.{extension.removeprefix('.')}").write(games).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TengenError("error.format.binary", format=extension.removeprefix(".")) from None


def of_game(problem: FileProblem) -> Message:
    """Return the sentence of a problem, with the number of its game if it concerns one."""
    if not problem.game:
        return problem.message
    return Message("format.game", {"game": problem.game, "problem": problem.message})


def _of_file(source: Source, message: Message) -> Message:
    """Return a sentence with the name of the source, if that is a file."""
    if isinstance(source, bytes) or (isinstance(source, str) and not names_file(source)):
        return message
    return Message("error.format.file", {"file": shown(Path(source)), "reason": message})


def _games(records: Record | Iterable[Record]) -> list[Record]:
    given: Any = [records] if isinstance(records, Record) else records
    games = list(given) if isinstance(given, Iterable) else []
    if not games or not all(isinstance(game, Record) for game in games):
        raise wrong("records", records, "argument.records")
    for game in games:
        check_record(game)
    return games


def _sized(rules: Rules | str | None, size: Size | None) -> Rules:
    """Return rules on a board of this size."""
    chosen = Board("freestyle" if rules is None else rules).rules
    if size is None:
        return chosen
    sides = Rules.named("freestyle", size)
    return replace(chosen, width=sides.width, height=sides.height)
