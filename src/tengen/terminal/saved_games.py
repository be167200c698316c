"""Saved games on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tengen.formats.files import FORMATS, read_error, shown, write_error, write_whole
from tengen.formats.not_kept import not_kept
from tengen.game.errors import NotAllowed, NotationError
from tengen.game.player import Player
from tengen.game.session import Session
from tengen.game.session_state import FORMAT
from tengen.words import Message

_SESSIONS = (".json", ".jsonl")


def load(name: str | Path, make_player: Callable[[str], Player]) -> Session:
    """Load a session from a file, and resume it if it was paused.

    Raises:
        FileError: the file cannot be read.
        NotationError: the file is not a saved session.
    """
    try:
        text = Path(name).expanduser().read_text("utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise read_error(name, error) from error
    try:
        session = Session.from_json(text, make_player)
    except NotationError as error:
        raise NotationError("error.format.file", file=shown(name), reason=error.message) from error
    if session.paused:
        session.resume()
    return session


def save(name: str, session: Session) -> Message | None:
    """Write a session to a file atomically.

    If the extension is that of a game format, such as ``.sgf``, the game is written in that format: other
    programs can read it, but the session cannot be resumed from it.

    Returns:
        A message about data that the format does not keep; None if it keeps everything.

    Raises:
        NotAllowed: the file exists and is not a saved game.
        WriteError: the format cannot represent the game.
        FileError: the file cannot be written.
    """
    extension = Path(name).suffix.lower()
    told = None
    if extension in FORMATS and extension not in _SESSIONS:
        record = session.record()
        data = FORMATS[extension].write([record])
        told = not_kept([record], extension) or Message(
            "kept.session", {"format": extension.removeprefix(".")}
        )
    else:
        data = (session.to_json() + "\n").encode()
    try:
        _check_ours(Path(name).expanduser().resolve(), name)
    except NotAllowed:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise write_error(name, error) from error
    write_whole(name, data)
    return told


def _check_ours(path: Path, name: str) -> None:
    """Raise an error if the path exists and is not a saved game."""
    if path.is_dir():
        raise IsADirectoryError
    if not path.exists():
        return
    head = b""
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(100)
    if FORMAT.encode() not in head:
        raise NotAllowed("error.file.other", file=shown(name))
