"""Output: lines and JSON on stdout, problems on stderr, in the user's language."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TextIO

from tengen.game.notation import shorten
from tengen.plaintext.wrapping import wrapped
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.formats.common import Missing

LANGUAGE: ContextVar[str] = ContextVar("language", default="en")
"""The user's language, set before the command line is parsed."""

_LONGEST = 200
_NARROWEST = 16
"""The narrowest terminal that lines are wrapped to."""

_MISSING: dict[Missing, str] = {
    "game": "format.missing.game",
    "moves": "format.missing.moves",
    "variation": "format.missing.variation",
    "detail": "format.missing.detail",
}
"""The sentences about what was left out."""

_OF_ENCODINGS = ("error.format.encoding.guess", "error.format.encoding.wrong")
"""Encoding errors, which the option ``--encoding`` can solve."""


def one_line(text: str) -> str:
    """Make a text of unknown origin printable on one line, and shorten it if it is very long."""
    return shorten(text, _LONGEST)


def print_line(text: str, stream: TextIO | None = None) -> None:
    """Print a line to a stream, by default stdout, at once."""
    print(text, file=stream or sys.stdout, flush=True)


def print_wrapped(text: str) -> None:
    """Print lines, wrapped to the width of the terminal, or to COLUMNS."""
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    width = max(shutil.get_terminal_size().columns, _NARROWEST) if narrow else None
    for line in text.split("\n"):
        for part in [line] if width is None else wrapped(line, width):
            print_line(part)


def print_bytes(data: bytes) -> None:
    """Write the content of a file to stdout."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a text stream in place of the process's own
        sys.stdout.write(data.decode("utf-8", "replace"))
    else:
        sys.stdout.flush()
        stream.write(data)
    sys.stdout.flush()


def print_problem(game: int, problem: Message, missing: Missing = "nothing") -> None:
    """Print a problem with a game of a file to stderr.

    Args:
        game: the number of the game; 0 for the file itself, or the only game.
        problem: the problem.
        missing: what was left out because of it.
    """
    if problem.key in _OF_ENCODINGS:
        problem = Message("cli.encoding", {"problem": problem})
    if missing != "nothing":
        problem = Message(_MISSING[missing], {"problem": problem})
    if game:
        problem = Message("format.game", {"game": game, "problem": problem})
    sentence = say(problem, LANGUAGE.get())
    print_line(f"tengen: {sentence}", sys.stderr)


def json_text(data: Any) -> str:
    """Return data as one line of JSON."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def print_json(data: Any) -> None:
    """Print data as one line of JSON; in ASCII where the output cannot encode a character."""
    text = json_text(data)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, allow_nan=False)
    print_line(text)


def print_error(message: Message, arguments: Sequence[str]) -> int:
    """Print an error to stderr, with ``--json`` also as an object to stdout; return the exit status."""
    sentence = say(message, LANGUAGE.get())
    if "--json" in arguments:
        with suppress(OSError):
            print_json({"error": sentence})
    with suppress(OSError):
        print_line(f"tengen: {sentence}", sys.stderr)
    return 2
