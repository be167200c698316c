"""A player that searches for wins by continuous fours, its own and the opponent's.

The idea. Most games of five in a row are not decided by a broad search of a few moves, but by a narrow
search of many. A *four* threatens to win at once, so it has to be answered, and nearly always there is only
one answer. In a sequence of fours only the attacker has a choice; twenty moves of it are searched sooner
than four moves of full width. A sequence that ends in a four without an answer is a win by *continuous
fours*, VCF (victory by continuous fours) for short.

A worked example: White's e8 closes one end of Black's three. i8 makes it a four, White has to stop it at
j8, and now i8, i9 and i10 are three in a column, both ends open:

>>> from tengen.players.threats import find_vcf
>>> from tengen import Board
>>> black, white = "f8 g8 h8 i9 i10".split(), "e8 c4 l4 c12 l12".split()
>>> board = Board.from_stones(black, white)
>>> win = find_vcf(board)
>>> [board.name(point) for point in win.line]
['i8', 'j8', 'i7', 'i6', 'i11']

The search is an AND/OR tree. With the attacker to move *one* winning move is enough (OR); with the defender
to move *every* answer has to lose (AND). In each position

- a five is made if possible;
- a five of the defender's has to be stopped, by a move that makes a four as well;
- a four is useless if the defender can then make a five, or if it is a foul;
- the answers are the points that leave the attacker no five: at most one, except in caro, where a stone at
  the far end of a five can spoil it too. Black may not answer with a foul, so a single four of White's can
  win;
- the depth is deepened iteratively, 1 four, 2 fours, 3 fours, so that the first win found is the shortest.
  A position that has failed in an iteration is not searched again in it.

The player plays a win that it finds. If it finds none, it searches for a win of the opponent's, as if the
opponent were to move; against a win it plays the point with the greatest weight after which there is none.
In a quiet position it plays as `tengen.players.shapes` does.

Cost: some 50,000 stones a second. Most positions without a win take milliseconds; the others are bounded
only by the limit.

Blind to: every threat that is no four. It stops an open three, because that wins by one four, but not two
of them at once, which it does not see coming. It does not build up an attack, it only finds one.

From: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku and threat-space search (1993), who
solved the game with a search of threats, of which fours are the simplest. AND/OR trees come from the course
behind origin O5.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from tengen.game.board import Board
from tengen.game.player import Choice, Explanation, Limit, Part, Score, player_repr
from tengen.game.points import Colour, Point, opponent
from tengen.players.budget import Budget, BudgetSpent, whole
from tengen.players.candidates import pick
from tengen.players.shapes import Shapes
from tengen.players.spec import spec_text
from tengen.players.windows import Windows
from tengen.words import Message

NODES = 60_000
"""The default number of nodes for a move."""

_OWN_SHARE, _ENEMY_SHARE, _DEFENCE_SHARE = 0.5, 0.3, 0.25
"""Shares of the remaining budget: for the own win, for the opponent's, and for each defence against it."""

_MOST_FOURS = 200
"""The greatest depth of a search; deeper recursion would overflow Python's stack."""


