"""Background calls for the full-screen game, one at a time: players that think or are being created."""

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
from tengen.players.calls import contained, make_player
from tengen.players.levels import needs_engine
from tengen.words import Message


@dataclass(eq=False, slots=True)
class PlayerCall:
    """A background call.

    Attributes:
        then: called with the result.
        failed: called with an error instead.
        began: the start time, in seconds of `time.monotonic`.
        holds: whether the game has to wait for it.
        search: the search that runs it.
    """

    then: Callable[[Any], None]
    failed: Callable[[TengenError], None]
    began: float
    holds: bool
    search: Search[Any] | None = None


class PlayerCalls:
    """A runner of background calls to players; only the result of the latest call is handled.

    Args:
        done: called in the call's thread when a call has finished; `finish` then continues in the caller's
            thread.

    Attributes:
        traces: the tracebacks of errors in players' own code, to be printed to stderr after the screen is
            closed.
    """

    def __init__(self, done: Callable[[PlayerCall], object]) -> None:
        self.traces: list[str] = []
        self._done = done
        self._asked: PlayerCall | None = None
        self._preparing: Message | None = None

    @property
    def status(self) -> Message | None:
        """The status of the current call; None if there is none."""
        if self._asked is None:
            return None
        seconds = math.floor(time.monotonic() - self._asked.began)
        return self._preparing or Message("app.thinking", {"seconds": seconds})

    @property
    def holds(self) -> bool:
        """Return whether the game has to wait for the current call."""
        return self._asked is not None and self._asked.holds

    def ask(
        self,
        work: Callable[[threading.Event], Any],
        then: Callable[[Any], None],
        failed: Callable[[TengenError], None],
        *,
        holds: bool = False,
    ) -> None:
        """Start a call; the previous one is discarded.

        Args:
            work: the work function; its event requests an immediate result.
            then: called with the result.
            failed: called with an error instead.
            holds: whether the game has to wait for it.
        """
        self.forget()
        asked = self._asked = PlayerCall(then, failed, time.monotonic(), holds)
        asked.search = Search.start(contained, work)
        asked.search.when_done(lambda: self._done(asked))

    def finish(self, asked: PlayerCall) -> None:
        """Handle the result of a call, unless it has been discarded."""
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
        """Request an immediate result of the current call."""
        if self._asked is not None and self._asked.search is not None:
            self._asked.search.hurry()

    def forget(self) -> None:
        """Stop the current call and discard its result."""
        self.hurry()
        self._asked = None

    # In the thread of the call

    def made(self, spec: str, rules: Rules | None) -> Player:
        """Return the player of a spec, prepared for some rules, or for default rules if None.

        Raises:
            TengenError: the player cannot be created (`make_player`), or the engine does not support the
                rules.
        """
        self.prepare(spec, rules)
        return make_player(spec)

    def prepare(self, spec: str, rules: Rules | None) -> None:
        """Load the engine if a spec needs it; `status` reports it if it has to be compiled.

        Raises:
            RulesError: the engine does not support the rules or the board.
        """
        if not needs_engine(spec):
            return
        from tengen.engine.kernels.compile_events import listening
        from tengen.solver.warmup import warm_up

        def on_compile(_: str, notice: Message) -> None:
            self._preparing = notice

        try:
            with listening(on_compile):
                warm_up(rules)
        finally:
            self._preparing = None
