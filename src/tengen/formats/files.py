"""Files by extension: their formats, and reading and writing games."""

from __future__ import annotations

import errno
import importlib
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen.formats.common import MAX_BYTES, FileProblem, FormatError, ReadResult
from tengen.formats.encodings import checked_encoding, decode_text
from tengen.formats.renlib_bytes import MAGIC
from tengen.formats.sgf_syntax import structure_faults
from tengen.formats.text import check_size
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.words import Message

_REASONS: dict[type[Exception], str] = {
    FileNotFoundError: "file.missing",
    NotADirectoryError: "file.missing",
    IsADirectoryError: "file.directory",
    PermissionError: "file.permission",
    UnicodeDecodeError: "file.text",
    FileExistsError: "file.exists",
    ConnectionRefusedError: "address.refused",
    socket.gaierror: "address.unknown",
}
_CODES = {
    errno.ENOSPC: "file.full",
    errno.EROFS: "file.read_only",
    errno.ENAMETOOLONG: "file.name",
    errno.ELOOP: "file.loop",
    errno.ENOEXEC: "file.program",
    errno.EADDRINUSE: "address.taken",
    errno.EADDRNOTAVAIL: "address.foreign",
}
"""The common reasons of the system, by the class of the exception or by its code."""

_NUMBER = re.compile(r"%(0[1-9])?d")
_SHOWN = 200


class FileError(TengenError):
    """A file that cannot be read or written, or whose extension is unknown.

    Examples:
        >>> import tengen
        >>> try:
        ...     tengen.read("missing.sgf")
        ... except tengen.FileError as error:
        ...     print(error)
        missing.sgf cannot be read: there is no such file or folder
    """


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Attributes:
        reader: the function that reads it, ``module:function``; its module is imported when used.
        writer: the function that writes it.
        many: True if one file holds several games.
        variations: True if a game in it may branch; if not, only main lines are written.
        sized: True if it states the size of the board.
        ruled: True if it states the rules, or is read by fixed ones.
        declares: True if its reader detects the encoding of text itself, by a declaration or the syntax.
    """

    reader: str
    writer: str
    many: bool
    variations: bool = False
    sized: bool = True
    ruled: bool = True
    declares: bool = False

    def read(
        self,
        data: bytes,
        size: tuple[int, int] | None = None,
        encoding: str | None = None,
        rules: Rules | None = None,
    ) -> ReadResult:
        """Read the games of a file.

        Args:
            data: the file.
            size: size of the board, for a format that does not state it.
            encoding: encoding of the text, whatever the file declares; detected if None.
            rules: rules of the games, for a format that does not state them.

        Raises:
            FormatError: no game can be read, or there is no such encoding.
        """
        read: Callable[..., ReadResult] = _function(self.reader)
        if self.declares:
            return read(data, encoding=encoding)
        check_size(data)
        # A text file may hold a game in another format's syntax.
        faults = structure_faults if data.lstrip()[:1] == b"(" else None
        decoded = decode_text(data, encoding=encoding, faults=faults)
        text = decoded.text.encode("utf-8-sig")
        options = [] if self.sized else [size]
        result = read(text, *(options if self.ruled else [rules]))
        result.problems[:0] = decoded.problems
        return result

    def write(self, records: Sequence[Record]) -> bytes:
        """Return a file of these games.

        Raises:
            TengenError: a game that the format cannot hold.
        """
        write: Callable[[Sequence[Record]], bytes] = _function(self.writer)
        return write(records)


def _module(name: str, many: bool, variations: bool = False, declares: bool = False) -> Format:
    functions = f"tengen.formats.{name}:read", f"tengen.formats.{name}:write"
    return Format(*functions, many, variations, declares=declares)


FORMATS: dict[str, Format] = {
    ".sgf": _module("sgf", many=True, variations=True, declares=True),
    ".psq": _module("psq", many=False),
    ".rec": Format("tengen.formats.psq:read_rec", "tengen.formats.psq:write_rec", many=False, sized=False),
    ".lib": _module("renlib", many=False, variations=True, declares=True),
    ".rif": _module("renjunet", many=True, declares=True),
    ".xml": _module("renjunet", many=True, declares=True),
    ".json": _module("jsonformat", many=True, variations=True),
    ".jsonl": Format(
        "tengen.formats.jsonformat:read_lines",
        "tengen.formats.jsonformat:write_lines",
        many=True,
        variations=True,
    ),
    ".txt": Format(
        "tengen.formats.pasted_text:read_file", "tengen.formats.movetext:write", many=True, ruled=False
    ),
    ".board": Format("tengen.formats.ascii:read", "tengen.formats.ascii:write", many=True, ruled=False),
}
"""All formats, by the extension of a file's name."""


