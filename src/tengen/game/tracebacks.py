"""Tracebacks of players' own code, for those who have written it.

What a user of Tengen does wrong is answered with one sentence. The author of a player needs more: where in
the player's own code it happened. That goes with the error as a note, and faces show it as well.
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
"""Calls that are shown, the innermost."""


def own_traceback(error: BaseException) -> str:
    """The traceback of an error from the first call of a player's own code to the last.

    Empty where no such code was running: the error is Tengen's own, or a module was not found.
    """
    told = traceback.TracebackException.from_exception(error)
    own = [place for place, frame in enumerate(told.stack) if _is_own(frame.filename)]
    if not own and not isinstance(error, SyntaxError):
        return ""
    frames = told.stack[own[0] : own[-1] + 1] if own else []
    told.stack = traceback.StackSummary.from_list(frames[-_FRAMES:])
    told.__notes__ = None  # which may be this very text
    return "".join(told.format(chain=False)).rstrip()


def noted(error: _E, cause: BaseException | None = None) -> _E:
    """An error with the traceback of a player's own code as a note, where such code has failed.

    Args:
        error: what is to be raised.
        cause: what the player's code has raised; `error` itself if None.
    """
    text = own_traceback(cause or error)
    if text and text not in notes(error):
        error.add_note(text)
    return error


def notes(error: BaseException) -> tuple[str, ...]:
    """What has been noted about an error."""
    return tuple(getattr(error, "__notes__", ()))


def _is_own(file: str) -> bool:
    """Whether a file is neither Tengen's nor of Python's standard library."""
    if file.startswith("<frozen") or file == "<string>":
        return False
    path = Path(file)
    if _PACKAGE in path.parents:
        return False
    return _STANDARD not in path.parents or any(name in path.parts for name in _INSTALLED)
