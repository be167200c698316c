"""The review of a game, from its end to its beginning, with the loss of each move.

Every position of the game is evaluated, the last one first. So the results of later positions are available
at an earlier one: a win found later is a win there too, even if the engine does not find it from that
distance, and the engine's transposition table of later positions speeds up the earlier ones.

A move's *loss* is the mover's win rate with the best move, less the win rate after the move played. It is
never below 0: the value of a position is at least that of the position its played move leads to. A move
that is also the engine's choice loses nothing: later results only show that the position was worth less.

Five in a row on square boards is evaluated by the engine, small m,n,k games by the exact solver.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tengen.engine.board.playable import check_rules, plays
from tengen.engine.info import Info, Ranking
from tengen.extras import importing
from tengen.formats.pictures.svg import check_language
from tengen.formats.pictures.win_rate_graph import WinRateGraph
from tengen.game.arguments import check_callable, check_kind
from tengen.game.board import Board
from tengen.game.player import Limit, Score, check_search
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point, opponent
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.solver.limits import solves
from tengen.study.judgement import Judgement, Outlook, Reason, accuracy, effective_loss, judge
from tengen.study.unanswered_threats import WinPlies, unanswered_threat
from tengen.words import say

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

NODES = 30_000
"""The engine's default number of nodes per position."""

EXACT_NODES = 5_000_000
"""The exact solver's default number of nodes per position."""

TURNED = 0.75
"""The win rate from which a game counts as decided, if it never falls below it again."""

_EXACT_MEMORY = 16
"""Megabytes of the exact solver's table."""

Evaluate: TypeAlias = Callable[[Board], "Info | None"]
"""A function that evaluates a position; it returns None if interrupted."""


@dataclass(frozen=True, slots=True)
class ReviewedPosition:
    """The evaluation of a position, and the judgement of the move that led to it.

    Attributes:
        ply: the number of moves before the position.
        win_rate: the win rate of the side to move; if the game is over, of the side that would be to move.
        mate: plies to a proven end, positive if the side to move wins; 0 if the game is over, None if
            unproven.
        best: the best move; None if the game is over.
        line: the principal variation, beginning with the best move.
        loss: the mover's loss of win rate by the move that led here; None at the beginning.
        missed: whether that move gave up a proven win.
        judgement: the judgement of that move; None if there is no criticism.
        reason: the reason for the judgement.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe")
        >>> review = tengen.review(tengen.Record.from_board(board))
        >>> for position in review.positions[2:6]:
        ...     best = board.name(position.best)
        ...     print(position.ply, position.win_rate, best, position.loss, position.judgement)
        2 0.5 b1 0.0 None
        3 0.5 b1 0.0 None
        4 1.0 c1 0.5 blunder
        5 1.0 c1 1.0 blunder
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
    """A move that lost win rate or a better result.

    Attributes:
        ply: the number of the move, from 1.
        colour: the side that played it.
        point: the point played.
        judgement: the gravity of the mistake.
        reason: the reason for the judgement.
        loss: the loss of win rate, from 0 to 1; 0 where the game was already lost or stays won.
        better: the line that should have been played, beginning with the better move.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe")
        >>> mistake = tengen.review(tengen.Record.from_board(board)).mistakes[0]
        >>> mistake.ply, mistake.colour == tengen.WHITE, board.name(mistake.point)
        (4, True, 'a3')
        >>> mistake.judgement, mistake.reason, mistake.loss
        ('blunder', 'ignored_threat', 0.5)
        >>> [board.name(point) for point in mistake.better]
        ['b1']
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
    """The review of a game.

    Attributes:
        positions: all positions in the order of play, beginning with the first position.
        mistakes: the criticised moves, including inaccuracies, in the order of play.
        accuracy: the accuracy of each side that has moved, from 0 to 100; see
            `tengen.study.judgement.accuracy`. Empty if the review was interrupted.
        turning_point: the ply from which one side's win rate stayed at 0.75 or above to the end; 0 if it
            was so from the beginning, None if neither side was so far ahead at the end, or if an
            interrupted review has not reached it.
        graph: Black's win rate in each position, from 0 to 1.
        total: the number of positions of the game; by default that of `positions`, which has fewer, the
            last ones, if the review was interrupted.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe")
        >>> review = tengen.review(tengen.Record.from_board(board))
        >>> [(mistake.ply, mistake.judgement) for mistake in review.mistakes]
        [(4, 'blunder'), (5, 'blunder')]
        >>> review.graph
        (0.5, 0.5, 0.5, 0.5, 1.0, 0.0, 0.0)
        >>> {colour: round(percent) for colour, percent in review.accuracy.items()}, review.turning_point
        ({1: 67, 2: 70}, 5)
        >>> review.complete, review.total
        (True, 7)
    """

    positions: tuple[ReviewedPosition, ...]
    mistakes: tuple[Mistake, ...]
    accuracy: Mapping[Colour, float]
    turning_point: int | None
    graph: tuple[float, ...]
    total: int = 0

    def __post_init__(self) -> None:
        """Take `positions` as all there are if no number is given."""
        if not self.total:
            object.__setattr__(self, "total", len(self.positions))

    @property
    def complete(self) -> bool:
        """True if all positions have been evaluated; False if the review was interrupted."""
        return len(self.positions) == self.total

    def draw(self, lang: str = "en") -> WinRateGraph:
        """Draw `graph`, with the mistakes and the turning point.

        Args:
            lang: the language of the title.

        Raises:
            PictureError: the language does not exist.

        Examples:
            >>> import tengen
            >>> record = tengen.Record.from_board(tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe"))
            >>> graph = tengen.review(record).draw()
            >>> graph.svg[:4]
            '<svg'
        """
        check_language(lang)
        marks = {mistake.ply: mistake.judgement for mistake in self.mistakes}
        first = self.positions[0].ply if self.positions else 0
        values = {"done": len(self.positions), "total": self.total}
        title = say("review.graph" if self.complete else "review.interrupted.graph", lang, **values)
        missing = self.total - len(self.positions)
        return WinRateGraph(self.graph, marks, first, self.turning_point, title, lang, missing)

    def _repr_svg_(self) -> str:
        return self.draw().svg


