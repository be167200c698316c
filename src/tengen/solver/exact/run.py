"""The compiled exact search as it is run: stopped, saved, with a table that grows up to its bound."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen.engine.kernels.jit import build
from tengen.formats.files import check_writable
from tengen.game.rules import Rules
from tengen.solver.exact.kernel import attack
from tengen.solver.exact.lines import LEVELS, MOST_POINTS, new_game
from tengen.solver.exact.table import keep_entries, new_exact_table
from tengen.solver.exact.table_file import load_table, save_table

_GROWTH = 4
"""By how much a table that has become too small is replaced by a larger one."""

_SAVED_EVERY = 600.0
"""Seconds between two savings of the table."""


class SearchEnded(Exception):
    """The search was ended before it knew."""


class ExactRun:
    """The searches for one value, which share what they prove.

    Args:
        rules: of the game.
        nodes: positions that may be visited in all.
        memory_mb: megabytes for the table.
        file: where the table is kept between runs; None for nowhere.

    Raises:
        FileError: the file cannot be read or written, or is no such file.
    """

    def __init__(self, rules: Rules, nodes: int, memory_mb: int, file: Path | None) -> None:
        build(attack, keep_entries)  # before any clock runs
        self._rules, self._file, self._nodes = rules, file, nodes
        self._games = new_game(rules.width, rules.height, rules.k)
        self._record = self._games[0]
        self._stopped = False
        # A small table is quicker to be had, and most games are small.
        self._sizes = [memory_mb] if file is not None else table_sizes(memory_mb)
        self._table = self._next_table()
        if file is not None:
            check_writable(file)
            load_table(file, rules, self._table)
        self._saved = self._begun = time.monotonic()

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._record["nodes"])

    @property
    def share(self) -> float:
        """How much of the search that runs is done, about, from 0 to 1."""
        share = 0.0
        for level in reversed(range(LEVELS)):
            width = max(int(self._record["width"][level]), 1)
            share = min((int(self._record["done"][level]) + share) / width, 1.0)
        return share

    @property
    def left(self) -> float | None:
        """Seconds that the search that runs will take yet, about; None where nothing tells."""
        share = self.share
        return (time.monotonic() - self._begun) * (1 / share - 1) if share else None

    @property
    def stopped(self) -> bool:
        """Whether it has been ended."""
        return self._stopped

    def end(self) -> None:
        """End it; called from another thread."""
        self._stopped = True
        self._record["stop"] = 1

    def save_in_time(self) -> None:
        """Have the table saved if that was long ago; called from another thread."""
        if self._file is not None and time.monotonic() - self._saved > _SAVED_EVERY:
            self._record["stop"] = 1

    def save(self) -> None:
        """Write the table to its file, if it has one.

        Raises:
            FileError: it cannot be written.
        """
        if self._file is not None:
            save_table(self._file, self._rules, self._table)
            self._saved = time.monotonic()

    def within(
        self, attacker: int, defender: int, turn: int, depth: int, patience: int | None = None
    ) -> int:
        """What `tengen.solver.exact.kernel.attack` answers; 0 where that takes more than `patience`.

        Args:
            attacker: stones, as bits.
            defender: likewise.
            turn: 0 where the attacker is to move, 1 for the defender.
            depth: plies.
            patience: positions that may be visited for it; None is no bound.

        Raises:
            SearchEnded: a limit was reached first, or `end` was called.
            FileError: the table cannot be saved.
        """
        record = self._record
        record["root"] = _stones(attacker | defender)
        self._begun = time.monotonic()
        most = self._nodes if patience is None else min(self._nodes, self.nodes + patience)
        while True:
            record["done"] = record["width"] = record["ended"] = 0
            record["most_nodes"] = min(most, self._enough)
            found = int(attack(self._games, self._table, attacker, defender, turn, depth))
            if not record["ended"]:
                return found
            if self._stopped or self.nodes >= self._nodes:
                raise SearchEnded
            if record["stop"]:
                record["stop"] = 0
                if self._stopped:  # meanwhile
                    raise SearchEnded
                self.save()
            elif self.nodes >= most:
                return 0
            else:
                self._grow()

    def _grow(self) -> None:
        """Go on with a larger table. For a moment there are both, which the bound allows for."""
        former = self._table
        self._table = self._next_table()
        keep_entries(self._table, former)

    def _next_table(self) -> npt.NDArray[np.int64]:
        """The next larger table."""
        table = new_exact_table(self._sizes.pop(0))
        self._enough = self.nodes + len(table) // 2 if self._sizes else self._nodes
        return table


def _stones(points: int) -> int:
    """How many points a number stands for, negative where the last of 64 is among them."""
    return (points & (1 << MOST_POINTS) - 1).bit_count()


def table_sizes(megabytes: int) -> list[int]:
    """The sizes of the tables that follow each other: no two neighbours are larger than the bound."""
    sizes = [1]
    while sizes[-1] * _GROWTH * 4 <= megabytes:
        sizes.append(sizes[-1] * _GROWTH)
    return [*sizes, megabytes - sizes[-1]] if megabytes > 1 else sizes
