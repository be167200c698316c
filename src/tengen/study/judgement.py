"""The judgement of a move: the win rate or result that it lost, as an inaccuracy, a mistake or a blunder.

Three criteria are checked, and the gravest judgement counts.

- The *win rate*: the mover's win rate with the best move, less the win rate after the move played.
- *Proven wins and losses*. Near the end of a game the win rate carries no information: a lost side cannot
  fall below 0, and a winning side that takes a longer way keeps 1. So a missed or delayed win is judged by
  its distance in plies, and a hastened loss by the plies that it could have taken.
- *Threats left unanswered* although there was an answer (`tengen.study.unanswered_threats`).

A move that loses no more than every other move is never criticised. The thresholds are documented for
players in ``docs/review.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

from tengen.study.unanswered_threats import WinPlies

Judgement: TypeAlias = Literal["inaccuracy", "mistake", "blunder"]

Reason: TypeAlias = Literal[
    "missed_win_at_once",
    "missed_win",
    "ignored_win_at_once",
    "ignored_threat",
    "slower_win",
    "faster_loss",
    "win_rate",
]
"""The reasons for a judgement, the more specific first.

The mover could have won with the next move, or by force; it let the opponent win with the next move (it did
not answer a four), or in three plies (it did not answer an open three), although that could be prevented;
its win takes longer, or its loss comes sooner; or its win rate fell.
"""

INACCURACY, MISTAKE, BLUNDER = 0.06, 0.10, 0.25
"""The least losses of win rate of an inaccuracy, a mistake and a blunder.

Evaluations vary a little from one position to the next, even after good moves. Of the moves that the engine
itself chose with 200,000 nodes, 95 % lose less than a mistake in a review with 30,000 nodes. A blunder
loses half of the difference between an even game and a lost game.
"""

SHORT_WIN = 7
"""The length in plies of a win that a player should find: a three, a four and a five, with the replies."""

SHORT_LOSS = 8
"""The plies to a loss within which a move that hastens it counts as an inaccuracy."""

LONG_FIGHT = 8
"""The plies by which an unanswered threat must shorten a lost game to count as a blunder."""

_SLOWER: dict[Judgement, int] = {"inaccuracy": 4, "mistake": 8}
"""The least number of plies by which a move delays a win."""

_FASTER: dict[Judgement, int] = {"inaccuracy": 6, "mistake": 12}
"""The least number of plies by which a move hastens a loss; also at least half of its length."""

_LEAST: dict[Judgement, float] = {"inaccuracy": INACCURACY, "mistake": MISTAKE, "blunder": BLUNDER}

_GRAVITY = {judgement: number for number, judgement in enumerate(get_args(Judgement))}
_ORDER = {reason: number for number, reason in enumerate(get_args(Reason))}


class Outlook(NamedTuple):
    """The prospects of a side in a position.

    Attributes:
        win_rate: the win rate of that side, from 0 to 1.
        mate: plies to a proven end, positive if that side wins; 0 if the game is over, None if unproven.
    """

    win_rate: float
    mate: int | None

    @property
    def win(self) -> int | None:
        """The plies to a proven win of the side; None if there is none."""
        return abs(self.mate) if self.mate is not None and self.win_rate == 1.0 else None

    @property
    def loss(self) -> int | None:
        """The plies to a proven loss of the side; None if there is none."""
        return abs(self.mate) if self.mate is not None and self.win_rate == 0.0 else None


class MoveVerdict(NamedTuple):
    """The judgement of a move, with its reason."""

    judgement: Judgement
    reason: Reason


def judge(had: Outlook, left: Outlook, threat: WinPlies | None = None) -> MoveVerdict | None:
    """Judge a move.

    Args:
        had: the prospects of the mover before the move, with the best move.
        left: the prospects of the mover after the move; not better than before.
        threat: the plies in which the opponent now wins, although another move would have prevented it.

    Returns:
        The gravest verdict, or None if there is no criticism.
    """
    return max(
        _complaints(had, left, threat),
        key=lambda verdict: (_GRAVITY[verdict.judgement], -_ORDER[verdict.reason]),
        default=None,
    )


def effective_loss(loss: float, judgement: Judgement | None) -> float:
    """Return the loss of win rate that counts for accuracy: at least the threshold of the judgement."""
    return loss if judgement is None else max(loss, _LEAST[judgement])


def accuracy(losses: Iterable[float]) -> float | None:
    """Return the accuracy of a side, from 0 to 100, from the losses of its moves; None without moves.

    The mean over the moves of lichess's accuracy, a curve fitted to human perception: 100 for no loss,
    about 65 for a loss of a tenth of the win rate, about 31 for a quarter
    (https://lichess.org/page/accuracy).
    """
    moves = [103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669 for loss in losses]
    return round(sum(min(max(move, 0.0), 100.0) for move in moves) / len(moves), 1) if moves else None


def _complaints(had: Outlook, left: Outlook, threat: WinPlies | None) -> Iterator[MoveVerdict]:
    loss = round(had.win_rate - left.win_rate, 4)
    fallen = [judgement for judgement, least in _LEAST.items() if loss >= least]
    won, lost = had.win is not None and left.win is None, left.loss is not None
    yield from (MoveVerdict(judgement, "missed_win" if won else "win_rate") for judgement in fallen)
    if had.win is not None:
        yield from _of_a_win(had.win, left)
    else:
        if threat is not None:
            yield from _of_a_threat(threat, had)
        if lost:
            yield from _of_a_loss(had, left)


def _of_a_win(plies: int, left: Outlook) -> Iterator[MoveVerdict]:
    """Yield the verdicts on a side that had a proven win in this many plies, apart from its win rate."""
    if left.win is None:
        if plies == 1:
            yield MoveVerdict("blunder", "missed_win_at_once")
        elif plies <= SHORT_WIN:
            yield MoveVerdict("mistake", "missed_win")
        return
    more = 1 + left.win - plies
    if plies == 1 and more > 0:
        yield MoveVerdict("mistake", "missed_win_at_once")
    elif plies <= SHORT_WIN:
        slower = [judgement for judgement, least in _SLOWER.items() if more >= least]
        yield from (MoveVerdict(judgement, "slower_win") for judgement in slower)
    elif more >= plies:
        yield MoveVerdict("inaccuracy", "slower_win")


def _of_a_threat(threat: WinPlies, had: Outlook) -> Iterator[MoveVerdict]:
    """Yield the verdicts on a side that let the opponent win although it could have prevented that."""
    reason: Reason = "ignored_win_at_once" if threat == 1 else "ignored_threat"
    longer = math.inf if had.loss is None else had.loss - (1 + threat)
    if longer > 0:
        yield MoveVerdict("blunder" if longer >= LONG_FIGHT else "mistake", reason)


def _of_a_loss(had: Outlook, left: Outlook) -> Iterator[MoveVerdict]:
    """Yield the verdicts on a side that had no proven win before, and now has a proven loss."""
    plies = 1 + (left.loss or 0)
    if had.loss is None:
        # The position was practically lost before; now the loss is proven and near.
        if plies <= SHORT_LOSS:
            yield MoveVerdict("inaccuracy", "faster_loss")
        return
    less = had.loss - plies
    if less >= plies:
        faster = [judgement for judgement, least in _FASTER.items() if less >= least]
        yield from (MoveVerdict(judgement, "faster_loss") for judgement in faster)