def review(
    record: Record,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    progress: Callable[[ReviewedPosition, int], object] | None = None,
) -> Review:
    """Review a game; the docs define inaccuracies, mistakes and blunders.

    Args:
        record: the game; its main line is reviewed, which need not be finished.
        limit: the limit per position; 30,000 nodes of the engine if None.
        stop: when set, the review ends.
        progress: called with each position that is done, the last one first, and the number of positions.

    Returns:
        The review; if it was interrupted, only of the positions evaluated so far, the last ones, without
        accuracy.

    Raises:
        RulesError: neither the engine nor the exact solver supports the rules or the board.
        IllegalMove: a move of the record is illegal.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("a1b2c3a3b1c1", "tictactoe")
        >>> review = tengen.review(tengen.Record.from_board(board))
        >>> for mistake in review.mistakes:
        ...     better = " ".join(board.name(point) for point in mistake.better)
        ...     print(f"{mistake.ply}. {board.name(mistake.point)}: {mistake.judgement}, better {better}")
        4. a3: blunder, better b1
        5. b1: blunder, better c1

        A game of five in a row is reviewed by the engine. White misses an open three, and Black a win:

        >>> board = tengen.Board.from_moves("h8i9h9a1h10a2f6")
        >>> review = tengen.review(tengen.Record.from_board(board), tengen.Limit(nodes=500))
        >>> for mistake in review.mistakes[-2:]:
        ...     print(mistake.ply, board.name(mistake.point), mistake.judgement, mistake.reason)
        6 a2 blunder ignored_threat
        7 f6 mistake missed_win
    """
    check_kind("record", record, Record, "argument.record")
    board = record.board()
    check_search(board, limit, stop)
    if progress is not None:
        check_callable("progress", progress)
    reviewer = Reviewer(board)
    evaluate = evaluator(board.rules, limit, stop)
    found: list[ReviewedPosition] = []
    while not reviewer.done:
        complete = None if stop is not None and stop.is_set() else reviewer.step(evaluate)
        if complete is None:
            break
        found += complete
        if progress is not None:
            for position in complete:
                progress(position, reviewer.total)
    return summary(board, found)


def check_reviewable(rules: Rules) -> None:
    """Check that games with some rules can be reviewed.

    Raises:
        RulesError: neither the engine nor the exact solver supports the rules or the board.
    """
    if not solves(rules):
        check_rules(rules)


