"""The engine is compiled and its tables are worked out when first used; whoever waits is told so."""

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
    """Have the engine compiled, or loaded from the cache, before it is asked for anything.

    Args:
        lang: the language to speak.
        stream: where to say what takes so long, if it does.
        rules: those to be played; freestyle if None.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    with shown(lang, stream):
        from tengen.solver.warmup import warm_up

        warm_up(rules)


def ready_for(specs: Iterable[str | None], lang: str, stream: TextIO, rules: Rules | None = None) -> None:
    """The same, if one of these players needs the engine."""
    from tengen.players.levels import needs_engine

    if any(spec is not None and needs_engine(spec) for spec in specs):
        ready(lang, stream, rules)


@contextmanager
def shown(lang: str, stream: TextIO, *, each: bool = False) -> Iterator[None]:
    """Say on `stream` that the engine is being compiled, or its tables worked out, whenever that happens.

    A terminal gets a line that names what is being done and goes away at the end.

    Args:
        lang: the language to speak.
        stream: where.
        each: elsewhere than on a terminal, a line for each of the large functions and tables; else one for
            all.
    """
    from tengen.engine.kernels.compile_events import listening

    showing = _Showing(lang, stream, each)
    try:
        with listening(showing.hear, showing.hear_table):
            yield
    finally:
        showing.close()


class _Showing:
    """What is shown while functions are compiled and tables are worked out."""

    def __init__(self, lang: str, stream: TextIO, each: bool) -> None:
        from tengen.engine.kernels.jit import cache_folder

        self._lang = lang
        self._stream = stream
        self._each = each
        self._unkept = cache_folder() is None
        self._said = False
        self._progress = ProgressLine(self._line, stream)
        self._name = ""  # of the function that is being compiled; none while it is a table
        self._pace = Pace(lang)
        self._over = threading.Event()
        # A large function takes seconds: without a clock that runs, all would seem to stand still.
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def hear(self, name: str, depth: int) -> None:
        """A function is about to be compiled."""
        self._name = name
        self._begin(Message("compiling.always" if self._unkept else "compiling.once"))
        if self._each and not self._stream.isatty() and depth == 0:
            self._print(Message("compiling.function", {"name": name}))

    def hear_table(self, name: str) -> None:
        """A table is about to be worked out."""
        self._name = ""
        # The patterns of some rules take a moment only, and are not worth a line of their own.
        if self._said or not name.startswith("patterns"):
            self._begin(Message("compiling.tables"))
        if self._each and not self._stream.isatty():
            self._print(Message("compiling.table", {"name": name}))

    def _begin(self, sentence: Message) -> None:
        """Say what takes so long, unless that has been said."""
        if self._said:
            return
        self._said, live = True, self._stream.isatty()
        self._pace = Pace(self._lang)
        # Where nothing can be kept, that is worth staying on a terminal.
        if not live or sentence.key == "compiling.always":
            self._print(sentence)
        if live:
            self._progress()
            self._ticker.start()

    def close(self) -> None:
        """All has been done: take the line away."""
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
        if not self._name:
            return say("compiling.tables.progress", self._lang, time=self._pace.time)
        name = ".".join(self._name.split(".")[-2:])
        return say("compiling.progress", self._lang, time=self._pace.time, name=name)
