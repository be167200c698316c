"""Tengen as a program that speaks the Gomocup protocol, for GUIs and match runners.

The protocol is that of the Gomocup tournaments (P. Lastovicka, *Gomoku AI protocol*, version of 2023), with
those commands of *Yixin protocol* (K. Sun) that need no more than is here. What they leave open in general
is settled here, and what they leave open in a single command in `tengen.protocol.commands`:

- Commands are obeyed in the order in which they came. Those that come during a search wait for its end,
  but for three: ``STOP`` (``YXSTOP``) has it answer at once with the best move so far; ``INFO`` changes its
  limit; and ``END`` ends everything. Without a search a STOP has come too late and is forgotten.
- An ``END`` that comes by itself ends the program at once, and nothing more is said. One that came in one
  piece with other commands, as from a script, lets them be answered first, and so does the end of the
  input; but there is less than a second for all their moves together.
- ``START`` is answered when the engine is ready, however long it takes to load or compile it.
- What goes wrong, in a search too, is answered with ``ERROR``, and the conversation goes on. A report of a
  search that cannot be told is a MESSAGE that says so, and the search still gives its answer.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, TextIO

from tengen.game.notation import shorten
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.protocol_lines import ProtocolLine, lines
from tengen.protocol.commands import STOPS, Commands
from tengen.protocol.output import Output, OutputClosed
from tengen.protocol.thinking import SearchDone, SearchReport, Thinking
from tengen.words import Message, TengenError

MEMORY = 64
"""Megabytes of the table of positions where nothing was said."""

_NOTICE = 5.0
"""Seconds between two notices that the engine is still being compiled."""


class Conversation:
    """One run of the program: reads commands until the end, and answers them.

    Args:
        threads: for the search, until INFO says otherwise.
        memory: megabytes of the table of positions, until INFO says otherwise.
        lang: the language of sentences.
        pondering: whether to go on thinking while the opponent does.
        source: where commands come from, ``sys.stdin`` if None.
        out: where answers go, ``sys.stdout`` if None.
    """

    def __init__(
        self,
        threads: int = 1,
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
        """Talk until the end.

        Returns:
            Whether nothing is left running; if not, the process should be ended by force.
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
        """Pass lines on; in a thread of its own."""
        try:
            for line in lines(self._source):
                self._events.put(line)
                if line.word == CommandName.END:
                    return
        finally:
            self._events.put(None)

    def _next(self) -> None:
        """Wait for what happens next, and deal with it."""
        try:
            event = self._events.get(timeout=self._patience())
        except queue.Empty:
            self._late()
        else:
            self._guarded(self._happened, event)

    def _happened(self, event: ProtocolLine | SearchReport | SearchDone | None) -> None:
        """Deal with a line, a report of a search, the end of one, or the end of the input."""
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
        """Tell a report of a search; what goes wrong with it is no answer to any command."""
        try:
            self._thinking.found(report)
        except OutputClosed:
            raise
        except Exception as error:
            self._out.note(_reason(error))

    def _patience(self) -> float | None:
        """Seconds until something is to be done even if nothing happens."""
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
        """Obey a line, the end if None, if its time has come: whether it had."""
        if line is not None and (self._thinking.job is None or self._commands.is_prompt(line)):
            self._guarded(self._commands.obey, line)
            return True
        self._over = line is None and self._thinking.job is None
        return self._over

    def _guarded(self, act: Callable[[Any], None], value: Any) -> None:
        """Do something; what goes wrong is told, and changes nothing."""
        try:
            act(value)
        except OutputClosed:
            raise
        except Exception as error:
            self._out.error(_reason(error))


def _reason(error: Exception) -> Message:
    """What to say of an error; one that nobody foresaw should be reported."""
    if isinstance(error, TengenError):
        return error.message
    return Message("error.gomocup.bug", {"reason": shorten(f"{type(error).__name__}: {error}", 200)})
