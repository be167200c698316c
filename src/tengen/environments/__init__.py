"""Games as environments for reinforcement learning.

- `VectorEnvironment`: thousands of boards at once, on kernels, with NumPy alone.
- `PettingZooEnvironment`: two agents in turn, by the AEC interface of PettingZoo.
- `GymnasiumEnvironment`: one agent against any player, by the interface of Gymnasium.
- `tengen.environments.open_spiel_game`: the game ``tengen`` of OpenSpiel, registered by an import.

They share actions, planes and masks, which `tengen.arrays` describes. Each is imported when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.extras import imported_later, public_names

if TYPE_CHECKING:
    from tengen.environments.gymnasium_environment import GymnasiumEnvironment
    from tengen.environments.pettingzoo_environment import PettingZooEnvironment
    from tengen.environments.vector_environment import VectorEnvironment

__all__ = ["GymnasiumEnvironment", "PettingZooEnvironment", "VectorEnvironment"]

_LATER = {
    "GymnasiumEnvironment": "tengen.environments.gymnasium_environment",
    "PettingZooEnvironment": "tengen.environments.pettingzoo_environment",
    "VectorEnvironment": "tengen.environments.vector_environment",
}


def __getattr__(name: str) -> object:
    """Import an environment, and what it needs, when it is asked for (PEP 562)."""
    return imported_later(__name__, _LATER, name)


def __dir__() -> list[str]:
    """Return the public names, those that are imported later as well."""
    return public_names(globals(), __all__)
