"""x"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Colour, Point, opponent
from tengen.players.windows import Windows


class OutOfTime(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Vcf:
    line: tuple[Point, ...]
    proven: bool
    nodes: int


def find_vcf(
    board: Board,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    colour: Colour | None = None,
) -> Vcf:
    limit = limit or Limit()
    search = _Fours(Windows(board), board.turn if colour is None else colour, limit, stop)
    deepest = 99 if limit.depth is None else (limit.depth) // 2
    fours = 0
    try:
        for fours in range(deepest + 1):
            line, whole = search.run(fours)
            if line or whole:
                return Vcf(tuple(line or ()), True, search.nodes)
    except OutOfTime:
        pass
    return Vcf((), False, search.nodes)


class _Fours:
    def __init__(self, windows, attacker, limit, stop):
        self.w = windows
        self.me = attacker
        self.enemy = opponent(attacker)
        self.nodes = 0
        self.end = None if limit.seconds is None else time.perf_counter() + limit.seconds
        self.limit = limit
        self.stop = stop
        self.dead = set()

    def run(self, fours):
        self.failed = set()
        self.cuts = 0
        line = self.attack(fours)
        return line, self.cuts == 0

    def tick(self):
        self.nodes += 1
        if self.end is not None and time.perf_counter() > self.end:
            raise OutOfTime

    def attack(self, fours):
        w = self.w
        if fives := w.fives(self.me):
            return [fives[0]]
        key = bytes(w.cells)
        if key in self.dead:
            return None
        if key in self.failed:
            self.cuts += 1
            return None
        moves = w.fours(self.me)
        if w.fives(self.enemy):
            allowed = w.answers(self.enemy)
            moves = {p: f for p, f in moves.items() if p in allowed}
        if moves and not fours:
            self.cuts += 1
            return None
        before = self.cuts
        for four in sorted(moves, key=lambda p: -len(moves[p])):
            if w.is_foul(four, self.me):
                continue
            self.tick()
            w.place(four, self.me)
            try:
                rest = self.defend(fours - 1)
            finally:
                w.lift(four)
            if rest is not None:
                return [four, *rest]
        if self.cuts == before:
            self.dead.add(key)
        else:
            self.failed.add(key)
        return None

    def defend(self, fours):
        w = self.w
        if w.fives(self.enemy):
            return None
        longest = None
        answers = w.answers(self.me)
        for p in answers:
            self.tick()
            w.place(p, self.enemy)
            try:
                rest = self.attack(fours)
            finally:
                w.lift(p)
            if rest is None:
                return None
            if longest is None or len(rest) >= len(longest):
                longest = [p, *rest]
        return longest if answers else self.mate()

    def mate(self):
        w = self.w
        fives = w.fives(self.me)
        for p in (*fives, *w.empty()):
            if not w.is_foul(p, self.enemy):
                w.place(p, self.enemy)
                five = w.fives(self.me)[0]
                w.lift(p)
                return [p, five]
        return None
