"""A player that looks for a win by nothing but fours, and for the opponent's.

The idea. Most games of five in a row are not won by seeing everything a few moves ahead, but by seeing one
thing far ahead. A *four* threatens to win at once, so it has to be answered, and nearly always there is
one answer only. A sequence of fours is therefore a path without forks that the attacker alone chooses;
twenty moves of it are searched sooner than four moves of everything. Where it ends in a four that cannot
be answered it is a win by *continuous fours*, VCF for short.

A worked example: the row of three is closed by the white e8. i8 makes a four of it, White has to stop it in
j8, and now i8, i9 and i10 are three in a column, both ends open:

>>> from tengen import Board
>>> black, white = "f8 g8 h8 i9 i10".split(), "e8 c4 l4 c12 l12".split()
>>> board = Board.from_stones(black, white)
>>> win = find_vcf(board)
>>> [board.name(point) for point in win.line]
['i8', 'j8', 'i7', 'i6', 'i11']

The search is an AND/OR tree. Where the attacker is to move *one* move that wins is enough (OR); where the
defender is, *every* answer has to lose (AND). At each step

- a five is made if there is one;
- if the defender could make five, it must be stopped, by a four that does it in passing;
- a four is no use if it lets the defender make five first, or if it is a foul;
- the answers are the points that leave the attacker no five: one at most, but for caro, where a stone
  at the far end of a five can spoil it too. Black may not answer with a foul, so a single four of White's
  can be the end;
- the search is repeated with 1 four, 2 fours, 3 fours, so that the first win found is the shortest, and
  a position that has failed once in a pass is not looked at again.

The player takes a win that it finds. If it finds none, it asks the same question for the opponent, as if
that were to move: if there is a win, it plays the point with the greatest weight after which there is none.
In a quiet position it plays as `tengen.players.shapes` does.

Cost: some 50,000 stones a second. Positions without a win are mostly done with in milliseconds; there is
no bound for the others but the limit.

Blind to: every threat that is no four. It stops an open three, because that wins by one four, but not two
of them at once, for which it would have to see them come. It plans no attack, it notices one.

From: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and threat-space search (1993), who
solved the game with a search of threats; fours are the plainest of their threats. AND/OR trees are what
the course behind origin O5 names.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from tengen.game.board import Board
from tengen.game.player import Choice, Explanation, Limit, Part, Score
from tengen.game.points import Colour, Point, opponent
from tengen.players.budget import Budget, BudgetSpent, whole
from tengen.players.candidates import pick
from tengen.players.shapes import Shapes
from tengen.players.spec import spec_text
from tengen.players.windows import Windows
from tengen.words import Message

NODES = 60_000
"""The default number of nodes for a move."""

_OWN, _ENEMY, _ANSWER = 0.5, 0.3, 0.25
"""Of what is left of the limit: for the own win, for the opponent's, and for each point against it."""

_MOST_FOURS = 200
"""No search goes deeper; Python's stack would not follow."""


@dataclass(frozen=True, slots=True)
class Vcf:
    """The result of a search for a win by fours.

    Attributes:
        line: the shortest win, the attacker's move first, the five last; empty if there is none. Where
            the defender has no answer, it plays any legal point.
        proven: whether this is certain; if not, the limit ended the search. (That the defender may be
            left with nothing but fouls to play is not looked for.)
        nodes: stones placed.
    """

    line: tuple[Point, ...]
    proven: bool
    nodes: int


def find_vcf(
    board: Board,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    colour: Colour | None = None,
    fours: int | None = None,
) -> Vcf:
    """Look for a win by continuous fours.

    Args:
        board: a game that is not over.
        limit: how long; a depth in plies counts both sides' moves, without the five and its answer.
        stop: ends the search when set.
        colour: the attacker, who is taken to be to move; None is the side that is.
        fours: the most that it may take, in place of a depth; 0 looks for a five alone.
    """
    depth = None if limit is None else limit.depth
    if fours is not None:
        depth = max(2 * fours - 1, 0)
    return _find(Windows(board), board.turn if colour is None else colour, depth, Budget(limit, stop))


