"""A player that knows next to nothing and plays thousands of games in its head: Monte Carlo tree search.

The idea. How good is a position? Play it out at random many times, and count how often each side wins. That
needs no evaluation, only the rules. But random play is poor evidence, so let the evidence choose what is
played next: moves that have done well are tried again, and more deeply. Each *playout* has four steps:

1. *Select*: from the root go down the tree of positions seen so far, to the child with the largest

       wins / visits + exploration * sqrt(ln(visits of the parent) / visits)

   The first part is how well it did, the second grows while it is neglected. This rule is *UCT*.
2. *Expand*: at the first position with a move never tried, try one, and add it to the tree.
3. *Simulate*: from there play on with a cheap policy until somebody wins.
4. *Back up*: count a visit for each position on the way, and a win for those whose side won.

The move with the most visits is played: what has been worth a second look most often.

A worked example: in tic-tac-toe White holds the centre between two black corners. An edge holds, a corner
loses. Two hundred playouts know it:

>>> from tengen import Board
>>> board = Board.from_moves("a1 b2 c3", rules="tictactoe")
>>> visits = Mcts(playouts=200).explain(board).weights
>>> sum(visits[board.point(edge)] for edge in ("b1", "a2", "c2", "b3")) > 150
True

The policy here is light, but not blind: it makes a five, stops a five, and else plays beside a random
stone. In the tree, too, a five is made or stopped without looking at anything else, and on all but small
boards only points beside a stone are tried. A game that goes on for too long counts as a draw. Black's
fouls are no moves in the tree; in simulated moves, of which there are thousands with few fouls among them,
they are looked for only where Black has to stop a five.

Cost: what it is given; some 5,000 playouts a second on 15x15. With twice the playouts it plays better, and
given for ever it plays perfectly: the tree grows into the full one, and visits gather at the best move.

Blind to: a narrow path. If one answer of forty refutes a move, random play hits it one time in forty, and
the move looks good until the tree has grown there. Five in a row is full of such paths, so `minimax` and
`threats` see at once what this player learns slowly. It never passes.

From: R. Coulom, Efficient selectivity and backup operators in Monte-Carlo tree search (2006), for the tree;
L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning (2006), for the rule, whose proof has
exploration at 1.4; less is better here.
"""

from __future__ import annotations

import math
import threading

from tengen.game.board import Board
from tengen.game.player import Branch, Choice, Explanation, Limit, Score
from tengen.game.points import EMPTY, PASS, Colour, Point, opponent
from tengen.players.budget import Budget, BudgetSpent, whole
from tengen.players.candidates import near, pick
from tengen.players.parameters import number, tuned
from tengen.players.random import generator
from tengen.players.spec import spec_text
from tengen.players.windows import Windows
from tengen.words import Message

DEFAULTS: dict[str, float] = {"exploration": 0.5}
"""The parameters that may be tuned."""

PLAYOUTS = 4000
"""Playouts for a move, if it is not told."""

DISTANCE = 1
"""The largest distance of a tried point from a stone, in king's moves."""

SMALL = 36
"""On a board of no more points it tries them all."""

HORIZON = 60
"""Moves after which a simulated game is a draw."""

_SHOWN_PLIES, _SHOWN_MOVES, _SHOWN_PART = 3, 6, 0.01
"""The part of the tree that is shown: this many plies, of each position this many most visited moves,
and after the first ply only those with this share of all visits."""


class PlayoutNode:
    """A position in the tree.

    Attributes:
        point: the move that led here.
        untried: moves not yet in the tree.
        winner: the side that wins at once, if one does.
        children: the positions after the moves that were tried.
        visits: playouts that came through.
        wins: what they brought the side that moved here: 1 for a win, 0.5 for a draw.
    """

    __slots__ = ("children", "point", "untried", "visits", "winner", "wins")

    def __init__(self, point: Point, untried: list[Point], winner: Colour | None = None) -> None:
        self.point = point
        self.untried = untried
        self.winner = winner
        self.children: list[PlayoutNode] = []
        self.visits = 0
        self.wins = 0.0

    @property
    def rate(self) -> float:
        """Wins per visit, for the side that moved here."""
        return self.wins / self.visits if self.visits else 0.5

    def best(self) -> PlayoutNode:
        """The child most visited, of equal ones the one that won most; the first one of those."""
        return max(self.children, key=lambda child: (child.visits, child.wins))


