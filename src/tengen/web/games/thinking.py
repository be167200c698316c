"""Computers that think: what is asked of them, where it runs, how it is hurried and stopped.

Textbook players and the levels that they play think in processes, the engine and its levels in threads of
this process, where it says meanwhile what it has found. A question that is called off is hurried first: a
process that answers of itself need not be started anew.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from tengen.engine.info import Info, Ranking
from tengen.executors import Caller, TaskFuture, Workers, stop_signal
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.opening_policy import decide
from tengen.game.opening_rules import Opening
from tengen.game.player import Choice, Limit, Player
from tengen.game.rules import Rules
from tengen.players.registry import player
from tengen.web.server.engine_warmup import Warmup
from tengen.web.server.spec_policy import engine_spec, needs_engine, plays

__all__ = ["Brains", "Problem", "Question", "Warmup"]

PATIENCE = 30.0
"""Seconds that a player thinks before it is hurried."""

_LAST = 10.0
"""Seconds that a hurried player has to answer before it is given up."""

_KEPT = 4
"""Players that a worker keeps ready."""

_STOPPING = 2.0
"""Seconds that a player which is not wanted any more has to end before its process is killed."""

_LOOK = 0.5
"""Seconds between two looks at a player that thinks."""

_HINT_NODES = 100_000
_INTERVAL = 0.25
"""Seconds between two reports of the engine."""

Thought: TypeAlias = "Choice | str"
Report: TypeAlias = Callable[[Info], object]


class Problem(TengenError):
    """A player that has given no usable answer."""


@dataclass(frozen=True, slots=True)
class Question:
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


class _Players(threading.local):
    """The players of one worker; an engine thinks about one thing at a time, so none is shared."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Player] = OrderedDict()

    def get(self, spec: str) -> Player:
        made = self._kept.pop(spec, None)
        if made is None:
            while len(self._kept) >= _KEPT:
                self._kept.popitem(last=False)
            made = player(spec)
        self._kept[spec] = made
        return made


_players = _Players()


def answer(question: Question) -> Thought:
    """What a player answers, in a worker.

    Raises:
        TengenError: what the player raised.
        Problem: its answer is none.
    """
    asked, stop = _players.get(question.spec), stop_signal()
    if question.opening is None:
        return _checked(asked.choose(question.board, question.limit, stop), None)
    said = decide(asked, question.opening, question.limit, stop)
    return _checked(said if isinstance(said, str) else Choice(said), question.opening)


def engine_answer(question: Question, report: Report) -> Thought:
    """What the engine answers, in a thread; it says what it finds while it thinks.

    Raises:
        TengenError: what the engine raised.
    """
    spec = engine_spec(question.spec)
    if question.opening is not None:
        return answer(Question(spec, question.board, question.opening, question.limit))
    from tengen.engine.engine import Engine

    engine = _players.get(spec)
    assert isinstance(engine, Engine)
    ranking, told = Ranking(1), 0.0
    for info in engine.infos(question.board, question.limit, 1, stop_signal(), playing=True):
        ranking.add(info)
        now = time.monotonic()
        if now - told >= _INTERVAL:
            told = now
            report(info)
    best = ranking.infos[0]
    return Choice(best.point, best.score, best.line, best.nodes, best.seconds)


def _checked(said: object, opening: Opening | None) -> Thought:
    decision = None if opening is None else opening.decision
    if isinstance(said, str):
        if decision is not None and said in decision.options:
            return said
    elif isinstance(said, Choice):
        return said
    raise Problem("error.player.answer", answer=shorten(repr(said)))


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


