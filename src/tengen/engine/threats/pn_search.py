"""Proof-number search over threats, and the winning line from its table.

The compiled search is `tengen.engine.threats.pn_kernel`; this is its interface for callers from Python.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import MOST_MOVES, SCRATCH, Record, new_record
from tengen.engine.kernels.declarations import build
from tengen.engine.threats.pn_kernel import PN_SCRATCH, df_pn, list_answers_to_threat
from tengen.engine.threats.pn_table import INFINITY, probe_position
from tengen.engine.threats.threat_moves import THREES, list_threats
from tengen.engine.threats.vcf_kernel import UNLIMITED, find_vcf, may_play, winning_cell

_ALL_NODES = 1 << 62

_SHORT_NODES = 2_000
"""Nodes of a first search for the shortest VCF that ends a line."""


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
        build(df_pn, list_answers_to_threat, find_vcf)  # before any clock runs
        self._state, self._tables = state, tables
        self._scratch = new_record(SCRATCH)
        self._pn = np.zeros(1, PN_SCRATCH)
        self._table = table
        self._attacker = int(state[0]["turn"]) if attacker is None else attacker
        self._retry_nodes = _ALL_NODES
        self._free = int((state[0]["cells"] == 0).sum())
        self._pn[0]["attacker"] = self._attacker
        self._pn[0]["threats"] = threats
        self._whole = plies is None or plies >= self._free
        # A foul that fills the board, and loses, stands in the place of a five after it.
        most = self._free + 1 if plies is None or self._whole else plies
        self._pn[0]["last_ply"] = int(state[0]["ply"]) + most

    def search(self) -> bool | None:
        """Return whether the attacker wins; None if the search ended before that was known.

        Where the limit of plies cut a line of threats short, no win is not known either: None.
        """
        wins = self.within()
        return None if wins is False and self._pn[0]["truncated"] and not self._whole else wins

    def within(self) -> bool | None:
        """Return whether the attacker wins within the limit of plies; None if the search ended before."""
        numbers = self._search()
        mine, other = numbers if int(self._state[0]["turn"]) == self._attacker else numbers[::-1]
        return True if mine == 0 else False if other == 0 else None

    def attacks(self) -> tuple[int, ...]:
        """Return the cells where the attacker, to move and without a five to make, may make a threat."""
        forced_reply = int(winning_cell(self._state, 1 - self._attacker))
        out = np.zeros(MOST_MOVES, np.int16)
        threats = np.int64(self._pn[0]["threats"])
        count = int(list_threats(self._state, self._tables, threats, np.int64(forced_reply), out))
        return tuple(int(cell) for cell in out[:count])

    def line(self, most_nodes: int = _ALL_NODES, sooner: PnSearch | None = None) -> tuple[int, ...]:
        """Return the cells of the winning line, with the longest defence that is known.

        Positions whose entries were replaced in the table are searched again. Where the defender has only
        fouls left, a foul ends the line.

        Args:
            most_nodes: nodes for each such search; if they are used up or `stop` is set, the line ends.
            sooner: a search of the same state that has disproved a win within two plies fewer. The line
                then has the shortest length that the attacker can force.
        """
        state, made = self._state, 0
        self._retry_nodes = most_nodes
        cells: list[int] = []
        while True:
            attacks = int(state[0]["turn"]) == self._attacker
            escape = sooner.escape() if sooner is not None and not attacks else 0
            if attacks:
                end, cell = self._attack()
                if end or not cell:
                    cells.extend(end)
                    break
            else:
                cell = escape or self._defence()
            cells.append(cell)
            if not may_play(state, self._tables, int(state[0]["turn"]), cell):
                break
            make(state, self._tables, cell)
            made += 1
        for _ in range(made):
            unmake(state, self._tables)
        return tuple(cells)

    def attack(self, most_nodes: int = _ALL_NODES) -> tuple[int, ...]:
        """Return the cells of the attacker's continuation, who is to move in a position that is won.

        It is the shortest VCF if few nodes find one, else a single threat. Stones may have been put down
        since the search.

        Args:
            most_nodes: nodes for searching again what the table has lost. If they are used up or `stop` is
                set, the line is empty.
        """
        self._retry_nodes = most_nodes
        end, cell = self._attack()
        return end or ((cell,) if cell else ())

    def answers(self) -> tuple[int, ...]:
        """Return the cells where the defender, who is to move after a threat, may answer it."""
        self._allow(self._retry_nodes)
        out = np.zeros(MOST_MOVES, np.int16)
        count = int(list_answers_to_threat(self._state, self._tables, self._scratch, self._pn, out))
        return tuple(int(cell) for cell in out[:count])

    def plies(self) -> int:
        """Return the plies to the win that the table knows of; 0 for none."""
        # What is stored is rounded up to an even number, and the attacker wins in an odd one.
        even = int(probe_position(self._state, self._table, self._attacker)[3])
        return max(even - (int(self._state[0]["turn"]) == self._attacker), 0)

    def _search(self) -> tuple[int, int]:
        """Search the position; return its `phi` and `delta`."""
        self._state[0]["ended"] = 0
        numbers = int(
            df_pn(self._state, self._tables, self._scratch, self._pn, self._table, INFINITY, INFINITY)
        )
        return numbers >> 40, (numbers >> 20) & INFINITY

    def _still_wins(self) -> bool:
        """Return whether the position is won, from the table or, if its entry was replaced, by a search."""
        if probe_position(self._state, self._table, self._attacker)[0] == 0 != self.plies():
            return True
        self._allow(self._retry_nodes)
        return self._search()[0] == 0

    def _allow(self, nodes: int) -> None:
        """Limit the next search to a number of nodes."""
        record = self._state[0]
        record["most_nodes"] = min(int(record["nodes"]) + nodes, _ALL_NODES)
        record["ended"] = 0

    def _attack(self) -> tuple[tuple[int, ...], int]:
        """Return the shortest VCF if few nodes find one, else a threat; neither if the search is stopped.

        A position that `evaluate_attacker` found to be won by fours has no move in the table.
        """
        if line := self._fours(_SHORT_NODES):
            return line, 0
        cell = self._threat()
        return ((), cell) if cell else (self._fours(self._retry_nodes), 0)

    def _fours(self, nodes: int) -> tuple[int, ...]:
        """Return the shortest VCF of the side to move, if so many nodes find one."""
        record, length = self._state[0], 0
        self._allow(nodes)
        most = min((int(self._pn[0]["last_ply"]) - int(record["ply"]) - 1) // 2, UNLIMITED)
        for count in range(most + 1):
            length = int(find_vcf(self._state, self._tables, self._scratch, record["ply"], count))
            if length or record["ended"]:
                break
        return tuple(int(cell) for cell in self._scratch[0]["line"][:length])

    def _threat(self) -> int:
        """Return the attacker's move in a position that is won; 0 if the search for it is stopped."""
        return int(probe_position(self._state, self._table, self._attacker)[2]) if self._still_wins() else 0

    def _defence(self) -> int:
        """Return the defender's answer that holds out longest; any move if there is none."""
        state, tables = self._state, self._tables
        longest, best = -1, 0
        for cell in self.answers():
            make(state, tables, cell)
            length = self.plies() if self._still_wins() else 0
            unmake(state, tables)
            if length > longest:
                longest, best = length, cell
        return best or self._any_move()

    def escape(self) -> int:
        """Return the defender's answer that leaves no win within the limit of plies; 0 for none."""
        self._allow(self._retry_nodes)
        escapes = self._search()[0] == 0
        return int(probe_position(self._state, self._table, self._attacker)[2]) if escapes else 0

    def _any_move(self) -> int:
        """Return an empty cell, a legal one if there is any."""
        side = int(self._state[0]["turn"])
        free = [int(cell) for cell in np.flatnonzero(self._state[0]["cells"] == 0)]
        return next((cell for cell in free if may_play(self._state, self._tables, side, cell)), free[0])
