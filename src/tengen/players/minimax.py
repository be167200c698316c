"""A player that looks ahead: what can I play, how is that answered, what can I play then?

The idea. Before choosing a move, imagine it; imagine each answer to it; and so on, to some *depth*. The
positions at the end get a number, an *evaluation*: how good they look for the side to move. Back up the
tree each side takes the move that is best for itself, and so worst for the other: *minimax*. What is good
for one is bad for the other, so a position is worth the largest of minus the values of the positions
after it (*negamax*).

Most of the tree need not be looked at. Say my first move is worth 20, and the first answer to my second
move brings it down to 10. What the other answers do does not matter: the move is worth 10 at most, and I
have 20. That is a *cut-off*, and searching with them is *alpha-beta* (`low` and `high` below): with good
moves tried first it finds the same value as minimax for about the square root of the work.

A worked example, which tic-tac-toe players learn the hard way: White holds the centre between two black
corners. An edge keeps the draw (0). A corner loses: Black has to stop it in the last corner, and that
makes a double threat.

>>> from tengen.players.minimax import Minimax
>>> from tengen import Board
>>> board = Board.from_moves("a1 b2 c3", rules="tictactoe")
>>> explanation = Minimax(depth=6).explain(board)
>>> {board.name(point): value for point, value in explanation.weights.items()}
{'b1': 0, 'a2': 0, 'c2': 0, 'b3': 0}
>>> corner = explanation.tree.children[1]
>>> board.name(corner.point), str(corner.note)
('c1', 'loses in 4 plies')

What makes it play five in a row, rather than just any game:

- **Evaluation.** Windows of k points that hold stones of one side only are worth the more to it the more
  they hold, see `tengen.players.evaluation`. The sum is not taken anew, but kept from move to move.
- **Tactics are not left to the evaluation.** A five that can be made, and a four that cannot be stopped
  while the other side has none, are seen without search: a win in 1 and in 3 plies. A five that has to be
  stopped is stopped before anything is evaluated: such a move costs no depth.
- **Must-answer moves first.** Against a five, only the points that stop it; against an unstoppable four,
  only the points that take part in it, and one's own fours. Elsewhere the points near a stone, those first
  that change the evaluation most, and of these no more than `width`: but a loss is believed only if all
  of them lose.
- **Iterative deepening.** Depth 1, then 2, then 3: each pass tells the next which move to try first, which
  saves more than it costs, and whenever time is up there is an answer.

Cost: some 35,000 positions a second, 0.1 s a move on 15x15. One ply more costs about threefold.

Blind to: whatever comes after its depth, fours apart, and it may push bad news behind that *horizon* by
playing fours; a quiet move that is not among the first `width`; a stone far from all others. It never
passes. It forgets: the same position by another order of moves is searched anew, where stronger programs
keep a table.

From: C. Shannon, Programming a computer for playing chess (1950), for depth and evaluation; D. Knuth and
R. Moore, An analysis of alpha-beta pruning (1975); iterative deepening is told by D. Slate and L. Atkin,
Chess 4.5 (1977). Alpha-beta is what the author of origin O5 names as the way on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import NamedTuple

from tengen.game.board import Board
from tengen.game.player import Branch, Choice, Explanation, Limit, Score, player_repr
from tengen.game.points import BLACK, PASS, Colour, Point, opponent
from tengen.game.score_units import WIN
from tengen.players.budget import Budget, BudgetSpent, whole
from tengen.players.candidates import closeness, near, pick
from tengen.players.evaluation import DEFAULTS, MOST, Evaluation, Moves
from tengen.players.parameters import number, tuned
from tengen.players.spec import spec_text
from tengen.players.windows import Windows
from tengen.words import Message

DEPTH, WIDTH = 5, 16
"""The default depth and width of the search."""

DISTANCE = 2
"""The largest distance of a candidate from the nearest stone, in king's moves."""

_PROVEN = MOST + 1
"""Values from here on, either way, are wins and losses seen to the end."""

_SHOWN_PLIES, _SHOWN_MOVES = 3, 5
"""The part of the tree that is shown: this many plies, of each position this many moves and the best."""


class Result(NamedTuple):
    """The result of a search for a position.

    Attributes:
        value: its worth to the side to move; a win n plies from the root is worth `WIN` - n.
        line: the moves that show it.
        branches: the moves tried, if they are to be shown.
    """

    value: float
    line: tuple[Point, ...] = ()
    branches: tuple[Branch, ...] = ()


