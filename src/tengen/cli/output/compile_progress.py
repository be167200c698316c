"""Progress of compiling the engine, which happens at its first use."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from tengen.cli.output.progress import Pace, ProgressLine
from tengen.game.rules import Rules
from tengen.words import Message, say

_TICK = 0.25


def ready(lang: str, stream: TextIO, rules: Rules | None = None) -> None:
    """Compile the engine, or load it from the cache, before its first search.

    Args:
        lang: the language of messages.
        stream: the stream of messages, if it takes time.
        rules: the rules to be played; freestyle if None.

    Raises:
        RulesError: the engine does not support the rules or the board.
    """
    with compile_display(lang, stream):
        from tengen.solver.warmup import warm_up

        warm_up(rules)


def ready_for(specs: Iterable[str | None], lang: str, stream: TextIO, rules: Rules | None = None) -> None:
    """Compile or load the engine if one of these players needs it; see `ready`."""
    from tengen.players.levels import needs_engine

    if any(spec is not None and needs_engine(spec) for spec in specs):
        ready(lang, stream, rules)


@contextmanager
def compile_display(lang: str, stream: TextIO, *, each: bool = False) -> Iterator[None]:
    """Report on `stream` whenever the engine is being compiled.

    On a terminal it is a line that names the current function, and is removed at the end.

    Args:
        lang: the language of messages.
        stream: the stream of messages.
        each: on streams other than terminals, print a line for each function that no other waits for;
            otherwise one line for all.
    """
    from tengen.engine.kernels.compile_events import listening

    display = _CompileDisplay(lang, stream, each)
    try:
        with listening(display.on_function):
            yield
    finally:
        display.close()


class _CompileDisplay:
    """The display while functions are compiled."""

    def __init__(self, lang: str, stream: TextIO, each: bool) -> None:
        from tengen.engine.kernels.cache import cache_folder

        self._lang = lang
        self._stream = stream
        self._each = each
        self._uncached = cache_folder() is None
        self._announced = False
        self._progress = ProgressLine(self._line, stream)
        self._name = ""  # of the function that is being compiled
        self._pace = Pace(lang)
        self._over = threading.Event()
        # A large function takes seconds: only a running clock shows that the program is alive.
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def on_function(self, name: str, depth: int) -> None:
        """Handle the start of compiling a function."""
        self._name = name
        self._begin(Message("compiling.always" if self._uncached else "compiling.once"))
        if self._each and not self._stream.isatty() and depth == 0:
            self._print(Message("compiling.function", {"name": name}))

    def _begin(self, sentence: Message) -> None:
        """Print the reason for the delay, unless it has been printed."""
        if self._announced:
            return
        self._announced, live = True, self._stream.isatty()
        self._pace = Pace(self._lang)
        # The message that nothing can be cached stays on a terminal.
        if not live or sentence.key == "compiling.always":
            self._print(sentence)
        if live:
            self._progress()
            self._ticker.start()

    def close(self) -> None:
        """Remove the line at the end."""
        if self._ticker.is_alive():
            self._over.set()
            self._ticker.join()
            self._progress.clear()

    def _print(self, message: Message) -> None:
        self._stream.write(say(message, self._lang) + "\n")
        self._stream.flush()

    def _tick(self) -> None:
        while not self._over.is_set():
            self._progress()
            self._over.wait(_TICK)

    def _line(self) -> str:
        name = ".".join(self._name.split(".")[-2:])
        return say("compiling.progress", self._lang, time=self._pace.time, name=name)
