"""Line-based input and output, shared by games and puzzles."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from typing import ClassVar, TextIO

from tengen.formats import describe
from tengen.formats.move_lists import single_point
from tengen.game.board import Board
from tengen.game.errors import Forbidden, TengenError
from tengen.game.notation import from_row_column, shorten
from tengen.game.points import Point
from tengen.plaintext.characters import clean, plain
from tengen.words import Message, catalogue, say

_ROW_COLUMN = re.compile(r"[(\[]?\s*([0-9]{1,9})(?:\s*[-,;:./]\s*|\s+)([0-9]{1,9})\s*[)\]]?")


class PlainDialogue:
    """A dialogue with a user over a pair of text streams.

    `WORDS` is the catalogue key of the words for commands.

    Args:
        lang: the language of the interface.
        source: the input stream.
        out: the output stream.
    """

    WORDS: ClassVar[str] = "plain.words"

    def __init__(self, lang: str, source: TextIO, out: TextIO) -> None:
        self._lang = lang
        self._source = source
        self._out = out
        self._quit = False

    def _say(self, message: Message | str, **values: object) -> None:
        if isinstance(message, str):
            message = Message(message, values)
        self._write(say(message, self._lang) + "\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _read(self, prompt: Message) -> str | None:
        """Read a line; return None at the end of the input, which quits."""
        line = ""
        with suppress(KeyboardInterrupt):
            self._write(say(prompt, self._lang) + " ")
            with suppress(OSError):  # the terminal has been closed
                line = self._source.readline()
        if not line:
            self._quit = True
        if not (line and self._source.isatty()):
            # The input has not echoed a newline after the prompt.
            self._write("\n")
        return clean(line).strip() if line else None

    def _refuse_move(self, board: Board, line: str, error: TengenError, unread: str, example: str) -> None:
        """Explain why a line is not a legal move.

        Args:
            board: the position.
            line: the input.
            error: the error that it caused.
            unread: the key of the message for a line that is not a point, with the values `text` and
                `point`.
            example: an example of a valid point.
        """
        if isinstance(error, Forbidden) and (found := board.foul(point_of(board, line))):
            self._say(describe.foul(board, point_of(board, line), found, "describe.forbidden"))
        elif error.message.key == "error.notation.point":
            self._say(unread, text=shorten(line), point=example)
        else:
            self._say(error.message)

    def _word(self, text: str) -> str:
        """Return the short name of a command, normalised for width, case and language."""
        word = unicodedata.normalize("NFKC", text).lower()
        return _synonyms(self.WORDS, self._lang).get(word, word)


def point_of(board: Board, line: str) -> Point:
    """Parse the point of a line: ``h8``, or row and column from the top left, ``8 8``.

    The notation of move lists is accepted too: ``h-8``, ``12. h8!`` (see `tengen.formats.move_lists`).

    Raises:
        NotationError: the line is not a point.
        OffBoard: the point is outside the board.
    """
    text = plain(line).strip()
    match = _ROW_COLUMN.fullmatch(text)
    if match is None:
        point = single_point(text, board.rules)
        return board.point(line) if point is None else point
    row, column = (int(number) for number in match.groups())
    return from_row_column(row, column, board.width, board.height)


@lru_cache(maxsize=4)
def _synonyms(key: str, lang: str) -> dict[str, str]:
    """Return the short names of command words, in English and in the language of the interface."""
    texts = f"{catalogue('en')[key]} {catalogue(lang)[key]}"
    return dict(pair.split("=") for pair in texts.split())
