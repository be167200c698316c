"""Positions as boards: the training data of a value network."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import copy_of
from tengen.engine.tables import CLASSES_ALONE, prepared
from tengen.game.rules import Rules
from tengen.training.games.position_kernels import read_position
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.games.targets import SCALE, TRACE
from tengen.training.games.targets import targets as targets_of
from tengen.training.games.validation_set import held_out_games, numbered_on


@dataclass(slots=True)
class BoardPositions:
    """Positions as training data of a value network.

    Attributes:
        size: side of the board.
        boards: 0 for an empty point, 1 for a stone of the side to move, 2 for the other side's, uint8,
            shape (n, points).
        movers: the side to move, 0 for Black and 1 for White, uint8, shape (n,).
        scores: static scores for the side to move, without a network, in units of `SCALE`, float32, shape
            (n,).
        targets: the target probability of winning, from 0 to 1, float32, shape (n,).
        results: the result of the game for the side to move: 1, 0.5 or 0; NaN for positions outside the
            game. Shape (n,).
        games: the number of the game of each position, shape (n,).
        sureness: the factor from scores to logits (`games.targets`).
    """

    size: int
    boards: npt.NDArray[np.uint8]
    movers: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.float32]
    targets: npt.NDArray[np.float32]
    results: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]
    sureness: float = 1.0

    def __len__(self) -> int:
        return len(self.boards)

    @property
    def held_out(self) -> npt.NDArray[np.bool_]:
        """Return a mask of the positions of held-out games."""
        return held_out_games(self.games)

    @property
    def outside(self) -> npt.NDArray[np.bool_]:
        """Return a mask of the positions outside their games: beside the game, or within a search."""
        return np.isnan(self.results)


def board_positions(
    rules: Rules,
    games: Iterable[SelfPlayGame],
    trace: float = TRACE,
    sureness: float = 1.0,
    weights: str = "",
    tick: Callable[[], None] | None = None,
) -> BoardPositions:
    """Return the positions of games in which a search would evaluate the static score.

    Args:
        rules: the rules of the games.
        games: the games; iterated once.
        trace: the lambda of the targets: the weight of each position relative to the one before it
            (`games.targets`).
        sureness: the factor from scores to logits, for the scores of searches and for static scores.
        weights: the folder of the weights that the network is to correct; empty for those that come with
            Tengen.
        tick: called after each game.
    """
    empty, tables = prepared(rules, weights=weights or CLASSES_ALONE)
    state = copy_of(empty)
    boards, movers, scores, targets, results, numbers = [], [], [], [], [], []
    for count, game in enumerate(games):
        for sample, wanted in zip(game.samples, targets_of(game, trace, sureness), strict=True):
            board = np.zeros(rules.points, np.uint8)
            score, evaluated = read_position(state, tables, np.array(sample.cells, np.int64), board)
            if evaluated:
                boards.append(board)
                movers.append(len(sample.cells) % 2)
                scores.append(score / SCALE)
                targets.append(wanted)
                results.append(math.nan if sample.result is None else sample.result)
                numbers.append(count)
        if tick is not None:
            tick()
    return BoardPositions(
        rules.width,
        np.array(boards, np.uint8).reshape(-1, rules.points),
        np.array(movers, np.uint8),
        np.array(scores, np.float32),
        np.array(targets, np.float32),
        np.array(results, np.float32),
        np.array(numbers, np.int64),
        sureness,
    )


def joined(parts: Sequence[BoardPositions]) -> BoardPositions:
    """Concatenate sets of positions, all on boards of the same size and with the same sureness."""
    return BoardPositions(
        parts[0].size,
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.movers for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.targets for part in parts]),
        np.concatenate([part.results for part in parts]),
        np.concatenate(list(numbered_on(part.games for part in parts))),
        parts[0].sureness,
    )
