"""Saved games on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tengen.game.errors import NotAllowed
from tengen.game.player import Player
from tengen.game.session import Session
from tengen.game.state import FORMAT
from tengen.terminal.describe import one_line
from tengen.words import Message

_REASONS: dict[type[Exception], str] = {
    FileNotFoundError: "file.missing",
    IsADirectoryError: "file.directory",
    PermissionError: "file.permission",
    UnicodeDecodeError: "file.text",
}


def load(name: str, make_player: Callable[[str], Player]) -> Session:
    """The session saved in a file, going on if it was paused.

    Raises:
        NotAllowed: the file cannot be read.
        NotationError: it holds no saved session.
    """
    try:
        text = Path(name).expanduser().read_text("utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise NotAllowed("error.file.read", file=one_line(name), reason=_reason(error)) from error
    session = Session.from_json(text, make_player)
    if session.paused:
        session.resume()
    return session


def save(name: str, session: Session) -> None:
    """Write a session to a file: the whole of it, or what was there before.

    Raises:
        NotAllowed: the file cannot be written, or it exists and is no saved game.
    """
    text = session.to_json() + "\n"
    beside = None
    try:
        path = Path(name).expanduser().resolve()
        if path.exists() and not _is_saved_game(path):
            raise NotAllowed("error.file.other", file=one_line(name))
        beside = path.with_name(f".{path.name}.part")
        beside.write_text(text, "utf-8")
        beside.replace(path)
    except NotAllowed:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        if beside is not None and beside.is_file():
            beside.unlink()
        raise NotAllowed("error.file.write", file=one_line(name), reason=_reason(error)) from error


def _is_saved_game(path: Path) -> bool:
    """Whether this is one of ours, which saving again may overwrite; nothing else ever is."""
    if path.is_dir():
        raise IsADirectoryError
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return FORMAT.encode() in file.read(100)


def _reason(error: Exception) -> Message | str:
    for kind, key in _REASONS.items():
        if isinstance(error, kind):
            return Message(key)
    return (error.strerror if isinstance(error, OSError) else None) or one_line(str(error))
