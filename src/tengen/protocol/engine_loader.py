"""The engine of the session: loaded in the background, and prepared for the rules played."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.words import Message

if TYPE_CHECKING:
    from tengen.engine.engine import Engine


class EngineLoader:
    """The engine, loaded in the background from the start, and compiled if need be.

    Attributes:
        compiling: the message about the compilation, once something has been compiled; None before.
    """

    def __init__(self) -> None:
        self.compiling: Message | None = None
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._began = time.perf_counter()
        self._thread = threading.Thread(target=self._load, name="load", daemon=True)
        self._engine: Engine | None = None
        self._made: tuple[int, int] | None = None

    def start(self) -> None:
        """Start loading."""
        self._thread.start()

    @property
    def loaded(self) -> bool:
        """Return whether loading has finished, successfully or not."""
        return self._done.is_set()

    @property
    def notice(self) -> Message:
        """The message to send while the engine is being loaded or compiled."""
        seconds = round(time.perf_counter() - self._began)
        return self.compiling or Message("gomocup.loading", {"seconds": seconds})

    def wait(self) -> None:
        """Wait until the engine is loaded.

        Raises:
            Exception: the error that loading has raised.
        """
        self._done.wait()
        if self._error is not None:
            raise self._error

    def engine(self, threads: int, memory: int) -> Engine:
        """Return the engine with these settings; it is recreated only when they change."""
        self.wait()
        from tengen.engine.engine import Engine

        if self._engine is None or self._made != (threads, memory):
            self._engine = Engine(threads=threads, memory_mb=memory)
            self._made = threads, memory
        return self._engine

    def forget(self) -> None:
        """Clear the engine's transposition table."""
        if self._engine is not None:
            self._engine.clear()

    def _on_compile(self, _: str, notice: Message) -> None:
        self.compiling = notice

    def _load(self) -> None:
        try:
            from tengen.engine.kernels.compile_events import listening
            from tengen.solver.warmup import warm_up

            with listening(self._on_compile):
                warm_up()
        except BaseException as error:  # raised again in `wait`, where it can be reported
            self._error = error
        self._done.set()


def prepare(engine: Engine, rules: Rules, *, stop: threading.Event) -> None:
    """Prepare the tables of some rules, and everything else that a first search on their board needs.

    This is the work function of a `tengen.executors.running_search.Search`.
    """
    from tengen.solver.warmup import warm_up

    warm_up(rules)
    centre = rules.points // 2
    board = Board.from_stones([centre], [centre + 1], rules=rules)
    engine.choose(board, Limit(nodes=100, depth=2), stop)
