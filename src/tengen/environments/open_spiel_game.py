"""The game ``tengen`` of OpenSpiel: five-in-a-row and its relatives under any rules.

An import of this module registers it:

>>> import pyspiel
>>> game = pyspiel.load_game("tengen(rules=renju,size=9)")
>>> state = game.new_initial_state()
>>> state.apply_action(40)
>>> state.action_to_string(31), len(state.legal_actions())
('e4', 80)

Its parameters are ``rules``, a preset's name; ``size``, of a square board, or ``width`` and ``height``;
``k``; ``fouls`` and ``passing``. Those that are 0 or empty are the preset's. Black is player 0. Actions are
those of `tengen.arrays`, and so is the observation tensor, shape (4, height, width), seen by the player who
observes.

Written in Python, it is as fast as games of OpenSpiel in Python are. For speed see
`tengen.environments.VectorEnvironment`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tengen import arrays
from tengen.environments.single_game import SingleGame
from tengen.extras import importing
from tengen.game.points import BLACK, PASS, WHITE
from tengen.game.rules import Rules

with importing("openspiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

_DEFAULTS: dict[str, Any] = {
    "rules": "freestyle",
    "size": 0,
    "width": 0,
    "height": 0,
    "k": 0,
    "fouls": "",
    "passing": False,
}
"""The parameters and their defaults."""

_COLOURS = BLACK, WHITE
"""The colours of the players."""

_TYPE = pyspiel.GameType(
    short_name="tengen",
    long_name="Tengen: five-in-a-row under any rules",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


def rules_of(parameters: dict[str, Any]) -> Rules:
    """Return the rules that the parameters of the game describe.

    Raises:
        RulesError: there are no such rules.
    """
    given = _DEFAULTS | parameters
    changes = {name: given[name] for name in ("width", "height", "k", "fouls") if given[name]}
    if given["passing"]:
        changes["passing"] = True
    return Rules.named(given["rules"], given["size"] or None, **changes)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """The game under some rules."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        self.rules = rules_of(parameters or {})
        info = pyspiel.GameInfo(
            num_distinct_actions=arrays.action_count(self.rules),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=arrays.longest_game(self.rules),
        )
        super().__init__(_TYPE, info, parameters or {})

    def new_initial_state(self) -> OpenSpielState:
        """Return the empty board."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer of states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A board of the game.

    Attributes:
        game: the board with its planes and its mask.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.game = SingleGame(game.rules)

    def current_player(self) -> Any:
        """Return the player to move, or that the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else _COLOURS.index(self.game.board.turn)

    def _legal_actions(self, player: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.game.mask(_COLOURS[player])).tolist()
        return found

    def _apply_action(self, action: int) -> None:
        self.game.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        board = self.game.board
        if action == arrays.claim_action(board.rules):
            return "claim"
        return board.name(PASS if action == arrays.pass_action(board.rules) else action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game.board.outcome() is not None

    def returns(self) -> list[float]:
        """Return what each player has won."""
        return [self.game.reward(colour) for colour in _COLOURS]

    def __str__(self) -> str:
        return str(self.game.board)


class PlanesObserver:
    """An observer that sees the planes of a board.

    Args:
        rules: the rules of the game.
        parameters: none are known.

    Attributes:
        tensor: the planes, float32, flat.
        dict: the planes by name, shape (4, height, width).
    """

    def __init__(self, rules: Rules, parameters: Any) -> None:
        if parameters:
            raise ValueError(f"Observation parameters not supported; passed {parameters}")
        shape = len(arrays.PLANES), rules.height, rules.width
        self.tensor: npt.NDArray[np.float32] = np.zeros(shape, np.float32).reshape(-1)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Observe a state as a player."""
        self.dict["observation"][:] = state.game.planes(_COLOURS[player])

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return a state as text, the same for both players."""
        return str(state)


pyspiel.register_game(_TYPE, OpenSpielGame)