@dataclass(frozen=True, slots=True)
class Vcf:
    """The result of a search for a win by continuous fours.

    Attributes:
        line: the shortest win, from the attacker's first move to the five; empty if none was found. A
            defender without an answer plays any legal point in it.
        proven: True if the result is certain; False if the limit ended the search. (A win that leaves the
            defender nothing but fouls to play is not searched for.)
        nodes: the number of stones placed.
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
    """Search for a win by continuous fours.

    Args:
        board: a game that is not over.
        limit: the limit; its depth counts the plies of both sides before the last answer and the five.
        stop: ends the search when set.
        colour: the attacker, as if it were to move; None for the side to move.
        fours: the most fours of the attacker's, in place of a depth; 0 allows a five only.
    """
    depth = None if limit is None else limit.depth
    if fours is not None:
        depth = max(2 * fours - 1, 0)
    return _find(Windows(board), board.turn if colour is None else colour, depth, Budget(limit, stop))


def _find(windows: Windows, attacker: Colour, depth: int | None, budget: Budget) -> Vcf:
    """Search as `find_vcf` does; the windows may be left with stones of the search on them."""
    nodes_before = budget.nodes
    search = _VcfSearch(windows, attacker, budget)
    most_fours = _MOST_FOURS if depth is None else (depth + 1) // 2
    try:
        for fours in range(most_fours + 1):
            search.begin_iteration()
            line = search.attack(fours)
            if line or not search.cutoffs:
                return Vcf(tuple(line or ()), True, budget.nodes - nodes_before)
    except BudgetSpent:
        pass
    return Vcf((), False, budget.nodes - nodes_before)


@dataclass(frozen=True, slots=True)
class _CandidateMoves:
    """The candidate points with their weights, and the reason for them.

    Attributes:
        kind: "five", the player makes a five; "win", it has a VCF; "answer", it stops a five; "lost", the
            opponent's win cannot be stopped; "defence", it stops the opponent's VCF; "quiet".
        weights: the candidate points and their weights.
        parts: the parts of the weights.
        win: the line of the player's own win.
        danger: the line of the opponent's VCF.
        score: the score of a decided position.
    """

    kind: Literal["five", "win", "answer", "lost", "defence", "quiet"]
    weights: Mapping[Point, float]
    parts: Mapping[Point, tuple[Part, ...]] = field(default_factory=dict)
    win: tuple[Point, ...] = ()
    danger: tuple[Point, ...] = ()
    score: Score | None = None

    def only(self, points: Iterable[Point]) -> _CandidateMoves:
        """Keep only these points, or all if none of them is a candidate."""
        weights = {point: self.weights[point] for point in points if point in self.weights}
        if not weights:
            return self
        return replace(self, weights=weights, parts={point: self.parts[point] for point in weights})


class Threats:
    """A player of wins by continuous fours and of defences against them; otherwise it plays as `Shapes`.

    Args:
        shapes: the preset of `Shapes` for the weights of the points.
        nodes: the nodes for one move where the limit has neither seconds nor nodes.
        seed: as in `Shapes`.
    """

    def __init__(self, shapes: str = "o5", nodes: int = NODES, seed: int | None = None) -> None:
        self._shapes = Shapes(shapes, seed)
        self._nodes = whole("nodes", nodes, 1)
        self._seed = seed
        head = "threats" if shapes == "o5" else f"threats,shapes={shapes}"
        self.name = spec_text(head, {"nodes": NODES}, {"nodes": nodes}, seed)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Return the first move of a VCF, else a defence against one, else the point of greatest weight.

        Raises:
            GameOver: the game is over.
        """
        budget = Budget.with_default(self._nodes, limit, stop)
        moves = self._candidates(board, limit.depth if limit else None, budget)
        point = pick(board, moves.weights, self._seed)
        return Choice(point, moves.score, moves.win or (point,), budget.nodes, budget.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Return the weights of the candidate points, and the line of a win.

        A win of the opponent's is only in the summary, not among the lines: they begin with the side to
        move.
        """
        budget = Budget.with_default(self._nodes, limit, stop)
        moves = self._candidates(board, limit.depth if limit else None, budget)
        if not moves.weights:
            return Explanation(Message("explain.nothing"))
        point = pick(board, moves.weights, self._seed)
        fours = (len(moves.win) - 1) // 2
        values = {
            "point": board.name(point),
            "line": tuple(map(board.name, moves.win or moves.danger)),
            "fours": fours,
            "four": four(board.rules.k, fours),
            "k": board.rules.k,
        }
        lines = (moves.win,) if moves.win else ()
        return Explanation(
            Message(f"explain.threats.{moves.kind}", values), moves.weights, moves.parts, lines
        )

    def _candidates(self, board: Board, depth: int | None, budget: Budget) -> _CandidateMoves:
        """Return the candidates by the first reason that applies, from the most urgent."""
        if board.outcome():
            return _CandidateMoves("quiet", {})
        me, enemy = board.turn, opponent(board.turn)
        windows = Windows(board)
        if fives := windows.fives(me):
            return _CandidateMoves("five", {fives[0]: 1.0}, win=(fives[0],), score=Score.win_in(1))
        budget.share(_OWN_SHARE)
        own = _find(Windows(board), me, depth, budget)
        if own.line:
            return _CandidateMoves(
                "win", {own.line[0]: 1.0}, win=own.line, score=Score.win_in(len(own.line))
            )
        shapes = self._shapes.explain(board)
        quiet = _CandidateMoves("quiet", shapes.weights, shapes.parts)
        if fives := windows.fives(enemy):
            if answers := windows.answers(enemy):
                return replace(quiet, kind="answer").only(answers)
            return replace(quiet, kind="lost", score=Score.loss_in(2)).only(fives)
        budget.share(_ENEMY_SHARE)
        danger = _find(Windows(board), enemy, depth, budget).line
        if not danger:
            return quiet
        # Most defences are points of the line itself, or fours of one's own: they are tried first.
        likely = {*danger, *windows.fours(me)}
        for point in sorted(shapes.weights, key=lambda p: (p not in likely, -shapes.weights[p])):
            after = Windows(board)
            after.place(point, me)
            budget.share(_DEFENCE_SHARE)
            if not _find(after, enemy, depth, budget).line:
                return replace(quiet, kind="defence", danger=danger).only([point])
        return replace(quiet, kind="lost", danger=danger).only(likely)


def four(k: int, count: int = 2) -> Message:
    """Return the word for rows that lack one stone of `k`: "four" or "fours" where five in a row win."""
    if k == 5:
        return Message("row.four" if count == 1 else "rows.four")
    return Message("row.other" if count == 1 else "rows.other", {"length": k - 1})


class _VcfSearch:
    """The AND/OR search of an attack by continuous fours.

    Attributes:
        cutoffs: the number of positions in this iteration where the depth forbade further fours.
    """

    def __init__(self, windows: Windows, attacker: Colour, budget: Budget) -> None:
        self._windows = windows
        self._attacker, self._defender = attacker, opponent(attacker)
        self._budget = budget
        self._failed: set[bytes] = set()
        """Positions without a win within the depth of this iteration."""
        self._refuted: set[bytes] = set()
        """Positions without a win at any depth."""
        self.cutoffs = 0

    def begin_iteration(self) -> None:
        """Forget the positions that failed at the last depth, but not those refuted at any depth."""
        self._failed.clear()
        self.cutoffs = 0

    def attack(self, fours: int) -> list[Point] | None:
        """Search an OR node: return the attacker's shortest win in at most `fours` fours, or None."""
        windows = self._windows
        if fives := windows.fives(self._attacker):
            return fives[:1]
        position = bytes(windows.cells)
        if position in self._refuted:
            return None
        if position in self._failed:
            self.cutoffs += 1
            return None
        moves = windows.fours(self._attacker)
        if windows.fives(self._defender):
            answers = windows.answers(self._defender)
            moves = {point: fives for point, fives in moves.items() if point in answers}
        if moves and not fours:
            self.cutoffs += 1
            return None
        cutoffs = self.cutoffs
        # Fours that threaten more than one five come first.
        for point in sorted(moves, key=lambda point: -len(moves[point])):
            if windows.is_foul(point, self._attacker):
                continue
            self._budget.spend()
            windows.place(point, self._attacker)
            rest = self._defend(fours - 1)
            windows.lift(point)
            if rest is not None:
                return [point, *rest]
        (self._refuted if self.cutoffs == cutoffs else self._failed).add(position)
        return None

    def _defend(self, fours: int) -> list[Point] | None:
        """Search an AND node, after a four: return the longest line, or None if an answer holds."""
        windows = self._windows
        if windows.fives(self._defender):
            return None
        answers = windows.answers(self._attacker)
        if not answers:
            return self._reply_and_five()
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

    def _reply_and_five(self) -> list[Point] | None:
        """Return a legal move of the defender's, and the five; None if all its moves are fouls."""
        windows = self._windows
        for point in (*windows.fives(self._attacker), *windows.empty()):
            if not windows.is_foul(point, self._defender):
                windows.place(point, self._defender)
                five = windows.fives(self._attacker)[0]
                windows.lift(point)
                return [point, five]
        return None
