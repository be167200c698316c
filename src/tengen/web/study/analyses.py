"""What the analysis can find out: the best moves, forced wins, and what each move of a game was worth.

An analysis does its work in a thread of `tengen.web.server.search_pool`. It can be interrupted there at any
time, and goes on later, but for a search for fours or threats, which would begin anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from tengen.engine.board.playable import check_rules
from tengen.engine.info import Info, Ranking, info_json
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Limit
from tengen.game.points import Colour
from tengen.solver.results import Defences, PointsProgress, Solution
from tengen.study.review import (
    ReviewedPosition,
    Reviewer,
    check_reviewable,
    evaluator,
    for_black,
    summary,
    turn_at,
)
from tengen.web.server.board_json import COLOURS
from tengen.web.server.search_pool import kept_player

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

Json: TypeAlias = dict[str, Any]
Tell: TypeAlias = Callable[[Json], object]
"""Takes what is known so far; called in the thread of the search."""

_ENGINE = "engine,memory_mb=32"
"""Of each thread, with a memory of positions of its own."""

Solve: TypeAlias = Callable[[Board, threading.Event], Solution]
Find: TypeAlias = Callable[[Board, threading.Event, PointsProgress], Defences]

_MOST_A_POSITION = 10.0
"""Seconds that a review looks at one position, at most; the nodes are spent long before."""


class Analysis(Protocol):
    """Something to be found out about a board.

    Attributes:
        urgency: the smaller, the sooner; of one visitor's analyses only one runs at a time.
        interruptible: whether it goes on where it was when it is interrupted.
    """

    urgency: ClassVar[int]
    interruptible: ClassVar[bool]

    def work(self, stop: threading.Event, tell: Tell) -> bool:
        """Search until it is finished, or until `stop` is set.

        Returns:
            Whether it is finished.
        """
        ...

    def ticking(self, seconds: float) -> Json | None:
        """What to tell while nothing new is known: seconds since it began to run; None for nothing."""
        ...

    def result(self) -> Json:
        """What is known when it has ended, however it has."""
        ...


def check(board: Board) -> None:
    """Make sure that there is something to analyse.

    Raises:
        RulesError: rules or a board that the engine does not play; the sentence says who does.
        GameOver: there is no move to be made.
    """
    check_rules(board.rules)
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")


def _engine() -> Engine:
    """The engine of this thread; it may take a moment to load."""
    from tengen.engine.engine import Engine

    engine = kept_player(_ENGINE)
    assert isinstance(engine, Engine)
    return engine


class BestMoves:
    """The best moves of a position, deeper and deeper.

    Args:
        board: the position.
        lines: how many moves.
        seconds: how long, the time in which it is interrupted left out.
        nodes: how many positions; None for any number.
    """

    urgency: ClassVar[int] = 2
    interruptible: ClassVar[bool] = True

    def __init__(self, board: Board, lines: int, seconds: float, nodes: int | None) -> None:
        check(board)
        self._board = board
        self._lines = max(min(lines, len(board.legal_points())), 1)
        self._seconds = seconds
        self._nodes = nodes
        self._spent = 0.0
        self._spent_nodes = 0
        self._best: list[Info] = []

    def work(self, stop: threading.Event, tell: Tell) -> bool:
        """See `Analysis.work`."""
        engine = _engine()
        began = time.perf_counter()
        ranking, nodes = Ranking(self._lines), 0
        nodes_left = None if self._nodes is None else max(self._nodes - self._spent_nodes, 1)
        limit = Limit(seconds=max(self._seconds - self._spent, 0.05), nodes=nodes_left)
        for info in engine.infos(self._board, limit, self._lines, stop):
            ranking.add(info)
            nodes = info.nodes
            if ranking.complete and self._is_news(ranking.infos):
                self._best = ranking.infos
                tell(self._told(nodes, time.perf_counter() - began))
        if not self._best:
            self._best = ranking.infos
        self._spent += time.perf_counter() - began
        self._spent_nodes += nodes
        return not stop.is_set()

    def _is_news(self, infos: list[Info]) -> bool:
        """Whether it has come as far as before it was interrupted."""
        return not self._best or infos[0].depth >= self._best[0].depth or infos[0].score.mate is not None

    def _told(self, nodes: int = 0, seconds: float = 0.0) -> Json:
        """The best moves; nodes and seconds are those of the whole search, of all its lines."""
        nodes, seconds = nodes + self._spent_nodes, seconds + self._spent
        spent = {
            "nodes": nodes,
            "nps": int(nodes / seconds) if seconds > 0 else 0,
            "seconds": round(seconds, 4),
        }
        return {"infos": [info_json(self._board, info) | spent for info in self._best]}

    def ticking(self, seconds: float) -> Json | None:
        """Each depth tells of itself."""
        return None

    def result(self) -> Json:
        """The best moves, as they were last told."""
        return self._told()


class ForcedWin:
    """A forced win by continuous fours, or by fours and open threes.

    Args:
        board: the position.
        solve: looks for it, until the event is set.
    """

    urgency: ClassVar[int] = 0
    interruptible: ClassVar[bool] = False

    def __init__(self, board: Board, solve: Solve) -> None:
        check(board)
        self._board = board
        self._solve = solve
        self._found = Solution(None, False, (), 0, 0, 0, 0.0)

    def work(self, stop: threading.Event, tell: Tell) -> bool:
        """See `Analysis.work`."""
        self._found = self._solve(self._board, stop)
        return True

    def ticking(self, seconds: float) -> Json | None:
        """How long it has been looking."""
        return {"seconds": round(seconds, 1)}

    def result(self) -> Json:
        """What it has found."""
        found = self._found
        return {
            "winner": None if found.winner is None else COLOURS[found.winner],
            "proven": found.proven,
            "line": [self._board.name(point) for point in found.line],
            "length": found.length,
            "fours": found.fours,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 3),
        }


class WhatStops:
    """What stops a side from winning by force, the other to move.

    Args:
        board: the position.
        attacker: who would win.
        find: looks for it, until the event is set.
    """

    urgency: ClassVar[int] = 0
    interruptible: ClassVar[bool] = False

    def __init__(self, board: Board, attacker: Colour, find: Find) -> None:
        check(board)
        self._board, self._attacker, self._find = board, attacker, find
        self._progress = PointsProgress()
        unknown = Solution(None, False, (), 0, 0, 0, 0.0)
        self._found = Defences(unknown, (), (), (), 0, 0.0)

    def work(self, stop: threading.Event, tell: Tell) -> bool:
        """See `Analysis.work`."""
        self._found = self._find(self._board, stop, self._progress)
        return True

    def ticking(self, seconds: float) -> Json | None:
        """How long it has been looking, and how many points are settled."""
        settled = {"settled": self._progress.settled, "points": self._progress.points}
        return {"seconds": round(seconds, 1), **settled}

    def result(self) -> Json:
        """What it has found."""
        found, name = self._found, self._board.name
        return {
            "attacker": COLOURS[self._attacker],
            "winner": None if found.win.winner is None else COLOURS[found.win.winner],
            "proven": found.proven,
            "stops": [name(point) for point in found.stops],
            "loses": [name(point) for point in found.loses],
            "open": [name(point) for point in found.open],
            "nodes": found.nodes,
            "seconds": round(found.seconds, 3),
        }


class GameReview:
    """A review of a game, see `tengen.study.review`.

    Args:
        board: its end.
        nodes: how many positions the engine looks at for each of the game's.

    Raises:
        RulesError: rules or a board that cannot be reviewed.
    """

    urgency: ClassVar[int] = 1
    interruptible: ClassVar[bool] = True

    def __init__(self, board: Board, nodes: int) -> None:
        check_reviewable(board.rules)
        self._board = board
        self._nodes = nodes
        self._reviewer = Reviewer(board)
        self._found: list[ReviewedPosition] = []

    def work(self, stop: threading.Event, tell: Tell) -> bool:
        """See `Analysis.work`."""
        # With a limit of time as well the engine keeps what it knows of the positions before.
        evaluate = evaluator(self._board.rules, Limit(_MOST_A_POSITION, self._nodes), stop, _engine)
        while not self._reviewer.done:
            complete = None if stop.is_set() else self._reviewer.step(evaluate)
            if complete is None:
                return False
            self._found += complete
            for position in complete:
                if position.ply:
                    tell(self._told(position))
        return True

    def _told(self, position: ReviewedPosition) -> Json:
        board = self._board
        win_rate, mate = for_black(position, turn_at(board, position.ply))
        return {
            "ply": position.ply,
            "win_rate": round(win_rate, 4),
            "mate": mate,
            "best": None if position.best is None else board.name(position.best),
            "line": [board.name(point) for point in position.line],
            "loss": position.loss,
            "judgement": position.judgement,
            "reason": position.reason,
            "missed_win": position.missed,
            "total": self._reviewer.total,
        }

    def ticking(self, seconds: float) -> Json | None:
        """Each position tells of itself."""
        return None

    def result(self) -> Json:
        """The first position, which comes last, with what is said of the whole game; else the total."""
        if not self._reviewer.done:
            return {"total": self._reviewer.total}
        review = summary(self._board, self._found)
        return {
            **self._told(review.positions[0]),
            "accuracy": {COLOURS[colour]: percent for colour, percent in review.accuracy.items()},
            "turning_point": review.turning_point,
        }
