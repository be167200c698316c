"""A plain AND/OR search over threats, as `tengen.solver.threats.vct` states them: for small boards."""

from __future__ import annotations

from tengen import EMPTY, WHITE, Board, Rules
from tengen.game.fouls import find_foul
from tengen.game.points import Colour, Point, axes, opponent
from tengen.game.rows import winning_rows

ALL = 1 << 40


class TooLong(Exception):
    """More positions than the search may look at."""


class ThreatOracle:
    """Whether an attacker wins by fours and threes, with every legal answer tried.

    Args:
        rules: of the game.
        most: positions to look at.
        quiet: whether a move may prepare a win by fours as well.
    """

    def __init__(self, rules: Rules, most: int = ALL, *, quiet: bool = False) -> None:
        self._rules = rules
        self._grid = axes(rules.width, rules.height)
        self._windows = [
            (point, *axis.forward[:4])
            for point, through in enumerate(self._grid)
            for axis in through
            if len(axis.forward) >= 4
        ]
        self._windows_at = [
            [window for window in self._windows if point in window] for point in range(rules.points)
        ]
        self._most = most
        self._quiet = quiet
        self._known: dict[bytes, bool] = {}
        self._by_fours: dict[bytes, bool] = {}

    def wins(self, board: Board, attacker: Colour) -> bool:
        """Whether the attacker, who is to move, wins by such threats.

        Raises:
            TooLong: too many positions.
        """
        return self._attack(list(board.position), attacker)

    def beats(self, board: Board, point: Point) -> bool:
        """Whether the side to move wins by a move to a point: by such threats after every answer.

        Raises:
            TooLong: too many positions.
        """
        return self._beats_all(self._with(list(board.position), point, board.turn), board.turn)

    def wins_within(self, board: Board, attacker: Colour, plies: int) -> bool:
        """Whether the attacker, who is to move, wins within so many plies, the five included.

        Raises:
            TooLong: too many positions.
        """
        self._known.clear()
        return self._attack(list(board.position), attacker, plies)

    def _attack(self, cells: list[int], attacker: Colour, plies: int = ALL) -> bool:
        key = bytes(cells)
        if key not in self._known:
            self._most -= 1
            if self._most < 0:
                raise TooLong
            self._known[key] = self._attack_anew(cells, attacker, plies)
        return self._known[key]

    def _attack_anew(self, cells: list[int], attacker: Colour, plies: int) -> bool:
        if plies < 1 or self.fives(cells, attacker):
            return plies > 0
        if plies < 3:
            return False
        pressed = bool(self.fives(cells, opponent(attacker)))
        moves = [(-len(self.fives(self._with(cells, point, attacker), attacker)), point)
                 for point in self._legal(cells, attacker)]  # fmt: skip
        for _, point in sorted(moves):
            after = self._with(cells, point, attacker)
            threat = self._is_threat(after, attacker, point, pressed)
            if threat and self._beats_all(after, attacker, plies - 1):
                return True
        return False

    def _beats_all(self, cells: list[int], attacker: Colour, plies: int = ALL) -> bool:
        defender = opponent(attacker)
        legal = self._legal(cells, defender)
        if not legal:
            # Fouls that are moves lose; a side without a move has a draw.
            return EMPTY in cells and self._rules.fouls != "forbidden"
        hopeful = set(self.fives(cells, attacker))
        legal.sort(key=lambda point: point not in hopeful)
        return all(self._attack(self._with(cells, point, defender), attacker, plies - 1) for point in legal)

    def threats(self, cells: list[int], attacker: Colour) -> list[Point]:
        """The attacker's threats; it has no five to make, and none to stop."""
        return [
            point
            for point in self._legal(cells, attacker)
            if self._is_threat(self._with(cells, point, attacker), attacker, point, False)
        ]

    def wins_at_once(self, cells: list[int], attacker: Colour) -> bool:
        """Whether the attacker, to move, makes a five or has one to come that nothing stops."""
        if self.fives(cells, attacker):
            return True
        return not self.fives(cells, opponent(attacker)) and self._wins_by_one_four(cells, attacker)

    def _wins_by_one_four(self, cells: list[int], attacker: Colour) -> bool:
        """Whether the attacker has a four that the defender may not stop; neither has a five to make."""
        return any(self._is_winning_four(cells, point, attacker) for point in self._fours(cells, attacker))

    def _fours(self, cells: list[int], attacker: Colour) -> set[Point]:
        """Where a stone of the attacker's may make a four."""
        found: set[Point] = set()
        for window in self._windows:
            stones = [cells[point] for point in window]
            if stones.count(attacker) == 3 and stones.count(EMPTY) == 2:
                found |= {point for point, stone in zip(window, stones, strict=True) if stone == EMPTY}
        return found

    def _is_winning_four(self, cells: list[int], point: Point, attacker: Colour) -> bool:
        """Whether the attacker may play there, and makes a four that the defender may not stop."""
        later = self._with(cells, point, attacker)
        fives = self.fives(later, attacker, self._windows_at[point])
        return self._is_unanswered(later, fives, attacker) and self._is_legal(cells, point, attacker)

    def _is_unanswered(self, cells: list[int], fives: list[Point], attacker: Colour) -> bool:
        """Whether the defender, to move, may not stop what there is of fives."""
        return len(fives) > 1 or any(not self._is_legal(cells, five, opponent(attacker)) for five in fives)

    def _is_threat(self, cells: list[int], attacker: Colour, point: Point, pressed: bool) -> bool:
        """Whether the attacker's stone on a point, made already, is a threat.

        It is one if a stone more would make a four that wins, and would not have without it, or the four
        runs through both; where the defender had a five to make (`pressed`), all such fours count.
        """
        if self.fives(cells, opponent(attacker)):
            return False
        if self.fives(cells, attacker) or (self._quiet and self.wins_by_fours(cells, attacker)):
            return True
        before = self._with(cells, point, EMPTY)
        return any(
            pressed
            or not self._is_winning_four(before, further, attacker)
            or self._share_a_row(cells, point, further, attacker)
            for further in self._fours(cells, attacker)
            if self._is_winning_four(cells, further, attacker)
        )

    def _share_a_row(self, cells: list[int], point: Point, further: Point, attacker: Colour) -> bool:
        """Whether with a stone on the further point a five runs through both."""
        later = self._with(cells, further, attacker)
        return any(
            point in row and further in row
            for five in self.fives(later, attacker)
            for row in self._rows(later, five, attacker)
        )

    def wins_by_fours(self, cells: list[int], attacker: Colour) -> bool:
        """Whether the attacker, to move, wins by fours alone."""
        key = bytes(cells)
        if key not in self._by_fours:
            self._most -= 1
            if self._most < 0:
                raise TooLong
            fives = self.fives(cells, attacker)
            self._by_fours[key] = bool(fives) or any(
                self._is_strong_four(self._with(cells, point, attacker), attacker)
                for point in self._legal(cells, attacker)
            )
        return self._by_fours[key]

    def _is_strong_four(self, cells: list[int], attacker: Colour) -> bool:
        """Whether the attacker, after its move, threatens a five and wins by fours after each answer."""
        defender = opponent(attacker)
        if not self.fives(cells, attacker) or self.fives(cells, defender):
            return False
        legal = self._legal(cells, defender)
        if not legal:
            return EMPTY in cells and self._rules.fouls != "forbidden"
        return all(self.wins_by_fours(self._with(cells, point, defender), attacker) for point in legal)

    def _rows(self, cells: list[int], point: Point, colour: Colour) -> tuple[tuple[Point, ...], ...]:
        return winning_rows(self._rules, cells, point, self._grid[point], colour)

    def fives(
        self, cells: list[int], colour: Colour, windows: list[tuple[Point, ...]] | None = None
    ) -> list[Point]:
        """Where a stone of a colour makes a five; of some rows of five points alone if they are given."""
        found = set()
        for window in self._windows if windows is None else windows:
            stones = [cells[point] for point in window]
            if stones.count(colour) == 4 and EMPTY in stones:
                point = window[stones.index(EMPTY)]
                if self._rows(cells, point, colour):
                    found.add(point)
        return sorted(found)

    def _legal(self, cells: list[int], colour: Colour) -> list[Point]:
        return [
            point
            for point, stone in enumerate(cells)
            if stone == EMPTY and self._is_legal(cells, point, colour)
        ]

    def _is_legal(self, cells: list[int], point: Point, colour: Colour) -> bool:
        """Whether a stone on an empty point is no foul."""
        if colour == WHITE or not self._rules.has_fouls:
            return True
        return find_foul(self._rules, cells, self._grid, point) is None

    @staticmethod
    def _with(cells: list[int], point: Point, colour: Colour) -> list[int]:
        after = list(cells)
        after[point] = colour
        return after
