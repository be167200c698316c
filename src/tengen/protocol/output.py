"""Output in the Gomocup protocol: answers and MESSAGE lines, each flushed at once."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from tengen.game.board import Board
from tengen.gomocup.answers import error_line, message_line, unknown_line
from tengen.gomocup.search_reports import report_text
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.engine.info import Info

_PAUSE = 0.1
"""Seconds between two reports of a search."""


class OutputClosed(Exception):
    """Raised when the reader has closed the output."""


class Output:
    """The output to the manager.

    Args:
        stream: the output stream.
        lang: the language of messages.

    Attributes:
        answered: the time of the last answer, by `time.perf_counter`.
    """

    def __init__(self, stream: TextIO, lang: str) -> None:
        self.answered = 0.0
        self._stream = stream
        self._lang = lang
        self._reported = 0.0
        self._board = Board()
        self._several = False
        self._new: dict[int, Info] = {}
        self._said: dict[int, Info] = {}

    def answer(self, text: str) -> None:
        """Send the answer to a command."""
        self._line(text)
        self.answered = time.perf_counter()

    def error(self, message: Message) -> None:
        """Send the error of a failed command."""
        self.answer(error_line(say(message, self._lang)))

    def unknown(self, text: str) -> None:
        """Send the error of an unknown command."""
        self.answer(unknown_line(text))

    def note(self, text: str | Message) -> None:
        """Send a message for the user."""
        self._line(message_line(text if isinstance(text, str) else say(text, self._lang)))

    def begin(self, board: Board, count: int = 1) -> None:
        """Start the reports of a search on a board for a number of lines."""
        self._board = board
        self._several = count > 1
        self._new.clear()
        self._said.clear()

    def found(self, info: Info) -> None:
        """Report a result of a search, at once or with the next report if the last one was recent."""
        if info.depth > 0:
            self._new[info.number] = info
        if time.perf_counter() - self._reported >= _PAUSE:
            self._report()

    def finish(self, infos: Iterable[Info]) -> None:
        """Report the final results of a search that have not been reported yet."""
        self._new = {info.number: info for info in infos if self._said.get(info.number) != info}
        self._report()

    def _report(self) -> None:
        for number, info in sorted(self._new.items()):
            names = map(self._board.name, info.line)
            text = report_text(info.depth, info.score, info.nodes, info.nps, info.seconds, names)
            self.note(f"({number + 1}) {text}" if self._several else text)
            self._reported = time.perf_counter()
        self._said.update(self._new)
        self._new.clear()

    def _line(self, text: str) -> None:
        try:
            print(text, file=self._stream, flush=True)
        except (OSError, ValueError) as error:
            raise OutputClosed from error