class Mcts:
    """Plays the move that UCT visits most.

    Args:
        playouts: the number of playouts, if neither time nor nodes (which are playouts) are limited.
        seed: of the simulated games; any whole number.
        changes: parameters with another value than in `DEFAULTS`.

    Attributes:
        parameters: all parameters by name.
    """

    def __init__(self, playouts: int = PLAYOUTS, seed: int = 0, **changes: float) -> None:
        self.playouts = whole("playouts", playouts, 1)
        self.parameters = tuned(DEFAULTS, changes)
        self.seed = seed
        defaults, settings = {"playouts": PLAYOUTS, **DEFAULTS}, {"playouts": playouts, **self.parameters}
        self.name = spec_text("mcts", defaults, settings, seed or None)

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The move with the most visits, its line, and how often it won.

        Raises:
            GameOver: the game is over.
        """
        budget = self._budget(limit, stop)
        search = UctSearch(board, self, budget)
        weights = search.run()
        point = pick(board, weights)
        line, score = search.line(point)
        return Choice(point, score, line, budget.nodes, budget.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Visits as weights, and the part of the tree that was visited most.

        The value of a branch is the part of its playouts that the side moving to it won.
        """
        search = UctSearch(board, self, self._budget(limit, stop))
        weights = search.run()
        if not weights:
            return Explanation(Message("explain.nothing"))
        point = pick(board, weights)
        line, score = search.line(point)
        values = {
            "point": board.name(point),
            "visits": number(weights[point]),
            "playouts": search.root.visits,
            "percent": round(100 * score.win_rate) if score else 50,
        }
        tree = _branch(search.root, 0)
        return Explanation(Message("explain.mcts", values), weights, lines=(line,), tree=tree)

    def _budget(self, limit: Limit | None, stop: threading.Event | None) -> Budget:
        """The budget: the player's own playouts where neither time nor nodes are limited."""
        if limit is None or (limit.nodes is None and limit.seconds is None):
            limit = Limit(nodes=self.playouts)
        return Budget(limit, stop)


