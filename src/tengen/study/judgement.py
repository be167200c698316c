"""The judgement of a move: what it gave away, and whether that is an inaccuracy, a mistake or a blunder.

Three things are looked at, and the gravest of them counts.

- The *win rate*: what the mover had with the best move, less what is left after the one that was played.
- *Wins and losses that are known*. Near its end the win rate says nothing: a lost side cannot fall below
  0, nor does a won side that takes the long way. So a win that is missed or comes later is judged by how
  near it was, and a loss that comes sooner by how long it might have taken.
- *Threats left unanswered* although there was an answer (`tengen.study.unanswered_threats`).

A move that loses no more than every other move would have is never blamed. The numbers are written down
for players in ``docs/review.md``.
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
"""Why a move is judged so: the mover could have won at once, or by force; it let the opponent win at once
(a four was not answered), or in three plies (an open three was not answered), though that could be stopped;
its win takes longer now, its loss comes sooner; or its win rate fell. The more definite come first."""

INACCURACY, MISTAKE, BLUNDER = 0.06, 0.10, 0.25
"""From these losses of win rate on a move is an inaccuracy, a mistake, or a blunder.

What the engine says changes a little from one position to the next, mistake or not. Of the moves that it
chose itself, with 200,000 nodes, nineteen in twenty lose less than a mistake does in a review with 30,000.
A blunder loses half of what lies between an even game and a lost one."""

SHORT_WIN = 7
"""Plies of a win that a player is expected to see: a three, a four and a five, with the replies."""

SHORT_LOSS = 8
"""Plies within which a move loses that hastens the end of a lost game without any need."""

LONG_FIGHT = 8
"""Plies by which a game must be cut short for an unanswered threat to be a blunder in a lost game."""

_SLOWER: dict[Judgement, int] = {"inaccuracy": 4, "mistake": 8}
"""Plies more that a win takes."""

_FASTER: dict[Judgement, int] = {"inaccuracy": 6, "mistake": 12}
"""Plies less that a loss takes, if that is at least half of them."""

_LEAST: dict[Judgement, float] = {"inaccuracy": INACCURACY, "mistake": MISTAKE, "blunder": BLUNDER}

_GRAVITY = {judgement: number for number, judgement in enumerate(get_args(Judgement))}
_ORDER = {reason: number for number, reason in enumerate(get_args(Reason))}


class Outlook(NamedTuple):
    """What a side can expect in a position.

    Attributes:
        win_rate: of that side, from 0 to 1.
        mate: plies to the end where it is known, positive when that side wins; 0 where the game is over.
    """

    win_rate: float
    mate: int | None

    @property
    def win(self) -> int | None:
        """Plies in which the side wins for certain."""
        return abs(self.mate) if self.mate is not None and self.win_rate == 1.0 else None

    @property
    def loss(self) -> int | None:
        """Plies in which it loses for certain."""
        return abs(self.mate) if self.mate is not None and self.win_rate == 0.0 else None


class MoveVerdict(NamedTuple):
    """What is said of a move that gave something away."""

    judgement: Judgement
    reason: Reason


def judge(had: Outlook, left: Outlook, threat: WinPlies | None = None) -> MoveVerdict | None:
    """Judge a move.

    Args:
        had: what the mover could expect before it, with the best move.
        left: what the mover can expect after it; no more than before.
        threat: the plies in which the opponent wins now, though another move would have prevented it.

    Returns:
        The gravest of all that is to be said against it, or None.
    """
    return max(
        _complaints(had, left, threat),
        key=lambda verdict: (_GRAVITY[verdict.judgement], -_ORDER[verdict.reason]),
        default=None,
    )


def effective_loss(loss: float, judgement: Judgement | None) -> float:
    """Return the loss of win rate that counts for accuracy: at least what the judgement stands for."""
    return loss if judgement is None else max(loss, _LEAST[judgement])


def accuracy(losses: Iterable[float]) -> float | None:
    """Return the accuracy of a side from 0 to 100, given what each of its moves lost; None without moves.

    The mean over the moves of lichess's accuracy, a curve through 100 for nothing lost that is fitted to
    what people feel: about 65 for a tenth of the win rate, about 31 for a quarter
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
    """What is said of a side that had a win in so many plies, whatever its win rate is now."""
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
    """What is said of a side that lets the opponent win though it might have prevented that."""
    reason: Reason = "ignored_win_at_once" if threat == 1 else "ignored_threat"
    longer = math.inf if had.loss is None else had.loss - (1 + threat)
    if longer > 0:
        yield MoveVerdict("blunder" if longer >= LONG_FIGHT else "mistake", reason)


def _of_a_loss(had: Outlook, left: Outlook) -> Iterator[MoveVerdict]:
    """What is said of a side that did not win before, and now is lost for certain."""
    plies = 1 + (left.loss or 0)
    if had.loss is None:
        # It was lost in all but name, and now the end is near.
        if plies <= SHORT_LOSS:
            yield MoveVerdict("inaccuracy", "faster_loss")
        return
    less = had.loss - plies
    if less >= plies:
        faster = [judgement for judgement, least in _FASTER.items() if less >= least]
        yield from (MoveVerdict(judgement, "faster_loss") for judgement in faster)
