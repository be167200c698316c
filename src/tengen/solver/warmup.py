"""Warm-up: compilation of all kernels before they are needed."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tengen.engine.board.conversion import position_of
from tengen.engine.board.fouls import forbidden_cells
from tengen.engine.board.playable import check_rules
from tengen.engine.engine import Engine
from tengen.engine.evaluation.weights import FAMILIES
from tengen.engine.kernels.cache import cache_folder
from tengen.engine.kernels.compile_events import listening
from tengen.engine.kernels.declarations import build
from tengen.engine.tables import prepared, prepared_networks
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.solver.exact.kernel import attack
from tengen.solver.exact.table import keep_entries

_WON = "h8a1i8a3j8a5"
"""A position that needs all kernels: wins by fours, their ends, and fouls under renju."""

_THREES = "h8a1i9a15i7o1h7g10"
"""A position that is won by threes."""

_QUIET = "h8i9"
"""A position with a choice of moves, whose probabilities are computed."""

_NODES = 500


@dataclass(frozen=True, slots=True)
class Warmed:
    """The result of `warm_up`.

    Attributes:
        functions: number of functions compiled; 0 if all came from the cache.
        tables: number of tables computed; 0 if all came from the cache.
        seconds: duration of the warm-up.
        folder: cache folder of the compiled functions; None if none can be written.
    """

    functions: int
    tables: int
    seconds: float
    folder: Path | None


def warm_up(rules: Rules | None = None, *, every_table: bool = False) -> Warmed:
    """Compile the kernels of the engine and of the threat solvers, or load them from the cache.

    Two processes may warm up at once: each writes whole files under the same names.

    Args:
        rules: the rules whose tables are computed as well; freestyle if None.
        every_table: also compute the tables of all families of rules, and of all networks that come with
            Tengen, and compile the exact solver, which the engine does not use.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    wanted = Rules.named("freestyle") if rules is None else rules
    check_rules(wanted)
    began = time.perf_counter()
    names: list[str] = []
    tables: list[str] = []
    with listening(lambda name, _: names.append(name), tables.append):
        board = Board.from_moves(_WON, replace(wanted, width=15, height=15))
        Engine(threads=2).analyse(board, Limit(nodes=_NODES), lines=2)
        forbidden_cells(*position_of(board), np.zeros(1024, np.int64))
        state, lines = position_of(Board.from_moves(_THREES, board.rules))
        state[0]["most_nodes"] = _NODES
        proof = PnSearch(state, lines, new_pn_table(1))
        proof.search()
        proof.line()
        Engine(nodes=_NODES).explain(Board.from_moves(_QUIET, board.rules))
        for name in FAMILIES if every_table else ():
            prepared(Rules.named(name))
            prepared_networks(Rules.named(name))
        if every_table:
            build(attack, keep_entries)
    return Warmed(len(names), len(tables), time.perf_counter() - began, cache_folder())