class Minimax:
    """Plays the first move of the best line that alpha-beta search finds.

    Args:
        depth: how many plies it looks ahead if it is not limited otherwise.
        width: how many moves it looks at where none must be answered.
        changes: parameters of the evaluation with another value than in `DEFAULTS`.

    Attributes:
        parameters: the parameters of the evaluation by name.
    """

    def __init__(self, depth: int = DEPTH, width: int = WIDTH, **changes: float) -> None:
        self.depth = whole("depth", depth, 1)
        self.width = whole("width", width, 1)
        self.parameters = tuned(DEFAULTS, changes)
        defaults = {"depth": DEPTH, "width": WIDTH, **DEFAULTS}
        settings = {"depth": depth, "width": width, **self.parameters}
        self.name = spec_text("minimax", defaults, settings, None)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The first move of the best line found.

        Without a limit it searches to its own depth; with one to the limit's depth, or until time or
        nodes are spent.

        Raises:
            GameOver: the game is over.
        """
        budget = Budget(limit, stop)
        search = AlphaBetaSearch(board, self, budget)
        if not search.root:
            return Choice(pick(board, {}), seconds=budget.seconds)
        best = search.deepen(self._depth(limit))
        return Choice(best.line[0], _score(best.value), best.line, budget.nodes, budget.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """The first plies of the tree that was searched, and what each move is worth, or at most.

        Moves that are seen to lose have no weight, unless all are. The tree is that of the last pass that
        was finished.
        """
        search = AlphaBetaSearch(board, self, Budget(limit, stop), shown=_SHOWN_PLIES)
        if not search.root:
            return Explanation(Message("explain.nothing"))
        best = search.deepen(self._depth(limit))
        values = {
            "point": board.name(best.line[0]),
            "verdict": _verdict(best.value, 0),
            "depth": search.depth,
            "nodes": search.budget.nodes,
            "cutoffs": search.cutoffs,
        }
        tree = Branch(PASS, best.value, _verdict(best.value, 0), search.branches)
        summary = Message("explain.minimax", values)
        weights = {p: value for p, value in search.weights.items() if value > -_PROVEN}
        weights = weights or search.weights or {best.line[0]: best.value}
        return Explanation(summary, weights, lines=(best.line,), tree=tree)

    def _depth(self, limit: Limit | None) -> int | None:
        """The depth to search: the player's own where there is no limit at all."""
        return self.depth if limit is None or limit == Limit() else limit.depth


