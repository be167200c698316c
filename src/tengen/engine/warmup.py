"""Compiling everything before it is needed, and telling what is being compiled meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import event

from tengen.engine.compiled import FOLDER
from tengen.engine.search_state import check_rules
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules

_WON = "h8a1i8a3j8a5"
"""A position that asks for everything: wins by fours, how they end, and under renju a look at fouls."""

_NODES = 500


@dataclass(frozen=True, slots=True)
class Warmed:
    """What `warm_up` has done.

    Attributes:
        functions: how many functions have been compiled; 0 where all came from the cache.
        seconds: how long it took.
        folder: where the compiled functions are kept; None where nothing can be.
    """

    functions: int
    seconds: float
    folder: Path | None


class _Ear(event.Listener):  # type: ignore[misc]
    """Hears Numba's compiler (https://numba.readthedocs.io/en/stable/developer/event_api.html)."""

    def __init__(self, on_compile: Callable[[str, int], None]) -> None:
        self._on_compile = on_compile
        self._depth = 0

    def on_start(self, happening: Any) -> None:
        """A function is about to be compiled."""
        function = happening.data["dispatcher"].py_func
        if function.__module__.startswith("tengen."):
            self._on_compile(f"{function.__module__}.{function.__name__}", self._depth)
        self._depth += 1

    def on_end(self, happening: Any) -> None:
        """It has been, or could not be."""
        self._depth -= 1


@contextmanager
def heard(on_compile: Callable[[str, int], None]) -> Iterator[None]:
    """Tell of each function of Tengen's that is compiled meanwhile, in whatever thread.

    Args:
        on_compile: called when it begins with the function's name, its module included, and with how many
            others wait for it, because they call it. What comes from the cache is not told of.
    """
    with event.install_listener("numba:compile", _Ear(on_compile)):
        yield


def warm_up(rules: Rules | None = None, on_compile: Callable[[str, int], None] | None = None) -> Warmed:
    """Compile all that the engine and the solver of fours use, or load it from the cache.

    Two processes may do so at once: each writes whole files under the same names.

    Args:
        rules: those to make the tables of as well; freestyle if None.
        on_compile: see `heard`.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    wanted = Rules.named("freestyle") if rules is None else rules
    check_rules(wanted)
    began = time.perf_counter()
    names: list[str] = []

    def hear(name: str, depth: int) -> None:
        names.append(name)
        if on_compile is not None:
            on_compile(name, depth)

    with heard(hear):
        # The big functions say what they take, and are compiled by being imported.
        from tengen.engine.bridge import position_of
        from tengen.engine.engine import Engine
        from tengen.engine.foul_kernel import forbidden_cells

        board = Board.from_moves(_WON, replace(wanted, width=15, height=15))
        Engine(threads=2).analyse(board, Limit(nodes=_NODES), lines=2)
        forbidden_cells(*position_of(board), np.zeros(1024, np.int64))
    return Warmed(len(names), time.perf_counter() - began, FOLDER)
