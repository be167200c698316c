"""Thousands of boards at once, on kernels."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.arrays import action_count, pass_action
from tengen.engine.batch.board_batch import BoardBatch
from tengen.game.arguments import check_flag, check_whole, wrong
from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.points import PASS
from tengen.game.rules import Rules, as_rules

Observation: TypeAlias = dict[str, npt.NDArray[Any]]
"""``observation``: planes, uint8, shape (n, 4, height, width); ``action_mask``: bool, (n, actions)."""

Step: TypeAlias = tuple[
    Observation,
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, npt.NDArray[Any]],
]
"""The observation, rewards, terminations, truncations and further information after a step."""

MOST_BOARDS = 1 << 24

_FEWEST_A_THREAD = 128
"""Boards for which another thread is worth its start."""


class VectorEnvironment:
    """Games of two sides on many boards under the same rules.

    The interface is that of Gymnasium's vector environments, for both sides: on each board the side to move
    chooses an action, and the observation after it is that of the other side. Actions, planes and masks are
    described in `tengen.arrays`, whose functions give the same arrays for a `Board`. The masks are bool, as
    NumPy selects by them.

    Args:
        rules: any rules, or the name of a preset.
        boards: number of boards.
        threads: threads among which the boards are divided.
        auto_reset: begin a new game where one has ended, in the same step: the reward and the termination
            are those of the old game, the observation is that of the new one. Without it no action is legal
            there until `reset`, and what is chosen is ignored.
        copy: return new arrays from `reset` and `step`; without it they are the environment's own, which
            are faster, not to be changed, and valid until the next step.

    Raises:
        TengenError: an argument of another kind or out of range.

    Examples:
        >>> from tengen.environments import VectorEnvironment
        >>> environment = VectorEnvironment("renju", boards=64)
        >>> observation, _ = environment.reset(seed=1)
        >>> observation["observation"].shape, observation["action_mask"].shape
        ((64, 4, 15, 15), (64, 225))
        >>> _, rewards, terminations, _, information = environment.step(environment.sample())
        >>> int(terminations.sum()), int(environment.plies.max())
        (0, 1)
        >>> games = 0
        >>> for _ in range(300):
        ...     _, rewards, terminations, _, information = environment.step(environment.sample())
        ...     games += int(terminations.sum())
        >>> games > 64
        True
    """

    def __init__(
        self,
        rules: Rules | str = "freestyle",
        boards: int = 1024,
        *,
        threads: int = 1,
        auto_reset: bool = True,
        copy: bool = True,
    ) -> None:
        self.rules = as_rules(rules)
        check_whole("boards", boards, most=MOST_BOARDS)
        check_whole("threads", threads, most=1024)
        check_flag("auto_reset", auto_reset)
        check_flag("copy", copy)
        self._threads, self._auto_reset, self._copies = int(threads), auto_reset, copy
        self._batch = BoardBatch(self.rules, int(boards))
        self._pool: ThreadPoolExecutor | None = None
        self._rng = np.random.default_rng()
        self._seed_boards()

    def __getstate__(self) -> dict[str, Any]:
        # A copy, in another process as well, starts threads of its own.
        return vars(self) | {"_pool": None}

    def __len__(self) -> int:
        return len(self._batch)

    @property
    def action_count(self) -> int:
        """The number of actions."""
        return action_count(self.rules)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of the planes of one board."""
        return self._batch.planes.shape[1:]

    @property
    def turns(self) -> npt.NDArray[np.uint8]:
        """The side to move of each board, 1 for Black and 2 for White: uint8, shape (n,)."""
        return self._batch.turns

    @property
    def plies(self) -> npt.NDArray[np.int64]:
        """The number of actions played on each board: int64, shape (n,)."""
        return self._batch.plies

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, npt.NDArray[Any]]]:
        """Begin a new game on every board.

        Args:
            seed: of the actions that `sample` draws, whatever the number of threads; None goes on with the
                generator that there is.
            options: Gymnasium's parameter: there are none.

        Raises:
            TengenError: no seed, or an option.

        Examples:
            >>> from tengen.environments import VectorEnvironment
            >>> environment = VectorEnvironment("tictactoe", boards=2)
            >>> observation, _ = environment.reset(seed=7)
            >>> observation["action_mask"].sum(axis=1).tolist()
            [9, 9]
            >>> first = environment.sample().tolist()
            >>> _ = environment.reset(seed=7)
            >>> environment.sample().tolist() == first
            True
        """
        if options:
            raise wrong("options", options, "argument.environment.no_options")
        if seed is not None:
            check_whole("seed", seed, 0)
            self._rng = np.random.default_rng(int(seed))
        self._seed_boards()
        self._in_threads(self._batch.clear)
        return self._observation(), {}

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play an action on each board.

        Args:
            actions: whole numbers, shape (n,), each legal on its board; `tengen.PASS` is a pass, too.

        Returns:
            - the observation of the side that is to move now;
            - rewards for the side that has moved: 1 where it has won, -1 where it has lost (by a foul,
              where fouls lose), else 0; float32, shape (n,);
            - terminations, where a game has ended: bool, shape (n,);
            - truncations, which there are none of: bool, shape (n,);
            - ``{"winner": ...}``, 1 or 2 where a game has been won, else 0: uint8, shape (n,).

        Raises:
            TengenError: not one whole number for each board.
            IllegalMove: an action that is not legal; no board has changed.

        Examples:
            >>> from tengen.environments import VectorEnvironment
            >>> environment = VectorEnvironment("tictactoe", boards=2)
            >>> _ = environment.reset()
            >>> for actions in ([4, 0], [0, 1], [3, 3], [1, 2]):
            ...     _, rewards, terminations, _, information = environment.step(actions)
            >>> _, rewards, terminations, _, information = environment.step([5, 6])
            >>> rewards.tolist(), terminations.tolist(), information["winner"].tolist()
            ([1.0, 1.0], [True, True], [1, 1])
            >>> environment.plies.tolist()
            [0, 0]
            >>> environment.step([9, 0])
            Traceback (most recent call last):
                ...
            tengen.game.errors.IllegalMove: board 0: action 9 is not legal
        """
        chosen = self._checked(actions)
        self._in_threads(lambda first, after: self._batch.step(chosen, self._auto_reset, first, after))
        batch, kept = self._batch, self._kept
        truncated = np.zeros(len(batch), np.bool_)
        results = kept(batch.rewards), kept(batch.ended), truncated, {"winner": kept(batch.winners)}
        return self._observation(), *results

    def sample(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for each board, 0 where there is none: int64, shape (n,).

        Examples:
            >>> from tengen.environments import VectorEnvironment
            >>> environment = VectorEnvironment("tictactoe", boards=4)
            >>> observation, _ = environment.reset(seed=1)
            >>> actions = environment.sample()
            >>> actions.shape, bool(observation["action_mask"][range(4), actions].all())
            ((4,), True)
        """
        made = np.empty(len(self), np.int64)
        self._in_threads(lambda first, after: self._batch.random_actions(made, first, after))
        return made

    def board(self, number: int) -> Board:
        """Return one of the boards as a `Board` with its history.

        Raises:
            TengenError: no such board.

        Examples:
            >>> from tengen.environments import VectorEnvironment
            >>> environment = VectorEnvironment("tictactoe", boards=2)
            >>> _ = environment.reset()
            >>> _ = environment.step([4, 0])
            >>> environment.board(0), environment.board(1)
            (<Board tictactoe 3x3 'b2'>, <Board tictactoe 3x3 'a1'>)
        """
        check_whole("number", number, 0, len(self) - 1)
        return self._batch.board(int(number))

    def take(self, numbers: npt.ArrayLike) -> Self:
        """Return an environment with copies of some boards, each as often as it is named, for a search.

        Args:
            numbers: the numbers of the boards, shape (m,).

        Raises:
            TengenError: no such board.

        Examples:
            >>> from tengen.environments import VectorEnvironment
            >>> environment = VectorEnvironment("tictactoe", boards=2)
            >>> _ = environment.reset()
            >>> _ = environment.step([4, 0])
            >>> tried = environment.take([1, 1, 1])
            >>> _ = tried.step([1, 4, 8])
            >>> tried.board(2), environment.plies.tolist()
            (<Board tictactoe 3x3 'a1c3'>, [1, 1])
        """
        chosen = np.asarray(numbers)
        if chosen.ndim != 1 or not len(chosen) or not np.issubdtype(chosen.dtype, np.integer):
            raise wrong("numbers", numbers, "argument.board_numbers", most=len(self) - 1)
        if chosen.min() < 0 or chosen.max() >= len(self):
            raise wrong("numbers", numbers, "argument.board_numbers", most=len(self) - 1)
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        made._batch, made._pool = self._batch.taken(chosen.astype(np.int64)), None
        made._rng = np.random.default_rng(self._rng.integers(1 << 62))
        made._seed_boards()
        return made

    def copy(self) -> Self:
        """Return an independent environment whose games are the same so far.

        Examples:
            >>> from tengen.environments import VectorEnvironment
            >>> environment = VectorEnvironment("tictactoe", boards=2)
            >>> _ = environment.reset()
            >>> other = environment.copy()
            >>> _ = other.step([4, 4])
            >>> environment.plies.tolist(), other.plies.tolist()
            ([0, 0], [1, 1])
        """
        return self.take(np.arange(len(self)))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _seed_boards(self) -> None:
        self._batch.seed(self._rng.integers(1 << 64, size=len(self), dtype=np.uint64))

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return legal actions as the kernels take them."""
        given = np.asarray(actions)
        if given.shape != (len(self),) or not np.issubdtype(given.dtype, np.integer):
            raise wrong("actions", actions, "argument.actions", count=len(self))
        chosen = given.astype(np.int64)
        passing = pass_action(self.rules)
        if passing is not None:
            chosen[chosen == PASS] = passing
        inside = (chosen >= 0) & (chosen < self.action_count)
        legal = inside & self._batch.legal[np.arange(len(chosen)), np.where(inside, chosen, 0)]
        if not self._auto_reset:
            legal |= self._batch.over
        if not legal.all():
            number = int(np.argmin(legal))
            raise IllegalMove("error.environment.action", board=number, action=int(given[number]))
        return chosen

    def _in_threads(self, work: Callable[[int, int], None]) -> None:
        """Do some work on all boards, given as ranges from a first board to the one after the last."""
        count = len(self)
        parts = max(min(self._threads, count // _FEWEST_A_THREAD), 1)
        if parts == 1:
            work(0, count)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="tengen-environment")
        bounds = [count * part // parts for part in range(parts + 1)]
        list(self._pool.map(work, bounds[:-1], bounds[1:]))

    def _observation(self) -> Observation:
        kept = self._kept
        return {"observation": kept(self._batch.planes), "action_mask": kept(self._batch.legal)}

    def _kept(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copies else array
