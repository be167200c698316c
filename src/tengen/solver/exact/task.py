"""From attacks that succeed or fail to the value of a position, its best points and its distance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tengen.game.board import Board
from tengen.game.points import EMPTY, Point, opponent
from tengen.game.symmetry import representatives, symmetries
from tengen.solver.exact.lines import as_bits
from tengen.solver.exact.run import ExactRun, SearchEnded
from tengen.solver.exact.table import NEVER

_PATIENCE = 500_000
"""Positions after which an attack is searched deeper by more than a move of each side at a time."""


@dataclass(slots=True)
class Attack:
    """One side's attempt to force a line.

    Attributes:
        attacker: its stones, as bits.
        defender: the other side's.
        turn: 0 where the attacker is to move, 1 for the defender.
        hold: plies within which it does not succeed; `NEVER` for ever.
        win: plies within which it succeeds; 0 while that is not known.
        step: plies by which it is searched deeper.
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
        """Whether it is not known if it succeeds."""
        return self.win == 0 and self.hold < NEVER

    @property
    def next(self) -> int:
        """The least number of plies within which it may succeed yet: odd where the attacker is to move."""
        return self.hold + (2 if self.hold % 2 != self.turn else 1)

    @property
    def deeper(self) -> int:
        """The plies within which it is to be searched next, where it is searched for its outcome only."""
        return self.next + self.step - 2

    def search(self, run: ExactRun, depth: int) -> None:
        """Search it so many plies deep. Raises `SearchEnded`, where a limit was reached first."""
        before = run.nodes
        found = run.within(self.attacker, self.defender, self.turn, depth)
        self.spent += run.nodes - before
        if self.spent > _PATIENCE:
            self.step *= 2
        if found > 0:
            self.win = found
        else:
            self.hold = max(self.hold, -found)


class ExactTask:
    """What is to be found out about a position, and what has been.

    Args:
        board: the position.
        nodes: positions that may be visited.
        most: plies to look ahead; None for all.
        memory_mb: megabytes for what is proven.
        file: where that is kept between runs; None for nowhere.
        value_only: whether best points and distance are left out.

    Attributes:
        bounds: the least and the greatest value that are not ruled out.
        distance: plies to the end, if known.
        best: points that keep the value,
        complete: and whether these are all.
        aim: what is being found out: ``"value"``, ``"distance"`` or ``"best"``.
        plies: the game is searched so far ahead; None to its end.

    Raises:
        FileError: the file cannot be read or written, or is none of this game.
    """

    def __init__(
        self,
        board: Board,
        nodes: int,
        most: int | None,
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
        self._board, self._most, self._value_only = board, most, value_only
        self._run = ExactRun(board.rules, nodes, memory_mb, file)
        self._own, self._other = (
            as_bits(board.stones(side)) for side in (board.turn, opponent(board.turn))
        )
        self._free = board.stones(EMPTY)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self._run.nodes

    @property
    def share(self) -> float:
        """How much of the search that runs is done; see `ExactRun.share`."""
        return self._run.share

    @property
    def left(self) -> float | None:
        """Seconds that it will take yet; see `ExactRun.left`."""
        return self._run.left

    def end(self) -> None:
        """End it; called from another thread."""
        self._run.end()

    def save_in_time(self) -> None:
        """Have what is proven saved if that was long ago; called from another thread."""
        self._run.save_in_time()

    def work(self) -> None:
        """Find out all that is wanted, as far as the limits allow.

        Raises:
            FileError: what is proven cannot be written.
        """
        try:
            self._find()
        except SearchEnded:
            pass
        finally:
            self._run.save()

    def _find(self) -> None:
        own = Attack(self._own, self._other, 0)
        other = Attack(self._other, self._own, 1)
        if second_never_wins(self._board):
            other.hold = NEVER
        value = self._value(own, other)
        if value == 0:
            self.distance = len(self._free)
        if self._value_only:
            return
        if value != 0:
            self.aim = "distance"
            self.distance = self._shortest(own if value > 0 else other)
        self.aim = "best"
        self._find_best(value)

    def _value(self, own: Attack, other: Attack) -> int:
        """The value; both attacks are searched in turn, the one first that has taken less so far."""
        while not (own.win or other.win):
            attacks = [attack for attack in (own, other) if attack.is_open]
            if not attacks:
                break
            attack = min(attacks, key=lambda attack: attack.spent)
            self._search(attack, attack.deeper)
            self.bounds = -1 if other.is_open else 0, 1 if own.is_open else 0
        value = 1 if own.win else -1 if other.win else 0
        self.bounds = value, value
        return value

    def _shortest(self, attack: Attack) -> int:
        """The fewest plies within which an attack that succeeds does."""
        while attack.next < attack.win:
            self._search(attack, attack.next)
        return attack.win

    def _find_best(self, value: int) -> None:
        """Find the points that keep the value, those that are told with little effort first."""
        first = representatives(self._board)
        open_attacks: dict[Point, Attack] = {}
        keeps: set[Point] = set()

        def tell(done: bool) -> None:
            self.best = tuple(point for point in self._free if first[point] in keeps)
            self.complete = done

        for point in sorted(set(first.values())):
            after = self._board.copy()
            after.push(point)
            if value < 0 or after.outcome() is not None:
                keeps.add(point)  # the last point of a draw, or a line; a draw has no line
            else:
                own = self._own | as_bits([point])
                attack = Attack(own, self._other, 1) if value > 0 else Attack(self._other, own, 0)
                open_attacks[point] = attack
        tell(not open_attacks)
        while open_attacks:
            point, attack = min(open_attacks.items(), key=lambda item: item[1].spent)
            self._search(attack, attack.deeper)
            if not attack.is_open:
                del open_attacks[point]
                if (attack.win > 0) == (value > 0):
                    keeps.add(point)
            tell(not open_attacks)

    def _search(self, attack: Attack, depth: int) -> None:
        """Search an attack so many plies deep, or as deep as is allowed."""
        if self._most is not None:
            if attack.hold >= self._most:
                raise SearchEnded
            depth = min(depth, self._most)
        if depth >= len(self._free):
            depth = NEVER
        self.plies = None if depth == NEVER else depth
        attack.search(self._run, depth)


def second_never_wins(board: Board) -> bool:
    """Whether strategy stealing rules out that the side not to move wins.

    If it won, it would win as well if it were to move. But then the side that is to move, having a stone
    wherever the other has one on a mirrored board, and no enemy's stone elsewhere, wins by the same moves,
    mirrored. Both cannot be. From the empty board this is J. Nash's argument (A. W. Hales and R. I. Jewett,
    "Regularity and positional games", Transactions of the American Mathematical Society 106, 1963).
    """
    own, other = set(board.stones(board.turn)), board.stones(opponent(board.turn))
    return any(
        own.issuperset(image[point] for point in other)
        and {image[point] for point in own}.issuperset(other)
        for image in symmetries(board.width, board.height)
    )
