"""What all readers and writers share: results, errors that name the place, and limits.

A reader takes bytes or a binary stream and never trusts a length, a count or a depth in it. It gives
the games it could read and a `FileProblem` for each that it could not, or that it had to guess something
about; where nothing at all can be read it raises `FormatError`. Trees are walked without recursion.

Headers of a `Record` use these keys, as far as a file has them: ``event``, ``site``, ``date``
(``YYYY-MM-DD`` or a part of it), ``round``, ``black``, ``white``, ``result`` (``black``, ``white`` or
``draw``), ``reason`` (as `tengen.game.board.Outcome`), ``opening``, ``time``, ``annotator``, ``source``,
``name``, ``comment``. Anything else a file says is kept under the file's own key with the format's name
before it, ``sgf:XY``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What is wrong with a game of a file.

    Attributes:
        game: its number in the file, from 1.
        message: what is wrong, and where.
        lost: whether the game, or a part of it, is missing for that; False where it was read all the same.
    """

    game: int
    message: Message
    lost: bool = True


@dataclass(slots=True)
class ReadResult:
    """What a file held.

    Attributes:
        records: the games that could be read, in order.
        problems: those that could not, and what else is to be told.
    """

    records: list[Record] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)

    @property
    def lost(self) -> list[FileProblem]:
        """The problems for which something is missing."""
        return [problem for problem in self.problems if problem.lost]
