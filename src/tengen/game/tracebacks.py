"""Tracebacks of errors in players' own code, for the authors of players.

Most errors reach the user as a single sentence. The author of a player needs the place in the player's code
too: the traceback is added to the error as a note (PEP 678), and user interfaces show it.
"""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path
from typing import TypeVar

_E = TypeVar("_E", bound=BaseException)

_PACKAGE = Path(__file__).parents[1]
_STANDARD = Path(sysconfig.get_paths()["stdlib"])
_INSTALLED = ("site-packages", "dist-packages")

_FRAMES = 30
"""The most frames in a traceback; the innermost are shown."""


def own_traceback(error: BaseException) -> str:
    """Return the traceback of an error, from the first frame in a player's own code to the last.

    Empty if it has no such frame: the error is Tengen's own, or a module was not found.
    """
    summary = traceback.TracebackException.from_exception(error)
    own = [index for index, frame in enumerate(summary.stack) if _is_own(frame.filename)]
    if not own and not isinstance(error, SyntaxError):
        return ""
    frames = summary.stack[own[0] : own[-1] + 1] if own else []
    summary.stack = traceback.StackSummary.from_list(frames[-_FRAMES:])
    summary.__notes__ = None  # they may already hold this traceback
    return "".join(summary.format(chain=False)).rstrip()


def add_own_traceback(error: _E, cause: BaseException | None = None) -> _E:
    """Add the traceback of a player's own code, if there is one, as a note to an error; return the error.

    Args:
        error: the error to raise.
        cause: the error raised by the player's code; `error` itself if None.
    """
    text = own_traceback(cause or error)
    if text and text not in notes(error):
        error.add_note(text)
    return error


def notes(error: BaseException) -> tuple[str, ...]:
    """Return the notes of an error."""
    return tuple(getattr(error, "__notes__", ()))


def _is_own(file: str) -> bool:
    """Return whether a file belongs neither to Tengen nor to Python's standard library."""
    if file.startswith("<frozen") or file == "<string>":
        return False
    path = Path(file)
    if _PACKAGE in path.parents:
        return False
    return _STANDARD not in path.parents or any(name in path.parts for name in _INSTALLED)
