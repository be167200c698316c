"""The static evaluation of a position, for players that search and have to stop somewhere.

Each window of k points that holds stones of one side only, and needs n more to be full, is worth ``need``
n to that side; one that needs more than four, or holds both colours, is worth nothing. The sum over all
windows, own less enemy, is the *balance*. Open rows lie in more windows than closed ones, so that ``.XXX.``
comes out far above ``OXXX.`` with no mention of either. Who is to move matters as much: that side gets
``tempo`` for each of its windows that needs two, because it can make a four there, and ``turn``.

>>> from tengen.players.evaluation import DEFAULTS, Evaluation
>>> from tengen.players.windows import Windows
>>> from tengen.game.board import Board
>>> from tengen.players.candidates import closeness
>>> board = Board.from_stones(black="g8 h8 i8".split(), white="g9 i9 k4".split())
>>> evaluation = Evaluation(Windows(board), closeness(board), DEFAULTS)
>>> evaluation.balance(1), evaluation.value(1, evaluation.balance(1))
(85, 120)

A stone changes the windows through its point and no others, so the balance after a move is the balance
before it and the move's *gain*, one look into a table for each of these windows. The gain is also a good
guess at how good a move is: an own window gets longer, an enemy one dies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from tengen.game.points import BLACK, EMPTY, WHITE, Colour, Point
from tengen.players.windows import Windows

DEFAULTS: dict[str, float] = {"need1": 90, "need2": 35, "need3": 12, "need4": 2, "tempo": 10, "turn": 5}
"""The numbers of the evaluation."""

MOST = 19_999
"""The largest value, either way: wins and losses that are certain are worth more."""

Moves: TypeAlias = "list[tuple[float, Point]]"
"""Moves in the order in which to try them, each with its gain."""

Table: TypeAlias = "list[float]"
"""A number for each code of a window, see `tengen.players.windows.Windows`."""


class Evaluation:
    """Values for the position that `windows` holds, whatever it comes to hold.

    Args:
        windows: the position.
        far: each point's distance from the centre; of moves that gain the same the closest comes first.
        parameters: a value for each name in `DEFAULTS`.
    """

    def __init__(self, windows: Windows, far: Sequence[int], parameters: Mapping[str, float]) -> None:
        self._windows = windows
        self._far = far
        self._tempo, self._turn = parameters["tempo"], parameters["turn"]
        self._worth, self._gain = _tables(windows.k, parameters)

    def balance(self, me: Colour) -> float:
        """The sum over all windows, own less enemy."""
        return sum(map(self._worth[me].__getitem__, self._windows.codes))

    def value(self, me: Colour, balance: float) -> float:
        """Return the value of the position for the side to move, whose balance it is; 0 on a full board."""
        if EMPTY not in self._windows.cells:
            return 0
        value = balance + self._turn + self._tempo * self._windows.needing(me, 2)
        return min(max(value, -MOST), MOST)

    def sorted(self, me: Colour, points: Iterable[Point]) -> Moves:
        """The points as moves, those first that gain most."""
        gain, code = self._gain[me].__getitem__, self._windows.codes.__getitem__
        through, far = self._windows.through, self._far
        moves = [(sum(map(gain, map(code, through[point]))), point) for point in points]
        return sorted(moves, key=lambda move: (-move[0], far[move[1]], move[1]))


def _tables(k: int, parameters: Mapping[str, float]) -> tuple[dict[Colour, Table], dict[Colour, Table]]:
    """The value of a window for each colour, and the gain by a stone of that colour, by window code."""
    worth: dict[Colour, Table] = {}
    gain: dict[Colour, Table] = {}
    for colour, own, other in ((BLACK, 1, k + 1), (WHITE, k + 1, 1)):
        worth[colour] = [0] * (k + 1) ** 2
        for stones in range(1, k):
            worth[colour][stones * own] = parameters.get(f"need{k - stones}", 0)
            worth[colour][stones * other] = -worth[colour][stones * own]
        gain[colour] = [0] * (k + 1) ** 2
        for own_stones in range(k):
            for other_stones in range(k - own_stones):
                code = own_stones * own + other_stones * other
                gain[colour][code] = worth[colour][code + own] - worth[colour][code]
    return worth, gain