def _find(windows: Windows, attacker: Colour, depth: int | None, budget: Budget) -> Vcf:
    """As `find_vcf`, on windows that are not to be used again."""
    spent = budget.nodes
    search = _Fours(windows, attacker, budget)
    most = _MOST_FOURS if depth is None else (depth + 1) // 2
    try:
        for fours in range(most + 1):
            search.begin_pass()
            line = search.attack(fours)
            if line or not search.cuts:
                return Vcf(tuple(line or ()), True, budget.nodes - spent)
    except BudgetSpent:
        pass
    return Vcf((), False, budget.nodes - spent)


@dataclass(frozen=True, slots=True)
class _View:
    """The threat that decides, and the candidate points with their weights."""

    kind: Literal["five", "win", "answer", "lost", "defence", "quiet"]
    weights: Mapping[Point, float]
    parts: Mapping[Point, tuple[Part, ...]] = field(default_factory=dict)
    win: tuple[Point, ...] = ()
    danger: tuple[Point, ...] = ()
    score: Score | None = None

    def only(self, points: Iterable[Point]) -> _View:
        """The view with these points alone, or with all where none of them may be played."""
        weights = {point: self.weights[point] for point in points if point in self.weights}
        if not weights:
            return self
        return replace(self, weights=weights, parts={point: self.parts[point] for point in weights})


class Threats:
    """Plays a win by fours, or against one, or what `Shapes` plays.

    Args:
        shapes: the preset of `Shapes` that weighs the points.
        nodes: the nodes for one move, if neither time nor nodes are limited.
        seed: as in `Shapes`.
    """

    def __init__(self, shapes: str = "o5", nodes: int = NODES, seed: int | None = None) -> None:
        self._shapes = Shapes(shapes, seed)
        self._nodes = whole("nodes", nodes, 1)
        self._seed = seed
        head = "threats" if shapes == "o5" else f"threats,shapes={shapes}"
        self.name = spec_text(head, {"nodes": NODES}, {"nodes": nodes}, seed)

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The first move of a win by fours, else a move against one, else the heaviest point.

        Raises:
            GameOver: the game is over.
        """
        budget = self._budget(limit, stop)
        view = self._look(board, limit.depth if limit else None, budget)
        point = pick(board, view.weights, self._seed)
        return Choice(point, view.score, view.win or (point,), budget.nodes, budget.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """The sequence it found, its own or the opponent's, and the weights of the points that are left.

        The opponent's win is told in the summary; it is no sequence to play through, as it is not its
        turn.
        """
        view = self._look(board, limit.depth if limit else None, self._budget(limit, stop))
        if not view.weights:
            return Explanation(Message("explain.nothing"))
        point = pick(board, view.weights, self._seed)
        values = {
            "point": board.name(point),
            "line": tuple(map(board.name, view.win or view.danger)),
            "fours": (fours := (len(view.win) - 1) // 2),
            "four": four(board.rules.k, fours),
            "k": board.rules.k,
        }
        lines = (view.win,) if view.win else ()
        return Explanation(Message(f"explain.threats.{view.kind}", values), view.weights, view.parts, lines)

    def _budget(self, limit: Limit | None, stop: threading.Event | None) -> Budget:
        """The budget: the player's own nodes where neither time nor nodes are limited."""
        if limit is None or (limit.seconds is None and limit.nodes is None):
            limit = Limit(nodes=self._nodes)
        return Budget(limit, stop)

    def _look(self, board: Board, depth: int | None, budget: Budget) -> _View:
        """The parts of the explanation, in the order of importance."""
        if board.outcome():
            return _View("quiet", {})
        me, enemy = board.turn, opponent(board.turn)
        windows = Windows(board)
        if fives := windows.fives(me):
            return _View("five", {fives[0]: 1.0}, win=(fives[0],), score=Score.win_in(1))
        budget.share(_OWN)
        own = _find(Windows(board), me, depth, budget)
        if own.line:
            return _View("win", {own.line[0]: 1.0}, win=own.line, score=Score.win_in(len(own.line)))
        shapes = self._shapes.explain(board)
        quiet = _View("quiet", shapes.weights, shapes.parts)
        if fives := windows.fives(enemy):
            if answers := windows.answers(enemy):
                return replace(quiet, kind="answer").only(answers)
            return replace(quiet, kind="lost", score=Score.loss_in(2)).only(fives)
        budget.share(_ENEMY)
        danger = _find(Windows(board), enemy, depth, budget).line
        if not danger:
            return quiet
        # A stone on the line itself, or a four of one's own, is what mostly helps: those first.
        close = {*danger, *windows.fours(me)}
        for point in sorted(shapes.weights, key=lambda p: (p not in close, -shapes.weights[p])):
            tried = Windows(board)
            tried.place(point, me)
            budget.share(_ANSWER)
            if not _find(tried, enemy, depth, budget).line:
                return replace(quiet, kind="defence", danger=danger).only([point])
        return replace(quiet, kind="lost", danger=danger).only(close)


