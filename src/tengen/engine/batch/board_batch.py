"""The arrays of many boards, and what the kernels of `tengen.engine.batch.play` do with them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tengen.arrays import PLANES, action_count, play
from tengen.engine.batch.play import FIELDS, Field, clear_boards, random_actions, step_boards
from tengen.engine.batch.rule_record import rule_record
from tengen.game.board import Board
from tengen.game.rules import Rules

_VIEWS = ("_record", "planes", "legal", "ended")
"""Derived attributes, not pickled."""


class BoardBatch:
    """Boards under the same rules, all empty at first.

    Args:
        rules: any rules.
        count: number of boards.

    Attributes:
        rules: the rules.
        planes: the planes of each board, as `tengen.arrays.planes` has them, uint8, shape (n, 4, height,
            width).
        legal: the masks of legal actions, bool, shape (n, actions).
        rewards: the reward of the last step for the side that moved, 1, 0 or -1, float32, shape (n,).
        ended: where it ended a game, bool, shape (n,).
        winners: who won there, 0 for a draw, uint8, shape (n,).
    """

    def __init__(self, rules: Rules, count: int) -> None:
        self.rules = rules
        self._record = rule_record(rules)
        record, points, actions = self._record[0], rules.points, action_count(rules)
        fouls = points if rules.has_fouls else 0
        self._lines = np.zeros(count * 2 * int(record["lines"]), np.int64)
        self._stones = np.zeros(count * points, np.uint8)
        self._shapes = np.zeros(count * fouls, np.uint16)
        self._statuses = np.zeros(count * fouls, np.uint8)
        self._fields = np.zeros((count, FIELDS), np.int64)
        self._history = np.zeros(count * int(record["plies"]), np.int16)
        self._legal = np.zeros(count * actions, np.uint8)
        self._planes = np.zeros(count * len(PLANES) * points, np.uint8)
        self._ended = np.zeros(count, np.uint8)
        self.rewards = np.zeros(count, np.float32)
        self.winners = np.zeros(count, np.uint8)
        self._view()
        self.clear(0, count)

    def _view(self) -> None:
        """Make the arrays that others see of those of the kernels."""
        count, rules = len(self._fields), self.rules
        self.planes = self._planes.reshape(count, len(PLANES), rules.height, rules.width)
        self.legal = self._legal.view(np.bool_).reshape(count, action_count(rules))
        self.ended = self._ended.view(np.bool_)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the arrays of the kernels."""
        return {name: value for name, value in vars(self).items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the pickled arrays, and make the views anew."""
        vars(self).update(state)
        self._record = rule_record(self.rules)
        self._view()

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def turns(self) -> npt.NDArray[np.uint8]:
        """The side to move of each board: uint8, shape (n,)."""
        return (self._fields[:, Field.TURN] + 1).astype(np.uint8)

    @property
    def plies(self) -> npt.NDArray[np.int64]:
        """The number of actions played on each board: int64, shape (n,)."""
        return self._fields[:, Field.PLY].copy()

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Where the game is over: bool, shape (n,)."""
        over: npt.NDArray[np.bool_] = self._fields[:, Field.OVER] != 0
        return over

    def seed(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Seed the generator of random actions of each board: uint64, shape (n,)."""
        self._fields[:, Field.RANDOM] = seeds.view(np.int64)

    def clear(self, first: int, after: int) -> None:
        """Set up the empty board from `first` to the one before `after`."""
        clear_boards(*self._boards(), first, after)

    def step(self, actions: npt.NDArray[np.int64], restart: bool, first: int, after: int) -> None:
        """Play a legal action on each board from `first` to the one before `after`.

        Args:
            actions: the action of each board, int64, shape (n,).
            restart: set up the empty board where a game has ended; else nothing is legal there any more.
            first: the first board.
            after: the board after the last.
        """
        results = self.rewards, self._ended, self.winners
        step_boards(*self._boards(), self._history, actions, *results, restart, first, after)

    def random_actions(self, out: npt.NDArray[np.int64], first: int, after: int) -> None:
        """Write a random legal action of each board from `first` to `after`; 0 where none is legal."""
        random_actions(self._record, self._fields, self._legal, out, first, after)

    def board(self, number: int) -> Board:
        """Return a board as a `Board`, with its history."""
        board = Board(self.rules)
        start = number * int(self._record[0]["plies"])
        for action in self._history[start : start + int(self._fields[number, Field.PLY])]:
            play(board, int(action))
        return board

    def taken(self, numbers: npt.NDArray[np.int64]) -> Self:
        """Return a batch of copies of some boards, each as often as its number occurs."""
        state: dict[str, Any] = {"rules": self.rules}
        for name, value in self.__getstate__().items():
            if isinstance(value, np.ndarray):
                rows = value.reshape(len(self), -1)[numbers]
                state[name] = rows if name == "_fields" else rows.reshape(-1)
        made = object.__new__(type(self))
        made.__setstate__(state)
        return made

    def _boards(self) -> tuple[npt.NDArray[np.generic], ...]:
        """Return the arrays that kernels take, in their order."""
        return (
            self._record,
            self._lines,
            self._stones,
            self._shapes,
            self._statuses,
            self._fields,
            self._legal,
            self._planes,
        )
