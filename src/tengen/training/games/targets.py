"""Targets: the probability of winning at a position, from the game that it is of.

The result of a game is true, but noisy: one late mistake decides what is said of all positions before. The
score of a search is less noisy, but no wiser than the search. So each position of a game listens to all
that comes after it: to its own score, to the next position's, and so on, each counting less by a constant
factor than the one before, the *trace*, and to the result in the end. These are the lambda-returns of R. S.
Sutton, "Learning to predict by the methods of temporal differences" (1988). With a trace of 0 a position is
worth what its search said, with 1 how its game ended. A position beside the game has its score alone.

Scores of a search are too sure, all the more for being chosen among many: what they call three in four is
won two times in three. How much of a score is to be believed, its *sureness*, is found from the games: the
number between score and logarithm of the odds that makes their results likeliest. What is learned from
chances that have been set right so must still speak the language of the search, whose margins are counted
in its scores. Hence numbers and networks are asked for scores as sure as before, and their chances are read
from these in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tengen.engine.board.conversion import score_of
from tengen.engine.board.scores import LOGISTIC_SCALE, MATE
from tengen.training.games.self_play import SelfPlayGame

SCALE = LOGISTIC_SCALE
"""Centi-units that change the odds by a factor of e, as in `tengen.game.player.Score`."""

TRACE = 0.95
"""What each position counts against the one before it, if nothing else is said."""

_BELIEVED = 100.0
"""With what weight a sureness of 1 is believed beforehand, in the unit of information that positions bring:
about as much as those of a few dozen games."""

_STEPS = 30
_CLOSE = 1e-6


def chance(score: int, sureness: float = 1.0) -> float:
    """The chance of winning that a search's score stands for, for the same side.

    Args:
        score: in centi-units, or a win or loss that was found.
        sureness: how much of it is to be believed.
    """
    if abs(score) > MATE:
        return score_of(score).win_rate
    return 1 / (1 + math.exp(-sureness * score / SCALE))


def targets(game: SelfPlayGame, trace: float = TRACE, sureness: float = 1.0) -> list[float]:
    """Return the target of each sample of a game, from 0 to 1 for the side to move, in their order.

    Args:
        game: the game.
        trace: what each position counts against the one before it, from 0 to 1.
        sureness: how much of the scores is to be believed.
    """
    black, found = game.points, []
    for sample in reversed(game.samples):
        said = chance(sample.score, sureness)
        if sample.result is not None:
            turn = len(sample.cells) % 2
            black = trace * black + (1 - trace) * (1 - said if turn else said)
            said = 1 - black if turn else black
        found.append(said)
    return found[::-1]


def sureness_of(games: Iterable[SelfPlayGame]) -> float:
    """Estimate how far the scores of some games are to be believed: 1 if right, less if too sure.

    By Newton's method; pulled towards 1 where there are few positions.

    Args:
        games: the games; gone through once.
    """
    logits, results = [], []
    for game in games:
        for sample in game.samples:
            if sample.result is not None and abs(sample.score) <= MATE:
                logits.append(sample.score / SCALE)
                results.append(sample.result)
    said, ended = np.array(logits), np.array(results)
    found = 1.0
    for _ in range(_STEPS):
        rates = 1 / (1 + np.exp(-found * said))
        gradient = ((ended - rates) * said).sum() - _BELIEVED * (found - 1)
        step = gradient / ((rates * (1 - rates) * said**2).sum() + _BELIEVED)
        found += float(step)
        if abs(step) < _CLOSE:
            break
    return found
