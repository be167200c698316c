"""x"""

from __future__ import annotations

import math
import threading

from tengen.game.board import Board
from tengen.game.player import Branch, Choice, Explanation, Limit, Score
from tengen.game.points import EMPTY, Colour, Point, opponent
from tengen.players.budget import Budget, Spent, whole
from tengen.players.candidates import near, pick
from tengen.players.parameters import spec, tuned
from tengen.players.random import generator
from tengen.players.windows import Windows
from tengen.words import Message

DEFAULTS = {"exploration": 0.7}


class Node:
    __slots__ = ("children", "point", "untried", "visits", "winner", "wins")

    def __init__(self, point, moves, winner):
        self.point = point
        self.untried = moves
        self.winner = winner
        self.children = []
        self.visits = 0
        self.wins = 0.0


class Mcts:
    def __init__(self, playouts=2000, seed=0, distance=2, horizon=40, **changes):
        self.playouts = playouts
        self.parameters = tuned(DEFAULTS, changes)
        self.seed = seed
        self.distance = distance
        self.horizon = horizon
        self.name = "mcts"

    def choose(self, board, limit=None, stop=None):
        if limit is None or limit == Limit():
            limit = Limit(nodes=self.playouts)
        s = _Search(board, self, Budget(limit, stop))
        root = s.run()
        if root.winner == board.turn:
            return Choice(s.w.fives(board.turn)[0])
        visits = {c.point: c.visits for c in root.children}
        if not visits: visits = dict.fromkeys(near(board), 0)
        best = pick(board, visits)
        rate = next((c.wins / c.visits for c in root.children if c.point == best), 0.5)
        return Choice(best, Score.from_win_rate(rate), (best,), s.budget.nodes, s.budget.seconds)


class _Search:
    def __init__(self, board, player, budget):
        self.w = Windows(board)
        self.colour = board.turn
        self.budget = budget
        self.rng = generator(player.seed, board)
        self.stones = [p for p, c in enumerate(board.position) if c]
        self.first = near(board, player.distance)
        self.distance = player.distance
        self.horizon = player.horizon
        self.c = player.parameters["exploration"]

    def run(self):
        self.root = self.node(-1, self.colour)
        try:
            while not self.root.winner:
                self.budget.spend()
                self.playout()
        except Spent:
            pass
        return self.root

    def place(self, point, me):
        self.w.place(point, me)
        self.stones.append(point)

    def playout(self):
        node, me = self.root, self.colour
        path = [node]
        depth = len(self.stones)
        while not node.untried and node.children:
            node = self.select(node)
            self.place(node.point, me)
            path.append(node)
            me = opponent(me)
        if node.untried:
            p = node.untried.pop()
            self.place(p, me)
            me = opponent(me)
            child = self.node(p, me)
            node.children.append(child)
            path.append(child)
            node = child
        winner = node.winner or (self.simulate(me) if node.untried or node.children else EMPTY)
        while len(self.stones) > depth:
            self.w.lift(self.stones.pop())
        mover = opponent(self.colour)
        for node in path:
            node.visits += 1
            node.wins += 1 if winner == mover else 0 if winner else 0.5
            mover = opponent(mover)

    def select(self, node):
        log = math.log(node.visits)
        c = self.c
        return max(node.children, key=lambda n: n.wins / n.visits + c * math.sqrt(log / n.visits))

    def node(self, point, me):
        w = self.w
        enemy = opponent(me)
        if w.fives(me):
            return Node(point, [], me)
        if w.fives(enemy):
            moves = w.answers(enemy)
            if not moves:
                return Node(point, w.fives(enemy)[:1] if point < 0 else [], 0 if point < 0 else enemy)
        else:
            moves = {q for p in self.stones for q in w.around(p, self.distance) if not w.cells[q]}
            moves = sorted(moves) if moves else list(self.first)
            moves = [p for p in moves if not w.is_foul(p, me)]
            self.rng.shuffle(moves)
        return Node(point, moves, 0)

    def simulate(self, me):
        w, rng = self.w, self.rng
        for _ in range(self.horizon):
            if w.fives(me):
                return me
            enemy = 3 - me
            if w.fives(enemy):
                answers = w.answers(enemy)
                if not answers:
                    return enemy
                p = answers[0]
            else:
                p = self.near_stone(me)
                if p is None:
                    return EMPTY
            self.place(p, me)
            me = enemy
        return EMPTY

    def near_stone(self, me):
        w, rng = self.w, self.rng
        for _ in range(10):
            s = rng.choice(self.stones)
            q = rng.choice(tuple(w.around(s, 1)))
            if not w.cells[q] and not w.is_foul(q, me):
                return q
        e = w.empty()
        rng.shuffle(e)
        for q in e:
            if not w.is_foul(q, me):
                return q
        return None
