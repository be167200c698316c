"""Players that are weaker on purpose, from a beginner to a master.

The idea. A strong player that makes random mistakes is no fun: it plays like a master and then gives a five
away. People are weak in another way, they *overlook*: the diagonal, the far side of the board, the row that
is only three long yet, the opponent altogether when they like their own plan. So a level here is a good
player from which part of the game is hidden, and what it sees it plays well. Two things no level ever
does: it never misses its own five, and it never plays a foul while there is anything else.

- **1, the beginner**, looks two plies ahead as `tengen.players.minimax` does, which shows it open threes
  and fours, its own and the other's. But at two moves in nine it thinks of its own rows only; then it stops
  a five along the board's sides, and does not notice one on a diagonal.
- **2, the casual player**, looks for a win by at most three fours (`tengen.players.threats`), and else two
  plies ahead. At one move in sixteen it thinks of its own rows only, but always stops a five.
- **3, the thoughtful player**, looks for a win by at most five fours, and else three plies ahead. At one
  move in a hundred it thinks of its own rows only. What it never sees is the long combination.
- **4 to 9, from the practised player to the master**, are the engine with a handicap, smaller with every
  level: it sees less far, does not notice some of the enemy's rows, and prefers some patterns
  (`tengen.engine.handicap`). They stop every five, on diagonals too.
- **10** is the engine at full strength.

The evaluation of 1 to 3 has noise, too: its numbers vary from move to move, by a tenth to a quarter.

A worked example: White has four on a diagonal, and a beginner is Black. It makes its own row longer, and
the explanation says what it has missed:

>>> from tengen.players.levels import Level
>>> from tengen import Board
>>> board = Board.from_stones(black="c10 i10 j10 l12".split(), white="d5 e6 f7 g8".split())
>>> for part in str(Level("1", seed=12).explain(board).summary).split("; "):
...     print(part)
Level 1: i9 is best for its own rows
did not look at the opponent's stones, missed d5 e6 f7 g8 on a diagonal

What is overlooked depends on the seed and the position alone, so it does not change when asked again.

Cost: some 10 milliseconds a move on 15x15; up to 100 for the master, and for level 10 as long as it may.

Blind to: as above.

From: the easier computer of origin O5, which looks at one direction where the other adds up two. The levels
were set so that each is between 100 and 200 Elo above the one before (`docs/strength.md`).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from tengen.engine.board.playable import plays
from tengen.extras import importing
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Choice, Explanation, Limit, Score, player_repr
from tengen.game.points import PASS, Point, axes, opponent
from tengen.game.rows import winning_rows
from tengen.game.rules import Rules
from tengen.players.budget import Budget, whole
from tengen.players.candidates import closeness, near, pick
from tengen.players.evaluation import DEFAULTS, Evaluation
from tengen.players.minimax import Minimax
from tengen.players.parameters import preset_of
from tengen.players.random import generator
from tengen.players.spec import PlayerSpec, SpecError, spec_text
from tengen.players.threats import Vcf, find_vcf, four
from tengen.players.windows import Windows
from tengen.words import Message

if TYPE_CHECKING:
    from tengen.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class SearchingLevel:
    """A level that looks ahead.

    Attributes:
        fours: it follows at most this many fours of its own ...
        nodes: ... and places at most this many stones in doing so.
        depth: plies it looks ahead otherwise.
        width: moves it looks at in each position.
        selfish: the probability of seeing its own rows only.
        noise: the variation of its evaluation, as a fraction of each number.
        diagonals: it notices an enemy five on a diagonal even then.
    """

    fours: int
    nodes: int
    depth: int
    width: int
    selfish: float
    noise: float
    diagonals: bool = True


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """A level that the engine plays.

    Attributes:
        strength: the engine's, from 0 to 100.
    """

    strength: int


LEVELS: dict[str, SearchingLevel | EngineLevel] = {
    "1": SearchingLevel(fours=0, nodes=1, depth=2, width=10, selfish=0.22, noise=0.1, diagonals=False),
    "2": SearchingLevel(fours=3, nodes=3000, depth=2, width=10, selfish=0.06, noise=0.25),
    "3": SearchingLevel(fours=5, nodes=5000, depth=3, width=14, selfish=0.01, noise=0.1),
    "4": EngineLevel(strength=10),
    "5": EngineLevel(strength=25),
    "6": EngineLevel(strength=40),
    "7": EngineLevel(strength=55),
    "8": EngineLevel(strength=70),
    "9": EngineLevel(strength=85),
    "10": EngineLevel(strength=100),
}
"""The levels, the weakest first."""


def levels_for(rules: Rules) -> tuple[str, ...]:
    """The levels that play by some rules: those of the engine only by the engine's."""
    by_engine = plays(rules)
    return tuple(level for level, how in LEVELS.items() if by_engine or not isinstance(how, EngineLevel))


