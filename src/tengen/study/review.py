"""A game looked through from its end to its beginning, and what each move gave away.

Every position of the game is evaluated, the last one first. So what comes later is known when it comes to
an earlier position: a win that follows is a win there too, whether or not it has been seen from so far
away, and what the engine remembers of the later positions helps it with the earlier ones.

A move's *loss* is the win rate that its mover had with the best move, less what is left after the one that
was played. It is never below 0: a position is worth at least what the move played there has led to. Where
the move was the one that the engine chooses too, nothing is lost by it: what is known later only shows that
the position was worth less.

Five in a row on square boards is evaluated by the engine, small m,n,k games exactly.

>>> import tengen
>>> game = tengen.Record.from_board(tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe"))
>>> [(mistake.ply, mistake.judgement) for mistake in tengen.review(game).mistakes]
[(4, 'blunder'), (5, 'blunder')]
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tengen.engine.board.playable import check_rules, plays
from tengen.engine.info import Info, Ranking
from tengen.game.arguments import check_kind
from tengen.game.board import Board
from tengen.game.player import Limit, Score, check_search
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point, opponent
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.solver.limits import solves
from tengen.study.judgement import Judgement, Outlook, Reason, accuracy, effective_loss, judge
from tengen.study.unanswered_threats import WinPlies, unanswered_threat

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

NODES = 30_000
"""Positions that the engine looks at for each of the game's, unless told otherwise."""

EXACT_NODES = 5_000_000
"""Positions that the exact solver looks at for each of the game's, unless told otherwise."""

TURNED = 0.75
"""From this win rate on a game is taken for won, if it never falls below it again."""

_EXACT_MEMORY = 16
"""Megabytes for the exact solver."""

Evaluate: TypeAlias = Callable[[Board], "Info | None"]
"""Says the best move of a position and what it is worth; None where it was interrupted."""


