"""Player specs: ``name[:preset][,key=value...]``, parsed and written.

``shapes:o2``, ``random,seed=7``; a class of your own, ``py:module:Class,key=value``; a program that
speaks the Gomocup protocol, ``cmd=./pbrain-x,key=value``; a player of proofs, ``prover:file=FILE``. Values
are integers, decimal numbers, ``true`` or ``false``, or text. `tengen.players.registry` makes the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from tengen.game.arguments import shown
from tengen.game.errors import TengenError
from tengen.game.notation import shorten

SettingValue: TypeAlias = "int | float | bool | str"

_COMMAND = "cmd="
_CLASS = "py:"
_PROVER = "prover:"
"""The one name that may be followed by a setting in the preset's place."""


class SpecError(TengenError):
    """An invalid player spec: an unknown player, preset or setting, or a value that a player refuses.

    Examples:
        >>> import tengen
        >>> try:
        ...     tengen.player("lines:o7")
        ... except tengen.SpecError as error:
        ...     print(error)
        player lines has no preset 'o7': expected one of open, tuned, o4
    """


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A parsed player spec; `str` writes it.

    Attributes:
        name: the player's name in the registry; ``"py"`` for a class, ``"cmd"`` for a program.
        preset: the text after the name: a preset, ``module:Class`` or a command; None if there is none.
        settings: the values by key, as text.
        kind: ``"named"`` for players of the registry, ``"class"`` for ``py:``, ``"program"`` for ``cmd=``.
    """

    name: str
    preset: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    kind: Literal["named", "class", "program"] = "named"

    @classmethod
    def parse(cls, text: object) -> PlayerSpec:
        """Parse a spec, without asking whether there is such a player.

        Raises:
            SpecError: `text` is no string, a setting is malformed or given twice, or a seed is no integer.
        """
        if not isinstance(text, str):
            raise SpecError("error.spec.type", value=shown(text, 80))
        head, *pairs = text.strip().split(",")
        if head.startswith(_PROVER):
            head, _, first = head.partition(":")
            pairs.insert(0, first)
        settings: dict[str, str] = {}
        for pair in pairs:
            key, equals, value = (part.strip() for part in pair.partition("="))
            if not (key.isidentifier() and equals):
                raise SpecError("error.spec.setting", spec=shorten(text), text=shorten(pair))
            if key in settings:
                raise SpecError("error.spec.twice", spec=shorten(text), key=key)
            if key == "seed" and type(_value(value)) is not int:
                raise SpecError("error.spec.seed", value=shorten(str(_value(value))))
            settings[key] = value
        if head.startswith(_COMMAND):
            return cls("cmd", head.removeprefix(_COMMAND), settings, "program")
        if head.startswith(_CLASS):
            return cls("py", head.removeprefix(_CLASS), settings, "class")
        name, colon, preset = head.partition(":")
        return cls(name, preset if colon else None, settings)

    @property
    def values(self) -> dict[str, SettingValue]:
        """The settings as numbers, booleans and strings."""
        return {key: _value(text) for key, text in self.settings.items()}

    def with_settings(self, settings: Mapping[str, str]) -> PlayerSpec:
        """The spec with these settings, last, in place of its own of the same names."""
        kept = {key: text for key, text in self.settings.items() if key not in settings}
        return replace(self, settings={**kept, **settings})

    def __str__(self) -> str:
        separator = "=" if self.kind == "program" else ":"
        head = self.name if self.preset is None else f"{self.name}{separator}{self.preset}"
        return ",".join([head, *(f"{key}={text}" for key, text in self.settings.items())])


def spec_text(
    head: str, defaults: Mapping[str, float], parameters: Mapping[str, float], seed: int | None
) -> str:
    """Write the spec that makes a player again.

    Args:
        head: its name and preset.
        defaults: the parameters of the preset.
        parameters: the player's own; those that differ from the defaults are written.
        seed: its seed; None is not written.
    """
    changed = [f"{name}={parameters[name]}" for name in defaults if parameters[name] != defaults[name]]
    return ",".join([head, *changed, *([] if seed is None else [f"seed={seed}"])])


def _value(text: str) -> SettingValue:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
