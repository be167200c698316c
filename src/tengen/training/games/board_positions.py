"""Positions as boards, with what is known of each, as a network is fitted to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import copy_of
from tengen.engine.tables import CLASSES_ALONE, prepared
from tengen.game.rules import Rules
from tengen.training.games.position_kernels import look
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.games.targets import SCALE, TRACE
from tengen.training.games.targets import targets as targets_of
from tengen.training.games.validation_set import held_out_games, numbered_on


@dataclass(slots=True)
class BoardPositions:
    """Positions as a network is fitted to them.

    Attributes:
        size: side of the board.
        boards: 0 empty, 1 the side to move's, 2 the other's, uint8, shape (n, points).
        movers: the side to move, 0 Black and 1 White, uint8, shape (n,).
        scores: static scores for the side to move, without a network, in parts of `SCALE`, shape (n,).
        targets: what the chance of winning should come to, shape (n,).
        results: 1, 0.5 or 0 for the side to move as the game ended; NaN beside the game. Shape (n,).
        games: which game each is of, shape (n,).
        sureness: how much of a score is to be believed: what stands between scores and chances.
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
        """Mark the positions of games that are held out."""
        return held_out_games(self.games)

    @property
    def outside(self) -> npt.NDArray[np.bool_]:
        """Mark the positions outside their games: one move beside them, or within a search."""
        return np.isnan(self.results)


def board_positions(
    rules: Rules,
    games: Iterable[SelfPlayGame],
    trace: float = TRACE,
    sureness: float = 1.0,
    weights: str = "",
    tick: Callable[[], None] | None = None,
) -> BoardPositions:
    """The positions of games of which a search would ask the static score.

    Args:
        rules: by which they were played.
        games: the games; gone through once.
        trace: what each position of a game counts against the one before it (`games.targets`).
        sureness: how much of the searches' scores, and of static ones, is to be believed.
        weights: the folder of the numbers that the network is to correct; empty for those that come with
            Tengen.
        tick: called after each game.
    """
    empty, tables = prepared(rules, weights=weights or CLASSES_ALONE)
    state = copy_of(empty)
    boards, movers, scores, targets, results, numbers = [], [], [], [], [], []
    for count, game in enumerate(games):
        for sample, wanted in zip(game.samples, targets_of(game, trace, sureness), strict=True):
            board = np.zeros(rules.points, np.uint8)
            score, asked = look(state, tables, np.array(sample.cells, np.int64), board)
            if asked:
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
    """Positions of several sets of games as one; all of them on boards of one size, and as sure."""
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
