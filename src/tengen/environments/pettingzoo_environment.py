"""Two agents in turn, as PettingZoo's AEC interface has them.

See https://pettingzoo.farama.org/api/aec/.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen import arrays
from tengen.environments.single_game import RENDER_MODES, SingleGame, check_render_mode, moves_of
from tengen.extras import importing
from tengen.game.points import BLACK, WHITE, Colour
from tengen.game.rules import Rules, as_rules

with importing("environments"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

Observed: TypeAlias = dict[str, npt.NDArray[Any]]
"""``observation``: the planes, uint8, shape (4, height, width); ``action_mask``: int8, shape (actions,)."""

AGENTS: dict[str, Colour] = {"black_0": BLACK, "white_0": WHITE}
"""The agents and their colours."""


class PettingZooEnvironment(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game of the agents ``black_0`` and ``white_0``.

    Actions, planes and masks are described in `tengen.arrays`. Each agent sees the board as its own side;
    ``action_mask`` of the agent that is not to move is empty; it is int8, the type that PettingZoo's spaces
    take as a mask. The winner's reward is 1, the loser's -1, and 0 for
    both in a draw. An action that is not legal raises the `tengen.IllegalMove` that says why, and changes
    nothing.

    Args:
        rules: any rules, or the name of a preset.
        render_mode: ``"human"`` (printed), ``"ansi"`` (text), ``"rgb_array"`` (a picture), or None.

    Attributes:
        board: the board, to be looked at only.

    Examples:
        >>> from tengen.environments import PettingZooEnvironment
        >>> environment = PettingZooEnvironment("tictactoe")
        >>> environment.reset()
        >>> for agent in environment.agent_iter():
        ...     observation, reward, terminated, truncated, _ = environment.last()
        ...     mask = observation["action_mask"]
        ...     environment.step(None if terminated else int(mask.argmax()))
        >>> agent, reward
        ('black_0', 1.0)
        >>> print(environment.board)
        3 [X]. .
        2  O X O
        1  X O X
           a b c
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tengen_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, rules: Rules | str = "freestyle", render_mode: str | None = None) -> None:
        super().__init__()
        self.rules = as_rules(rules)
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        count = arrays.action_count(self.rules)
        shape = len(arrays.PLANES), self.rules.height, self.rules.width
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._begin("")

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    @property
    def board(self) -> Any:
        """The board."""
        return self._game.board

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: not used: nothing is left to chance.
            options: ``{"moves": "h8i9"}`` begins after these moves. Others are ignored, as PettingZoo's
                test of environments demands.

        Raises:
            TengenError: moves that cannot be played.

        Examples:
            >>> from tengen.environments import PettingZooEnvironment
            >>> environment = PettingZooEnvironment("renju")
            >>> environment.reset(options={"moves": "h8i9"})
            >>> environment.agent_selection, environment.board
            ('black_0', <Board renju 15x15 'h8i9'>)
        """
        self._begin(moves_of(options, others=True))

    def _begin(self, moves: Any) -> None:
        self._game = SingleGame(self.rules, moves)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()

    def _select(self) -> None:
        """Give the turn to the side to move, and all that the end of the game brings."""
        board = self._game.board
        self.agent_selection = next(agent for agent, colour in AGENTS.items() if colour == board.turn)
        if board.outcome() is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {agent: self._game.reward(colour) for agent, colour in AGENTS.items()}

    def observe(self, agent: str) -> Observed:
        """Return what an agent sees, new arrays.

        Examples:
            >>> from tengen.environments import PettingZooEnvironment
            >>> environment = PettingZooEnvironment("tictactoe")
            >>> environment.reset(options={"moves": "b2"})
            >>> observation = environment.observe("white_0")
            >>> observation["observation"].shape, observation["action_mask"].tolist()
            ((4, 3, 3), [1, 1, 1, 1, 0, 1, 1, 1, 1])
        """
        colour = AGENTS[agent]
        return {"observation": self._game.planes(colour), "action_mask": self._game.mask(colour)}

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is; None once its game is over.

        Raises:
            TengenError: no action of these rules.
            IllegalMove: it is not legal.

        Examples:
            >>> from tengen.environments import PettingZooEnvironment
            >>> environment = PettingZooEnvironment("tictactoe")
            >>> environment.reset()
            >>> environment.step(4)
            >>> environment.agent_selection, environment.board
            ('white_0', <Board tictactoe 3x3 'b2'>)
            >>> environment.step(4)
            Traceback (most recent call last):
                ...
            tengen.game.errors.Occupied: b2 is occupied
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.play(action)  # type: ignore[arg-type] # an action is due, and anything else is refused
        self._cumulative_rewards[agent] = 0.0
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the board as `render_mode` asks.

        Examples:
            >>> from tengen.environments import PettingZooEnvironment
            >>> environment = PettingZooEnvironment("tictactoe", render_mode="ansi")
            >>> environment.reset(options={"moves": "b2"})
            >>> print(environment.render())
            3  . . .
            2  .[X].
            1  . . .
               a b c
        """
        return self._game.rendered(self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