@dataclass(slots=True)
class WriteResult:
    """The result of writing games.

    Attributes:
        paths: the files written.
        games: the number of games in all of them.
        problems: the games that the format cannot hold.
    """

    paths: list[Path] = field(default_factory=list)
    games: int = 0
    problems: list[FileProblem] = field(default_factory=list)


def format_of(path: str | Path) -> Format:
    """Return the format of a file, by its extension.

    Raises:
        FileError: the extension is unknown.
    """
    extension = Path(path).suffix.lower()
    if extension not in FORMATS:
        raise FileError("error.file.extension", file=shown(path), extensions=tuple(FORMATS))
    return FORMATS[extension]


def format_of_content(data: bytes) -> Format:
    """Return the format of a file, by its content: a RenLib library, or else a text of any form."""
    return FORMATS[".lib" if data.startswith(MAGIC) else ".txt"]


def read_file(
    path: str | Path,
    size: tuple[int, int] | None = None,
    encoding: str | None = None,
    rules: Rules | None = None,
    *,
    by_content: bool = False,
) -> ReadResult:
    """Read the games of a file.

    Args:
        path: its name, whose extension gives the format.
        size: size of the boards, for a format that does not state it, such as rec.
        encoding: encoding of the text, whatever the file declares; detected if None.
        rules: rules of the games, for a format that does not state them, such as txt.
        by_content: recognise the format by the content where the extension is unknown.

    Raises:
        FileError: it cannot be read, or its extension is unknown.
        FormatError: no game in it can be read, or there is no such encoding.
    """
    if encoding is not None:
        checked_encoding(encoding)
    kind = FORMATS.get(Path(path).suffix.lower()) if by_content else format_of(path)
    try:
        with Path(path).expanduser().open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:
        raise read_error(path, error) from error
    try:
        return (kind or format_of_content(data)).read(data, size, encoding, rules)
    except FormatError as error:
        raise FormatError("error.format.file", file=shown(path), reason=error.message) from error


def write_files(
    records: Sequence[Record],
    out: str | Path,
    extension: str | None = None,
    stem: str = "game",
    *,
    every: bool = False,
    check: Callable[[Path], object] = lambda _: None,
) -> WriteResult:
    """Write games to a file, or to several if the format holds one game a file.

    Every file is written whole or not at all, and replaces one of its name.

    Args:
        records: the games.
        out: the name of a file; with ``%d`` (or ``%03d``) in it, every game goes to a file of its own
            with its number in that place. Several games in a format that holds one go to files with
            ``-1``, ``-2``, ... before the extension. A folder gets files called `stem`.
        extension: the format, if `out` is a folder.
        stem: the files' name, if `out` is a folder.
        every: write nothing unless the format can hold every game.
        check: called with each file before any is written; what it raises ends the writing.

    Returns:
        The files written, and the games that could not be: the others are written nevertheless.

    Raises:
        FileError: a file that cannot be written, or an unknown extension.
    """
    path = Path(out).expanduser()
    if extension is not None:
        path /= f"{stem}.{extension.lower().removeprefix('.')}"
    kind = format_of(path)
    written = WriteResult()
    good: list[tuple[int, Record, bytes]] = []
    in_one = kind.many and not _NUMBER.search(path.name)
    whole = _in_one(kind, records) if in_one else None
    if whole is None:
        for number, record in enumerate(records, 1):
            try:
                good.append((number, record, kind.write([record])))
            except TengenError as error:
                written.problems.append(FileProblem(number, error.message))
        if every and written.problems:
            return written
        if in_one and good:
            whole = kind.write([record for _, record, _ in good])
    written.games = len(good) or len(records) - len(written.problems)
    if not written.games:
        return written
    contents = (
        [(path, whole)]
        if in_one and whole is not None
        else [(_numbered(path, number, len(records)), data) for number, _, data in good]
    )
    for target, _ in contents:
        check(target)
    for target, data in contents:
        write_whole(target, data)
        written.paths.append(target)
    return written


