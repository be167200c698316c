"""A player that counts stones on lines: the game seen as what it is, k points in a row.

The idea. Every row of k points on the board is a *line* that somebody may win: 8 of them on 3x3 with
k = 3, 572 on 15x15 with k = 5. Give each line a counter, add 1 for each black stone on it and take 1 off
for each white one, and a counter that reaches k or -k is the end of the game:

>>> from tengen.players.lines import Lines, counters
>>> from tengen import Board
>>> board = Board.from_moves("b2 c3 b3 b1 a3 c1 c2 a1", rules="tictactoe")
>>> list(counters(board).values())  # three columns, three rows from the top, two diagonals
[0, 1, -1, 1, 2, -3, 1, -1]

The same lines say where to play. A point is worth what the lines through it are worth together, and a
line is worth more the more stones it holds. A line with n own stones is worth

    own * n * growth^(n-1)

and one with n enemy stones the same with `enemy` in place of `own`. A line that needs only one more stone
counts `win` times (own) or `block` times (enemy). A line that nobody can win any more, because it holds
both colours or because the rules would not count it (too long a row, say), is *dead*: its worth, that of
the two colours together, counts `dead` times. Six numbers, and three settings of them:

- ``o4``: own = enemy = growth = win = block = dead = 1. Each stone on a line with the point counts 1,
  whoever owns it. On 3x3 that is the rule "+a for an own and +b for an enemy stone on the same row, column
  or diagonal", with a = `own` and b = `enemy`; on larger boards a stone close by shares more lines with the
  point, and counts more.
- ``open``, the default: a line grows fourfold with each stone, a dead line counts nothing, a win outweighs
  all else and a block all but a win.
- ``tuned``: ``open`` with two other numbers, found by letting it play (`tengen.arena.tuning`). The enemy's
  stones count 0.6 of one's own: better build than spoil. A line grows 2.5-fold, so that several short lines
  through a point count for more beside one long one.

A worked example, ``o4`` on 3x3 with Black in the centre and White in the corner a1, Black to move:

>>> player, board = Lines("o4"), Board.from_moves("b2 a1", rules="tictactoe")
>>> weights = player.explain(board).weights
>>> {board.name(point): weight for point, weight in weights.items()}
{'b1': 2, 'c1': 2, 'a2': 2, 'c2': 1, 'a3': 2, 'b3': 1, 'c3': 2}

c3 counts the black b2 and the white a1 on its diagonal, though that line is dead: what ``o4`` is blind to.

Cost: each line is looked at once, some milliseconds on 15x15.

Blind to: time. It never asks what the opponent answers, so two lines that cross in one point (a fork) are
just a sum, and ``o4`` does not even see that a line is one stone short.

From: the line counters of tic-tac-toe on a micro:bit (origin O1, whose numbers the counters keep on 3x3)
and the third way to decide of a tic-tac-toe robot in Python (origin O4), carried over to any board and any
k. There a stone in the centre counted one of its diagonals only, and ties went to the first cell; here it
counts both, and ties go to the centre. The robot's coefficients were to be found by letting robots play
each other; `Lines.parameters` is what such a search turns, and ``tuned`` is what it found.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tengen.game.board import Board
from tengen.game.player import Choice, Explanation, Limit, Part, player_repr
from tengen.game.points import Colour, Point, opponent
from tengen.players.candidates import pick, playable
from tengen.players.parameters import number, preset_of, tuned
from tengen.players.spec import spec_text
from tengen.words import Message

PRESETS: dict[str, dict[str, float]] = {
    "open": {"own": 1, "enemy": 1, "growth": 4, "win": 1_000_000, "block": 1_000, "dead": 0},
    "tuned": {"own": 1, "enemy": 0.6, "growth": 2.5, "win": 1_000_000, "block": 1_000, "dead": 0},
    "o4": {"own": 1, "enemy": 1, "growth": 1, "win": 1, "block": 1, "dead": 1},
}
"""The parameters of each preset; the first is the default."""


class BoardLine(NamedTuple):
    """k points in a row, and the points of the board that lie next to its two ends."""

    points: tuple[Point, ...]
    ends: tuple[Point, ...]


class Lines:
    """Plays the point through which the most valuable lines pass.

    Args:
        preset: ``"open"``, ``"tuned"`` or ``"o4"``.
        seed: which of equal points equally close to the centre is played; None the first.
        changes: parameters with another value than the preset's: `own`, `enemy`, `growth`, `win`,
            `block`, `dead`.

    Attributes:
        parameters: all parameters by name.
    """

    def __init__(self, preset: str = "open", seed: int | None = None, **changes: float) -> None:
        defaults = preset_of("lines", preset, PRESETS)
        self.parameters = tuned(defaults, changes)
        self._seed = seed
        self.name = spec_text(f"lines:{preset}", defaults, self.parameters, seed)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The point with the largest weight.

        Raises:
            GameOver: the game is over.
        """
        start = time.perf_counter()
        weights = dict.fromkeys(playable(board), 0.0)
        for line, _, _, value in self._valued(board):
            for point in line.points:
                if point in weights:
                    weights[point] += value
        point = pick(board, weights, self._seed)
        return Choice(point, line=(point,), nodes=len(weights), seconds=time.perf_counter() - start)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Each point with the lines through it that are worth something."""
        parts: dict[Point, list[Part]] = {point: [] for point in playable(board)}
        if not parts:
            return Explanation(Message("explain.nothing"))
        for line, own, enemy, value in self._valued(board):
            for point in line.points:
                if point in parts:
                    parts[point].append(Part(_label(own, enemy), line.points, value))
        weights = {point: sum(part.value for part in seen) for point, seen in parts.items()}
        point = pick(board, weights, self._seed)
        values = {
            "point": board.name(point),
            "weight": number(weights[point]),
            "lines": len(parts[point]),
        }
        return Explanation(
            Message("explain.lines", values), weights, {p: tuple(seen) for p, seen in parts.items()}
        )

    def _valued(self, board: Board) -> Iterator[tuple[BoardLine, int, int, float]]:
        """Each line that is worth something, with its own stones, its enemy stones and its value."""
        rules, position, me = board.rules, board.position, board.turn
        own_values, enemy_values = (
            [self._coefficient(side, last, stones, rules.k) for stones in range(rules.k + 1)]
            for side, last in (("own", "win"), ("enemy", "block"))
        )
        for line in _lines(rules.width, rules.height, rules.k):
            stones = [position[point] for point in line.points]
            own, enemy = stones.count(me), stones.count(opponent(me))
            value = own_values[own] + enemy_values[enemy]
            if value and (own * enemy or not _may_win(board, position, line, me if own else opponent(me))):
                value *= self.parameters["dead"]
            if value:
                yield line, own, enemy, value

    def _coefficient(self, side: str, last: str, stones: int, k: int) -> float:
        """The value of a line of one side's: `side` and `last` name its parameters."""
        if stones == 0:
            return 0
        value = self.parameters[side] * stones * self.parameters["growth"] ** (stones - 1)
        return value * self.parameters[last] if stones == k - 1 else value


