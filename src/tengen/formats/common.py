"""Shared parts of all readers and writers: results, faults and their places, and limits.

A reader takes bytes and never trusts a length, a count or a depth in them. Trees are walked without
recursion.

**One fault loses one thing.** In every format, a reader keeps everything that can be read apart from a
fault and adds a `FileProblem`, which names the place and the loss:

- An impossible move (occupied, off the board, no point) ends its line there: the moves after it belong to
  a position that never arose. All other lines are kept, and so are all other games.
- A mark, a header, a time or a comment that makes no sense is left out alone.
- A file that ends too early is kept as far as it goes; anything after its proper end is left out.
- Missing or unknown information (the encoding of text, the rules) is guessed, and the guess reported.

`FormatError` is raised only if no game at all can be read. The caller decides by `FileProblem.missing`
whether the result is complete: ``tengen convert`` exits with 1 only if something is missing that the
output format could have held.

Headers of a `Record` use these keys, as far as a file has them: ``event``, ``site``, ``date``
(``YYYY-MM-DD`` or a part of it), ``round``, ``black``, ``white``, ``result`` (``black``, ``white`` or
``draw``), ``reason`` (as `tengen.game.board.Outcome`), ``opening``, ``time``, ``annotator``, ``source``,
``name``, ``comment``. Anything else a file says is kept under the file's own key with the format's name
before it, ``sgf:XY``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tengen.game.errors import NotationError
from tengen.game.record import Record
from tengen.words import Message

MAX_BYTES = 512 * 1024 * 1024
"""The largest file accepted, in bytes."""

MAX_NODES = 5_000_000
"""The most moves accepted in one file."""

MAX_TEXT = 1_000_000
"""The longest comment or header accepted, in characters."""


class FormatError(NotationError):
    """A file, or a game in it, that is not of its format; the sentence names the place.

    Examples:
        >>> import tengen
        >>> try:
        ...     tengen.read("{}")
        ... except tengen.FormatError as error:
        ...     print(error)
        this JSON is not a record of Tengen
    """


class WriteError(NotationError):
    """A record that a format cannot hold; the sentence gives the reason."""


class LimitError(FormatError):
    """A file beyond a limit: reading stops there, and everything before is kept."""


Missing: TypeAlias = Literal["game", "moves", "variation", "detail", "nothing"]
"""The loss caused by a fault: the whole game, moves of its main line, moves of variations only, another
detail (a comment, a header), or nothing that could have been read."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A fault of a file, or a guess.

    Attributes:
        game: the number of the game in the file, from 1; 0 for the file as a whole.
        message: the fault and its place.
        missing: the loss caused by it.
    """

    game: int
    message: Message
    missing: Missing = "game"

    @property
    def lost(self) -> bool:
        """True if anything is missing."""
        return self.missing != "nothing"

    @property
    def main_line_lost(self) -> bool:
        """True if moves of a main line are missing, which every format holds."""
        return self.missing in ("game", "moves")


@dataclass(slots=True)
class ReadResult:
    """The content of a file.

    Attributes:
        records: the games that could be read, in order, some perhaps not to their end.
        problems: faults and guesses.
    """

    records: list[Record] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)

    @property
    def lost(self) -> list[FileProblem]:
        """The problems that lost something."""
        return [problem for problem in self.problems if problem.lost]

    @property
    def unread(self) -> list[FileProblem]:
        """The problems that lost a whole game."""
        return [problem for problem in self.problems if problem.missing == "game"]
