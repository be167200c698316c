"""What takes its time beside the full-screen game, one thing at once: players that think or are made."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen.executors.running_search import Search
from tengen.game.errors import TengenError
from tengen.game.player import Player
from tengen.game.rules import Rules
from tengen.game.tracebacks import notes
from tengen.players.levels import needs_engine
from tengen.terminal.asking import contained, make_player
from tengen.words import Message


@dataclass(eq=False, slots=True)
class PlayerCall:
    """Something that is being worked on.

    Attributes:
        then: what is done with the result.
        failed: what is done with an error instead.
        began: when it began, in seconds of `time.monotonic`.
        holds: whether the game has to wait for it.
        search: the search that works on it.
    """

    then: Callable[[Any], None]
    failed: Callable[[TengenError], None]
    began: float
    holds: bool
    search: Search[Any] | None = None


class PlayerCalls:
    """Has players asked and made, each time in a thread of its own, and hands on what comes of the last.

    Args:
        done: called when one has ended, from its thread; then `finish` goes on in the thread of whoever
            has asked.

    Attributes:
        traces: where players' own code has failed, to be shown on stderr when the screen is free again.
    """

    def __init__(self, done: Callable[[PlayerCall], object]) -> None:
        self.traces: list[str] = []
        self._done = done
        self._asked: PlayerCall | None = None
        self._preparing: Message | None = None

    @property
    def status(self) -> Message | None:
        """What is going on; None where nobody thinks."""
        if self._asked is None:
            return None
        seconds = math.floor(time.monotonic() - self._asked.began)
        return self._preparing or Message("app.thinking", {"seconds": seconds})

    @property
    def holds(self) -> bool:
        """Whether the game has to wait for what goes on."""
        return self._asked is not None and self._asked.holds

    def ask(
        self,
        work: Callable[[threading.Event], Any],
        then: Callable[[Any], None],
        failed: Callable[[TengenError], None],
        *,
        holds: bool = False,
    ) -> None:
        """Begin something; what has been begun before is forgotten.

        Args:
            work: does it; what it gets is set once it is to end with what it has.
            then: what to do with what it returns.
            failed: what to do with an error instead.
            holds: whether the game has to wait for it.
        """
        self.forget()
        asked = self._asked = PlayerCall(then, failed, time.monotonic(), holds)
        asked.search = Search.start(contained, work)
        asked.search.when_done(lambda: self._done(asked))

    def finish(self, asked: PlayerCall) -> None:
        """Go on with what has come of something, unless it has been forgotten."""
        if asked is not self._asked or asked.search is None:
            return
        self._asked = None
        try:
            answer = asked.search.result()
        except TengenError as error:
            self.traces += (note for note in notes(error) if note not in self.traces)
            asked.failed(error)
        else:
            asked.then(answer)

    def hurry(self) -> None:
        """Have whoever thinks answer at once."""
        if self._asked is not None and self._asked.search is not None:
            self._asked.search.hurry()

    def forget(self) -> None:
        """Let whoever thinks end, and do nothing with the answer."""
        self.hurry()
        self._asked = None

    # In the thread that works

    def made(self, spec: str, rules: Rules | None) -> Player:
        """The player of a spec, ready to play by these rules, or by some.

        Raises:
            TengenError: as `make_player`, or the engine does not play by them.
        """
        self.prepare(spec, rules)
        return make_player(spec)

    def prepare(self, spec: str, rules: Rules | None) -> None:
        """Have the engine compiled, or loaded, where it plays for a spec, and tell whoever waits.

        Raises:
            RulesError: rules or a board that the engine does not play.
        """
        if not needs_engine(spec):
            return
        from tengen.engine.kernels.compile_events import listening
        from tengen.solver.warmup import warm_up

        def compiling(name: str, _: int) -> None:
            self._preparing = Message("app.compiling", {"name": name.removeprefix("tengen.engine.")})

        def working_out(_: str) -> None:
            self._preparing = Message("app.tables")

        try:
            with listening(compiling, working_out):
                warm_up(rules)
        finally:
            self._preparing = None
