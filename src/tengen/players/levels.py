"""Players that are weaker on purpose: a beginner, a casual and a thoughtful player.

The idea. A strong player with random mistakes is no fun: it plays like a master and then gives a five away.
People are weak in another way, they *overlook*: the diagonal, the far end of the board, the row that is
only three long yet. So a level here is a good player with part of the board hidden from it, and what it
sees it plays well. Two things no level ever does: it never misses its own five, and it never plays a foul
while there is anything else.

- **1, the beginner**, weighs shapes as `tengen.players.shapes` does, but looks only near the last two
  stones, does not see the opponent's stones on diagonals, and does not notice an enemy row before it needs
  only one more stone. Its taste varies: every point gets a whim on top, up to half of the largest weight.
- **2, the casual player**, sees all of the board and all directions and always stops a five. One time in
  three it does not notice the opponent's shorter rows. Its whims are smaller.
- **3, the thoughtful player**, weighs nothing by shapes: it looks for a win by at most three fours
  (`tengen.players.threats`), and else two plies ahead (`tengen.players.minimax`), with an evaluation that
  varies by a fifth. What it cannot see is the long combination.

A worked example: White has three on a diagonal, and a beginner is Black. It sees a row of its own to make
longer, and the explanation says what it has missed:

>>> from tengen import Board
>>> board = Board.from_stones(black="i10 j10 l12".split(), white="d5 e6 f7".split())
>>> print(Level("1").explain(board).summary)
level 1, beginner: k10 is the heaviest point it sees (did not notice d5 e6 f7, a whim decided)

What it overlooks depends on the seed and the position alone, so that it is the same when asked again.

Cost: levels 1 and 2 some 10 milliseconds on 15x15, level 3 some 30.

Blind to: what is said above.

From: the easier computer of origin O5, which looks at one direction where the other adds up two.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from tengen.game.board import Board
from tengen.game.player import Choice, Explanation, Limit, Part, Score
from tengen.game.points import PASS, Point, distance, opponent
from tengen.players.budget import Budget
from tengen.players.candidates import pick
from tengen.players.evaluation import DEFAULTS
from tengen.players.minimax import Minimax
from tengen.players.parameters import preset_of, spec
from tengen.players.random import generator
from tengen.players.shapes import Shapes
from tengen.players.threats import Vcf, find_vcf
from tengen.players.windows import Windows
from tengen.words import Message


@dataclass(frozen=True, slots=True)
class Weighs:
    """A level that weighs shapes, and what it does not see.

    Attributes:
        near: it looks only this many king's moves around the last two stones; None is everywhere.
        straight: it does not see the opponent's stones on diagonals.
        careless: how often it does not notice enemy rows that need more than one stone.
        alert: it always stops a five.
        whim: the largest whim, as a part of the largest weight.
    """

    near: int | None = None
    straight: bool = False
    careless: float = 0.0
    alert: bool = True
    whim: float = 0.0


@dataclass(frozen=True, slots=True)
class Searches:
    """A level that looks ahead, and how far.

    Attributes:
        fours: it follows at most this many fours of its own ...
        nodes: ... and places at most this many stones in doing so.
        depth: plies it looks ahead otherwise.
        width: moves it looks at in each position.
        taste: how far its evaluation varies, as a part of each number.
    """

    fours: int
    nodes: int
    depth: int
    width: int
    taste: float


LEVELS: dict[str, Weighs | Searches] = {
    "1": Weighs(near=2, straight=True, careless=1.0, alert=False, whim=0.5),
    "2": Weighs(careless=1 / 3, whim=0.25),
    "3": Searches(fours=3, nodes=2000, depth=2, width=10, taste=0.2),
}
"""The levels, the weakest first."""


class Level:
    """Plays at one of the levels in `LEVELS`.

    Args:
        level: ``"1"``, ``"2"`` or ``"3"``.
        seed: of what it overlooks and of its whims; any whole number.
    """

    def __init__(self, level: str = "1", seed: int = 0) -> None:
        self._how: Weighs | Searches = preset_of("level", level, LEVELS)
        self._level = level
        self._seed = seed
        self.name = spec(f"level:{level}", {}, {}, seed or None)

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The move that seems best to it. A limit can shorten its thoughts, not lengthen them.

        Raises:
            GameOver: the game is over.
        """
        if isinstance(self._how, Searches):
            return _search(self._how, board, generator(self._seed, board), limit or Limit(), stop)
        budget = Budget()
        view = _weigh(self._how, board, generator(self._seed, board))
        point = pick(board, view.weights)
        return Choice(point, line=(point,), nodes=len(view.weights), seconds=budget.seconds)

    def explain(self, board: Board) -> Explanation:
        """What it sees, in its own weights, and which of its limits made it see less."""
        random = generator(self._seed, board)
        if isinstance(self._how, Searches):
            why, limits = _explain_search(self._how, board, random)
        else:
            view = _weigh(self._how, board, random)
            point = pick(board, view.weights) if view.weights else PASS
            message = Message("explain.level.heaviest", {"point": board.name(point)})
            why, limits = Explanation(message, view.weights, view.parts), view.limits
        if not why.weights:
            return Explanation(Message("explain.nothing"))
        values = {"level": Message(f"level.{self._level}"), "why": why.summary, "limits": limits}
        return replace(why, summary=Message("explain.level.limited" if limits else "explain.level", values))


