"""Proofs by threats: searched for, and their line read off.

What is compiled stands in `tengen.engine.threats.pn_kernel`; this is the way in for whoever asks from
Python.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import MOST_MOVES, SCRATCH, Record, new_record
from tengen.engine.kernels.jit import build
from tengen.engine.threats.pn_kernel import PROOF, answers_to, prove
from tengen.engine.threats.pn_table import NEVER, known_proof
from tengen.engine.threats.threat_moves import THREES, list_among
from tengen.engine.threats.vcf_kernel import UNLIMITED, fours, may_play, winning_cell

_ALL_NODES = 1 << 62

_SHORT_NODES = 2_000
"""Nodes spent on the shortest end by fours of a line."""


class Proof:
    """A search for the proof that the side to move wins by threats, or does not.

    Args:
        state: the position. `most_nodes` in it bounds the search and counts from `nodes`; who sets `stop`
            ends it. It is as before when a method returns, but for those and `ended`.
        tables: the tables of its rules.
        table: what is known of positions (`tengen.engine.threats.pn_table`). One that is kept for the same
            rules knows what former searches have found out; not where those were to make the five sooner.
        plies: the five is made within so many; None is no bound.
        threats: what the attacker may do: `THREES`, `FOURS` or `ANY` of
            `tengen.engine.threats.threat_moves`.
        attacker: 0 Black, 1 White; who is to move if None.
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
        build(prove, answers_to, fours)  # before any clock runs
        self._state, self._tables = state, tables
        self._work = new_record(SCRATCH)
        self._record = np.zeros(1, PROOF)
        self._table = table
        self._attacker = int(state[0]["turn"]) if attacker is None else attacker
        self._most_again = _ALL_NODES
        self._free = int((state[0]["cells"] == 0).sum())
        self._record[0]["attacker"] = self._attacker
        self._record[0]["threats"] = threats
        self._whole = plies is None or plies >= self._free
        # A foul that fills the board, and loses, stands in the place of a five after it.
        most = self._free + 1 if plies is None or self._whole else plies
        self._record[0]["last"] = int(state[0]["ply"]) + most

    def search(self) -> bool | None:
        """Whether the attacker wins; None where the search was ended before that was known.

        A win that would take more plies than asked for is none that is known of.
        """
        wins = self.within()
        return None if wins is False and self._record[0]["cut"] and not self._whole else wins

    def within(self) -> bool | None:
        """Whether the attacker wins within the plies asked for; None where the search was ended before."""
        numbers = self._searched()
        mine, other = numbers if int(self._state[0]["turn"]) == self._attacker else numbers[::-1]
        return True if mine == 0 else False if other == 0 else None

    def attacks(self) -> tuple[int, ...]:
        """The cells where the attacker, who is to move and has no five to make, may make a threat."""
        must = int(winning_cell(self._state, 1 - self._attacker))
        found = np.zeros(MOST_MOVES, np.int16)
        threats = np.int64(self._record[0]["threats"])
        count = int(list_among(self._state, self._tables, threats, np.int64(must), found))
        return tuple(int(cell) for cell in found[:count])

    def line(self, most_nodes: int = _ALL_NODES, sooner: Proof | None = None) -> tuple[int, ...]:
        """The cells of the win found, with the defence that holds out longest as far as is known.

        What the table has forgotten is searched again. A foul that is all that the defender has left ends
        the line.

        Args:
            most_nodes: spent on that, each time; where they are used up, or `stop` is set meanwhile, the
                line ends.
            sooner: a search of the same state that has shown that there is no win within two plies fewer.
                The defence is one that holds out so long, then, and the line as long as any has to be.
        """
        state, made = self._state, 0
        self._most_again = most_nodes
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
        """How the attacker, who is to move in a position that is won, goes on: the cells of a line.

        The shortest win by fours if few nodes find one, else a threat alone. Stones may have been put down
        since the search.

        Args:
            most_nodes: spent on what the table has forgotten. Where they are used up, or `stop` is set, the
                line is empty.
        """
        self._most_again = most_nodes
        end, cell = self._attack()
        return end or ((cell,) if cell else ())

    def answers(self) -> tuple[int, ...]:
        """The cells where the defender, who is to move after a threat, may answer it."""
        self._allow(self._most_again)
        found = np.zeros(MOST_MOVES, np.int16)
        count = int(answers_to(self._state, self._tables, self._work, self._record, found))
        return tuple(int(cell) for cell in found[:count])

    def plies(self) -> int:
        """The plies to the win from the position, as far as the line is known; 0 where none is."""
        # What is stored is rounded up to an even number, and the attacker wins in an odd one.
        even = int(known_proof(self._state, self._table, self._attacker)[3])
        return max(even - (int(self._state[0]["turn"]) == self._attacker), 0)

    def _searched(self) -> tuple[int, int]:
        """Both numbers of the position, after a search."""
        self._state[0]["ended"] = 0
        found = int(prove(self._state, self._tables, self._work, self._record, self._table, NEVER, NEVER))
        return found >> 40, (found >> 20) & NEVER

    def _again(self) -> bool:
        """Whether the attacker's position is won, as it is known to be; searched again if need be."""
        if known_proof(self._state, self._table, self._attacker)[0] == 0 != self.plies():
            return True
        self._allow(self._most_again)
        return self._searched()[0] == 0

    def _allow(self, nodes: int) -> None:
        """Let the next search spend so many nodes."""
        record = self._state[0]
        record["most_nodes"] = min(int(record["nodes"]) + nodes, _ALL_NODES)
        record["ended"] = 0

    def _attack(self) -> tuple[tuple[int, ...], int]:
        """The shortest win by fours if few nodes find one, or else a threat; neither where it is stopped.

        A position that is won by fours has no threat stored where they were found on a first look.
        """
        if line := self._fours(_SHORT_NODES):
            return line, 0
        cell = self._threat()
        return ((), cell) if cell else (self._fours(self._most_again), 0)

    def _fours(self, nodes: int) -> tuple[int, ...]:
        """The shortest win by fours of the side to move, if so many nodes find one."""
        record, length = self._state[0], 0
        self._allow(nodes)
        most = min((int(self._record[0]["last"]) - int(record["ply"]) - 1) // 2, UNLIMITED)
        for count in range(most + 1):
            length = int(fours(self._state, self._tables, self._work, record["ply"], count))
            if length or record["ended"]:
                break
        return tuple(int(cell) for cell in self._work[0]["line"][:length])

    def _threat(self) -> int:
        """The attacker's move in a position that is won; 0 where the search for it is stopped."""
        return int(known_proof(self._state, self._table, self._attacker)[2]) if self._again() else 0

    def _defence(self) -> int:
        """The defender's answer that holds out longest; any move where none is any good."""
        state, tables = self._state, self._tables
        longest, best = -1, 0
        for cell in self.answers():
            make(state, tables, cell)
            length = self.plies() if self._again() else 0
            unmake(state, tables)
            if length > longest:
                longest, best = length, cell
        return best or self._any_move()

    def escape(self) -> int:
        """The defender's answer after which there is no win within the plies asked for; 0 for none."""
        self._allow(self._most_again)
        escapes = self._searched()[0] == 0
        return int(known_proof(self._state, self._table, self._attacker)[2]) if escapes else 0

    def _any_move(self) -> int:
        """A free cell, one that may be played on if there is one."""
        side = int(self._state[0]["turn"])
        free = [int(cell) for cell in np.flatnonzero(self._state[0]["cells"] == 0)]
        return next((cell for cell in free if may_play(self._state, self._tables, side, cell)), free[0])
