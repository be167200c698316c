"""What all readers and writers share: results, faults and their places, and limits.

A reader takes bytes and never trusts a length, a count or a depth in them. Trees are walked without
recursion.

**One fault loses one thing.** Whatever the format, a reader keeps all that can be read beside a fault and
adds a `FileProblem`, which names the place and says what is missing for it:

- A move that cannot be (occupied, off the board, no point) ends its line there: what was to follow it
  stands on a position that never came about. All other lines are kept, and so are all other games.
- A mark, a header, a time or a comment that makes no sense is left out alone.
- A file that ends too early is kept as far as it goes; what comes after its end is left out.
- What is not said, or means nothing here (the encoding of text, the rules), is guessed and the guess told.

`FormatError` is raised only where no game at all can be read. Whoever asked decides by
`FileProblem.missing` whether the answer is complete: ``tengen convert`` ends with 1 only where something
is missing that the written format would have held.

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
"""The largest file that is read."""

MAX_NODES = 5_000_000
"""The most moves that one file may hold."""

MAX_TEXT = 1_000_000
"""The longest comment or header, in characters."""


class FormatError(NotationError):
    """A file, or a game in it, that is not of its format; the sentence names the place."""


class WriteError(NotationError):
    """A record that a format cannot hold; the sentence says what stands in the way."""


class LimitError(FormatError):
    """A file that asks for more than is read: it is left there, and what was read before is kept."""


Missing: TypeAlias = Literal["game", "moves", "variation", "detail", "nothing"]
"""What is missing for a fault: the whole game, moves of its main line, moves of variations only, something
else that it says (a comment, a header), or nothing that could have been read."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A fault of a file, or something that had to be guessed.

    Attributes:
        game: the number of the game in the file, from 1; 0 where it is about the file as a whole.
        message: what is wrong, and where.
        missing: what could not be kept for it.
    """

    game: int
    message: Message
    missing: Missing = "game"

    @property
    def lost(self) -> bool:
        """Whether anything is missing."""
        return self.missing != "nothing"

    @property
    def main_line_lost(self) -> bool:
        """Whether moves of a main line are missing, which every format holds."""
        return self.missing in ("game", "moves")


@dataclass(slots=True)
class ReadResult:
    """What a file held.

    Attributes:
        records: the games that could be read, in order, some of them perhaps not to their end.
        problems: the faults, and what else is to be told.
    """

    records: list[Record] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)

    @property
    def lost(self) -> list[FileProblem]:
        """The problems for which something is missing."""
        return [problem for problem in self.problems if problem.lost]

    @property
    def unread(self) -> list[FileProblem]:
        """The problems for which a whole game is missing."""
        return [problem for problem in self.problems if problem.missing == "game"]
