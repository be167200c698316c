"""Saved games on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tengen.formats.files import FORMATS, FileError, reason, shown, write_whole
from tengen.formats.not_kept import not_kept
from tengen.game.errors import NotAllowed
from tengen.game.player import Player
from tengen.game.session import Session
from tengen.game.session_state import FORMAT
from tengen.words import Message

_SESSIONS = (".json", ".jsonl")


def load(name: str | Path, make_player: Callable[[str], Player]) -> Session:
    """The session saved in a file, going on if it was paused.

    Raises:
        FileError: the file cannot be read.
        NotationError: it holds no saved session.
    """
    try:
        text = Path(name).expanduser().read_text("utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise FileError("error.file.read", file=shown(name), reason=reason(error)) from error
    session = Session.from_json(text, make_player)
    if session.paused:
        session.resume()
    return session


def save(name: str, session: Session) -> Message | None:
    """Write a session to a file: the whole of it, or what was there before.

    A name that ends as those of a format for games, such as ``.sgf``, has the game written in that format:
    it can be read anywhere, but not be gone on with.

    Returns:
        What is not kept, in a sentence; None where all is.

    Raises:
        NotAllowed: the file exists and is no saved game.
        WriteError: the format that the name ends in cannot hold the game.
        FileError: it cannot be written.
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
        raise FileError("error.file.write", file=shown(name), reason=reason(error)) from error
    write_whole(name, data)
    return told


def _check_ours(path: Path, name: str) -> None:
    """Refuse to overwrite anything that is not a saved game."""
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
