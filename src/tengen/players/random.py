"""A player that plays anywhere: the measure that every idea has to beat.

The idea: none. Every legal point has the same probability. Cost: one list of the legal points. Blind to
everything. A match against it shows whether a player understands anything at all, and random games are
good test material.

A seed makes it repeatable: the point then depends on the seed and the moves played, and on nothing
else, so that a game that was saved and loaded goes on as it would have.
"""

from __future__ import annotations

import random
import threading
import time

from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Choice, Explanation, Limit, player_repr
from tengen.game.points import PASS
from tengen.words import Message


class Random:
    """Plays a random legal point; passes only where nothing else is legal.

    Args:
        seed: any whole number; None draws anew each time.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self.name = "random" if seed is None else f"random,seed={seed}"

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Return a legal point, each with equal probability.

        Raises:
            GameOver: the game is over.
        """
        start = time.perf_counter()
        points = board.legal_points()
        if points:
            point = generator(self._seed, board).choice(points)
        elif board.is_legal(PASS):
            point = PASS
        else:
            raise GameOver("error.game_over.choose")
        return Choice(point, nodes=1, seconds=time.perf_counter() - start)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """All legal points, equally likely."""
        points = board.legal_points()
        summary = Message("explain.random", {"count": len(points)})
        return Explanation(summary, weights=dict.fromkeys(points, 1 / max(len(points), 1)))


def generator(seed: int | None, board: Board) -> random.Random:
    """Random numbers that depend on `seed`, the position and how many moves led to it, and nothing else.

    On chance where `seed` is None.
    """
    if seed is None:
        return random.Random()
    return random.Random(f"{seed} {board.turn} {board.ply} {board.position.hex()}")