@dataclass(frozen=True, slots=True)
class _View:
    """What a level that weighs shapes sees, and which of its limits made a difference."""

    weights: Mapping[Point, float]
    parts: Mapping[Point, tuple[Part, ...]] = field(default_factory=dict)
    limits: tuple[Message, ...] = ()


def _weigh(how: Weighs, board: Board, random: Random) -> _View:
    """The weights of the shapes, less what is overlooked, and a whim for each point."""
    if board.outcome():
        return _View({})
    windows = Windows(board)
    if fives := windows.fives(board.turn):
        return _View({fives[0]: 1.0})
    shapes = Shapes("o2").explain(board)
    points, limits = _points(how, board, windows, list(shapes.weights))
    notices = random.random() >= how.careless
    parts: dict[Point, list[Part]] = {point: [] for point in points}
    hidden: dict[str, tuple[Point, ...]] = {"careless": (), "straight": ()}
    for point in points:
        for part in shapes.parts[point]:
            stones = tuple(other for other in part.points if board[other] == opponent(board.turn))
            reason = _overlooks(how, board, point, stones, notices)
            if reason is None:
                parts[point].append(part)
            else:
                hidden[reason] = max(hidden[reason], stones, key=len)
    for reason, stones in hidden.items():
        if len(stones) > 1:
            limits.append(Message(f"explain.level.{reason}", {"stones": " ".join(map(board.name, stones))}))
    sober = {point: sum(part.value for part in seen) for point, seen in parts.items()}
    most = how.whim * max(sober.values(), default=0)
    label = Message("explain.level.whim")
    for point, seen in parts.items():
        seen.append(Part(label, (point,), round(most * random.random(), 1)))
    weights = {point: sum(part.value for part in seen) for point, seen in parts.items()}
    if weights and pick(board, weights) != pick(board, sober):
        limits.append(Message("explain.level.whim_decides"))
    return _View(weights, {point: tuple(seen) for point, seen in parts.items()}, tuple(limits))


def _points(
    how: Weighs, board: Board, windows: Windows, points: list[Point]
) -> tuple[list[Point], list[Message]]:
    """Those of the points that come into question, and the limit that left the others out."""
    if how.alert:
        answers = windows.answers(opponent(board.turn))
        return [point for point in points if point in answers] or points, []
    last = [move for move in board.moves[-2:] if move != PASS]
    if how.near is not None and last:
        close = [p for p in points if min(distance(p, stone, board.width) for stone in last) <= how.near]
        if close:
            return close, [Message("explain.level.near")]
    return points, []


def _overlooks(
    how: Weighs, board: Board, point: Point, stones: tuple[Point, ...], notices: bool
) -> str | None:
    """The limit that hides a shape of these enemy stones, seen from a point; None if it is seen."""
    if stones and not notices and len(stones) < board.rules.k - 1:
        return "careless"
    y, x = divmod(point, board.width)
    aslant = any(other // board.width != y and other % board.width != x for other in stones)
    return "straight" if how.straight and aslant else None


def _search(
    how: Searches, board: Board, random: Random, limit: Limit, stop: threading.Event | None
) -> Choice:
    """The first move of a short win by fours, else what a short search finds."""
    budget = Budget()
    win = _short_win(how, board, limit, stop)
    if win.line:
        score = Score.win_in(len(win.line))
        return Choice(win.line[0], score, win.line, win.nodes, budget.seconds)
    rest = Limit(
        None if limit.seconds is None else max(limit.seconds - budget.seconds, 0),
        None if limit.nodes is None else limit.nodes - win.nodes,
        how.depth if limit.depth is None else min(how.depth, limit.depth),
    )
    choice = _ahead(how, random).choose(board, rest, stop)
    return replace(choice, nodes=win.nodes + choice.nodes, seconds=budget.seconds)


def _explain_search(how: Searches, board: Board, random: Random) -> tuple[Explanation, tuple[Message, ...]]:
    """The explanation of the search that decides, and the limits it has."""
    win = _short_win(how, board, Limit(), None)
    if win.line:
        values = {"point": board.name(win.line[0]), "line": tuple(map(board.name, win.line))}
        message = Message("explain.level.win", values)
        return Explanation(message, {win.line[0]: 1.0}, lines=(win.line,)), ()
    limits = Message("explain.level.short", {"fours": how.fours, "depth": how.depth})
    return _ahead(how, random).explain(board), (limits,)


def _short_win(how: Searches, board: Board, limit: Limit, stop: threading.Event | None) -> Vcf:
    if board.outcome():
        return Vcf((), True, 0)
    seconds = None if limit.seconds is None else limit.seconds / 2
    nodes = how.nodes if limit.nodes is None else min(how.nodes, limit.nodes // 2)
    return find_vcf(board, Limit(seconds, nodes, 2 * how.fours - 1), stop)


def _ahead(how: Searches, random: Random) -> Minimax:
    """The search, with an evaluation of its own."""
    least, most = 1 - how.taste, 1 + how.taste
    taste = {name: round(value * random.uniform(least, most)) for name, value in DEFAULTS.items()}
    return Minimax(how.depth, how.width, **taste)
