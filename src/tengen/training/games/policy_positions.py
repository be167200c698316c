"""Positions as the moves of which one was chosen, as a policy is fitted to them."""

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
"""Room for moves grows by this factor; a larger one would take memory for nothing."""


@dataclass(slots=True)
class PolicyPositions:
    """Positions as a policy is fitted to them: some fifty moves each, of 20 bytes.

    Attributes:
        size: side of the board.
        starts: where the moves of each position begin, shape (n + 1,).
        chosen: which of its moves was chosen, from 0, shape (n,).
        movers: the side to move, 0 Black and 1 White, uint8, shape (n,).
        outside: whether it lies outside its game, one move beside it or within a search, shape (n,).
        games: which game each is of, shape (n,).
        base: the logarithm of each move's chance as the learned numbers say it (`Weights.orders` and
            `contexts`), but for what all moves have in common, in hundredths, int16, shape (moves,).
        lines: the numbers of the four lines through each move (`tengen.training.games.lines.LineTable`),
            as the side to move sees them, int32, shape (moves, 4).
        lasts: where each move lies from the last one (`tengen.engine.search.moves.steps_away`), uint8.
        befores: the same from the one before.
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
        """Mark the positions of games that are held out."""
        return held_out_games(self.games)

    def taken(self, which: Ints) -> PolicyPositions:
        """Some of the positions, in the order given, as a set of their own."""
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
        """Have room for so many moves, which takes no second copy; those beyond the last are undefined."""
        for array in (self.base, self.lines, self.lasts, self.befores):
            _resize(array, moves)


def _resize(array: npt.NDArray[Any], length: int) -> None:
    """Give an array another length, in its place."""
    array.resize((length, *array.shape[1:]), refcheck=False)


def policy_positions(
    rules: Rules, games: Iterable[SelfPlayGame], weights: str = "", tick: Callable[[], None] | None = None
) -> PolicyPositions:
    """The positions of games in which a search had a choice.

    Left out are those in which somebody can make a five, or the side to move an open four, those before the
    third move, and those in which what was chosen is no move that a search would look at.

    Args:
        rules: by which they were played.
        games: the games; gone through once.
        weights: the folder of the numbers that the policy is to correct; empty for those that come with
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
    """Positions of several sets of games as one; all of them on boards of one size.

    The first set grows, and is what is returned: a million positions take a gigabyte, and no second one.
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