class UctSearch:
    """One tree, grown from one position.

    Attributes:
        root: the tree.
    """

    def __init__(self, board: Board, player: Mcts, budget: Budget) -> None:
        self._windows = Windows(board)
        self._colour = board.turn
        self._budget = budget
        self._exploration = player.parameters["exploration"]
        self._random = generator(player.seed, board)
        self._stones = [point for point, stone in enumerate(board.position) if stone]
        self._beside = [tuple(sorted(self._windows.around(p, DISTANCE))) for p in range(board.rules.points)]
        self._first = near(board, DISTANCE)
        self.root = self._node(PASS, self._colour)

    def run(self) -> dict[Point, float]:
        """Make playouts until the budget is spent.

        Returns:
            The visits of each move; one move alone is not visited. None if there is none.
        """
        root, windows = self.root, self._windows
        if not self._first:
            return {}
        root.untried = [point for point in root.untried if not windows.is_foul(point, self._colour)]
        if root.winner is not None or len(root.untried) < 2:
            # A win at once, a loss at once, or a single move: nothing to find out.
            fives = [*windows.fives(self._colour), *root.untried, *windows.fives(opponent(self._colour))]
            only = [point for point in fives if point in self._first] or self._first
            return dict.fromkeys(only[:1], 0)
        moves = sorted(root.untried)
        try:
            while True:
                self._budget.spend()
                self._playout()
        except BudgetSpent:
            pass
        visits = {child.point: child.visits for child in root.children}
        return {point: visits.get(point, 0) for point in moves}

    def line(self, point: Point) -> tuple[tuple[Point, ...], Score | None]:
        """The moves most visited from `point` on, and the score of the position before it."""
        node = next((child for child in self.root.children if child.point == point), None)
        if node is None:
            decided = {self._colour: Score.win_in(1), opponent(self._colour): Score.loss_in(2)}
            return (point,), decided.get(self.root.winner or EMPTY)
        score, line = Score.from_win_rate(node.rate), [point]
        while node.children:
            node = node.best()
            line.append(node.point)
        return tuple(line), score

    def _playout(self) -> None:
        """Select, expand, simulate, back up."""
        node, me, before = self.root, self._colour, len(self._stones)
        path = [node]
        while (point := self._untried(node, me)) is None and node.children:
            node = self._select(node)
            self._place(node.point, me)
            me = opponent(me)
            path.append(node)
        winner = node.winner or EMPTY
        if point is not None:
            self._place(point, me)
            me = opponent(me)
            child = self._node(point, me)
            node.children.append(child)
            path.append(child)
            winner = child.winner or self._simulate(me)
        while len(self._stones) > before:
            self._windows.lift(self._stones.pop())
        mover = opponent(self._colour)
        for node in path:
            node.visits += 1
            node.wins += 0.5 if winner == EMPTY else winner == mover
            mover = opponent(mover)

    def _untried(self, node: PlayoutNode, me: Colour) -> Point | None:
        """A move that is not in the tree yet and no foul, asked only now; None if there is none."""
        while node.untried:
            point = node.untried.pop()
            if not self._windows.is_foul(point, me):
                return point
        return None

    def _select(self, node: PlayoutNode) -> PlayoutNode:
        """The child that UCT wants to know more about."""
        log = math.log(node.visits)
        return max(
            node.children,
            key=lambda n: n.wins / n.visits + self._exploration * math.sqrt(log / n.visits),
        )

    def _node(self, point: Point, me: Colour) -> PlayoutNode:
        """The position as it stands, `point` having led here and `me` being to move."""
        windows = self._windows
        if windows.fives(me):
            return PlayoutNode(point, [], me)
        if windows.fives(opponent(me)):
            answers = windows.answers(opponent(me))
            return PlayoutNode(point, answers, None if answers else opponent(me))
        if len(windows.cells) <= SMALL:
            moves = windows.empty()
        elif self._stones:
            moves = sorted({q for p in self._stones for q in self._beside[p] if not windows.cells[q]})
        else:
            moves = list(self._first)
        self._random.shuffle(moves)
        return PlayoutNode(point, moves)

    def _simulate(self, me: Colour) -> Colour:
        """Play on by the light policy; the winner, or `EMPTY` for a draw."""
        windows = self._windows
        for _ in range(HORIZON):
            if windows.fives(me):
                return me
            enemy = opponent(me)
            if windows.fives(enemy):
                answers = windows.answers(enemy)
                if not answers:
                    return enemy
                point: Point | None = answers[0]
            else:
                point = self._beside_a_stone()
            if point is None:
                break
            self._place(point, me)
            me = enemy
        return EMPTY

    def _beside_a_stone(self) -> Point | None:
        """A random empty point beside a random stone; any point if that is hard to find, None if no is."""
        cells, choice = self._windows.cells, self._random.choice
        for _ in range(10 if self._stones else 0):
            point = choice(self._beside[choice(self._stones)])
            if not cells[point]:
                return point
        rest = self._windows.empty()
        return choice(rest) if rest else None

    def _place(self, point: Point, me: Colour) -> None:
        self._windows.place(point, me)
        self._stones.append(point)


def _branch(node: PlayoutNode, ply: int, least: float = 0) -> Branch:
    """The part of the tree that is shown: the most visited children, in the order of their first visit."""
    shown: list[PlayoutNode] = []
    if ply < _SHOWN_PLIES:
        most = sorted(node.children, key=lambda child: -child.visits)[:_SHOWN_MOVES]
        shown = [child for child in node.children if child in most and child.visits >= least]
    note = Message("explain.mcts.visits", {"visits": node.visits})
    least = least or node.visits * _SHOWN_PART
    return Branch(node.point, node.rate, note, tuple(_branch(child, ply + 1, least) for child in shown))