def evaluator(
    rules: Rules,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    engine: Callable[[], Engine] | None = None,
) -> Evaluate:
    """Return the function that evaluates the positions of a game.

    Args:
        rules: the rules of the game.
        limit: the limit per position.
        stop: when set, evaluations are interrupted.
        engine: returns the engine to use; a new engine if None.

    Raises:
        RulesError: neither the engine nor the exact solver supports the rules or the board.
    """
    check_reviewable(rules)
    if not plays(rules):
        most = limit or Limit(nodes=EXACT_NODES)
        return lambda board: _exact_info(board, most, stop)
    if engine is None:
        with importing():
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
    """Evaluate a position exactly, as far as the limit allows; None if interrupted."""
    with importing():
        from tengen.solver.exact.solve import solve_exact

    found = solve_exact(board, limit, stop, memory_mb=_EXACT_MEMORY)
    if stop is not None and stop.is_set():
        return None
    plies = found.distance or board.rules.points - board.ply
    score = {1: Score.win_in(plies), -1: Score.loss_in(plies)}.get(found.value or 0, Score(0))
    point = found.best[0] if found.best else board.legal_points()[0]
    return Info(point, score, plies, found.positions, 0, found.seconds, (point,))


class Reviewer:
    """An incremental review, which evaluates one position per step, from the last to the first.

    Args:
        board: the final position of the game, with its moves.

    Attributes:
        total: the number of positions.
        done: whether all positions have been evaluated.
    """

    def __init__(self, board: Board) -> None:
        self._board = board.copy()
        self._after: ReviewedPosition | None = None
        self._played: Point = PASS
        self.total = board.ply + 1
        self.done = False

    def step(self, evaluate: Evaluate) -> list[ReviewedPosition] | None:
        """Evaluate one more position.

        Returns:
            The positions that are now complete: the position after it, whose move can now be judged, and at
            the end also the first position. None if the evaluation was interrupted; the step can then be
            repeated.
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
    """Return the evaluation of a position in which the game is over."""
    outcome = board.outcome()
    assert outcome is not None
    if outcome.winner is None:
        return ReviewedPosition(board.ply, 0.5, None, None, ())
    return ReviewedPosition(board.ply, 1.0 if outcome.winner == board.turn else 0.0, 0, None, ())


def evaluated(ply: int, info: Info, played: Point, after: ReviewedPosition | None) -> ReviewedPosition:
    """Return the evaluation of a position, corrected by the evaluation of the position after it.

    Args:
        ply: the ply of the position.
        info: the engine's evaluation.
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
        after: the position after the move.
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
    """Assemble the review of a game.

    Args:
        board: the final position of the game, with its moves.
        positions: the evaluated positions, in any order.
    """
    inside = sorted(positions, key=lambda position: position.ply)
    mistakes = []
    for before, after in pairwise(inside):
        if after.judgement is not None and after.reason is not None:
            point, mover = board.moves[before.ply], turn_at(board, before.ply)
            verdict = after.judgement, after.reason
            mistakes.append(Mistake(after.ply, mover, point, *verdict, after.loss or 0.0, before.line))
    graph = tuple(for_black(position, turn_at(board, position.ply))[0] for position in inside)
    total = board.ply + 1
    whole = len(inside) == total
    accurate = accuracies(board, inside) if whole else {}
    turned = _turning_point(inside, graph, whole=whole)
    return Review(tuple(inside), tuple(mistakes), accurate, turned, graph, total)


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


def _turning_point(
    positions: list[ReviewedPosition], graph: tuple[float, ...], *, whole: bool
) -> int | None:
    """Return the ply from which one side's win rate stays at `TURNED` or above; None if there is none.

    If the positions are not the whole game, it may lie before them, and is not known then.
    """
    for rates in (graph, tuple(1 - rate for rate in graph)):
        behind = [number for number, rate in enumerate(rates) if rate < TURNED]
        if not behind:
            return positions[0].ply if positions and whole else None
        if behind[-1] + 1 < len(rates):
            return positions[behind[-1] + 1].ply
    return None


def for_black(position: ReviewedPosition, turn: int) -> tuple[float, int | None]:
    """Return Black's win rate, and the plies to a proven end, positive if Black wins.

    Args:
        position: the evaluated position.
        turn: the side to move there.
    """
    if turn == BLACK:
        return position.win_rate, position.mate
    return 1 - position.win_rate, None if position.mate is None else -position.mate


def turn_at(board: Board, ply: int) -> int:
    """Return the side to move at a ply of the game that led to a board."""
    return board.turn if (board.ply - ply) % 2 == 0 else opponent(board.turn)