def four(k: int, count: int = 2) -> Message:
    """Return the word for rows that lack one stone of `k`: "four" or "fours" where five in a row win."""
    if k == 5:
        return Message("row.four" if count == 1 else "rows.four")
    return Message("row.other" if count == 1 else "rows.other", {"length": k - 1})


class _Fours:
    """The AND/OR search, on windows that are left as they are when it is cut short.

    Attributes:
        cuts: how often in this pass a position was left because there were fours to play, but no more
            of them allowed.
    """

    def __init__(self, windows: Windows, attacker: Colour, budget: Budget) -> None:
        self._windows = windows
        self._attacker, self._defender = attacker, opponent(attacker)
        self._budget = budget
        self._failed: set[bytes] = set()
        self._hopeless: set[bytes] = set()
        self.cuts = 0

    def begin_pass(self) -> None:
        """Forget what failed with fewer fours, but not what fails with any number."""
        self._failed.clear()
        self.cuts = 0

    def attack(self, fours: int) -> list[Point] | None:
        """An OR node: the shortest win of the attacker, to move, with at most this many fours, or None."""
        windows = self._windows
        if fives := windows.fives(self._attacker):
            return fives[:1]
        position = bytes(windows.cells)
        if position in self._hopeless:
            return None
        if position in self._failed:
            self.cuts += 1
            return None
        moves = windows.fours(self._attacker)
        if windows.fives(self._defender):
            answers = windows.answers(self._defender)
            moves = {point: fives for point, fives in moves.items() if point in answers}
        if moves and not fours:
            self.cuts += 1
            return None
        cuts = self.cuts
        # Those that threaten more than one five first.
        for point in sorted(moves, key=lambda point: -len(moves[point])):
            if windows.is_foul(point, self._attacker):
                continue
            self._budget.spend()
            windows.place(point, self._attacker)
            rest = self._defend(fours - 1)
            windows.lift(point)
            if rest is not None:
                return [point, *rest]
        (self._hopeless if self.cuts == cuts else self._failed).add(position)
        return None

    def _defend(self, fours: int) -> list[Point] | None:
        """An AND node: the longest line after the attacker's four, or None if an answer holds."""
        windows = self._windows
        if windows.fives(self._defender):
            return None
        answers = windows.answers(self._attacker)
        if not answers:
            return self._end()
        lines = []
        for point in answers:
            self._budget.spend()
            windows.place(point, self._defender)
            rest = self.attack(fours)
            windows.lift(point)
            if rest is None:
                return None
            lines.append([point, *rest])
        return max(lines, key=len)

    def _end(self) -> list[Point] | None:
        """Any move of the defender's that is no foul, and the five; None if it has no such move."""
        windows = self._windows
        for point in (*windows.fives(self._attacker), *windows.empty()):
            if not windows.is_foul(point, self._defender):
                windows.place(point, self._defender)
                five = windows.fives(self._attacker)[0]
                windows.lift(point)
                return [point, five]
        return None