class AlphaBetaSearch:
    """One search from one position.

    Args:
        board: the position.
        player: whose width and evaluation to use.
        budget: the limits of the search.
        shown: the number of plies of the tree to keep.

    Attributes:
        root: the points to choose from.
        depth: the depth of the last pass that was finished.
        cutoffs: the number of cutoffs.
        weights: what each move at the root is worth, or at most.
        branches: the moves tried in that pass, if they are to be shown.
    """

    def __init__(self, board: Board, player: Minimax, budget: Budget, shown: int = 0) -> None:
        self.windows = Windows(board)
        self.budget = budget
        self.root = near(board, DISTANCE)
        self.depth = 0
        self.cutoffs = 0
        self.weights: dict[Point, float] = {}
        self.branches: tuple[Branch, ...] = ()
        self._colour = board.turn
        self._width = player.width
        self._evaluation = Evaluation(self.windows, closeness(board), player.parameters)
        self._shown = shown
        self._best = Result(0)

    def deepen(self, depth: int | None) -> Result:
        """Search to depth 1, 2, 3 and on, until the outcome is known or the budget is spent.

        Args:
            depth: where to end; None is as many plies as there are empty points.
        """
        windows, me, points = self.windows, self._colour, frozenset(self.root)
        balance = self._evaluation.balance(me)
        # What to play if there is no time for a first pass, or if every move loses at once.
        ready = [*windows.fives(me), *(point for _, point in self.moves(me, points))]
        ready += [*windows.fives(opponent(me)), *self.root]
        self._best = Result(balance, (next(point for point in ready if point in points),))
        plies = len(windows.empty())
        try:
            for goal in range(1, plies + 1 if depth is None else min(depth, plies) + 1):
                self.weights = {}
                result = self.search(me, goal, -WIN, WIN, 0, balance, points)
                self._best = result if result.line else Result(result.value, self._best.line)
                self.depth, self.branches = goal, result.branches
                if abs(result.value) >= _PROVEN:
                    break
        except BudgetSpent:
            pass
        return self._best

    def search(
        self,
        me: Colour,
        depth: int,
        low: float,
        high: float,
        ply: int,
        balance: float,
        points: frozenset[Point],
    ) -> Result:
        """Search the position as it stands: alpha-beta in its negamax form, fail-soft.

        Args:
            me: the side to move.
            depth: the plies to search.
            low: what `me` has for sure elsewhere; what is worth no more need not be known exactly.
            high: what the opponent will not let `me` exceed; one such move ends the search.
            ply: plies from the root.
            balance: the sum of all windows, for `me`.
            points: the points near a stone, occupied ones too.
        """
        windows, enemy = self.windows, opponent(me)
        if fives := windows.fives(me):
            return self._seen(WIN - ply - 1, fives[0], ply)
        if windows.fives(enemy):
            depth = max(depth, 1)
        elif (four := self.unstoppable(me)) is not None:
            return self._seen(WIN - ply - 3, four, ply)
        if depth <= 0:
            return Result(self._evaluation.value(me, balance))
        return self._best_move(me, depth, low, high, ply, balance, points)

    def _best_move(
        self,
        me: Colour,
        depth: int,
        low: float,
        high: float,
        ply: int,
        balance: float,
        points: frozenset[Point],
    ) -> Result:
        """Try the moves one after the other; the arguments are those of `search`."""
        windows = self.windows
        moves = self.moves(me, points)
        if ply == 0:
            moves.sort(key=lambda move: move[1] not in self._best.line[:1])
        best = Result(-WIN)
        branches: list[Branch] = []
        tried = 0
        for left, (gain, point) in zip(range(len(moves) - 1, -1, -1), moves, strict=True):
            if windows.is_foul(point, me):
                continue
            if tried >= self._width and best.value > -_PROVEN:
                break
            tried += 1
            self.budget.spend()
            windows.place(point, me)
            nearby = points | windows.around(point, DISTANCE)
            floor = max(low, best.value)
            reply = self.search(opponent(me), depth - 1, -high, -floor, ply + 1, -balance - gain, nearby)
            windows.lift(point)
            value = -reply.value
            if ply < self._shown:
                note = _note(value, floor, high, left, ply)
                branches.append(Branch(point, value, note, reply.branches))
            if value > best.value:
                best = Result(value, (point, *reply.line))
            if ply == 0:
                self._best = best
                self.weights[point] = value
            if best.value >= high:
                self.cutoffs += 1
                break
        if not tried:
            return Result(self._stuck(me, ply))
        return best._replace(branches=_trimmed(branches, best)) if branches else best

    def moves(self, me: Colour, points: Iterable[Point]) -> Moves:
        """The moves worth trying, those first that gain most: the answers, where an answer is due."""
        windows, enemy, rules = self.windows, opponent(me), self.windows.rules
        if windows.fives(enemy):
            return self._evaluation.sorted(me, windows.answers(enemy))
        # Under caro a distant stone may take the value of a five away, and Black's fours come and go
        # with its fouls. Everywhere else what stops an unstoppable four is one of these points.
        sure = rules.blocked_five == "wins" and not (enemy == BLACK and rules.has_fouls)
        if sure and self.unstoppable(enemy) is not None:
            answers = {*windows.fours(enemy), *windows.fours(me)}
            allowed = [point for point in answers if not windows.is_foul(point, me)]
            if allowed:
                return self._evaluation.sorted(me, allowed)
        cells = windows.cells
        return self._evaluation.sorted(me, [point for point in points if not cells[point]])

    def unstoppable(self, me: Colour) -> Point | None:
        """A point where `me`, if to move, makes a four that cannot be stopped, or None.

        The other side must have no five to make. A single five that Black may not stop for a foul is
        left to the search.
        """
        windows = self.windows
        for point, fives in windows.fours(me).items():
            if len(fives) > 1 and not windows.is_foul(point, me):
                windows.place(point, me)
                answers = windows.answers(me)
                windows.lift(point)
                if not answers:
                    return point
        return None

    def _stuck(self, me: Colour, ply: int) -> float:
        """The value of a position without a move to try."""
        windows = self.windows
        empty = windows.empty()
        if all(windows.is_foul(point, me) for point in empty):
            # Nothing but fouls is left, or nothing at all.
            return ply + 1 - WIN if empty and windows.rules.fouls != "forbidden" else 0
        return ply + 2 - WIN if windows.fives(opponent(me)) else 0

    def _seen(self, value: float, point: Point, ply: int) -> Result:
        """A win that takes no search."""
        shown = ply < self._shown
        return Result(value, (point,), (Branch(point, value, _verdict(value, ply)),) if shown else ())


def _score(value: float) -> Score:
    if value >= _PROVEN:
        return Score.win_in(round(WIN - value))
    if value <= -_PROVEN:
        return Score.loss_in(round(WIN + value))
    return Score(round(value))


def _verdict(value: float, ply: int) -> Message:
    """A value in words; plies are counted from the move that is made at `ply`."""
    plies = round(WIN - abs(value)) - ply
    if value >= _PROVEN:
        return Message("explain.minimax.win", {"plies": plies})
    if value <= -_PROVEN:
        return Message("explain.minimax.loss", {"plies": plies})
    return Message("explain.minimax.value", {"value": number(value)})


def _note(value: float, low: float, high: float, left: int, ply: int) -> Message:
    """The meaning of a value: a proven end; a lower bound after a cutoff; an upper bound; exact."""
    if abs(value) >= _PROVEN:
        return _verdict(value, ply)
    if value >= high:
        return (
            Message("explain.minimax.cut_off", {"left": left})
            if left
            else Message("explain.minimax.at_least")
        )
    return Message("explain.minimax.at_most" if value <= low else "explain.minimax.exact")


def _trimmed(branches: list[Branch], best: Result) -> tuple[Branch, ...]:
    """The first branches, and the best one wherever it stands."""
    kept = branches[:_SHOWN_MOVES]
    kept += [branch for branch in branches[_SHOWN_MOVES:] if branch.point == best.line[0]]
    return tuple(kept)
