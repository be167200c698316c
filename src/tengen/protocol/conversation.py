"""The engine loop of the Gomocup protocol, for GUIs and match runners.

The protocol is that of the Gomocup tournaments (P. Lastovicka, *Gomoku AI protocol*, version of 2023), with
the supported commands of the *Yixin protocol* (K. Sun). General behaviour that they leave open is defined
here, that of single commands in `tengen.protocol.commands`:

- Commands are executed in the order of arrival. During a search they are queued, except three: ``STOP``
  (``YXSTOP``) ends the search with the best move so far; ``INFO`` changes its limit; and ``END`` ends the
  program. A STOP without a search is too late and ignored.
- An ``END`` that arrives alone ends the program at once, without further output. If it arrives in one chunk
  with other commands, as from a script, these are answered first, as they are at the end of the input; but
  all their moves together get less than a second.
- ``START`` is answered when the engine is ready, however long it takes to load or compile it.
- Failures, including those of a search, are answered with ``ERROR``, and the program continues. If a
  progress report of a search cannot be sent, a MESSAGE says so, and the search still gives its answer.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, TextIO

from tengen.engine.defaults import MEMORY, THREADS
from tengen.game.notation import shorten
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.protocol_lines import ProtocolLine, lines
from tengen.protocol.commands import STOPS, Commands
from tengen.protocol.output import Output, OutputClosed
from tengen.protocol.thinking import SearchDone, SearchReport, Thinking
from tengen.words import Message, TengenError

_NOTICE = 5.0
"""Seconds between two notices while the engine is being compiled."""


class Conversation:
    """A session of the protocol: reads commands until the end, and answers them.

    Args:
        threads: the number of search threads, until INFO sets it.
        memory: megabytes of the transposition table, until INFO sets it.
        lang: the language of messages.
        pondering: whether to search during the opponent's time.
        source: the stream of commands; ``sys.stdin`` if None.
        out: the stream of answers; ``sys.stdout`` if None.
    """

    def __init__(
        self,
        threads: int = THREADS,
        memory: int = MEMORY,
        lang: str = "en",
        pondering: bool = False,
        source: TextIO | None = None,
        out: TextIO | None = None,
    ) -> None:
        self._source = sys.stdin if source is None else source
        self._events: queue.SimpleQueue[ProtocolLine | SearchReport | SearchDone | None] = (
            queue.SimpleQueue()
        )
        self._waiting: deque[ProtocolLine | None] = deque()
        self._out = Output(sys.stdout if out is None else out, lang)
        self._thinking = Thinking(self._out, self._events.put, threads, memory, pondering=pondering)
        self._commands = Commands(self._out, self._thinking, lang)
        self._over = False

    def run(self) -> bool:
        """Run the session until the end.

        Returns:
            Whether all threads have finished; if not, the process should be killed.
        """
        self._thinking.loader.start()
        threading.Thread(target=self._read, name="read", daemon=True).start()
        try:
            while not self._over:
                if self._waiting and self._take(self._waiting[0]):
                    self._waiting.popleft()
                else:
                    self._next()
        except OutputClosed:
            pass
        return self._thinking.leave()

    def _read(self) -> None:
        """Read lines and queue them; runs in its own thread."""
        try:
            for line in lines(self._source):
                self._events.put(line)
                if line.word == CommandName.END:
                    return
        finally:
            self._events.put(None)

    def _next(self) -> None:
        """Wait for the next event or the next timeout, and handle it."""
        try:
            event = self._events.get(timeout=self._patience())
        except queue.Empty:
            self._late()
        else:
            self._guarded(self._happened, event)

    def _happened(self, event: ProtocolLine | SearchReport | SearchDone | None) -> None:
        """Handle a line, a report of a search, the end of a search, or the end of the input (None)."""
        if isinstance(event, SearchReport):
            self._report(event)
        elif isinstance(event, SearchDone):
            self._thinking.done(event)
        elif event is None or event.word == CommandName.END:
            if event is not None and event.first:
                self._over = True
            self._thinking.hurry()
            self._waiting.append(None)
        elif event.word in STOPS and self._thinking.searching:
            self._thinking.stop()
        else:
            self._waiting.append(event)

    def _report(self, report: SearchReport) -> None:
        """Send a report of a search; an error is sent as a message, since it answers no command."""
        try:
            self._thinking.found(report)
        except OutputClosed:
            raise
        except Exception as error:
            self._out.note(_reason(error))

    def _patience(self) -> float | None:
        """Return the seconds until the next timeout; None for no timeout."""
        job = self._thinking.job
        if job is None:
            return None
        if job.deadline is None:
            return None if self._thinking.loader.loaded else _NOTICE
        return max(job.deadline - time.perf_counter(), 0.0)

    def _late(self) -> None:
        job = self._thinking.job
        if job is not None and job.deadline is not None:
            job.stop()
        elif not self._thinking.loader.loaded:
            self._out.note(self._thinking.loader.notice)

    def _take(self, line: ProtocolLine | None) -> bool:
        """Execute a line, or the end of the input (None), unless it must wait.

        Returns:
            Whether it has been executed.
        """
        if line is not None and (self._thinking.job is None or self._commands.is_prompt(line)):
            self._guarded(self._commands.obey, line)
            return True
        self._over = line is None and self._thinking.job is None
        return self._over

    def _guarded(self, act: Callable[[Any], None], value: Any) -> None:
        """Call a function; errors are sent as answers."""
        try:
            act(value)
        except OutputClosed:
            raise
        except Exception as error:
            self._out.error(_reason(error))


def _reason(error: Exception) -> Message:
    """Return the message of an error; for unexpected errors, a request to report them."""
    if isinstance(error, TengenError):
        return error.message
    return Message("error.gomocup.bug", {"reason": shorten(f"{type(error).__name__}: {error}", 200)})
