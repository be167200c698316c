"""Targets: the probability of winning at a position, estimated from its game.

The result of a game is true, but noisy: one late mistake decides the result of all positions before it. The
score of a search is less noisy, but biased by the limits of the search. So the target of a position is a
weighted mean of its own score, the next position's score, and so on, each weighted less than the one before
by a constant factor, the *trace*, and of the final result. These are the lambda-returns of R. S. Sutton,
"Learning to predict by the methods of temporal differences" (1988). With a trace of 0 the target is the
score of the search, with 1 the result of the game. The target of a position outside the game is its score.

Scores of a search are overconfident, all the more because each is a maximum over many moves: a predicted
probability of three in four is won two times in three. The *sureness* of the scores, the factor from score
to log-odds that maximises the likelihood of the results, is estimated from the games. Models fitted to the
corrected probabilities must still return scores on the scale of the search, whose margins are counted in
them. Hence weights and networks return scores with the former sureness, and their probabilities are
computed from these scores with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tengen.engine.board.conversion import score_of
from tengen.engine.board.scores import LOGISTIC_SCALE, MATE
from tengen.training.games.self_play import SelfPlayGame

SCALE = LOGISTIC_SCALE
"""The number of centi-units that changes the odds by a factor of e, as in `tengen.game.player.Score`."""

TRACE = 0.95
"""The default weight of each position relative to the one before it."""

_BELIEVED = 100.0
"""The weight of the prior that the sureness is 1, in units of Fisher information: about that of the
positions of a few dozen games."""

_STEPS = 30
_CLOSE = 1e-6


def win_probability(score: int, sureness: float = 1.0) -> float:
    """Return the probability of winning that corresponds to a search's score, for the same side.

    Args:
        score: in centi-units, or a proven win or loss.
        sureness: the factor from scores to logits.
    """
    if abs(score) > MATE:
        return score_of(score).win_rate
    return 1 / (1 + math.exp(-sureness * score / SCALE))


def targets(game: SelfPlayGame, trace: float = TRACE, sureness: float = 1.0) -> list[float]:
    """Return the target of each sample of a game, from 0 to 1 for the side to move, in their order.

    Args:
        game: the game.
        trace: the weight of each position relative to the one before it, from 0 to 1.
        sureness: the factor from scores to logits.
    """
    black, found = game.points, []
    for sample in reversed(game.samples):
        probability = win_probability(sample.score, sureness)
        if sample.result is not None:
            turn = len(sample.cells) % 2
            black = trace * black + (1 - trace) * (1 - probability if turn else probability)
            probability = 1 - black if turn else black
        found.append(probability)
    return found[::-1]


def sureness_of(games: Iterable[SelfPlayGame]) -> float:
    """Estimate the sureness of the scores of games: 1 if calibrated, less if overconfident.

    It is fitted by Newton's method, with a prior at 1 that dominates where there are few positions.

    Args:
        games: the games; iterated once.
    """
    logits, results = [], []
    for game in games:
        for sample in game.samples:
            if sample.result is not None and abs(sample.score) <= MATE:
                logits.append(sample.score / SCALE)
                results.append(sample.result)
    logit, result = np.array(logits), np.array(results)
    found = 1.0
    for _ in range(_STEPS):
        rates = 1 / (1 + np.exp(-found * logit))
        gradient = ((result - rates) * logit).sum() - _BELIEVED * (found - 1)
        step = gradient / ((rates * (1 - rates) * logit**2).sum() + _BELIEVED)
        found += float(step)
        if abs(step) < _CLOSE:
            break
    return found