def needs_engine(spec: str) -> bool:
    """Return whether a spec is for the engine: by itself, as a level, or where a proof has no move."""
    try:
        parsed = PlayerSpec.parse(spec)
    except SpecError:
        return False
    if parsed.name == "level":
        return isinstance(LEVELS.get(parsed.preset or ""), EngineLevel)
    return parsed.name in ("engine", "prover")


class Level:
    """Plays at one of the levels in `LEVELS`.

    Args:
        level: from ``"1"`` to ``"10"``.
        seed: of what it overlooks and of the noise of its evaluation; any integer.
        seconds: how long level 10 thinks over a move that is not limited; 0 for as long as the engine does.

    Raises:
        TengenError: seconds for another level than 10.
    """

    def __init__(self, level: str = "1", seed: int = 0, seconds: int = 0) -> None:
        self._how: SearchingLevel | EngineLevel = preset_of("level", level, LEVELS)
        self._level = level
        self._seed = seed
        self._engine = _engine(self._how.strength, seed) if isinstance(self._how, EngineLevel) else None
        if seconds and self._how != LEVELS["10"]:
            raise TengenError("error.parameter.name", name="seconds", names=("seed",))
        self._usual = Limit(seconds=whole("seconds", seconds, 1)) if seconds else None
        self.name = spec_text(f"level:{level}", {"seconds": 0}, {"seconds": seconds}, seed or None)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The move that seems best to it. A limit can shorten its thoughts, and lengthen those of 10.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the level does not play by, see `levels_for`.
        """
        if self._engine is not None:
            return self._engine.choose(board, limit or self._usual, stop)
        budget, random = Budget(), generator(self._seed, board)
        limit = limit or Limit()
        glance = self._glance(board, random, limit, stop)
        if glance is None and isinstance(self._how, SearchingLevel):
            return _search(self._how, board, random, limit, stop)
        point = pick(board, glance.weights if glance else {})
        return Choice(point, line=(point,), nodes=1, seconds=budget.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Explain its own weights, and which of its limits made it see less.

        Raises:
            RulesError: rules or a board that the level does not play by.
        """
        if self._engine is not None:
            return self._named(self._engine.explain(board, limit, stop))
        random, limit = generator(self._seed, board), limit or Limit()
        why = self._glance(board, random, limit, stop)
        if why is None and isinstance(self._how, SearchingLevel):
            why = _explain_search(self._how, board, random, limit, stop)
        return Explanation(Message("explain.nothing")) if why is None else self._named(why)

    def prepare(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> None:
        """Have the engine ready, where it plays the level, before any clock runs.

        Raises:
            RulesError: rules or a board that the engine does not play.
        """
        if self._engine is not None:
            self._engine.prepare(board, limit, stop)

    def clear(self) -> None:
        """Forget what is remembered of former moves."""
        if self._engine is not None:
            self._engine.clear()

    def _named(self, why: Explanation) -> Explanation:
        """The explanation, with the level in front."""
        if not why.weights:
            return Explanation(Message("explain.nothing"))
        level = Message("player.name.level", {"number": self._level})
        return replace(why, summary=Message("explain.level", {"level": level, "why": why.summary}))

    def _glance(
        self, board: Board, random: Random, limit: Limit, stop: threading.Event | None
    ) -> Explanation | None:
        """The choice by weights alone; None where it has to search."""
        points = near(board)
        windows = Windows(board)
        fives = [point for point in windows.fives(board.turn) if point in points]
        if fives or not points:
            point = pick(board, dict.fromkeys(fives, 1.0)) if fives else PASS
            message = Message("explain.threats.five", {"point": board.name(point), "k": board.rules.k})
            return Explanation(message, dict.fromkeys(fives, 1.0))
        how = self._how
        if not isinstance(how, SearchingLevel) or random.random() >= how.selfish:
            return None
        rows = _enemy_fives(board, windows)
        if any(how.diagonals or not _aslant(board, row) for row in rows):
            return None
        if _short_win(how, board, limit, stop).line:
            return None
        return _own_rows(how, board, windows, random, rows)


def _engine(strength: int, seed: int) -> Engine:
    """The engine, imported only now: it takes a moment."""
    with importing():
        from tengen.engine.engine import Engine

    return Engine(strength=strength, seed=seed if strength < 100 else 0)


def _limited(why: Message, limits: list[Message]) -> Message:
    """The reason for a move, with the limits that made a difference."""
    return Message("explain.level.limited", {"why": why, "limits": tuple(limits)}) if limits else why


def _enemy_fives(board: Board, windows: Windows) -> list[tuple[Point, ...]]:
    """The rows by which the enemy could win at once, with the point that is still empty."""
    grid, enemy = axes(board.width, board.height), opponent(board.turn)
    return [
        row
        for point in windows.fives(enemy)
        for row in winning_rows(board.rules, windows.cells, point, grid[point], enemy)
    ]


def _aslant(board: Board, row: tuple[Point, ...]) -> bool:
    """Return whether a row of two or more points is on a diagonal."""
    return len(row) > 1 and row[1] - row[0] not in (1, board.width)


def _own_rows(
    how: SearchingLevel, board: Board, windows: Windows, random: Random, missed: list[tuple[Point, ...]]
) -> Explanation:
    """Each point with what it adds to one's own rows, as if there were no others."""
    enemy = opponent(board.turn)
    stones = dict.fromkeys(point for row in missed for point in row if board[point] == enemy)
    for point in board.stones(enemy):
        windows.lift(point)
    evaluation = Evaluation(windows, closeness(board), _distorted_weights(how, random))
    weights = {point: gain for gain, point in evaluation.sorted(board.turn, near(board))}
    why = Message("explain.level.best", {"point": board.name(pick(board, weights))})
    limits = [Message("explain.level.selfish")]
    if stones:
        limits.append(Message("explain.level.diagonal", {"stones": " ".join(map(board.name, stones))}))
    return Explanation(_limited(why, limits), weights)


def _search(
    how: SearchingLevel, board: Board, random: Random, limit: Limit, stop: threading.Event | None
) -> Choice:
    """The first move of a short win by fours, else what a short search finds."""
    budget = Budget()
    win = _short_win(how, board, limit, stop)
    if win.line:
        score = Score.win_in(len(win.line))
        return Choice(win.line[0], score, win.line, win.nodes, budget.seconds)
    rest = _rest(how, limit, budget.seconds, win)
    choice = Minimax(how.depth, how.width, **_distorted_weights(how, random)).choose(board, rest, stop)
    return replace(choice, nodes=win.nodes + choice.nodes, seconds=budget.seconds)


def _explain_search(
    how: SearchingLevel, board: Board, random: Random, limit: Limit, stop: threading.Event | None
) -> Explanation:
    """The explanation of the search that decides."""
    budget = Budget()
    win = _short_win(how, board, limit, stop)
    if win.line:
        values = {
            "point": board.name(win.line[0]),
            "four": four(board.rules.k),
            "line": tuple(map(board.name, win.line)),
        }
        return Explanation(Message("explain.level.win", values), {win.line[0]: 1.0}, lines=(win.line,))
    rest = _rest(how, limit, budget.seconds, win)
    why = Minimax(how.depth, how.width, **_distorted_weights(how, random)).explain(board, rest, stop)
    fours = {"fours": how.fours, "four": four(board.rules.k, how.fours)}
    limits = [Message("explain.level.fours", fours)] if how.fours else []
    return replace(why, summary=_limited(why.summary, limits))


def _rest(how: SearchingLevel, limit: Limit, seconds: float, win: Vcf) -> Limit:
    """The rest of a limit for the search, after `seconds` and the search for a win by fours."""
    depth = how.depth if limit.depth is None else min(how.depth, limit.depth)
    return replace(limit.after(seconds, win.nodes), depth=depth)


def _short_win(how: SearchingLevel, board: Board, limit: Limit, stop: threading.Event | None) -> Vcf:
    """The win by as many fours as the level follows; None if there is none."""
    seconds = None if limit.seconds is None else limit.seconds / 2
    nodes = how.nodes if limit.nodes is None else max(min(how.nodes, limit.nodes // 2), 1)
    return find_vcf(board, Limit(seconds, nodes), stop, fours=how.fours)


def _distorted_weights(how: SearchingLevel, random: Random) -> dict[str, float]:
    """Return the weights of the evaluation, each with a random relative error of up to `noise`."""
    least, most = 1 - how.noise, 1 + how.noise
    return {name: round(value * random.uniform(least, most)) for name, value in DEFAULTS.items()}
