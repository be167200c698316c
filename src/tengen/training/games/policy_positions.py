"""Positions as their moves, one of them chosen: the training data of a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import copy_of
from tengen.engine.tables import CLASSES_ALONE, prepared
from tengen.game.rules import Rules
from tengen.training.games.lines import Ints, LineTable
from tengen.training.games.position_kernels import choices
from tengen.training.games.self_play import SelfPlayGame
from tengen.training.games.validation_set import held_out_games, numbered_on

_MORE = 1.2
"""The growth factor of the arrays of moves; a larger one would waste memory."""


@dataclass(slots=True)
class PolicyPositions:
    """Positions as training data of a policy: about fifty moves each, of 20 bytes.

    Attributes:
        size: side of the board.
        starts: the index of the first move of each position, shape (n + 1,).
        chosen: the chosen move of each position, counted from its first move, shape (n,).
        movers: the side to move, 0 for Black and 1 for White, uint8, shape (n,).
        outside: whether the position lies outside its game, one move beside it or within a search, shape
            (n,).
        games: the number of the game of each position, shape (n,).
        base: the logit of each move by the learned weights (`Weights.orders` and `contexts`), up to a
            constant per position, in hundredths, int16, shape (moves,).
        lines: the numbers of the four lines through each move (`tengen.training.games.lines.LineTable`),
            from the point of view of the side to move, int32, shape (moves, 4).
        lasts: the steps of each move from the last move (`tengen.engine.search.moves.steps_away`), uint8,
            shape (moves,).
        befores: the steps of each move from the last move but one, uint8, shape (moves,).
    """

    size: int
    starts: Ints
    chosen: Ints
    movers: npt.NDArray[np.uint8]
    outside: npt.NDArray[np.bool_]
    games: Ints
    base: npt.NDArray[np.int16]
    lines: npt.NDArray[np.int32]
    lasts: npt.NDArray[np.uint8]
    befores: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.chosen)

    @property
    def held_out(self) -> npt.NDArray[np.bool_]:
        """Return a mask of the positions of held-out games."""
        return held_out_games(self.games)

    def taken(self, which: Ints) -> PolicyPositions:
        """Return a selection of the positions, in the order given."""
        counts = self.starts[which + 1] - self.starts[which]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        moves = np.arange(starts[-1]) + np.repeat(self.starts[which] - starts[:-1], counts)
        return PolicyPositions(
            self.size,
            starts,
            self.chosen[which],
            self.movers[which],
            self.outside[which],
            self.games[which],
            self.base[moves],
            self.lines[moves],
            self.lasts[moves],
            self.befores[moves],
        )

    def make_room(self, moves: int) -> None:
        """Resize the arrays to a number of moves, in place; the values of new moves are undefined."""
        for array in (self.base, self.lines, self.lasts, self.befores):
            _resize(array, moves)


def _resize(array: npt.NDArray[Any], length: int) -> None:
    """Resize the first axis of an array in place."""
    array.resize((length, *array.shape[1:]), refcheck=False)


def policy_positions(
    rules: Rules, games: Iterable[SelfPlayGame], weights: str = "", tick: Callable[[], None] | None = None
) -> PolicyPositions:
    """Return the positions of games in which a search had a choice.

    Excluded are positions where either side can make a five or the side to move an open four, positions
    before the third move, and positions whose chosen move is not one that a search would consider.

    Args:
        rules: the rules of the games.
        games: the games; iterated once.
        weights: the folder of the weights that the policy is to correct; empty for those that come with
            Tengen.
        tick: called after each game.
    """
    empty, tables = prepared(rules, weights=weights or CLASSES_ALONE)
    state, lines = copy_of(empty), LineTable(2 if rules.has_fouls else 1)
    found = _nothing(rules.width)
    starts, chosen, movers, outside, numbers = [0], [], [], [], []
    room = 0
    for count, game in enumerate(games):
        for sample in game.samples:
            if starts[-1] + rules.points > room:
                room = int(_MORE * room) + rules.points
                found.make_room(room)
            cells = np.array(sample.cells, np.int64)
            into = found.lines, found.base, found.lasts, found.befores
            end, which = choices(
                state, tables, cells, sample.best, lines.by_code, lines.pairs, *into, starts[-1]
            )
            if which >= 0:
                starts.append(end)
                chosen.append(which)
                movers.append(len(cells) % 2)
                outside.append(sample.result is None)
                numbers.append(count)
        if tick is not None:
            tick()
    found.make_room(starts[-1])
    found.starts, found.chosen = np.array(starts, np.int64), np.array(chosen, np.int64)
    found.movers, found.outside = np.array(movers, np.uint8), np.array(outside, np.bool_)
    found.games = np.array(numbers, np.int64)
    return found


def _nothing(size: int) -> PolicyPositions:
    none = np.zeros(0, np.int64)
    return PolicyPositions(
        size,
        np.zeros(1, np.int64),
        none,
        np.zeros(0, np.uint8),
        np.zeros(0, np.bool_),
        none,
        np.zeros(0, np.int16),
        np.zeros((0, 4), np.int32),
        np.zeros(0, np.uint8),
        np.zeros(0, np.uint8),
    )


def joined(parts: Sequence[PolicyPositions]) -> PolicyPositions:
    """Concatenate sets of positions, all on boards of the same size.

    The first set is extended in place and returned: a million positions take a gigabyte, which is not
    copied.
    """
    whole, *others = parts
    games = list(numbered_on(part.games for part in parts))
    for part in others:
        first = len(whole.base)
        whole.make_room(first + len(part.base))
        whole.base[first:], whole.lines[first:] = part.base, part.lines
        whole.lasts[first:], whole.befores[first:] = part.lasts, part.befores
        whole.starts = np.concatenate([whole.starts, part.starts[1:] + first])
    whole.chosen = np.concatenate([part.chosen for part in parts])
    whole.movers = np.concatenate([part.movers for part in parts])
    whole.outside = np.concatenate([part.outside for part in parts])
    whole.games = np.concatenate(games)
    return whole
