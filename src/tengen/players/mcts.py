"""A player that evaluates positions by thousands of random games: Monte Carlo tree search.

The idea. How good is a position? Play it out at random many times, and count how often each side wins. That
needs no evaluation, only the rules. But random play is poor evidence, so the results decide which moves
are played next: moves that have done well are tried again, and more deeply. Each *playout* has four steps:

1. *Select*: from the root go down the tree, at each node to the child with the largest

       wins / visits + exploration * sqrt(ln(visits of the parent) / visits)

   The first term is the win rate; the second, the exploration bonus, grows while the child is neglected.
   This rule is *UCT*, upper confidence bounds for trees.
2. *Expand*: at the first node with an untried move, play such a move, and add a node for it.
3. *Simulate*: from there play on with a cheap policy until somebody wins.
4. *Back up*: count a visit for each position on the way, and a win for those whose side won.

The move with the most visits is played.

A worked example: in tic-tac-toe White holds the centre between two black corners. An edge holds, a corner
loses. Two hundred playouts know it:

>>> from tengen.players.mcts import Mcts
>>> from tengen import Board
>>> board = Board.from_moves("a1 b2 c3", rules="tictactoe")
>>> visits = Mcts(playouts=200).explain(board).weights
>>> sum(visits[board.point(edge)] for edge in ("b1", "a2", "c2", "b3")) > 150
True

The policy of the simulation is light, but not random alone: it makes a five, stops a five, and otherwise
plays beside a random stone. In the tree, too, a five is made or stopped before any other move is
considered, and on all but small boards only points beside a stone are tried. A game that takes too long
counts as a draw. Black's fouls are never played in the tree. In simulated games, where they are rare, the
test for them would cost too much; it is made only where Black has to stop a five.

Cost: any budget of playouts; some 5,000 a second on 15x15. More playouts play better, and in the limit the
play is perfect: the tree grows into the full game tree, and visits gather at the best move.

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
from tengen.game.player import Branch, Choice, Explanation, Limit, Score, player_repr
from tengen.game.points import EMPTY, PASS, Colour, Point, opponent
from tengen.players.budget import Budget, BudgetSpent, whole
from tengen.players.candidates import near, pick
from tengen.players.parameters import number, tuned
from tengen.players.random import generator
from tengen.players.spec import spec_text
from tengen.players.windows import Windows
from tengen.words import Message

DEFAULTS: dict[str, float] = {"exploration": 0.5}
"""Tunable parameters and their default values."""

PLAYOUTS = 4000
"""The default number of playouts for a move."""

DISTANCE = 1
"""The largest distance of a candidate point from a stone, in king's moves."""

SMALL = 36
"""The most points of a board on which every empty point is a candidate."""

HORIZON = 60
"""The most moves of a simulated game, which then counts as a draw."""

_ATTEMPTS = 10

_SHOWN_PLIES, _SHOWN_MOVES, _SHOWN_SHARE = 3, 6, 0.01
"""The part of the tree in an explanation: the most plies, the most children of a node, and after the first
ply the least share of all visits."""


