"""The value of a position, its best points and its distance, from attacks that succeed or fail.

`tengen.solver.exact.kernel` decides whether one side can force a line within a number of plies. The search
runs it for the side to move and for the other in turn, deeper each time. It leaves out the second player's
attack where strategy stealing rules out that it succeeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tengen.game.board import Board
from tengen.game.points import EMPTY, Point, opponent
from tengen.game.symmetry import representatives, symmetries
from tengen.solver.exact.lines import as_bits
from tengen.solver.exact.search import ExactSearch, SearchEnded
from tengen.solver.exact.table import NEVER

_DOUBLING_NODES = 500_000
"""Nodes of an attack after which its depth grows by more than two plies at a time."""


@dataclass(slots=True)
class Attack:
    """One side's attempt to force a line.

    Attributes:
        attacker: its stones, as bits.
        defender: the other side's stones, as bits.
        turn: 0 with the attacker to move, 1 with the defender to move.
        hold: plies within which the attack fails; `NEVER` if it always fails.
        win: plies within which it succeeds; 0 if unknown.
        step: plies by which the depth grows.
        spent: positions visited for it.
    """

    attacker: int
    defender: int
    turn: int
    hold: int = 0
    win: int = 0
    step: int = 2
    spent: int = 0

    @property
    def is_open(self) -> bool:
        """True if it is unknown if the attack succeeds."""
        return self.win == 0 and self.hold < NEVER

    @property
    def next(self) -> int:
        """The least plies within which the attack may still succeed: odd with the attacker to move."""
        return self.hold + (2 if self.hold % 2 != self.turn else 1)

    @property
    def deeper(self) -> int:
        """The depth of the next iteration if only the outcome matters."""
        return self.next + self.step - 2

    def deepen(self, search: ExactSearch, depth: int) -> None:
        """Search the attack to a depth in plies.

        Raises:
            SearchEnded: a limit was reached first.
        """
        before = search.nodes
        value = search.within(self.attacker, self.defender, self.turn, depth)
        self.spent += search.nodes - before
        if self.spent > _DOUBLING_NODES:
            self.step *= 2
        if value > 0:
            self.win = value
        else:
            self.hold = max(self.hold, -value)


class ValueSearch:
    """The search for the value of a position, for its distance and for its best points.

    Args:
        board: the position.
        nodes: positions that may be visited.
        most_plies: depth of the search; None for the whole game.
        memory_mb: megabytes for the transposition table.
        file: where the table is kept between runs; None for nowhere.
        value_only: leave out the best points and the distance.

    Attributes:
        bounds: the least and the greatest value that are not ruled out.
        distance: plies to the end, if known.
        best: points that keep the value.
        complete: whether `best` is complete.
        aim: the current aim: ``"value"``, ``"distance"`` or ``"best"``.
        plies: depth of the current iteration; None for the whole game.
        exact: the search that visits the positions.

    Raises:
        FileError: the file cannot be read or written, is damaged, or belongs to another game.
    """

    def __init__(
        self,
        board: Board,
        nodes: int,
        most_plies: int | None,
        memory_mb: int,
        file: Path | None,
        value_only: bool,
    ) -> None:
        self.bounds = (-1, 1)
        self.distance: int | None = None
        self.best: tuple[Point, ...] = ()
        self.complete = False
        self.aim = "value"
        self.plies: int | None = 0
        self._board, self._most_plies, self._value_only = board, most_plies, value_only
        self.exact = ExactSearch(board.rules, nodes, memory_mb, file)
        self._own, self._other = (
            as_bits(board.stones(side)) for side in (board.turn, opponent(board.turn))
        )
        self._free = board.stones(EMPTY)

    def run(self) -> None:
        """Search as far as the limits allow.

        Raises:
            FileError: the table cannot be saved.
        """
        try:
            self._run()
        except SearchEnded:
            pass
        finally:
            self.exact.save()

    def _run(self) -> None:
        own = Attack(self._own, self._other, 0)
        other = Attack(self._other, self._own, 1)
        if second_never_wins(self._board):
            other.hold = NEVER
        value = self._find_value(own, other)
        if value == 0:
            self.distance = len(self._free)
        if self._value_only:
            return
        if value != 0:
            self.aim = "distance"
            self.distance = self._find_distance(own if value > 0 else other)
        self.aim = "best"
        self._find_best(value)

    def _find_value(self, own: Attack, other: Attack) -> int:
        """Return the value: deepen both sides' attacks, always the one that has cost less so far."""
        while not (own.win or other.win):
            attacks = [attack for attack in (own, other) if attack.is_open]
            if not attacks:
                break
            attack = min(attacks, key=lambda attack: attack.spent)
            self._deepen(attack, attack.deeper)
            self.bounds = -1 if other.is_open else 0, 1 if own.is_open else 0
        value = 1 if own.win else -1 if other.win else 0
        self.bounds = value, value
        return value

    def _find_distance(self, attack: Attack) -> int:
        """Return the fewest plies within which a successful attack succeeds."""
        while attack.next < attack.win:
            self._deepen(attack, attack.next)
        return attack.win

    def _find_best(self, value: int) -> None:
        """Find the points that keep the value, the cheapest to decide first."""
        first = representatives(self._board)
        open_attacks: dict[Point, Attack] = {}
        keeps: set[Point] = set()

        def publish() -> None:
            self.best = tuple(point for point in self._free if first[point] in keeps)
            self.complete = not open_attacks

        for point in sorted(set(first.values())):
            after = self._board.copy()
            after.push(point)
            if value < 0 or after.outcome() is not None:
                keeps.add(point)  # the last point of a draw, or a line; a draw has no line
            else:
                own = self._own | as_bits([point])
                attack = Attack(own, self._other, 1) if value > 0 else Attack(self._other, own, 0)
                open_attacks[point] = attack
        publish()
        while open_attacks:
            point, attack = min(open_attacks.items(), key=lambda item: item[1].spent)
            self._deepen(attack, attack.deeper)
            if not attack.is_open:
                del open_attacks[point]
                if (attack.win > 0) == (value > 0):
                    keeps.add(point)
            publish()

    def _deepen(self, attack: Attack, depth: int) -> None:
        """Search an attack to a depth in plies, or as deep as the limit allows."""
        if self._most_plies is not None:
            if attack.hold >= self._most_plies:
                raise SearchEnded
            depth = min(depth, self._most_plies)
        if depth >= len(self._free):
            depth = NEVER
        self.plies = None if depth == NEVER else depth
        attack.deepen(self.exact, depth)


def second_never_wins(board: Board) -> bool:
    """Return whether strategy stealing rules out a win of the side not to move.

    If that side won, it would win as well if it were to move. But then the side to move, having a stone
    wherever the other has one on a mirrored board, and no enemy stone elsewhere, wins by the mirrored
    moves, which is a contradiction. From the empty board this is J. Nash's argument (A. W. Hales and
    R. I. Jewett, "Regularity and positional games", Transactions of the American Mathematical Society 106,
    1963).
    """
    own, other = set(board.stones(board.turn)), board.stones(opponent(board.turn))
    return any(
        own.issuperset(image[point] for point in other)
        and {image[point] for point in own}.issuperset(other)
        for image in symmetries(board.width, board.height)
    )
