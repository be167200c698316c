"""The search for a computer's move, or for a hint: what is asked, how it is hurried and stopped.

Its work runs in the workers of `tengen.web.server.search_pool`. The engine, and whatever player reports on
its way, is heard meanwhile. A search that nobody waits for any more is hurried first: a process that ends
its work by itself need not be started anew.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import TypeAlias

from tengen.engine.info import Info
from tengen.executors.running_search import Search, in_loop, set_within
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.opening_policy import decide
from tengen.game.opening_rules import Opening
from tengen.game.player import Choice, Limit
from tengen.game.rules import Rules
from tengen.players.levels import needs_engine
from tengen.web.server.metrics import SearchKind
from tengen.web.server.search_pool import SearchPool, kept_player
from tengen.web.server.spec_policy import plays

_LAST = 10.0
"""Seconds that a hurried player has to answer before it is given up."""

_STOPPING = 2.0
"""Seconds that a player which is not wanted any more has to end before its process is killed."""

_LOOK = 0.5
"""Seconds between two looks at a player that thinks."""

_HINT_NODES = 100_000
_INTERVAL = 0.25
"""Seconds between two reports that are passed on."""

PlayerAnswer: TypeAlias = "Choice | str"
"""A move, or what was chosen in an opening."""


class NoAnswer(TengenError):
    """A player has given no usable answer."""


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """What a player is asked; it can be sent to another process.

    Attributes:
        spec: the player.
        board: the position.
        opening: the opening, where it is what asks; else None.
        limit: how long to think; None is the player's own default.
    """

    spec: str
    board: Board
    opening: Opening | None = None
    limit: Limit | None = None


def answer(question: MoveQuestion, *, stop: threading.Event) -> PlayerAnswer:
    """What a player answers: the work of a search, in a worker.

    Raises:
        TengenError: what the player raised.
        NoAnswer: its answer is none.
    """
    asked = kept_player(question.spec)
    if question.opening is None:
        return _checked(asked.choose(question.board, question.limit, stop), None)
    said = decide(asked, question.opening, question.limit, stop)
    return _checked(said if isinstance(said, str) else Choice(said), question.opening)


def _checked(said: object, opening: Opening | None) -> PlayerAnswer:
    decision = None if opening is None else opening.decision
    if isinstance(said, str):
        if decision is not None and said in decision.options:
            return said
    elif isinstance(said, Choice):
        return said
    raise NoAnswer("error.player.answer", answer=shorten(repr(said)))


def adviser(rules: Rules, engine: bool) -> tuple[str, Limit | None]:
    """Who gives hints under some rules, and how long it thinks about one.

    Args:
        rules: of the game.
        engine: whether the engine is ready.
    """
    if engine and plays("engine", rules):
        return "engine", Limit(nodes=_HINT_NODES)
    if plays("lookup", rules):
        return "lookup", None
    return ("threats" if rules.k == 5 else "minimax"), None


class MoveSearch:
    """A question on its way to a player and back.

    Args:
        pool: where players think.
        queue: whose question it is; see `SearchPool.caller`.
        question: what is asked.
        report: told what is found meanwhile, in the event loop, a few times a second at most.
        kind: what it is counted as.

    Attributes:
        waits: whether the engine is not ready yet.
    """

    def __init__(
        self,
        pool: SearchPool,
        queue: str | None,
        question: MoveQuestion,
        report: Callable[[Info], object] | None = None,
        kind: SearchKind = "move",
    ) -> None:
        self._pool = pool
        self._queue = queue
        self._question = question
        self._report = report
        self._kind = kind
        self._reported = 0.0
        self._search: Search[PlayerAnswer] | None = None
        self._hurried = asyncio.Event()
        self.waits = False

    def hurry(self) -> None:
        """Have it answered at once, with the best found so far; as soon as it is thought about at all."""
        self._hurried.set()
        if self._search is not None:
            self._search.hurry()

    async def answer(self, waiting: Callable[[], object] = lambda: None) -> PlayerAnswer:
        """The answer. Who cancels this stops the thinking.

        Args:
            waiting: called every second for which the engine has to be waited for.

        Raises:
            TengenError: what the player raised.
            NoAnswer: it raised something else, or gave no answer in time.
        """
        pool, question = self._pool, self._question
        if needs_engine(question.spec) and not pool.warmup.ready:
            self.waits = True
            await pool.warmup.wait(waiting)
            self.waits = False
        caller, heard = pool.caller(question.spec, self._queue), in_loop(self._hear)
        try:
            search = self._search = Search.start(answer, question, workers=caller, on_report=heard)
        except RuntimeError as error:  # the workers are closed, and nobody needs an answer any more
            raise asyncio.CancelledError from error
        if self._hurried.is_set():
            search.hurry()
        began = time.monotonic()
        try:
            await self._watch(search)
        finally:
            pool.metrics.search(self._kind, time.monotonic() - began)
            self._search = None
            search.abandon(_STOPPING)
        return _result(search)

    async def rest(self, seconds: float) -> None:
        """Wait before the answer is given, unless it is hurried."""
        if seconds > 0:
            await set_within(self._hurried, seconds)

    def _hear(self, info: Info) -> None:
        """Pass a report on, if it is about the position itself and not about what an opening may become."""
        now = time.monotonic()
        wanted = self._search is not None and self._question.opening is None
        if self._report is not None and wanted and now - self._reported >= _INTERVAL:
            self._reported = now
            self._report(info)

    async def _watch(self, search: Search[PlayerAnswer]) -> None:
        """Wait for the answer; hurry a player that takes too long, and give up one that does not stop."""
        began: float | None = None
        while not await search.wait(_LOOK):
            now = time.monotonic()
            if began is None:
                began = now if search.started else None
            elif now - began > self._pool.patience:
                search.hurry()
                if now - began > self._pool.patience + _LAST:
                    search.cancel()
                    raise NoAnswer("error.web.slow", player=shorten(self._question.spec))


def _result(search: Search[PlayerAnswer]) -> PlayerAnswer:
    try:
        return search.result(0)
    except TengenError:
        raise
    except CancelledError as error:  # the workers have been closed
        raise asyncio.CancelledError from error
    except BaseException as error:  # a player's own mistake is its problem, not the server's
        reason = shorten(f"{type(error).__name__}: {error}", 200)
        raise NoAnswer("error.player", reason=reason) from error