@dataclass(frozen=True, slots=True)
class ReviewedPosition:
    """What is known of one position, and of the move that led to it.

    Attributes:
        ply: how many moves led to it.
        win_rate: of the side to move; where the game is over, of the side that would be.
        mate: plies to the end where it is known, positive when the side to move wins; 0 where it is over.
        best: the best move; None where the game is over.
        line: the moves expected, the best one first.
        loss: the win rate that the move which led here has lost its mover; None at the beginning.
        missed: whether that mover had a win for certain and has it no more.
        judgement: of that move, if it gave something away.
        reason: why it is judged so.
    """

    ply: int
    win_rate: float
    mate: int | None
    best: Point | None
    line: tuple[Point, ...]
    loss: float | None = None
    missed: bool = False
    judgement: Judgement | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that gave something away.

    Attributes:
        ply: which move it was, from 1.
        colour: who played it.
        point: where.
        judgement: how grave it is.
        reason: why it is judged so.
        loss: the win rate that it lost, from 0 to 1; 0 where the game was lost or stays won.
        better: the moves that should have followed, the one that should have been played first.
    """

    ply: int
    colour: Colour
    point: Point
    judgement: Judgement
    reason: Reason
    loss: float
    better: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """A game looked through.

    Attributes:
        positions: all of them in the order of play, the first before any move.
        mistakes: the moves that gave something away, inaccuracies included, in the order of play.
        accuracy: of each side that has moved, from 0 to 100; see `tengen.study.judgement.accuracy`.
        turning_point: the ply of the move from which on one side's win rate stayed at 0.75 or above to
            the end; 0 where it was so from the beginning, None where nobody was so far ahead at the end.
        graph: Black's win rate in each position, from 0 to 1.
    """

    positions: tuple[ReviewedPosition, ...]
    mistakes: tuple[Mistake, ...]
    accuracy: Mapping[Colour, float]
    turning_point: int | None
    graph: tuple[float, ...]


def review(record: Record, limit: Limit | None = None, stop: threading.Event | None = None) -> Review:
    """Review a game, see the docs on what is an inaccuracy, a mistake or a blunder.

    Args:
        record: the game; its main line is looked through, which need not be ended.
        limit: for each position; 30,000 nodes of the engine if None.
        stop: when set, ends it.

    Returns:
        What was found; of an interrupted review only the positions that were looked at, the last ones.

    Raises:
        RulesError: rules or a board that neither the engine nor the exact solver plays.
        IllegalMove: a move of the record that cannot be played.
        ArgumentError: an argument of another kind.
    """
    check_kind("record", record, Record, "argument.record")
    board = record.board()
    check_search(board, limit, stop)
    reviewer = Reviewer(board)
    evaluate = evaluator(board.rules, limit, stop)
    found: list[ReviewedPosition] = []
    while not reviewer.done:
        complete = None if stop is not None and stop.is_set() else reviewer.step(evaluate)
        if complete is None:
            break
        found += complete
    return summary(board, found)


def check_reviewable(rules: Rules) -> None:
    """Refuse games that cannot be reviewed.

    Raises:
        RulesError: rules or a board that neither the engine nor the exact solver plays.
    """
    if not solves(rules):
        check_rules(rules)


def evaluator(
    rules: Rules,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    engine: Callable[[], Engine] | None = None,
) -> Evaluate:
    """Make the function that evaluates the positions of a game.

    Args:
        rules: of the game.
        limit: for each position.
        stop: when set, interrupts it.
        engine: gives the engine to ask; a new one if None.

    Raises:
        RulesError: rules or a board that neither the engine nor the exact solver plays.
    """
    check_reviewable(rules)
    if not plays(rules):
        most = limit or Limit(nodes=EXACT_NODES)
        return lambda board: _exact_info(board, most, stop)
    if engine is None:
        from tengen.engine.engine import Engine

        asked = Engine()
    else:
        asked = engine()

    def evaluate(board: Board) -> Info | None:
        ranking = Ranking()
        for info in asked.infos(board, limit or Limit(nodes=NODES), 1, stop):
            ranking.add(info)
        return None if stop is not None and stop.is_set() else ranking.infos[0]

    return evaluate


def _exact_info(board: Board, limit: Limit, stop: threading.Event | None) -> Info | None:
    """What is proven of a position; even where a limit was reached before that."""
    from tengen.solver.exact.solve import solve_exact

    found = solve_exact(board, limit, stop, memory_mb=_EXACT_MEMORY)
    if stop is not None and stop.is_set():
        return None
    plies = found.distance or board.rules.points - board.ply
    score = {1: Score.win_in(plies), -1: Score.loss_in(plies)}.get(found.value or 0, Score(0))
    point = found.best[0] if found.best else board.legal_points()[0]
    return Info(point, score, plies, found.positions, 0, found.seconds, (point,))


class Reviewer:
    """Goes through a game backwards, a position a step.

    Args:
        board: the end of the game.

    Attributes:
        total: how many positions there are.
        done: whether all have been looked at.
    """

    def __init__(self, board: Board) -> None:
        self._board = board.copy()
        self._after: ReviewedPosition | None = None
        self._played: Point = PASS
        self.total = board.ply + 1
        self.done = False

    def step(self, evaluate: Evaluate) -> list[ReviewedPosition] | None:
        """Look at one more position.

        Returns:
            What is complete now: the position after it, whose move can be judged from here on, and at the
            end the first position too. None where the look was interrupted; then the step is taken again.
        """
        board, after = self._board, self._after
        if self.done:
            return []
        here = ended(board) if board.outcome() is not None else None
        if here is None:
            info = evaluate(board)
            if info is None:
                return None
            here = evaluated(board.ply, info, self._played, after)
        complete = []
        if after is not None:
            complete.append(with_judgement(here, after, unanswered_threat(board, self._played)))
        self._after = here
        if board.ply:
            self._played = board.pop()
        else:
            self.done = True
            complete.append(here)
        return complete


def ended(board: Board) -> ReviewedPosition:
    """Return what is known of a position in which the game is over."""
    outcome = board.outcome()
    assert outcome is not None
    if outcome.winner is None:
        return ReviewedPosition(board.ply, 0.5, None, None, ())
    return ReviewedPosition(board.ply, 1.0 if outcome.winner == board.turn else 0.0, 0, None, ())


def evaluated(ply: int, info: Info, played: Point, after: ReviewedPosition | None) -> ReviewedPosition:
    """Return what is known of a position by its evaluation and by what came of it.

    Args:
        ply: of the position.
        info: its evaluation.
        played: the move that was played there.
        after: the position after that move; None at the end of the game.
    """
    seen = ReviewedPosition(ply, info.score.win_rate, info.score.mate, info.point, info.line)
    if after is None:
        return seen
    line, seen_win = (played, *after.line), (seen.mate or 0) > 0
    if after.mate is not None and after.win_rate == 0.0:
        plies = abs(after.mate) + 1
        if not seen_win or plies < (seen.mate or 0):
            return ReviewedPosition(ply, 1.0, plies, played, line)
        return seen
    if 1 - after.win_rate > seen.win_rate or (played == info.point and not seen_win):
        lost = after.mate is not None and after.win_rate == 1.0
        mate = -(abs(after.mate or 0) + 1) if lost else None
        return ReviewedPosition(ply, 1 - after.win_rate, mate, played, line)
    return seen


def with_judgement(
    before: ReviewedPosition, after: ReviewedPosition, threat: WinPlies | None
) -> ReviewedPosition:
    """Return a position with the judgement of the move that led to it.

    Args:
        before: the position before the move.
        after: the one after it.
        threat: see `tengen.study.judgement.judge`.
    """
    left = Outlook(1 - after.win_rate, after.mate)
    loss = max(before.win_rate - left.win_rate, 0.0)
    verdict = judge(Outlook(before.win_rate, before.mate), left, threat)
    return replace(
        after,
        loss=round(loss, 4),
        missed=(before.mate or 0) > 0 and after.win_rate > 0,
        judgement=None if verdict is None else verdict.judgement,
        reason=None if verdict is None else verdict.reason,
    )


def summary(board: Board, positions: list[ReviewedPosition]) -> Review:
    """Put together what was found in a game.

    Args:
        board: the end of the game.
        positions: those that were looked at, in any order.
    """
    inside = sorted(positions, key=lambda position: position.ply)
    mistakes = []
    for before, after in pairwise(inside):
        if after.judgement is not None and after.reason is not None:
            point, mover = board.moves[before.ply], turn_at(board, before.ply)
            verdict = after.judgement, after.reason
            mistakes.append(Mistake(after.ply, mover, point, *verdict, after.loss or 0.0, before.line))
    graph = tuple(for_black(position, turn_at(board, position.ply))[0] for position in inside)
    turned = _turning_point(inside, graph)
    return Review(tuple(inside), tuple(mistakes), accuracies(board, inside), turned, graph)


def accuracies(board: Board, positions: list[ReviewedPosition]) -> dict[Colour, float]:
    """Return the accuracy of each side that has moved; see `tengen.study.judgement.accuracy`."""
    found = {}
    for colour in (BLACK, WHITE):
        losses = (
            effective_loss(position.loss, position.judgement)
            for position in positions
            if position.loss is not None and turn_at(board, position.ply) != colour
        )
        if (percent := accuracy(losses)) is not None:
            found[colour] = percent
    return found


def _turning_point(positions: list[ReviewedPosition], graph: tuple[float, ...]) -> int | None:
    """The ply from which on one side's win rate stays at `TURNED` or above."""
    for rates in (graph, tuple(1 - rate for rate in graph)):
        behind = [number for number, rate in enumerate(rates) if rate < TURNED]
        if not behind:
            return positions[0].ply if positions else None
        if behind[-1] + 1 < len(rates):
            return positions[behind[-1] + 1].ply
    return None


def for_black(position: ReviewedPosition, turn: int) -> tuple[float, int | None]:
    """Return Black's win rate, and the plies to the end, positive when Black wins.

    Args:
        position: what is known of it.
        turn: the side to move there.
    """
    if turn == BLACK:
        return position.win_rate, position.mate
    return 1 - position.win_rate, None if position.mate is None else -position.mate


def turn_at(board: Board, ply: int) -> int:
    """Return the side to move at a ply of the game that led to a board."""
    return board.turn if (board.ply - ply) % 2 == 0 else opponent(board.turn)
