"""The settings of a player: the keys that its spec may have, with their types and defaults."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from tengen.players.registry import ENTRIES, Entry, maker, player
from tengen.players.spec import PlayerSpec
from tengen.words import Message

SettingKind: TypeAlias = Literal["int", "float", "bool", "str"]

_PRESETS = ("preset", "level")
"""Parameters of the players of the registry that the preset of a spec fills in."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of a spec.

    Attributes:
        name: the key.
        default: its value where a spec does not name it; None where there is no such value.
        required: a spec has to name it.
        kind: the type of its values.
        number: it is one of the player's `parameters`, the numbers that can be tuned.
    """

    name: str
    default: Any = None
    required: bool = False
    kind: SettingKind = "str"
    number: bool = False

    @property
    def text(self) -> str:
        """The default as a spec writes it; empty where there is none."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return "" if self.default is None else str(self.default)

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as JSON-ready data."""
        plain = self.default if isinstance(self.default, (int, float, type(None))) else self.text
        return {"name": self.name, "default": plain, "required": self.required}


def settings(spec: str) -> tuple[Setting, ...]:
    """Return the settings of the player of a spec, with the values that the spec names as defaults.

    They are the parameters of the class or function that makes the player.

    Raises:
        SpecError: there is no such player, or its class cannot be imported.
    """
    make, presets, given = maker(spec)
    try:
        parameters = list(inspect.signature(make).parameters.values())[len(presets) :]
    except ValueError:  # some classes of others have no signature
        return ()
    registered = entry_of(spec) is not None
    found: list[Setting] = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            numbers = getattr(player(spec), "parameters", {}) if registered else {}
            found += [
                Setting(name, given.get(name, value), kind="float", number=True)
                for name, value in numbers.items()
            ]
        elif parameter.kind is not parameter.VAR_POSITIONAL and not (
            registered and parameter.name in _PRESETS
        ):
            required = parameter.default is parameter.empty and parameter.name not in given
            default = None if parameter.default is parameter.empty else parameter.default
            default = given.get(parameter.name, default)
            found.append(Setting(parameter.name, default, required, _kind(parameter)))
    return tuple(found)


def summary(spec: str) -> Message | None:
    """Return a sentence about the player of a spec: of a ``py:`` class, the first line of its docstring.

    Raises:
        SpecError: as `settings`.
    """
    entry = entry_of(spec)
    if entry is not None:
        return entry.summary
    parsed = PlayerSpec.parse(spec)
    if parsed.kind == "program" or parsed.name == "prover":
        return Message(f"player.{parsed.name}")
    first = (inspect.getdoc(maker(spec)[0]) or "").strip().partition("\n")[0]
    return Message("free_text", {"text": first}) if first else None


def entry_of(spec: str) -> Entry | None:
    """Return the registry's entry for a spec; None for a class of others, a program, or a proof.

    Raises:
        SpecError: the spec is malformed.
    """
    return ENTRIES.get(PlayerSpec.parse(spec).name)


def _kind(parameter: inspect.Parameter) -> SettingKind:
    """The type of a parameter, from its annotation, or else from its default."""
    written = str(parameter.annotation).partition(" ")[0]
    kind = written if written in ("int", "float", "bool") else type(parameter.default).__name__
    return cast("SettingKind", kind if kind in ("int", "float", "bool") else "str")
