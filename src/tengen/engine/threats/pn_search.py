"""Proof-number search over threats, for callers from Python.

The compiled search is `tengen.engine.threats.pn_kernel`, and the line `tengen.engine.threats.pn_line`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import MOST_MOVES, PLIES, SCRATCH, Record, new_record
from tengen.engine.kernels.declarations import build
from tengen.engine.threats.pn_kernel import (
    PN_SCRATCH,
    UNBOUNDED,
    begin_pn_search,
    df_pn,
    list_answers_to_threat,
)
from tengen.engine.threats.pn_line import winning_line
from tengen.engine.threats.pn_table import INFINITY, plies_to_win
from tengen.engine.threats.threat_moves import THREES, list_threats
from tengen.engine.threats.vcf_kernel import winning_cell


class PnSearch:
    """A depth-first proof-number search (df-pn): does the attacker win by threats?

    Args:
        state: the position. `most_nodes` in it is the value of `nodes` at which the search ends; setting
            `stop` ends it at once. Methods leave the rest as it was, except for `ended`.
        tables: the tables of its rules.
        table: the transposition table (`tengen.engine.threats.pn_table`). It may be kept for other searches
            under the same rules, except after those with a smaller number of `plies`.
        plies: the number within which the five has to be made; None is no bound.
        threats: the attacker's moves: `THREES`, `FOURS` or `ANY` of `tengen.engine.threats.threat_moves`.
        attacker: 0 Black, 1 White; the side to move if None.
    """

    def __init__(
        self,
        state: Record,
        tables: Record,
        table: npt.NDArray[np.int64],
        plies: int | None = None,
        *,
        threats: int = THREES,
        attacker: int | None = None,
    ) -> None:
        build(df_pn, list_answers_to_threat, winning_line)  # before any clock runs
        self._state, self._tables = state, tables
        self._scratch = new_record(SCRATCH)
        self._pn = np.zeros(1, PN_SCRATCH)
        self._table = table
        self._attacker = int(state[0]["turn"]) if attacker is None else attacker
        self._retry_nodes = UNBOUNDED
        most_plies = UNBOUNDED if plies is None else plies
        self._covers_all = bool(begin_pn_search(state, self._pn, self._attacker, threats, most_plies))

    def search(self) -> bool | None:
        """Return whether the attacker wins; None if the search ended before that was known.

        Where the limit of plies cut a line of threats short, no win is not known either: None.
        """
        wins = self.within()
        return None if wins is False and self._pn[0]["truncated"] and not self._covers_all else wins

    def within(self) -> bool | None:
        """Return whether the attacker wins within the limit of plies; None if the search ended before."""
        self._state[0]["ended"] = 0
        packed = int(
            df_pn(self._state, self._tables, self._scratch, self._pn, self._table, INFINITY, INFINITY)
        )
        numbers = packed >> 40, (packed >> 20) & INFINITY
        mine, other = numbers if int(self._state[0]["turn"]) == self._attacker else numbers[::-1]
        return True if mine == 0 else False if other == 0 else None

    def attacks(self) -> tuple[int, ...]:
        """Return the cells where the attacker, to move and without a five to make, may make a threat."""
        forced_reply = int(winning_cell(self._state, 1 - self._attacker))
        out = np.zeros(MOST_MOVES, np.int16)
        threats = int(self._pn[0]["threats"])
        count = int(list_threats(self._state, self._tables, threats, forced_reply, out))
        return tuple(out[:count].tolist())

    def line(self, most_nodes: int = UNBOUNDED, shallower: PnSearch | None = None) -> tuple[int, ...]:
        """Return the cells of the winning line, with the longest defence that is known.

        Positions whose entries were replaced in the table are searched again. Where the defender has only
        fouls left, a foul ends the line.

        Args:
            most_nodes: nodes for each such search; if they are used up or `stop` is set, the line ends.
            shallower: a search of the same state that has disproved a win within two plies fewer. The line
                then has the shortest length that the attacker can force.
        """
        return self._line(most_nodes, PLIES, shallower or self)

    def attack(self, most_nodes: int = UNBOUNDED) -> tuple[int, ...]:
        """Return the cells of the attacker's continuation, who is to move in a position that is won.

        It is the shortest VCF if few nodes find one, else a single threat. Stones may have been put down
        since the search.

        Args:
            most_nodes: nodes for searching again what the table has lost. If they are used up or `stop` is
                set, the line is empty.
        """
        return self._line(most_nodes, 1, self)

    def _line(self, most_nodes: int, plies: int, shallower: PnSearch) -> tuple[int, ...]:
        self._retry_nodes = most_nodes
        out = np.zeros(PLIES, np.int16)
        length = winning_line(
            self._state,
            self._tables,
            self._scratch,
            self._pn,
            self._table,
            shallower._pn,
            shallower._table,
            most_nodes,
            plies,
            out,
        )
        return tuple(out[:length].tolist())

    def answers(self) -> tuple[int, ...]:
        """Return the cells where the defender, who is to move after a threat, may answer it."""
        record = self._state[0]
        record["most_nodes"] = min(int(record["nodes"]) + self._retry_nodes, UNBOUNDED)
        record["ended"] = 0
        out = np.zeros(MOST_MOVES, np.int16)
        count = int(list_answers_to_threat(self._state, self._tables, self._scratch, self._pn, out))
        return tuple(out[:count].tolist())

    def plies(self) -> int:
        """Return the plies to the win that the table knows of; 0 for none."""
        return int(plies_to_win(self._state, self._table, self._attacker))