class PlayoutNode:
    """A node of the tree: a position.

    Attributes:
        point: the move that led to the position.
        untried: moves without a child yet.
        winner: the side that wins at once, or None.
        children: the nodes after the moves tried so far, in the order of their first visit.
        visits: the number of playouts through the node.
        wins: their sum of points, 1 for a win and 0.5 for a draw, for the side that moved to the position.
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
        """Wins per visit, for the side that moved to the position."""
        return self.wins / self.visits if self.visits else 0.5

    def best(self) -> PlayoutNode:
        """Return the most visited child; among equals that with the most wins, then the first."""
        return max(self.children, key=lambda child: (child.visits, child.wins))


class Mcts:
    """A player of the move that UCT visits most.

    Args:
        playouts: the number of playouts where the limit has neither seconds nor nodes (playouts).
        seed: the seed of the random generator; any whole number.
        changes: parameters that differ from `DEFAULTS`.

    Attributes:
        parameters: all parameters by name.
    """

    def __init__(self, playouts: int = PLAYOUTS, seed: int = 0, **changes: float) -> None:
        self.playouts = whole("playouts", playouts, 1)
        self.parameters = tuned(DEFAULTS, changes)
        self.seed = seed
        defaults, settings = {"playouts": PLAYOUTS, **DEFAULTS}, {"playouts": playouts, **self.parameters}
        self.name = spec_text("mcts", defaults, settings, seed or None)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Return the move with the most visits, its line, and its win rate as the score.

        Raises:
            GameOver: the game is over.
        """
        budget = Budget.with_default(self.playouts, limit, stop)
        search = UctSearch(board, self, budget)
        weights = search.run()
        point = pick(board, weights)
        line, score = search.line(point)
        return Choice(point, score, line, budget.nodes, budget.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Return the visits as weights, and the most visited part of the tree.

        The value of a branch is the win rate of the side that moved to it.
        """
        search = UctSearch(board, self, Budget.with_default(self.playouts, limit, stop))
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


class UctSearch:
    """A search by UCT from one position.

    Attributes:
        root: the root of the tree.
    """

    def __init__(self, board: Board, player: Mcts, budget: Budget) -> None:
        self._windows = Windows(board)
        self._colour = board.turn
        self._budget = budget
        self._exploration = player.parameters["exploration"]
        self._random = generator(player.seed, board)
        self._stones = [point for point, stone in enumerate(board.position) if stone]
        self._beside = [tuple(sorted(self._windows.around(p, DISTANCE))) for p in range(board.rules.points)]
        self._candidates = near(board, DISTANCE)
        self.root = self._node(PASS, self._colour)

    def run(self) -> dict[Point, float]:
        """Make playouts until the budget is spent.

        Returns:
            The visits of each move; empty without a move to play. A forced move, or one that decides the
            game, is returned alone, with 0 visits: there is nothing to find out.
        """
        root, windows = self.root, self._windows
        if not self._candidates:
            return {}
        root.untried = [point for point in root.untried if not windows.is_foul(point, self._colour)]
        if root.winner is not None or len(root.untried) < 2:
            # A win at once; else the only move; else, in a lost position, a block of one of the fives.
            moves = [*windows.fives(self._colour), *root.untried, *windows.fives(opponent(self._colour))]
            moves = [point for point in moves if point in self._candidates] or self._candidates
            return dict.fromkeys(moves[:1], 0)
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
        """Return the most visited line that begins with `point`, and its score."""
        node = next((child for child in self.root.children if child.point == point), None)
        if node is None:
            scores = {self._colour: Score.win_in(1), opponent(self._colour): Score.loss_in(2)}
            return (point,), scores.get(self.root.winner or EMPTY)
        score, line = Score.from_win_rate(node.rate), [point]
        while node.children:
            node = node.best()
            line.append(node.point)
        return tuple(line), score

    def _playout(self) -> None:
        """Make one playout: select, expand, simulate, back up."""
        node, me, stones = self.root, self._colour, len(self._stones)
        path = [node]
        # 1. Select.
        while (point := self._untried(node, me)) is None and node.children:
            node = self._select(node)
            self._place(node.point, me)
            me = opponent(me)
            path.append(node)
        # 2. and 3. Expand and simulate, unless the game ends here.
        winner = node.winner or EMPTY
        if point is not None:
            self._place(point, me)
            me = opponent(me)
            child = self._node(point, me)
            node.children.append(child)
            path.append(child)
            winner = child.winner or self._simulate(me)
        # 4. Back up.
        while len(self._stones) > stones:
            self._windows.lift(self._stones.pop())
        mover = opponent(self._colour)
        for node in path:
            node.visits += 1
            node.wins += 0.5 if winner == EMPTY else winner == mover
            mover = opponent(mover)

    def _untried(self, node: PlayoutNode, me: Colour) -> Point | None:
        """Take the next untried move that is no foul; None if there is none."""
        while node.untried:
            point = node.untried.pop()
            # Fouls are tested this late because most untried moves are never taken.
            if not self._windows.is_foul(point, me):
                return point
        return None

    def _select(self, node: PlayoutNode) -> PlayoutNode:
        """Return the child with the greatest upper confidence bound."""
        log = math.log(node.visits)
        return max(
            node.children,
            key=lambda n: n.wins / n.visits + self._exploration * math.sqrt(log / n.visits),
        )

    def _node(self, point: Point, me: Colour) -> PlayoutNode:
        """Return a node for the current position, after `point`, with `me` to move."""
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
            moves = list(self._candidates)
        self._random.shuffle(moves)
        return PlayoutNode(point, moves)

    def _simulate(self, me: Colour) -> Colour:
        """Play a game with the light policy; return the winner, or `EMPTY` for a draw."""
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
        """Return a random empty point beside a random stone.

        If `_ATTEMPTS` draws find no such point, return any empty point; None on a full board.
        """
        cells, choice = self._windows.cells, self._random.choice
        for _ in range(_ATTEMPTS if self._stones else 0):
            point = choice(self._beside[choice(self._stones)])
            if not cells[point]:
                return point
        empty = self._windows.empty()
        return choice(empty) if empty else None

    def _place(self, point: Point, me: Colour) -> None:
        self._windows.place(point, me)
        self._stones.append(point)


def _branch(node: PlayoutNode, ply: int, least_visits: float = 0) -> Branch:
    """Return the part of the tree in an explanation, with children in the order of their first visit.

    Args:
        node: the node to begin with.
        ply: its depth.
        least_visits: the fewest visits of a child; 0 at the root.
    """
    shown: list[PlayoutNode] = []
    if ply < _SHOWN_PLIES:
        most_visited = sorted(node.children, key=lambda child: -child.visits)[:_SHOWN_MOVES]
        shown = [child for child in node.children if child in most_visited and child.visits >= least_visits]
    note = Message("explain.mcts.visits", {"visits": node.visits})
    least_visits = least_visits or node.visits * _SHOWN_SHARE
    branches = tuple(_branch(child, ply + 1, least_visits) for child in shown)
    return Branch(node.point, node.rate, note, branches)