def counters(board: Board) -> dict[tuple[Point, ...], int]:
    """The counter of each line: +1 for every black and -1 for every white stone on it.

    The lines come as columns from the left, rows from the top, falling and rising diagonals, so that on
    3x3 they have the numbers 0 to 7 of origin O1. A counter at k or -k is a row that wins, where the
    rules count a longer row and a blocked one as won too.
    """
    worth = (0, 1, -1)
    position, rules = board.position, board.rules
    return {
        line.points: sum(worth[position[point]] for point in line.points)
        for line in _lines(rules.width, rules.height, rules.k)
    }


@lru_cache(maxsize=32)
def _lines(width: int, height: int, k: int) -> tuple[BoardLine, ...]:
    """All lines of a board, in the order of `counters`."""
    columns = [(x, y) for x in range(width) for y in range(height)]
    rows = [(x, y) for y in range(height) for x in range(width)]
    found = {}
    for dx, dy, starts in ((0, 1, columns), (1, 0, rows), (1, 1, rows), (-1, 1, rows)):
        for x, y in starts:
            # One step beyond either end; y counts from the top here, as in O1.
            steps = [(x + i * dx, y + i * dy) for i in range(-1, k + 1)]
            inside = [(height - 1 - v) * width + u for u, v in steps[1:-1] if _on(u, v, width, height)]
            ends = [(height - 1 - v) * width + u for u, v in steps[:: k + 1] if _on(u, v, width, height)]
            if len(inside) == k:
                found[tuple(inside)] = BoardLine(tuple(inside), tuple(ends))
    return tuple(found.values())


def _on(x: int, y: int, width: int, height: int) -> bool:
    return 0 <= x < width and 0 <= y < height


def _may_win(board: Board, position: bytes, line: BoardLine, colour: Colour) -> bool:
    """Return whether `colour` would win by holding all of the line, given the stones next to its ends."""
    rules = board.rules
    stones = [position[point] for point in line.ends]
    if colour in stones and not rules.overline_wins(colour):
        return False
    return rules.blocked_five == "wins" or stones.count(opponent(colour)) < 2


def _label(own: int, enemy: int) -> Message:
    if own and enemy:
        return Message("explain.lines.mixed", {"own": own, "enemy": enemy})
    if own:
        return Message("explain.lines.own", {"count": own})
    return Message("explain.lines.enemy", {"count": enemy})