def targets(path: Path) -> list[Path]:
    """Return the existing files that `write_files` could replace, given this name."""
    kind = FORMATS.get(path.suffix.lower())
    place = _NUMBER.search(path.name)
    if kind is None or (kind.many and place is None):
        return [path] if path.exists() else []
    if place is not None:
        start, end = path.name[: place.start()], path.name[place.end() :]
        pattern = rf"{re.escape(start)}\d+{re.escape(end)}"
    else:
        pattern = rf"{re.escape(path.stem)}(-\d+)?{re.escape(path.suffix)}"
    found = path.parent.iterdir() if path.parent.is_dir() else ()
    return sorted(file for file in found if re.fullmatch(pattern, file.name))


def shown(path: str | Path) -> str:
    """Return the name of a file, fit for one line."""
    return shorten(str(path), _SHOWN)


def _in_one(kind: Format, records: Sequence[Record]) -> bytes | None:
    """Return all games as one file; None if it cannot hold one of them."""
    try:
        return kind.write(records)
    except TengenError:
        return None


def _numbered(path: Path, number: int, count: int) -> Path:
    """Return the name of the file for one game of several."""
    place = _NUMBER.search(path.name)
    if place is not None:
        digits = int(place.group(1) or 0)
        return path.with_name(
            f"{path.name[: place.start()]}{number:0{digits or 1}}{path.name[place.end() :]}"
        )
    if count == 1:
        return path
    return path.with_name(f"{path.stem}-{number:0{len(str(count))}}{path.suffix}")


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file atomically: if writing fails, the old file stays. Pipes and devices get it directly.

    Raises:
        FileError: it cannot be written.
    """
    beside = None
    try:
        target = Path(path).expanduser()
        if _takes_anything(target):
            target.write_bytes(data)
            return
        target, beside = _places(target)
        beside.write_bytes(data)
        beside.replace(target)
    except (OSError, ValueError, RuntimeError) as error:
        if beside is not None and beside.is_file():
            beside.unlink()
        raise write_error(path, error) from error


def check_writable(path: str | Path) -> None:
    """Check that a file can be written, before the long work on its content.

    Raises:
        FileError: it cannot be written.
    """
    try:
        target = Path(path).expanduser()
        if not _takes_anything(target):
            _, beside = _places(target)
            beside.touch()
            beside.unlink()
    except (OSError, ValueError, RuntimeError) as error:
        raise write_error(path, error) from error


def check_games(path: str | Path, rules: Rules) -> None:
    """Check that games by these rules can be written to a file.

    Raises:
        FileError: it cannot be written, its extension is unknown, or its format holds no such games.
    """
    kind = format_of(path)
    check_writable(path)
    try:
        kind.write([Record(rules)])
    except TengenError as error:
        raise FileError("error.file.write", file=shown(path), reason=error.message) from error


def _places(path: Path) -> tuple[Path, Path]:
    """Return the real path of a file and its temporary path; raise OSError if it cannot be a file."""
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError
    return target, target.with_name(f".{target.name}.part")


def _takes_anything(path: Path) -> bool:
    """Return whether a path is a pipe or a device, such as /dev/stdout."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _function(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)


def read_error(path: str | Path, error: Exception) -> FileError:
    """Return the error to raise where a file cannot be read.

    Args:
        path: of the file, as it is shown.
        error: what the system has raised.
    """
    return FileError("error.file.read", file=shown(path), reason=reason(error))


def write_error(path: str | Path, error: Exception) -> FileError:
    """Return the error to raise where a file cannot be written; see `read_error`."""
    return FileError("error.file.write", file=shown(path), reason=reason(error))


def reason(error: Exception) -> Message | str:
    """Return the reason of the system why something failed, in the user's words if it is a common one."""
    for kind, key in _REASONS.items():
        if isinstance(error, kind):
            return Message(key)
    if isinstance(error, OSError) and error.errno in _CODES:
        return Message(_CODES[error.errno])
    return (error.strerror if isinstance(error, OSError) else None) or shown(str(error))
