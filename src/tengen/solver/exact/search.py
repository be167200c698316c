"""The compiled exact search with its table: stopped, saved, and given a larger table when it needs one."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen.engine.kernels.declarations import build
from tengen.formats.files import check_writable
from tengen.game.rules import Rules
from tengen.solver.exact.kernel import attack
from tengen.solver.exact.lines import LEVELS, MOST_POINTS, new_game
from tengen.solver.exact.table import keep_entries, new_exact_table
from tengen.solver.exact.table_file import load_table, save_table

_GROWTH = 4
"""Factor by which a table that has become too small grows."""

_SAVE_SECONDS = 600.0
"""Seconds between two savings of the table."""


class SearchEnded(Exception):
    """The search has reached a limit before it knew the answer."""


class ExactSearch:
    """Searches of positions of one game, which share a table.

    Args:
        rules: of the game.
        nodes: positions that may be visited in all.
        memory_mb: megabytes for the table.
        file: where the table is kept between runs; None for nowhere.

    Raises:
        FileError: the file cannot be read or written, is damaged, or belongs to another game.
    """

    def __init__(self, rules: Rules, nodes: int, memory_mb: int, file: Path | None) -> None:
        build(attack, keep_entries)  # before any clock runs
        self._rules, self._file, self._nodes = rules, file, nodes
        self._games = new_game(rules.width, rules.height, rules.k)
        self._record = self._games[0]
        self._stopped = False
        # A small table is allocated sooner, and most games are small.
        self._sizes = [memory_mb] if file is not None else table_sizes(memory_mb)
        self._table = self._next_table()
        if file is not None:
            check_writable(file)
            load_table(file, rules, self._table)
        self._saved = self._began = time.monotonic()

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._record["nodes"])

    @property
    def share(self) -> float:
        """Estimated share of the current search that is done, from 0 to 1."""
        share = 0.0
        for level in reversed(range(LEVELS)):
            count = max(int(self._record["move_count"][level]), 1)
            share = min((int(self._record["moves_done"][level]) + share) / count, 1.0)
        return share

    @property
    def left(self) -> float | None:
        """Estimated seconds to the end of the current search; None without an estimate."""
        share = self.share
        return (time.monotonic() - self._began) * (1 / share - 1) if share else None

    @property
    def stopped(self) -> bool:
        """True if `end` has been called."""
        return self._stopped

    def end(self) -> None:
        """End the search; may be called from another thread."""
        self._stopped = True
        self._record["stop"] = 1

    def save_in_time(self) -> None:
        """Request a saving of the table if the last one was long ago; may be called from another thread."""
        if self._file is not None and time.monotonic() - self._saved > _SAVE_SECONDS:
            self._record["stop"] = 1

    def save(self) -> None:
        """Write the table to its file, if it has one.

        Raises:
            FileError: the file cannot be written.
        """
        if self._file is not None:
            save_table(self._file, self._rules, self._table)
            self._saved = time.monotonic()

    def within(
        self, attacker: int, defender: int, turn: int, depth: int, most_nodes: int | None = None
    ) -> int:
        """Return the value of `tengen.solver.exact.kernel.attack`; 0 if it takes more than `most_nodes`.

        Args:
            attacker: stones, as bits.
            defender: stones, as bits.
            turn: 0 with the attacker to move, 1 with the defender to move.
            depth: plies.
            most_nodes: positions that this search may visit; None is no bound.

        Raises:
            SearchEnded: a limit was reached first, or `end` was called.
            FileError: the table cannot be saved.
        """
        record = self._record
        record["root"] = _count_stones(attacker | defender)
        self._began = time.monotonic()
        most = self._nodes if most_nodes is None else min(self._nodes, self.nodes + most_nodes)
        while True:
            record["moves_done"] = record["move_count"] = record["ended"] = 0
            record["most_nodes"] = min(most, self._table_nodes)
            value = int(attack(self._games, self._table, attacker, defender, turn, depth))
            if not record["ended"]:
                return value
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
                self._grow_table()

    def _grow_table(self) -> None:
        """Copy the table into the next larger one. `table_sizes` allows for both at the same time."""
        former = self._table
        self._table = self._next_table()
        keep_entries(self._table, former)

    def _next_table(self) -> npt.NDArray[np.int64]:
        """Return the next larger table, empty, and set the number of nodes at which it is too small."""
        table = new_exact_table(self._sizes.pop(0))
        self._table_nodes = self.nodes + len(table) // 2 if self._sizes else self._nodes
        return table


def _count_stones(bits: int) -> int:
    """Count the stones of an int64 set, which is negative if it holds the last of 64 points."""
    return (bits & (1 << MOST_POINTS) - 1).bit_count()


def table_sizes(megabytes: int) -> list[int]:
    """Return the sizes of the successive tables, any two neighbours within the bound together."""
    sizes = [1]
    while sizes[-1] * _GROWTH * 4 <= megabytes:
        sizes.append(sizes[-1] * _GROWTH)
    return [*sizes, megabytes - sizes[-1]] if megabytes > 1 else sizes
