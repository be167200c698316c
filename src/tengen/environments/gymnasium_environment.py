"""One agent against a player, as Gymnasium's interface has it.

An import of this module registers ``Tengen-v0``, so that
``gymnasium.make("tengen.environments.gymnasium_environment:Tengen-v0", opponent="shapes")`` makes one.

See https://gymnasium.farama.org/api/env/.
"""

from __future__ import annotations

from typing import Any, Literal, SupportsFloat, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen import arrays
from tengen.environments.single_game import RENDER_MODES, SingleGame, check_render_mode, moves_of
from tengen.extras import importing
from tengen.game.arguments import check_kind, check_text, wrong
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Limit, Player, is_player
from tengen.game.points import BLACK, PASS, WHITE
from tengen.game.rules import Rules, as_rules
from tengen.players.registry import player
from tengen.players.settings import entry_of, settings
from tengen.players.spec import PlayerSpec
from tengen.players.suitable import check_suitable

with importing("environments"):
    import gymnasium
    from gymnasium import spaces

Planes: TypeAlias = "npt.NDArray[np.uint8]"
Side: TypeAlias = Literal["black", "white", "random"]

_COLOURS = {"black": BLACK, "white": WHITE}


class GymnasiumEnvironment(gymnasium.Env[Planes, np.int64]):
    """Games against a player: one step is a move of the agent and the reply.

    An observation holds the planes of `tengen.arrays`, uint8, shape (4, height, width), and actions are
    those described there. ``info["action_mask"]`` says which actions are legal: int8, shape (actions,), the
    type that ``action_space.sample`` takes as its mask; `action_masks` returns the same as bool, for
    algorithms that ask for that. The
    reward is 1 for a game that is won and -1 for one that is lost. An action that is not legal loses the
    game, and ``info["illegal"]`` is true.

    Args:
        opponent: a player, or its spec. A player that takes a seed gets another one in each game, unless
            its spec names one; so `reset` with a seed repeats a game.
        rules: any rules, or the name of a preset.
        colour: the agent's: ``"black"``, ``"white"``, or ``"random"`` for another one in each game.
        limit: the opponent's limit on thinking.
        render_mode: ``"human"`` (printed), ``"ansi"`` (text), ``"rgb_array"`` (a picture), or None.

    Raises:
        TengenError: an argument of another kind.
        SpecError: no spec of a player.
        RulesError: rules that the opponent does not play.

    Examples:
        >>> from tengen.environments import GymnasiumEnvironment
        >>> environment = GymnasiumEnvironment("lines", rules="tictactoe", colour="black")
        >>> planes, information = environment.reset(seed=1)
        >>> planes.shape, information["action_mask"].tolist()
        ((4, 3, 3), [1, 1, 1, 1, 1, 1, 1, 1, 1])
        >>> ended = False
        >>> while not ended:
        ...     action = int(information["action_mask"].argmax())
        ...     planes, reward, ended, _, information = environment.step(action)
        >>> reward, environment.board.outcome().reason
        (-1.0, 'five')
        >>> print(environment.board)
        3 [O]. .
        2  X O .
        1  X X O
           a b c
    """

    # A class variable, which Gymnasium declares as one of instances.
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponent: str | Player = "shapes",
        rules: Rules | str = "freestyle",
        colour: Side = "random",
        limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = as_rules(rules)
        if not is_player(opponent):
            check_text("opponent", opponent)
        if limit is not None:
            check_kind("limit", limit, Limit, "argument.limit")
        if colour not in ("random", *_COLOURS):
            raise wrong("colour", colour, "argument.environment.colour")
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._limit, self._side = limit, colour
        self._spec = opponent if isinstance(opponent, str) else None
        self._opponent: Any = player(opponent) if isinstance(opponent, str) else opponent
        check_suitable(self._opponent, self.rules)
        self._seeded = self._spec is not None and _takes_seed(self._spec)
        shape = len(arrays.PLANES), self.rules.height, self.rules.width
        self.observation_space = spaces.Box(0, 1, shape, np.uint8)
        self.action_space = spaces.Discrete(arrays.action_count(self.rules))
        self._game = SingleGame(self.rules)
        self._colour = BLACK

    @property
    def board(self) -> Board:
        """The board, to be looked at only."""
        return self._game.board

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin a new game; the opponent moves first if it is its turn.

        Args:
            seed: of the agent's colour and of the opponent.
            options: ``{"moves": "h8i9"}`` begins after these moves.

        Raises:
            TengenError: moves that cannot be played, or that end the game; or another option.

        Examples:
            >>> from tengen.environments import GymnasiumEnvironment
            >>> environment = GymnasiumEnvironment("shapes", colour="white")
            >>> planes, information = environment.reset(seed=1)
            >>> environment.board.ply, int(information["action_mask"].sum())
            (1, 224)
            >>> _ = environment.reset(options={"moves": "h8i9g7"})
            >>> environment.board
            <Board freestyle 15x15 'h8i9g7'>
        """
        super().reset(seed=seed)
        game = SingleGame(self.rules, moves_of(options))
        if game.board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        self._game = game
        drawn = int(self.np_random.integers(1, 3))
        self._colour = drawn if self._side == "random" else _COLOURS[self._side]
        if self._seeded:
            self._opponent = player(f"{self._spec},seed={self.np_random.integers(1 << 31)}")
        self._reply()
        return self._observed(), self._information()

    def step(self, action: np.int64 | int) -> tuple[Planes, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play an action, and let the opponent reply.

        Raises:
            GameOver: the game has ended, and `reset` is due.

        Examples:
            >>> from tengen.environments import GymnasiumEnvironment
            >>> environment = GymnasiumEnvironment("lines", rules="tictactoe", colour="black")
            >>> _ = environment.reset(seed=1)
            >>> planes, reward, ended, truncated, information = environment.step(4)
            >>> reward, ended, truncated, environment.board.ply
            (0.0, False, False, 2)
            >>> planes, reward, ended, truncated, information = environment.step(4)
            >>> reward, ended, information["illegal"]
            (-1.0, True, True)
        """
        chosen, game = int(action), self._game
        if game.board.outcome() is None and not game.is_legal(chosen):
            return self._observed(), -1.0, True, False, {**self._information(), "illegal": True}
        game.play(chosen)
        self._reply()
        ended = game.board.outcome() is not None
        if self.render_mode == "human":
            self.render()
        return self._observed(), game.reward(self._colour), ended, False, self._information()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, as maskable algorithms ask for them: bool, shape (actions,).

        ``info["action_mask"]`` is the same as int8.

        Examples:
            >>> from tengen.environments import GymnasiumEnvironment
            >>> environment = GymnasiumEnvironment("lines", rules="tictactoe", colour="black")
            >>> _ = environment.reset(seed=1)
            >>> _ = environment.step(4)
            >>> environment.action_masks().tolist()
            [True, True, True, False, False, True, True, True, True]
        """
        return self._game.mask(self._colour).astype(np.bool_)

    def render(self) -> Any:
        """Return the board as `render_mode` asks.

        Examples:
            >>> from tengen.environments import GymnasiumEnvironment
            >>> environment = GymnasiumEnvironment("lines", "tictactoe", "black", render_mode="ansi")
            >>> _ = environment.reset(seed=1)
            >>> _ = environment.step(4)
            >>> print(environment.render())
            3  . . .
            2 [O]X .
            1  . . .
               a b c
        """
        return self._game.rendered(self.render_mode)

    def _reply(self) -> None:
        """Let the opponent move if it is its turn; like any program it claims a foul that it can claim."""
        game = self._game
        if game.board.outcome() is not None or game.board.turn == self._colour:
            return
        claim = arrays.claim_action(self.rules)
        if claim is not None and game.is_legal(claim):
            game.play(claim)
            return
        point = self._opponent.choose(game.board.copy(), self._limit).point
        passing = arrays.pass_action(self.rules)
        game.play(passing if point == PASS and passing is not None else point)

    def _observed(self) -> Planes:
        return self._game.planes(self._colour)

    def _information(self) -> dict[str, Any]:
        return {"action_mask": self._game.mask(self._colour)}


def _takes_seed(spec: str) -> bool:
    """Return whether the player of a spec takes a seed that the spec leaves open.

    The engine keeps its tables from game to game, and leaves nothing to chance at full strength.
    """
    entry = entry_of(spec)
    if entry is None or entry.name == "engine" or "seed" in PlayerSpec.parse(spec).values:
        return False
    return any(setting.name == "seed" for setting in settings(spec))


if "Tengen-v0" not in gymnasium.registry:
    gymnasium.register(
        "Tengen-v0", entry_point="tengen.environments.gymnasium_environment:GymnasiumEnvironment"
    )
