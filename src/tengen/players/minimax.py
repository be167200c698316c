"""A player that looks ahead: what can I do, what can the other side do then, and so on.

WRITE
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import NamedTuple

from tengen.game.board import Board
from tengen.game.player import WIN, Branch, Choice, Explanation, Limit, Score
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point, opponent
from tengen.players.budget import Budget, Spent, whole
from tengen.players.candidates import closeness, near, pick
from tengen.players.parameters import number, spec, tuned
from tengen.players.windows import Windows
from tengen.words import Message

DEFAULTS: dict[str, float] = {"need1": 120, "need2": 40, "need3": 10, "need4": 2, "tempo": 40, "turn": 5}

DISTANCE = 2

_MATE = WIN - 10_000
"""Values beyond this one, either way, are wins and losses that were seen to the end."""

_SHOWN_PLIES = 3
_SHOWN_MOVES = 8


class Result(NamedTuple):
    """What is known of a position: its value for the side to move, and the moves that show it."""

    value: float
    line: tuple[Point, ...] = ()
    branches: tuple[Branch, ...] = ()


class Minimax:
    def __init__(self, depth: int = 5, width: int = 16, **changes: float) -> None:
        self.depth = whole("depth", depth, 1)
        self.width = whole("width", width, 1)
        self.parameters = tuned(DEFAULTS, changes)
        defaults = {"depth": 5, "width": 16, **DEFAULTS}
        self.name = spec("minimax", defaults, {"depth": depth, "width": width, **self.parameters}, None)

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The first move of the best line found.

        Raises:
            GameOver: the game is over.
        """
        search = _Search(board, self, Budget(limit, stop))
        best = search.deepen(self._deepest(limit), shown=0)
        point = best.line[0] if best.line else pick(board, dict.fromkeys(near(board, DISTANCE), 0.0))
        line = best.line or (point,)
        return Choice(point, _score(best.value), line, search.budget.nodes, search.budget.seconds)

    def explain(self, board: Board) -> Explanation:
        ...

    def _deepest(self, limit: Limit | None) -> int:
        if limit is None or limit == Limit():
            return self.depth
        return limit.depth if limit.depth is not None else 999


class _Search:
    """One search from one position, see `deepen`."""

    def __init__(self, board: Board, player: Minimax, budget: Budget) -> None:
        self.windows = Windows(board)
        self.budget = budget
        self.colour = board.turn
        self.width = player.width
        self.parameters = player.parameters
        self.near = frozenset(near(board, DISTANCE))
        self.closeness = closeness(board)
        self.worth = worths(self.windows.k, player.parameters)
        self.shown = 0
        self.cutoffs = 0
        self.killers = {}
        self.first: Point | None = None
        self.so_far: Result | None = None

    def deepen(self, deepest: int, shown: int) -> Result:
        balance = sum(self.worth[self.colour][0][code] for code in self.windows.codes)
        best = Result(0.0)
        self.depth = 0
        try:
            if moves := self.moves(self.colour, self.near):
                best = Result(balance, (moves[0][1],))
            for depth in range(1, min(deepest, len(self.windows.empty())) + 1):
                self.so_far = None
                best = self.search(self.colour, depth, -WIN, WIN, 0, balance, self.near)
                self.depth=depth
                self.first = best.line[0] if best.line else None
                if abs(best.value) > _MATE:
                    break
        except Spent:
            best = self.so_far or best
        return best

    def search(
        self,
        me: Colour,
        depth: int,
        low: float,
        high: float,
        ply: int,
        balance: float,
        near: frozenset[Point],
    ) -> Result:
        windows, enemy = self.windows, opponent(me)
        if fives := windows.fives(me):
            return Result(WIN - ply - 1, (fives[0],))
        threatened = windows.fives(enemy)
        if not threatened:
            if point := self.double(me):
                return Result(WIN - ply - 3, (point,))
            if depth <= 0:
                tempo = self.parameters["tempo"] * windows.needing(me, 2)
                return Result(balance + tempo + self.parameters["turn"])
            moves = self.moves(me, near)
        else:
            moves = self.weighed(me, windows.answers(enemy))
            if not moves:
                return Result(ply + 2 - WIN)
            depth = max(depth, 1)
        first = self.first if ply == 0 else self.killers.get(ply)
        moves.sort(key=lambda m: m[1] != first)
        best = Result(-WIN)
        tried = 0
        for gain, point in moves:
            if tried >= self.width and best.value > -_MATE:
                break
            if windows.is_foul(point, me):
                continue
            tried += 1
            self.budget.spend()
            windows.place(point, me)
            reply = self.search(
                enemy, depth - 1, -high, -max(low, best.value), ply + 1, -balance - gain,
                near | windows.around(point, DISTANCE))
            windows.lift(point)
            if -reply.value > best.value:
                best = Result(-reply.value, (point, *reply.line))
                if ply == 0: self.so_far = best
                if best.value >= high:
                    self.cutoffs += 1
                    self.killers[ply] = point
                    break
        if not tried:
            return Result(0.0)
        return best

    def moves(self, me, near):
        return self.weighed(me, [p for p in near if not self.windows.cells[p]])

    def weighed(self, me, points):
        code = self.windows.codes.__getitem__
        through = self.windows.through
        gain = self.worth[me][1].__getitem__
        far = self.closeness
        weighed = [(-sum(map(gain, map(code, through[point]))), far[point], point) for point in points]
        weighed.sort()
        return [(-loss, point) for loss, _, point in weighed]

    def double(self, me):
        w = self.windows
        for point, fives in w.fours(me).items():
            if len(fives) > 1 and not w.is_foul(point, me):
                w.place(point, me)
                answers = w.answers(me)
                w.lift(point)
                if not answers:
                    return point
        return None


def worths(k: int, parameters: Mapping[str, float]):
    full = {need: parameters.get(f"need{need}", 0) for need in range(1, k + 1)}
    full[0] = parameters["need1"]
    tables = {}
    for me, step, other in ((BLACK, 1, k + 1), (WHITE, k + 1, 1)):
        worth = [0.0] * (k + 1) ** 2
        for n in range(1, k + 1):
            worth[n * step] = full[k - n]
            worth[n * other] = -full[k - n]
        gain = [0.0] * (k + 1) ** 2
        for b in range(k + 1):
            for w in range(k - b):
                c = b + (k + 1) * w
                gain[c] = worth[c + step] - worth[c]
        tables[me] = worth, gain
    return tables


def _score(v):
    return Score(round(v))
