"""What may be said to a player in its spec: its settings, with their defaults."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from tengen.players.registry import ENTRIES, Entry, maker, player
from tengen.words import Message

_PRESETS = ("preset", "level")
"""Parameters that the preset of a spec stands for."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One ``key=value`` of a spec.

    Attributes:
        name: the key.
        default: the value where the spec does not name it; None where it has to.
        required: whether it has to.
    """

    name: str
    default: Any = None
    required: bool = False

    @property
    def text(self) -> str:
        """The default as a spec writes it; empty where there is none."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return "" if self.default is None else str(self.default)

    def to_dict(self) -> dict[str, Any]:
        """The setting as JSON-ready data."""
        plain = self.default if isinstance(self.default, (int, float, type(None))) else self.text
        return {"name": self.name, "default": plain, "required": self.required}


def settings(spec: str) -> tuple[Setting, ...]:
    """The settings of the player of a spec; what the spec itself names is the default.

    They are the parameters of whatever makes the player: of ``__init__``, where it is a class.

    Raises:
        SpecError: there is no such player, or one of anybody's own that cannot be imported.
    """
    make, presets, given = maker(spec)
    try:
        parameters = list(inspect.signature(make).parameters.values())[len(presets) :]
    except ValueError:  # some classes of others have no signature
        return ()
    found: list[Setting] = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            numbers = getattr(player(spec), "parameters", {}) if entry_of(spec) else {}
            found += [Setting(name, given.get(name, value)) for name, value in numbers.items()]
        elif parameter.kind is not parameter.VAR_POSITIONAL and not (
            entry_of(spec) and parameter.name in _PRESETS
        ):
            required = parameter.default is parameter.empty and parameter.name not in given
            default = None if parameter.default is parameter.empty else parameter.default
            found.append(Setting(parameter.name, given.get(parameter.name, default), required))
    return tuple(found)


def summary(spec: str) -> Message | None:
    """A sentence about the player of a spec; of anybody's own the first line of its docstring.

    Raises:
        SpecError: as `settings`.
    """
    entry = entry_of(spec)
    if entry is not None:
        return entry.summary
    for head, key in (("cmd=", "player.cmd"), ("prover", "player.prover")):
        if spec.strip().startswith(head):
            return Message(key)
    first = (inspect.getdoc(maker(spec)[0]) or "").strip().partition("\n")[0]
    return Message("free_text", {"text": first}) if first else None


def entry_of(spec: str) -> Entry | None:
    """The entry of the registry that a spec names; None for anybody's own, a program, or a proof."""
    return ENTRIES.get(spec.strip().partition(",")[0].partition(":")[0])
