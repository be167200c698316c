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

from tengen.engine.compiled import FOLDER, WORKED_OUT
from tengen.engine.search_state import check_rules
from tengen.engine.weights import FAMILIES
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules

_WON = "h8a1i8a3j8a5"
"""A position that asks for everything: wins by fours, how they end, and under renju a look at fouls."""

_THREES = "h8a1i9a15i7o1h7g10"
"""One that is won by threes."""

_NODES = 500


@dataclass(frozen=True, slots=True)
class Warmed:
    """What `warm_up` has done.

    Attributes:
        functions: how many functions have been compiled; 0 where all came from the cache.
        tables: how many tables have been worked out; likewise.
        seconds: how long it took.
        folder: where the compiled functions are kept; None where nothing can be.
    """

    functions: int
    tables: int
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


class _TableEar(event.Listener):  # type: ignore[misc]
    """Hears of tables that are worked out (`tengen.engine.compiled.kept_array`)."""

    def __init__(self, on_table: Callable[[str], None]) -> None:
        self._on_table = on_table

    def on_start(self, happening: Any) -> None:
        """A table is about to be worked out."""
        self._on_table(happening.data)

    def on_end(self, happening: Any) -> None:
        """It has been, or could not be."""


@contextmanager
def heard(
    on_compile: Callable[[str, int], None], on_table: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Tell of each function of Tengen's that is compiled meanwhile, in whatever thread, and of each table.

    Args:
        on_compile: called when it begins with the function's name, its module included, and with how many
            others wait for it, because they call it. What comes from the cache is not told of.
        on_table: called with the name of a table when it is about to be worked out: ``patterns-`` and
            ``network-`` with a digest. What comes from the cache is not told of.
    """
    with event.install_listener("numba:compile", _Ear(on_compile)):
        if on_table is None:
            yield
            return
        with event.install_listener(WORKED_OUT, _TableEar(on_table)):
            yield


def warm_up(rules: Rules | None = None, *, every_table: bool = False) -> Warmed:
    """Compile all that the engine and the solvers of fours and threats use, or load it from the cache.

    Two processes may do so at once: each writes whole files under the same names.

    Args:
        rules: those to make the tables of as well; freestyle if None.
        every_table: also make those of all families of rules, and of all networks that come with Tengen,
            and compile the exact solver, which the engine does not use.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    wanted = Rules.named("freestyle") if rules is None else rules
    check_rules(wanted)
    began = time.perf_counter()
    names: list[str] = []
    tables: list[str] = []
    with heard(lambda name, _: names.append(name), tables.append):
        # The big functions say what they take, and are compiled by being imported.
        from tengen.engine.bridge import position_of
        from tengen.engine.engine import Engine, prepared
        from tengen.engine.foul_kernel import forbidden_cells
        from tengen.engine.heatmaps import heatmaps
        from tengen.engine.proof_table import new_proof_table
        from tengen.engine.proofs import Proof

        board = Board.from_moves(_WON, replace(wanted, width=15, height=15))
        Engine(threads=2).analyse(board, Limit(nodes=_NODES), lines=2)
        forbidden_cells(*position_of(board), np.zeros(1024, np.int64))
        state, lines = position_of(Board.from_moves(_THREES, board.rules))
        state[0]["most_nodes"] = _NODES
        proof = Proof(state, lines, new_proof_table(1))
        proof.search()
        proof.line()
        heatmaps(board, position_of(board)[0], prepared(board.rules)[1])
        for name in FAMILIES if every_table else ():
            prepared(Rules.named(name))
        if every_table:
            import tengen.engine.exact_kernel  # noqa: F401
    return Warmed(len(names), len(tables), time.perf_counter() - began, FOLDER)
