"""What is done beside the conversation, in threads: loading the engine, and searching."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.protocol.game_settings import at_once
from tengen.words import Message

if TYPE_CHECKING:
    from tengen.engine.engine import Engine
    from tengen.engine.info import Info

Tell = Callable[["Info"], None]
Work = Callable[[threading.Event, Tell], Any]
"""What a job does: it is given a signal to stop, and whom to tell what it finds on its way."""


class Loader:
    """The engine, loaded in the background from the beginning; compiled first where it never was.

    Attributes:
        cold: whether it has to be compiled; None until that is known.
    """

    def __init__(self) -> None:
        self.cold: bool | None = None
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._began = time.perf_counter()
        self._thread = threading.Thread(target=self._load, name="load", daemon=True)
        self._engine: Engine | None = None
        self._made: tuple[int, int] | None = None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def loaded(self) -> bool:
        """Whether it is over, well or not."""
        return self._done.is_set()

    @property
    def notice(self) -> Message:
        """What to say while it is being compiled."""
        return Message("gomocup.compiling", {"seconds": round(time.perf_counter() - self._began)})

    def wait(self) -> None:
        """Wait until the engine is there.

        Raises:
            Exception: what loading has raised.
        """
        self._done.wait()
        if self._error is not None:
            raise self._error

    def engine(self, threads: int, memory: int) -> Engine:
        """The engine with these settings: the same one as long as they do not change."""
        self.wait()
        from tengen.engine.engine import Engine

        if self._engine is None or self._made != (threads, memory):
            self._engine = Engine(threads=threads, memory_mb=memory)
            self._made = threads, memory
        return self._engine

    def forget(self) -> None:
        """Forget what the engine remembers of former moves."""
        if self._engine is not None:
            self._engine.clear()

    def _load(self) -> None:
        try:
            from tengen.engine.compiled import is_cold

            self.cold = is_cold()
            from tengen.engine.warmup import warm_up

            warm_up()
        except BaseException as error:  # it is raised where it can be told
            self._error = error
        self._done.set()


def prepare(engine: Engine, rules: Rules) -> None:
    """Make the tables of some rules, and whatever else a first search on their board has to wait for."""
    from tengen.engine.warmup import warm_up

    warm_up(rules)
    centre = rules.points // 2
    board = Board.from_stones([centre], [centre + 1], rules=rules)
    engine.choose(board, Limit(nodes=100, depth=2))


class Job:
    """Something that takes a while, in a thread of its own.

    Args:
        work: what to do.
        finish: what to do with the result afterwards, in the conversation's thread; it is given an
            exception where there is no result.
        asked: when it was asked for, by `time.perf_counter`.
        deadline: when it has to be stopped; None for never.
        limit: the limit of a search that may be stopped, None of anything else.
    """

    def __init__(
        self,
        work: Work,
        finish: Callable[[Any], None],
        asked: float,
        deadline: float | None = None,
        limit: Limit | None = None,
    ) -> None:
        self.work = work
        self.finish = finish
        self.asked = asked
        self.deadline = deadline
        self.limit = limit
        self.again = False
        self.nodes = self.depth = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, tell: Tell, done: Callable[[Any], None]) -> None:
        """Begin; both are called in the job's thread."""

        def run() -> None:
            try:
                result = self.work(self._stop, tell)
            except BaseException as error:  # it is told in the conversation's thread
                result = error
            done(result)

        self._thread = threading.Thread(target=run, name="think", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask for the best so far, at once."""
        self.deadline = None
        self._stop.set()

    def leave(self, seconds: float) -> bool:
        """Stop it for good: whether it has ended within so many seconds."""
        self.stop()
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()


def search(engine: Engine, board: Board, limit: Limit, lines: int, *, playing: bool) -> Work:
    """A search as a job; its result is a list of `Info`, the best line first."""

    def work(stop: threading.Event, tell: Tell) -> list[Info]:
        from tengen.engine.info import Ranking

        ranking = Ranking(lines)
        for info in engine.infos(board, limit, lines, stop, playing=playing):
            ranking.add(info)
            tell(info)
        if ranking.infos[0].depth == 0:
            # Stopped before anything was found; a move that was never thought over at all is no answer.
            return engine.analyse(board, at_once(), lines, playing=playing)
        return ranking.infos

    return work