class Asked:
    """A question on its way to a worker and back.

    Args:
        brains: where players think.
        row: whose question it is.
        question: what is asked.
        report: told what the engine finds, in the event loop.

    Attributes:
        waits: whether the engine is not ready yet.
    """

    def __init__(self, brains: Brains, row: str, question: Question, report: Report | None = None) -> None:
        self._brains = brains
        self._row = row
        self._question = question
        self._report = report
        self._future: TaskFuture[Thought] | None = None
        self._hurried = asyncio.Event()
        self.waits = False

    def hurry(self) -> None:
        """Have it answered at once, with the best found so far; as soon as it is thought about at all."""
        self._hurried.set()
        if self._future is not None:
            self._future.hurry()

    async def answer(self, waiting: Callable[[], object] | None = None) -> Thought:
        """The answer. Who cancels this stops the thinking.

        Args:
            waiting: called when the engine has to be waited for.

        Raises:
            TengenError: what the player raised.
            Problem: it raised something else, or gave no answer in time.
        """
        brains, question = self._brains, self._question
        engine = needs_engine(question.spec)
        if engine and not brains.warmup.ready:
            self.waits = True
            if waiting is not None:
                waiting()
            await brains.warmup.wait()
            self.waits = False
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        caller = brains.caller(self._row, engine=engine)
        try:
            future = self._submit(caller, loop, engine=engine)
        except RuntimeError as error:  # the workers are closed, and nobody needs an answer any more
            raise asyncio.CancelledError from error
        self._future = future
        if self._hurried.is_set():
            future.hurry()
        future.add_done_callback(lambda _: _wake(loop, done))
        try:
            await self._watch(future, done)
        finally:
            self._future = None
            _call_off(future, loop)
        return _result(future)

    async def rest(self, seconds: float) -> None:
        """Wait before the answer is given, unless it is hurried."""
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurried.wait(), seconds)

    def _submit(
        self, caller: Caller, loop: asyncio.AbstractEventLoop, *, engine: bool
    ) -> TaskFuture[Thought]:
        if not engine:
            return caller.submit(answer, self._question)
        return caller.submit(engine_answer, self._question, self._reporting(loop))

    def _reporting(self, loop: asyncio.AbstractEventLoop) -> Report:
        def report(info: Info) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._hear, info)

        return report

    def _hear(self, info: Info) -> None:
        if self._report is not None and self._future is not None:
            self._report(info)

    async def _watch(self, future: TaskFuture[Thought], done: asyncio.Event) -> None:
        """Wait for the answer; hurry a player that takes too long, and give up one that does not stop."""
        began: float | None = None
        while not done.is_set():
            now = time.monotonic()
            if began is None and future.started:
                began = now
            elif began is not None and now - began > self._brains.patience:
                future.hurry()
                if now - began > self._brains.patience + _LAST:
                    future.cancel()
                    raise Problem("error.web.slow", player=shorten(self._question.spec))
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), _LOOK)


def _wake(loop: asyncio.AbstractEventLoop, done: asyncio.Event) -> None:
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(done.set)


def _call_off(future: TaskFuture[Thought], loop: asyncio.AbstractEventLoop) -> None:
    """End a task that nobody waits for any more."""
    if future.done():
        return
    if not future.started:
        future.cancel()
        return
    future.hurry()
    loop.call_later(_STOPPING, future.cancel)


def _result(future: TaskFuture[Thought]) -> Thought:
    try:
        return future.result(0)
    except TengenError:
        raise
    except CancelledError as error:  # the workers have been closed
        raise asyncio.CancelledError from error
    except BaseException as error:  # a player's own mistake is its problem, not the server's
        reason = shorten(f"{type(error).__name__}: {error}", 200)
        raise Problem("error.player", reason=reason) from error


class Brains:
    """Where players think.

    Args:
        engine_workers: threads, for the engine.
        player_workers: processes or a cluster, for all others.
        warmup: tells whether the engine is ready.
        patience: seconds that a player thinks before it is hurried.
    """

    def __init__(
        self, engine_workers: Workers, player_workers: Workers, warmup: Warmup, patience: float = PATIENCE
    ) -> None:
        self.warmup = warmup
        self.patience = patience
        self._engine_workers = engine_workers
        self._player_workers = player_workers

    def caller(self, row: str, *, engine: bool) -> Caller:
        """A way to the workers; every row has its turn."""
        return (self._engine_workers if engine else self._player_workers).caller(row)

    def ask(self, row: str, question: Question, report: Report | None = None) -> Asked:
        """A question that is ready to be answered."""
        return Asked(self, row, question, report)

    def prepare(self) -> None:
        """Have processes started before anybody waits for one."""
        for number in range(self._player_workers.slots):
            self._player_workers.caller(f"prepare {number}").submit(_prepared)


def _prepared() -> bool:
    """Import what players need, in a worker."""
    return player("level:3") is not None
