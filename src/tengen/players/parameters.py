"""The numbers inside a player that may be turned: read from its spec, shown to those who tune them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.players.spec import SpecError

MOST = 1_000_000
"""The largest parameter, either way: powers and sums of such numbers are still finite."""


def preset_of(name: str, preset: str, presets: Mapping[str, Any]) -> Any:
    """Return the preset of that name.

    Raises:
        SpecError: the player called `name` has no such preset.
    """
    if preset not in presets:
        raise SpecError("error.spec.preset", name=name, preset=shorten(str(preset)), presets=tuple(presets))
    return presets[preset]


def tuned(defaults: Mapping[str, float], changes: Mapping[str, Any]) -> dict[str, float]:
    """All parameters: `changes` where they name one, `defaults` elsewhere.

    Raises:
        TengenError: a name that is no parameter, or a value that is no number within `MOST`.
    """
    for name, value in changes.items():
        if name not in defaults:
            raise TengenError("error.parameter.name", name=shorten(name), names=tuple(defaults))
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (number and -MOST <= value <= MOST):
            raise TengenError(
                "error.parameter.value", name=name, value=shorten(str(value)), least=-MOST, most=MOST
            )
    return {**defaults, **changes}


def number(value: float) -> str:
    """A weight as a reader wants it: ``820``, not ``820.0``."""
    return f"{value:.10g}"
